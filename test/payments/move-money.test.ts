import { expect, test } from 'vitest'
import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import type { MoneyMoveRequest } from '../../src/payments/adapter.ts'
import { reportPayment } from '../../src/payments/learn-payment.ts'
import { moveMoney } from '../../src/payments/move-money.ts'
import { day, paid, paymentsWith } from '../helpers/provider.ts'

const order = { orderId: 1001 }
const part = (amount: string) => ({ status: 'refunded', amount, currency: 'eur' })

/** An order of 29.34 that is paid, at a service that keeps what it was asked for by its key. */
async function paidOrder(answer: (request: MoneyMoveRequest) => unknown = () => undefined, data?: unknown) {
  const asked: MoneyMoveRequest[] = []
  const done = new Map<string, object>()
  const answered: AnyPaymentAdapter['refund'] = async (_attempt, request) => {
    asked.push(request)
    const event = done.get(request.idempotencyKey) ?? {
      ...part(request.amount),
      event: `re_${done.size + 1}`,
    }
    done.set(request.idempotencyKey, event)
    return ((await answer(request)) ?? event) as never
  }
  const start = ({ id }: { id: string }) => ({ redirect: `https://psp.example/${id}`, reference: id, data })
  const setup = paymentsWith({ refund: answered, ...(data !== undefined && { start }) })
  await setup.start()
  await setup.report({ ...paid, event: 'tr_1' })
  const refund = (options?: Parameters<typeof moveMoney>[3]) =>
    moveMoney(setup.workings, 'refund', order, options)
  return { ...setup, asked, done, refund }
}

/** The same at a service whose answers are lost until it is `well`. */
async function unanswered() {
  let fails = true
  const setup = await paidOrder(() => {
    if (fails) throw new Error('connection reset')
  })
  return { ...setup, well: () => (fails = false) }
}

test('a refund is on disk with its key, asked for once, and a movement of the ledger', async () => {
  const { workings, asked, stored, refund } = await paidOrder()
  const first = await refund({ amount: '10.00', by: 'anna' })
  expect(first).toMatchObject({
    ...{ amount: '10.00', currency: 'eur', refused: undefined, status: 'paid' },
    ledger: { received: '29.34', refunded: '10.00', net: '19.34' },
  })
  const rest = await refund()
  expect(rest.ledger).toMatchObject({ refunded: '29.34', net: '0.00' })
  expect(asked.map(({ amount }) => amount)).toEqual(['10.00', '19.34'])
  expect(await refund({ key: first.key, amount: 10 })).toMatchObject({
    key: first.key,
    amount: '10.00',
  })
  expect(asked).toHaveLength(2)
  const facts = (await stored()).attempts[0]!.facts.map(
    ({ kind, event, source }) => `${kind} ${event} ${source}`,
  )
  expect(facts).toEqual(['paid tr_1 report', 'refunded re_1 refund', 'refunded re_2 refund'])
  const trail = await workings.store.auditTrail({ shopId: 'default', limit: 9 })
  expect(trail).toMatchObject([
    { action: 'money.asked', kind: 'refund', order: '1001', amount: '10.00', by: 'anna' },
    { action: 'money.asked', amount: '19.34', by: 'code' },
  ])
})

test('after an unknown outcome a repeat asks with the same key, and the service sends the money once', async () => {
  const { asked, done, lines, refund, well } = await unanswered()
  const failed = refund({ amount: '5' })
  await expect(failed).rejects.toMatchObject({ code: 'MONEY_UNKNOWN' })
  const key = asked[0]!.idempotencyKey
  await expect(failed).rejects.toThrow(key)
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
    {
      message: 'the outcome of a refund is unknown',
      fields: { shop: 'default', order: '1001', amount: '5.00', currency: 'eur', key },
    },
  ])
  expect(lines.at(-1)!.fields.err).toMatchObject({ message: 'connection reset' })
  well()
  expect(await refund({ amount: '5.00' })).toMatchObject({
    key: asked[0]!.idempotencyKey,
    ledger: { refunded: '5.00' },
  })
  expect([asked.length, done.size]).toEqual([2, 1])
})

test('all that is left comes beside an unfinished refund of another amount, which is asked for again after it', async () => {
  const { asked, refund, well } = await unanswered()
  await expect(refund({ amount: '10.00' })).rejects.toThrow('unknown')
  well()
  expect(await refund()).toMatchObject({
    amount: '19.34',
    ledger: { refunded: '19.34' },
  })
  expect(await refund()).toMatchObject({
    ...{ amount: '10.00', key: asked[0]!.idempotencyKey },
    ledger: { refunded: '29.34' },
  })
  await expect(refund()).rejects.toMatchObject({ code: 'MONEY_UNAVAILABLE' })
})

test.each([undefined, null, {}, { orderId: undefined }, { attemptId: 5 }, { adapter: 'psp', reference: 7 }])(
  'what names no payment is refused by name: %j',
  async (ref) => {
    const { workings } = await paidOrder()
    const calls = [moveMoney(workings, 'refund', ref as never), reportPayment(workings, ref as never, paid)]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
  },
)

test('a refund whose key the payment service has forgotten is asked for again by its key alone', async () => {
  const { workings, asked, move, refund: refundOf, well } = await unanswered()
  workings.payments.adapters[0]!.idempotency = { ttl: day }
  const refund = (more = {}) => refundOf({ amount: '5.00', ...more })
  await expect(refund()).rejects.toMatchObject({ code: 'MONEY_UNKNOWN' })
  well()
  await move(day + 1)
  const forgotten = refund()
  await expect(forgotten).rejects.toMatchObject({ code: 'MONEY_UNKNOWN' })
  await expect(forgotten).rejects.toThrow('has forgotten its key')
  expect(asked).toHaveLength(1)
  const key = asked[0]!.idempotencyKey
  expect(await refund({ key })).toMatchObject({ key, ledger: { refunded: '5.00' } })
  expect(asked).toHaveLength(2)
})

test('two refunds at once never come to more than there is', async () => {
  const { refund } = await paidOrder(() => new Promise((resolve) => setImmediate(resolve)))
  const both = await Promise.allSettled(['20.00', '15.00'].map((amount) => refund({ amount })))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = both.find((one) => one.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'MONEY_UNAVAILABLE' })
})

test('a service that refuses moves nothing, and what it would have moved is left', async () => {
  const { refund } = await paidOrder(({ amount }) => (amount === '7.00' ? { refused: 'too old' } : undefined))
  expect(await refund({ amount: 7 })).toMatchObject({
    refused: 'too old',
    ledger: { refunded: '0.00' },
  })
  expect((await refund()).amount).toBe('29.34')
})

test.each([
  ['done', undefined, '7.00'],
  ['refused', 'too old', '0.00'],
])(
  'a refund that was %s while the store is away has an unknown outcome, and the repeat notes it',
  async (outcome, refused, refunded) => {
    const { workings, asked, done, stored, refund } = await paidOrder(() => refused && { refused })
    const { store } = workings
    const { settleMoneyRequest } = store
    store.settleMoneyRequest = () => Promise.reject(new Error('away'))
    const failed = refund({ amount: 7 })
    await expect(failed).rejects.toMatchObject({ code: 'MONEY_UNKNOWN', cause: { message: 'away' } })
    await expect(failed).rejects.toThrow(asked[0]!.idempotencyKey)
    store.settleMoneyRequest = settleMoneyRequest
    const again = await refund({ amount: 7 })
    expect(again).toMatchObject({ key: asked[0]!.idempotencyKey, refused, ledger: { refunded } })
    expect([asked.length, done.size]).toEqual([2, 1])
    expect(await store.moneyRequests('default', '1001')).toMatchObject([{ outcome }])
    expect((await stored()).attempts[0]!.facts).toHaveLength(refused ? 1 : 2)
  },
)

test('an authorised payment is captured in parts, up to what was authorised', async () => {
  let captures = 0
  const { workings, start, report } = paymentsWith({
    capture: async (_attempt, { amount }) => ({ ...paid, amount, event: `ca_${++captures}` }),
  })
  await start()
  await report({ status: 'authorised', amount: '29.34', currency: 'eur' })
  const capture = (amount?: string) => moveMoney(workings, 'capture', order, amount ? { amount } : {})
  expect((await capture('20')).status).toBe('pending')
  await expect(capture('10')).rejects.toThrow('Only 9.34 eur is left to capture of this attempt')
  expect((await capture()).status).toBe('paid')
})

test.each([
  [{ amount: '0' }, 'ARGUMENT_INVALID', '`amount` must be a decimal number above 0'],
  [{ amount: '-1' }, 'ARGUMENT_INVALID', 'above 0'],
  [{ amount: 'all' }, 'ARGUMENT_INVALID', 'above 0'],
  [{ amount: '1.005' }, 'ARGUMENT_INVALID', 'at most 2 decimals'],
  [{ amount: '29.35' }, 'MONEY_UNAVAILABLE', 'Only 29.34 eur is left to refund'],
  [{ key: 'a key' }, 'ARGUMENT_INVALID', '`key` takes 1 to 100 letters'],
  [{ by: '\n' }, 'AUTHOR_INVALID', ''],
])('a refund of %j is refused before the service is asked', async (options, code, message) => {
  const { asked, refund } = await paidOrder()
  const refused = refund(options)
  await expect(refused).rejects.toMatchObject({ code })
  await expect(refused).rejects.toThrow(message)
  expect(asked).toEqual([])
})

test('an adapter without refund(), an unknown payment and a key of another request are refused', async () => {
  const { workings, start } = paymentsWith({})
  await expect(moveMoney(workings, 'refund', order)).rejects.toMatchObject({ code: 'UNKNOWN_PAYMENT' })
  await start()
  const withoutRefund = moveMoney(workings, 'refund', order)
  await expect(withoutRefund).rejects.toThrow('The payment adapter "psp" has no refund().')
  const { refund } = await paidOrder()
  await refund({ amount: 1, key: 'mine' })
  await expect(refund({ amount: 2, key: 'mine' })).rejects.toThrow(
    'Key mine belongs to another request of the order',
  )
})

test.each([
  ['says nothing of the money', { status: 'pending' }, 'returns a report of "refunded"'],
  ['names no event: two equal ones would count as one', part('5.00'), ''],
])('an answer that %s leaves the outcome unknown', async (_what, answer, words) => {
  const { refund, stored } = await paidOrder(() => answer)
  await expect(refund({ amount: '5.00' })).rejects.toMatchObject({
    code: 'MONEY_UNKNOWN',
    cause: {
      code: 'ADAPTER_ANSWER_INVALID',
      message: expect.stringContaining(`refund() of payment adapter "psp" ${words}`),
    },
  })
  expect((await stored()).attempts[0]?.facts).toHaveLength(1)
})

test.each([
  ['one event', { ...part('4.00'), event: 're_2' }],
  [
    'events, also of before',
    [part('10.00'), part('4.00')].map((one, at) => ({ ...one, event: `re_${at + 1}` })),
  ],
  ['totals', { status: 'refunded', totals: { received: '29.34', refunded: '14.00' }, currency: 'eur' }],
])(
  'asked for 6.00 and reported 4.00: the answer has both, also when it is repeated (%s)',
  async (_name, said) => {
    const { asked, move, report, refund } = await paidOrder(({ amount }) =>
      amount === '6.00' ? said : undefined,
    )
    const first = await refund({ amount: '10.00' })
    expect(first.reported).toBeUndefined()
    await move(1_000)
    const less = await refund({ amount: '6.00' })
    expect(less).toMatchObject({ amount: '6.00', reported: '4.00', refused: undefined })
    expect(less.ledger).toMatchObject({ refunded: '14.00', net: '15.34' })
    await report({ ...part('15.34'), event: 're_3' } as never)
    expect((await refund({ key: less.key })).reported).toBe('4.00')
    expect(asked).toHaveLength(2)
  },
)

test('a refund that a push reported before its answer came is what was asked for', async () => {
  const pushed = { ...part('6.00'), event: 're_1' } as never
  const setup: Awaited<ReturnType<typeof paidOrder>> = await paidOrder(async () => {
    await setup.move(1_000)
    await setup.report(pushed)
    return pushed
  })
  expect((await setup.refund({ amount: '6.00' })).reported).toBeUndefined()
})

test('a refund of a payment whose data does not open is refused before it is under way', async () => {
  const { workings, asked, refund } = await paidOrder(undefined, { secret: 'of the service' })
  workings.contents.setKey('another')
  await expect(refund()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(await workings.store.moneyRequests('default', '1001')).toEqual([])
  expect(asked).toEqual([])
})

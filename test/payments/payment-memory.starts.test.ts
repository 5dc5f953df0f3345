import { expect, test, vi } from 'vitest'
import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import type { Started } from '../../src/payments/adapter.ts'
import { attemptView } from '../../src/payments/called-adapter.ts'
import { reportPayment } from '../../src/payments/learn-payment.ts'
import { day, hour, minute, paid, paymentsWith, startTwo } from '../helpers/provider.ts'
import { open, redirect as redirectOf } from '../stores/cases/store-case.ts'

const failed = { code: 'PAYMENT_START_FAILED' }
const theirs = { ...redirectOf, paymentUrl: 'https://psp.example/theirs', reference: 'tr_9' }
const redirect: Started = { redirect: 'https://psp.example/1', reference: 'tr_1' }

/** Fails once, as a payment service does that made a session and lost the answer. */
const failsOnce = () => {
  const keys: string[] = []
  const start = ({ idempotencyKey }: { idempotencyKey: string }) => {
    keys.push(idempotencyKey)
    if (keys.length === 1) throw new Error('connection reset')
    return redirect
  }
  return { keys, start }
}

const givenUp = [['cancelled'], []]

test.each<[string, Partial<AnyPaymentAdapter>, number, number, string[][], string[]]>([
  ['with the same key at a service that takes keys', { idempotency: { ttl: day } }, 23 * hour, 1, [[]], []],
  [
    'anew where the service has forgotten the key',
    { idempotency: { ttl: 10 * minute } },
    11 * minute,
    2,
    givenUp,
    ['start_unknown'],
  ],
  [
    'anew where nothing is found: the first call may still be on its way',
    { find: () => undefined },
    0,
    2,
    givenUp,
    [],
  ],
  ['anew where nobody can look it up, for a person to look at', {}, 0, 2, givenUp, ['start_unknown']],
])('a start of unknown outcome is repeated %s', async (_how, adapter, wait, keysOf, factsOf, anomaliesOf) => {
  const { keys, start: begin } = failsOnce()
  const { start, facts, anomalies, move, status } = paymentsWith({ start: begin, ...adapter })
  await expect(start()).rejects.toMatchObject(failed)
  await move(wait)
  expect(await start()).toEqual({ payment_url: 'https://psp.example/1' })
  expect([keys.length, new Set(keys).size]).toEqual([2, keysOf])
  expect([await facts(), await anomalies(), await status()]).toEqual([factsOf, anomaliesOf, 'pending'])
})

test('one whose start can be found is not called again', async () => {
  const { keys, start: begin } = failsOnce()
  const find = vi.fn(async () => redirect)
  const { start, stored } = paymentsWith({ start: begin, find })
  await expect(start()).rejects.toMatchObject(failed)
  expect(await start()).toEqual({ payment_url: 'https://psp.example/1' })
  expect(keys).toHaveLength(1)
  expect(find.mock.calls.map(([key]: unknown[]) => key)).toEqual(keys)
  expect((await stored()).attempts[0]?.started?.reference).toBe('tr_1')
})

test('another process that is starting the same attempt is waited for', async () => {
  const { workings, start, move, stored } = paymentsWith({ start: () => redirect })
  // Opened by another process: this one knows nothing of its start.
  const { attempt } = await workings.store.openAttempt(open({ mode: 'test', now: workings.world.now() }))
  const answer = start()
  await move(1_000)
  const times = { expiresAt: workings.world.now() + hour, checkAt: workings.world.now() + hour }
  await workings.store.noteStart(attempt, theirs, times)
  await move(1_000)
  expect(await answer).toEqual({ payment_url: 'https://psp.example/theirs' })
  expect((await stored()).attempts).toHaveLength(1)
})

test('of two starts with different amounts in one moment the newer one alone stays payable', async () => {
  for (const slow of ['10.00', '100.00']) {
    const { payable, payment } = await startTwo(slow)
    expect(payable).toEqual(['100.00'])
    expect(payment.attempts).toMatchObject([{ facts: [{ kind: 'cancelled' }] }, { facts: [] }])
  }
})

test('an old attempt that cannot be cancelled stays watched', async () => {
  const { start, facts, settle, lines } = paymentsWith({
    cancel: () => Promise.reject(new Error('too late')),
  })
  await start({ price_incl: 10 })
  await start({ price_incl: 100 })
  await settle()
  expect(await facts()).toEqual([[], []])
  expect(lines.at(-1)?.message).toContain('Purveyor still checks it')
})

test('a paid order that grew is refused with what came and what was asked, and opens one anomaly', async () => {
  const { start, report, stored, anomalies } = paymentsWith({})
  await start()
  await report(paid)
  for (const _ of [1, 2])
    await expect(start({ price_incl: 57.82 })).rejects.toMatchObject({
      code: 'PAID_LESS',
      status: 409,
      faults: [{ path: 'order.price_incl', message: 'asks for 57.82 eur, but 29.34 eur was received' }],
    })
  expect(await stored()).toMatchObject({ status: 'paid', attempts: [{ amount: '29.34' }] })
  expect(await anomalies()).toEqual(['amount_changed_after_paid'])
})

test('a paid order that is started for as much or less goes straight back to the shop', async () => {
  const { start, report, stored } = paymentsWith({ underpaidBy: '0.50' })
  await start()
  await report({ ...paid, amount: '29.00' })
  for (const price_incl of [29.34, 20]) expect((await start({ price_incl })).payment_url).toMatch(/\/return$/)
  await report({ ...paid, amount: '40.00' })
  for (const price_incl of [40, 40.5]) expect((await start({ price_incl })).payment_url).toMatch(/\/return$/)
  await expect(start({ price_incl: 40.51 })).rejects.toMatchObject({ code: 'PAID_LESS' })
  expect((await stored()).attempts).toHaveLength(1)
})

test('an order of nothing is paid at once without its payment service, and opens no payment beside it', async () => {
  const asked: string[] = []
  const cancelled: unknown[] = []
  const { start, settle, stored, workings, anomalies, status, lines } = paymentsWith({
    start({ amount }) {
      asked.push(amount)
      return { redirect: 'https://psp.example/1', reference: 'tr_1' }
    },
    cancel: ({ amount }) => void cancelled.push(amount),
  })
  await start()
  for (const _ of [1, 2]) expect((await start({ price_incl: 0 })).payment_url).toMatch(/\/return$/)
  await settle()
  expect(await status()).toBe('paid')
  expect([asked, cancelled, await anomalies()]).toEqual([['29.34'], ['29.34'], []])
  const { attempts, paidBy } = await stored()
  expect(attempts[1]).toMatchObject({
    id: paidBy,
    facts: [{ kind: 'paid', amount: '0.00', source: 'start' }],
  })
  expect((await workings.store.countWebhooks()).owed).toBe(1)
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([])
  await expect(start({ price_incl: 29.34 })).rejects.toMatchObject({ code: 'PAID_LESS' })
})

test('an order of nothing is started where the adapter says so', async () => {
  const { start, status, report } = paymentsWith({ startsAtZero: true })
  expect((await start({ price_incl: 0 })).payment_url).toBe('https://psp.example/1')
  expect(await status()).toBe('pending')
  await report({ ...paid, amount: '0.00' })
  expect(await status()).toBe('paid')
})

test('an amount that was paid before and is owed again is paid', async () => {
  const { workings, start, stored, status } = paymentsWith({})
  const said = { status: 'paid', amount: 10, currency: 'eur' } as const
  await start({ price_incl: 10 })
  const [first] = (await stored()).attempts
  await start({ price_incl: 100 })
  await reportPayment(workings, { attemptId: first!.id }, said)
  expect(await status()).toBe('pending')
  expect((await start({ price_incl: 10 })).payment_url).toMatch(/\/return$/)
  expect(await status()).toBe('paid')
  expect((await workings.store.countWebhooks()).owed).toBe(1)
})

test('in production a page that is not https is no answer of a start', async () => {
  const { workings, start, lines } = paymentsWith({ start: () => ({ redirect: 'http://psp.example/1' }) })
  workings.payments.development = false
  const production = { webhook_url: 'https://shop.example/webhook' }
  await expect(start(production)).rejects.toMatchObject(failed)
  expect(lines.find(({ level }) => level === 'error')?.fields.err).toMatchObject({
    message: expect.stringContaining('returns a redirect that is not https'),
  })
})

test.each([
  [{ later: true }, 14 * day],
  [{ redirect: 'https://psp.example/1' }, hour],
] as const)(
  'an attempt without an end of its own, started with %j, ends after %d ms',
  async (answer, lives) => {
    const { start, stored, world } = paymentsWith({ start: () => answer })
    await start()
    expect((await stored()).attempts[0]?.expiresAt).toBe(world.now() + lives)
  },
)

test.each([
  [{ reference: 'tr_7' }, 'tr_7', undefined],
  [{ data: { psp: 7 } }, undefined, { psp: 7 }],
])('a refusal with %j keeps it: money may be reported all the same', async (details, reference, data) => {
  const { start, stored, workings } = paymentsWith({ start: () => ({ refused: 'declined', ...details }) })
  await start()
  const [attempt] = (await stored()).attempts
  expect(attempt?.started?.reference).toBe(reference)
  expect(attemptView(workings.contents, attempt!).data).toEqual(data)
})

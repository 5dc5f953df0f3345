import { expect, test } from 'vitest'
import type { AnyPaymentAdapter } from '../../../src/any-adapter.ts'
import type { PushedReport, PushReader } from '../../../src/payments/adapter-context.ts'
import type { PaymentReport } from '../../../src/payments/ledger/report.ts'
import { openContent } from '../../../src/shops/seal.ts'
import { processPushes } from '../../background.ts'
import { day, minute, paid, paymentsWith } from '../../helpers/provider.ts'
import { push } from '../../helpers/push.ts'
import { throwing } from '../../helpers/world.ts'

const said = (push: { body: Buffer }) => JSON.parse(push.body.toString()) as PushedReport
const signed: PushReader = {
  verify: ({ headers }) => headers.signature === 'good',
  read: said,
}
/** Its pushes only say whom to ask. */
const asking: PushReader = { confirm: 'status', read: said }

/** A payment service with pushes, whose adapter has more than that where the test says so. */
function withPushes(reader: PushReader, adapter: Partial<AnyPaymentAdapter> = {}) {
  const setup = paymentsWith({ push: reader, ...adapter })
  const { workings } = setup
  const pushes = (limit: number) => workings.store.pushes({ shopId: 'default', limit })
  const send = (content: object, shop = 'default') =>
    push(workings, JSON.stringify(content), { shop, headers: { signature: 'good' } })
  /** Sends this if there is any, processes what is due, and says how often each push came and what came of it. */
  const outcomes = async (content?: object) => {
    if (content) await send(content)
    await processPushes(workings)
    return (await pushes(10)).map(({ detail, times }) => `${times}x ${detail}`)
  }
  return { ...setup, send, outcomes, newest: async () => (await pushes(1))[0]! }
}

const ofPayment = { reference: 'tr_1', report: paid }
const isPaid = 'paid: noted, the payment of order 1001 is paid'
const unreadable = '1x the adapter failed to read it; the log says where'

test('a verified push is on disk first and processed afterwards; a repeat changes nothing', async () => {
  const { start, send, outcomes, stored, workings } = withPushes(signed)
  await start()
  await send(ofPayment)
  expect((await stored()).status).toBe('pending')
  expect(await outcomes()).toEqual([`1x ${isPaid}`])
  expect((await stored()).attempts[0]?.facts[0]?.source).toBe('push')
  expect(await outcomes(ofPayment)).toEqual(['2x paid: known already, the payment of order 1001 is paid'])
  expect((await workings.store.countWebhooks()).owed).toBe(1)
})

test.each(['keepPush', 'noteStart'] as const)('nobody is answered before %s is on disk', async (write) => {
  const { start, send, workings } = withPushes(signed)
  const disk = Promise.withResolvers<void>()
  const writeNow = workings.store[write] as (...call: unknown[]) => Promise<never>
  workings.store[write] = async (...call: unknown[]) => {
    await disk.promise
    return writeNow(...call)
  }
  let isAnswered = false
  const answering = (write === 'keepPush' ? send(ofPayment) : start()).then(() => (isAnswered = true))
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(isAnswered).toBe(false)
  disk.resolve()
  await answering
})

test('a push that waits is sealed, opens in its own row, and is gone once it is processed', async () => {
  const { start, send, outcomes, workings } = withPushes(signed)
  await start()
  await send(ofPayment)
  const { store, world } = workings
  const now = world.now()
  const claim = { adapter: 'psp', now, leaseUntil: now, limit: 1, perLane: 1, owner: 'a' }
  const [waiting] = await store.claimPushes(claim)
  expect(Buffer.from(waiting!.sealed, 'base64url').toString()).not.toMatch(/tr_1|29\.34|signature/)
  expect(openContent(workings.contents, waiting!).headers).toEqual({ signature: 'good' })
  expect(() => openContent(workings.contents, { ...waiting!, shopId: 'other' })).toThrow()
  await outcomes()
  expect(await store.claimPushes(claim)).toEqual([])
})

test('a push that comes before its start is processed when the start stores the reference', async () => {
  const { start, outcomes, stored } = withPushes(signed)
  expect(await outcomes(ofPayment)).toEqual(['1x no payment of the shop has this reference'])
  await start()
  expect(await outcomes()).toEqual([`1x ${isPaid}`])
  expect((await stored()).status).toBe('paid')
})

test('a start that stores the reference while a push about it is put aside leaves no push waiting', async () => {
  const { start, outcomes, stored, workings } = withPushes(signed)
  const { parkPush } = workings.store
  workings.store.parkPush = async (...call) => {
    await start()
    await parkPush(...call)
  }
  await outcomes(ofPayment)
  await outcomes()
  expect((await stored()).status).toBe('paid')
})

test('a push about a reference that nothing here gets waits for three days, and begins anew when it comes again', async () => {
  const { start, outcomes, stored, move, newest } = withPushes(signed)
  await outcomes({ reference: 'tr_9', report: paid })
  const waiting = await newest()
  expect(waiting.dueAt! - waiting.receivedAt).toBe(3 * day)
  await move(3 * day)
  await outcomes()
  const over = await newest()
  expect(over).toMatchObject({ outcome: 'unmatched', dueAt: undefined })
  await start()
  await outcomes({ reference: 'tr_9', report: paid })
  expect((await newest()).dueAt).toBeGreaterThan(over.receivedAt)
  expect((await stored()).status).toBe('pending')
})

test('a start that stores the reference of a push that waits wakes the processing, and another start does not', async () => {
  const { start, outcomes, workings } = withPushes(signed)
  await outcomes(ofPayment)
  let woken = 0
  workings.wake = () => {
    woken++
  }
  await start()
  expect(woken).toBe(1)
  await start({ id: 1002 })
  expect(woken).toBe(1)
})

test.each([
  ['of a batch of 250', Array.from({ length: 250 }, (_, number) => `tr_${250 - number}`)],
  ['as long as a start may note', ['tr_1'.padEnd(255, '.')]],
])('a push is processed when a start stores a reference %s', async (_what, references) => {
  const reference = references.at(-1)!
  const begin = () => ({ redirect: 'https://psp.example/1', reference })
  const { start, outcomes, stored } = withPushes(signed, { start: begin })
  const [outcome] = await outcomes(references.map((one) => ({ reference: one, report: paid })))
  expect(outcome).toContain('no payment of the shop has this reference')
  await start()
  await outcomes()
  expect((await stored()).status).toBe('paid')
})

test('a reference that is a number in the JSON of a push is that of the start, before it and behind it', async () => {
  const begin = () => ({ redirect: 'https://psp.example/1', reference: '12345' })
  const { start, outcomes, stored } = withPushes(signed, { start: begin })
  await outcomes({ reference: 12345, report: { ...paid, amount: '10.00', event: 'a' } })
  await start()
  await outcomes()
  await outcomes({ reference: 12345, report: { ...paid, amount: '19.34', event: 'b' } })
  expect((await stored()).status).toBe('paid')
})

test('a push about a reference that two orders have pays neither of them, and is tried again', async () => {
  const { start, outcomes, stored } = withPushes(signed)
  await start()
  await start({ id: 1002 })
  expect(await outcomes(ofPayment)).toEqual([unreadable])
  expect([(await stored()).status, (await stored('1002')).status]).toEqual(['pending', 'pending'])
})

test('money of a start that was refused is found by the reference that came with the refusal', async () => {
  const refusing = () => ({ refused: 'declined', reference: 'tr_1', data: { psp: 1 } })
  const { start, outcomes, stored, anomalies } = withPushes(signed, { start: refusing })
  await start()
  expect((await stored()).status).toBe('cancelled')
  expect(await outcomes(ofPayment)).toEqual([`1x ${isPaid}`])
  expect(await anomalies()).toEqual(['late_paid'])
})

test.each([['a negative amount', { ...paid, amount: '-1.00' }]])(
  '%s in one report of a push keeps no other order of it back',
  async (_what, report) => {
    let started = 0
    const begin = () => ({ redirect: 'https://psp.example/1', reference: `tr_${++started}` })
    const { start, send, outcomes, stored } = withPushes(signed, { start: begin })
    for (const id of [1001, 1002, 1003]) await start({ id })
    await send([ofPayment, { reference: 'tr_2', report }, { reference: 'tr_3', report: paid }])
    // It is tried again, and given up as the others are: what could be read counts.
    expect(await outcomes()).toEqual([unreadable])
    const statuses = ['1001', '1002', '1003'].map(async (order) => (await stored(order)).status)
    expect(await Promise.all(statuses)).toEqual(['paid', 'pending', 'paid'])
  },
)

test.each<[string, () => unknown]>([
  ['false', () => false],
  ['an error', throwing('no secret')],
  ...['yes', 1, {}].map((answer): [string, () => unknown] => [JSON.stringify(answer), async () => answer]),
])('a push that verify answers with %s is refused and leaves nothing behind', async (_what, verify) => {
  const { start, send, outcomes, stored } = withPushes({ ...signed, verify } as PushReader)
  await start()
  await expect(send(ofPayment)).rejects.toMatchObject({ code: 'PUSH_NOT_VERIFIED', status: 401 })
  expect(await outcomes()).toEqual([])
  expect((await stored()).status).toBe('pending')
})

test('a push that is not verified only says whom to ask', async () => {
  let status: PaymentReport = { status: 'pending' }
  const { start, outcomes, stored } = withPushes(asking, { status: () => status })
  await start()
  expect(await outcomes(ofPayment)).toEqual(['1x pending: noted, the payment of order 1001 is pending'])
  expect((await stored()).status).toBe('pending')
  status = paid
  expect(await outcomes(ofPayment)).toEqual([`2x ${isPaid}`])
})

const pending = 'noted, the payment of order 1001 is pending'
test.each([
  [{ reference: 'tr_9', report: paid }, 'no payment of the shop has this reference'],
  [{ reference: 'tr_1', report: { ...paid, currency: 'usd' } }, `paid: ${pending}`],
  [{ reference: 'tr_1', report: { status: 'settled' } }, `settled: ${pending}`],
])('a push of %j that changes nothing is taken, with the reason noted', async (content, outcome) => {
  const { start, outcomes, stored } = withPushes(signed)
  await start()
  expect(await outcomes(content)).toEqual([`1x ${outcome}`])
  expect((await stored()).status).toBe('pending')
})

test('a push at the address of one shop says nothing of another shop’s payments', async () => {
  const { start, send, workings, stored } = withPushes(signed)
  await start()
  const { attempts } = await stored()
  await send({ attemptId: attempts[0]!.id, report: paid }, 'other')
  await processPushes(workings)
  expect(await workings.store.pushes({ shopId: 'other', limit: 1 })).toMatchObject([
    { outcome: 'unmatched', names: [attempts[0]!.id], detail: 'no payment of the shop has this attempt' },
  ])
  expect((await stored()).status).toBe('pending')
})

test('a push that belongs to nobody here, by the word of `read`, is ignored with its reason, and warns nobody', async () => {
  const { start, outcomes, stored, lines, newest } = withPushes(signed)
  await start()
  expect(await outcomes([])).toEqual(['1x it names no payment'])
  expect(await newest()).toMatchObject({ outcome: 'ignored', dueAt: undefined })
  await outcomes({ ignored: `of the\nold shop${'!'.repeat(300)}` })
  expect(await newest()).toMatchObject({
    outcome: 'ignored',
    detail: expect.stringMatching(/^of the old shop!{185}$/),
  })
  expect(lines.filter(({ fields }) => fields.code === 'PUSH_UNMATCHED')).toEqual([])
  // In a batch the others count.
  await outcomes([{ ignored: 'of the old shop' }, ofPayment])
  expect((await newest()).outcome).toBe('processed')
  expect((await stored()).status).toBe('paid')
  await outcomes([{ ignored: 'of the old shop' }, { reference: 'tr_9', report: paid }])
  expect((await newest()).outcome).toBe('unmatched')
})

test('a push asks no payment service that answered 429, and is processed once its pause is over', async () => {
  let asked = 0
  const { workings, world, start, status, stored, move, send } = withPushes(asking, {
    async status(_attempt, { fetch }) {
      asked++
      const { status } = await fetch('https://psp.example/status')
      if (status === 429) throw new Error('psp answered 429')
      return paid
    },
  })
  world.outgoing.fetch = async () => new Response('', { status: 429, headers: { 'retry-after': '7200' } })
  await start()
  expect([await status(), asked]).toEqual(['pending', 1])
  await send({ reference: 'tr_1' })
  world.outgoing.fetch = async () => new Response('')
  for (let minutes = 0; minutes < 110; minutes += 10) {
    await processPushes(workings)
    await move(10 * minute)
  }
  expect([asked, (await stored()).status]).toEqual([1, 'pending'])
  await move(15 * minute)
  await processPushes(workings)
  expect([asked, (await stored()).status]).toEqual([2, 'paid'])
})

test('a push that names the payment alone begins anew with the same body: on day 10, and after it was given up', async () => {
  const charged = { status: 'charged_back', amount: '29.34', currency: 'eur', event: 'dp_1' } as const
  let answer: () => PaymentReport | Promise<PaymentReport> = () => paid
  const { start, outcomes, move, stored, anomalies } = withPushes(asking, { status: () => answer() })
  await start()
  expect(await outcomes({ reference: 'tr_1' })).toEqual([`1x ${isPaid}`])
  await move(10 * day)
  answer = () => Promise.reject(new Error('down'))
  expect(await outcomes({ reference: 'tr_1' })).toEqual(['2x down'])
  await move(4 * day)
  expect(await outcomes()).toEqual(['2x given up after three days: down'])
  expect(await outcomes({ reference: 'tr_1' })).toEqual(['3x down'])
  answer = () => charged
  await move(minute)
  expect(await outcomes()).toEqual(['3x charged_back: noted, the payment of order 1001 is paid'])
  expect((await stored()).attempts[0]?.facts.map(({ kind }) => kind)).toEqual(['paid', 'charged_back'])
  expect(await anomalies()).toEqual(['charged_back'])
})

import { expect, test } from 'vitest'
import type { PushedReport, PushReader } from '../../../../src/payments/adapter.ts'
import type { PaymentReport } from '../../../../src/payments/report.ts'
import { openContent, sealContent } from '../../../../src/use-cases/push-content.ts'
import { processPushes } from '../../../background.ts'
import { day, minute, paid, paymentsWith } from '../../provider.ts'
import { push } from '../../push.ts'

const said = (push: { body: Buffer }) => JSON.parse(push.body.toString()) as PushedReport
const signed: PushReader = {
  verify: ({ headers }) => headers.signature === 'good',
  read: said,
}

function withPushes(reader: PushReader, status?: () => PaymentReport | Promise<PaymentReport>) {
  const setup = paymentsWith({ push: reader, ...(status && { status }) })
  const { workings } = setup
  const send = (content: object, { signature = 'good', shop = 'default' } = {}) =>
    push(workings, JSON.stringify(content), { shop, headers: { signature } })
  const outcomes = async () => {
    await processPushes(workings)
    return (await workings.store.pushes({ shopId: 'default', limit: 10 })).map(
      ({ detail, times }) => `${times}x ${detail}`,
    )
  }
  return { ...setup, send, outcomes }
}

test('a verified push is on disk first and processed afterwards; a repeat changes nothing', async () => {
  const { start, send, outcomes, stored, workings } = withPushes(signed)
  await start()
  await send({ reference: 'tr_1', report: paid })
  expect((await stored()).status).toBe('pending')
  expect(await outcomes()).toEqual(['1x paid: noted, the payment of order 1001 is paid'])
  expect((await stored()).attempts[0]?.facts[0]?.source).toBe('push')
  await send({ reference: 'tr_1', report: paid })
  expect(await outcomes()).toEqual(['2x paid: known already, the payment of order 1001 is paid'])
  expect((await workings.store.countWebhooks()).owed).toBe(1)
})

test('a push that waits is sealed, opens in its own row, and is gone once it is processed', async () => {
  const { start, send, outcomes, workings } = withPushes(signed)
  await start()
  await send({ reference: 'tr_1', report: paid })
  const [waiting] = await workings.store.waitingPushes({ adapter: 'psp', shopId: 'default' }, 1)
  expect(Buffer.from(waiting!.sealed, 'base64url').toString()).not.toMatch(/tr_1|29\.34|signature/)
  expect(openContent(workings.contents, waiting!).headers).toEqual({ signature: 'good' })
  expect(() => openContent(workings.contents, { ...waiting!, shopId: 'other' })).toThrow()
  await outcomes()
  expect(await workings.store.waitingPushes({ adapter: 'psp', shopId: 'default' }, 1)).toEqual([])
})

test('a push that comes before its start is processed when the start stores the reference', async () => {
  const { start, send, outcomes, stored } = withPushes(signed)
  await send({ reference: 'tr_1', report: paid })
  expect(await outcomes()).toEqual(['1x no payment of the shop has this reference'])
  await start()
  expect(await outcomes()).toEqual(['1x paid: noted, the payment of order 1001 is paid'])
  expect((await stored()).status).toBe('paid')
})

test('a push about a reference that nothing here gets waits for three days, and begins anew when it comes again', async () => {
  const { start, send, outcomes, stored, move, workings } = withPushes(signed)
  await send({ reference: 'tr_9', report: paid })
  await outcomes()
  const [waiting] = await workings.store.pushes({ shopId: 'default', limit: 1 })
  expect(waiting!.dueAt! - waiting!.receivedAt).toBe(3 * day)
  await move(3 * day)
  await outcomes()
  const [over] = await workings.store.pushes({ shopId: 'default', limit: 1 })
  expect(over).toMatchObject({ outcome: 'unmatched', dueAt: undefined })
  await start()
  await send({ reference: 'tr_9', report: paid })
  await outcomes()
  expect((await workings.store.pushes({ shopId: 'default', limit: 1 }))[0]?.dueAt).toBeGreaterThan(
    over!.receivedAt,
  )
  expect((await stored()).status).toBe('pending')
})

test('a start that stores the reference of a push that waits wakes the processing, and another start does not', async () => {
  const { start, send, outcomes, workings } = withPushes(signed)
  await send({ reference: 'tr_1', report: paid })
  await outcomes()
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
  const { start, send, outcomes, stored, workings } = withPushes(signed)
  workings.payments.adapters[0]!.start = () => ({ redirect: 'https://psp.example/1', reference })
  await send(references.map((one) => ({ reference: one, report: paid })))
  expect((await outcomes())[0]).toContain('no payment of the shop has this reference')
  await start()
  await outcomes()
  expect((await stored()).status).toBe('paid')
})

test('a reference that is a number in the JSON of a push is that of the start, before it and behind it', async () => {
  const { start, send, outcomes, stored, workings } = withPushes(signed)
  workings.payments.adapters[0]!.start = () => ({ redirect: 'https://psp.example/1', reference: '12345' })
  await send({ reference: 12345, report: { ...paid, amount: '10.00', event: 'a' } })
  await outcomes()
  await start()
  await outcomes()
  await send({ reference: 12345, report: { ...paid, amount: '19.34', event: 'b' } })
  await outcomes()
  expect((await stored()).status).toBe('paid')
})

test('a push about a reference that two orders have pays neither of them, and is tried again', async () => {
  const { start, send, outcomes, stored } = withPushes(signed)
  await start()
  await start({ id: 1002 })
  await send({ reference: 'tr_1', report: paid })
  expect(await outcomes()).toEqual(['1x the adapter failed to read it; the log says where'])
  expect([(await stored()).status, (await stored('1002')).status]).toEqual(['pending', 'pending'])
})

test('money of a start that was refused is found by the reference that came with the refusal', async () => {
  const { start, send, outcomes, stored, anomalies, workings } = withPushes(signed)
  workings.payments.adapters[0]!.start = () => ({ refused: 'declined', reference: 'tr_1', data: { psp: 1 } })
  await start()
  expect((await stored()).status).toBe('cancelled')
  await send({ reference: 'tr_1', report: paid })
  expect(await outcomes()).toEqual(['1x paid: noted, the payment of order 1001 is paid'])
  expect(await anomalies()).toEqual(['late_paid'])
})

test.each([
  ['a negative amount', { ...paid, amount: '-1.00' }],
  ['too many digits', { ...paid, amount: '1.001' }],
  ['an unknown currency', { ...paid, currency: 'zzz' }],
  ['no amount', { status: 'paid' }],
])('%s in one report of a push keeps no other order of it back', async (_what, report) => {
  const { start, send, outcomes, stored, workings } = withPushes(signed)
  let started = 0
  workings.payments.adapters[0]!.start = () => ({
    redirect: 'https://psp.example/1',
    reference: `tr_${++started}`,
  })
  for (const id of [1001, 1002, 1003]) await start({ id })
  await send([
    { reference: 'tr_1', report: paid },
    { reference: 'tr_2', report },
    { reference: 'tr_3', report: paid },
  ])
  // It is tried again, and given up as the others are: what could be read counts.
  expect(await outcomes()).toEqual(['1x the adapter failed to read it; the log says where'])
  expect((await stored('1001')).status).toBe('paid')
  expect((await stored('1002')).status).toBe('pending')
  expect((await stored('1003')).status).toBe('paid')
})

test('a forged push is refused and leaves nothing behind', async () => {
  const { start, send, outcomes, stored } = withPushes(signed)
  await start()
  const forged = send({ reference: 'tr_1', report: paid }, { signature: 'forged' })
  await expect(forged).rejects.toMatchObject({ code: 'PUSH_NOT_VERIFIED', status: 401 })
  expect(await outcomes()).toEqual([])
  expect((await stored()).status).toBe('pending')
})

test('a verifier that throws verifies nothing', async () => {
  const { start, send } = withPushes({
    ...signed,
    verify: () => {
      throw new Error('no secret')
    },
  } as PushReader)
  await start()
  await expect(send({ reference: 'tr_1', report: paid })).rejects.toMatchObject({ code: 'PUSH_NOT_VERIFIED' })
})

test.each(['yes', 1, {}])(
  'a verifier that answers %j, which is not true, verifies nothing',
  async (answer) => {
    const { start, send, stored } = withPushes({ ...signed, verify: async () => answer } as never)
    await start()
    await expect(send({ reference: 'tr_1', report: paid })).rejects.toMatchObject({
      code: 'PUSH_NOT_VERIFIED',
    })
    expect((await stored()).status).toBe('pending')
  },
)

test('a push that is not verified only says whom to ask', async () => {
  let status: PaymentReport = { status: 'pending' }
  const { start, send, outcomes, stored } = withPushes({ confirm: 'status', read: said }, () => status)
  await start()
  await send({ reference: 'tr_1', report: paid })
  expect(await outcomes()).toEqual(['1x pending: noted, the payment of order 1001 is pending'])
  expect((await stored()).status).toBe('pending')
  status = paid
  await send({ reference: 'tr_1', report: paid })
  expect(await outcomes()).toEqual(['2x paid: noted, the payment of order 1001 is paid'])
})

const pending = 'noted, the payment of order 1001 is pending'
test.each([
  [{ reference: 'tr_9', report: paid }, 'no payment of the shop has this reference'],
  [{ reference: 'tr_1', report: { ...paid, currency: 'usd' } }, `paid: ${pending}`],
  [{ reference: 'tr_1', report: { ...paid, amount: '1.00' } }, `paid: ${pending}`],
  [{ reference: 'tr_1', report: { ...paid, mode: 'live' } }, `paid: ${pending}`],
  [{ reference: 'tr_1', report: { status: 'settled' } }, `settled: ${pending}`],
])('a push of %j that changes nothing is taken, with the reason noted', async (content, outcome) => {
  const { start, send, outcomes, stored } = withPushes(signed)
  await start()
  await send(content)
  expect(await outcomes()).toEqual([`1x ${outcome}`])
  expect((await stored()).status).toBe('pending')
})

test('a push at the address of one shop says nothing of another shop’s payments', async () => {
  const { start, send, workings, stored } = withPushes(signed)
  await start()
  const { attempts } = await stored()
  await send({ attemptId: attempts[0]!.id, report: paid }, { shop: 'other' })
  await processPushes(workings)
  expect(await workings.store.pushes({ shopId: 'other', limit: 1 })).toMatchObject([
    { outcome: 'unmatched', names: [attempts[0]!.id], detail: 'no payment of the shop has this attempt' },
  ])
  expect((await stored()).status).toBe('pending')
})

test('a push that belongs to nobody here, by the word of `read`, is ignored with its reason, and warns nobody', async () => {
  const { start, send, outcomes, stored, workings, lines } = withPushes(signed)
  await start()
  const record = async () => (await workings.store.pushes({ shopId: 'default', limit: 1 }))[0]
  await send([])
  expect(await outcomes()).toEqual(['1x it names no payment'])
  expect(await record()).toMatchObject({ outcome: 'ignored', dueAt: undefined })
  await send({ ignored: `of the\nold shop${'!'.repeat(300)}` })
  await outcomes()
  expect(await record()).toMatchObject({
    outcome: 'ignored',
    detail: expect.stringMatching(/^of the old shop!{185}$/),
  })
  expect(lines.filter(({ fields }) => fields.code === 'PUSH_UNMATCHED')).toEqual([])
  // In a batch the others count.
  await send([{ ignored: 'of the old shop' }, { reference: 'tr_1', report: paid }])
  await outcomes()
  expect((await record())?.outcome).toBe('processed')
  expect((await stored()).status).toBe('paid')
  await send([{ ignored: 'of the old shop' }, { reference: 'tr_9', report: paid }])
  await outcomes()
  expect((await record())?.outcome).toBe('unmatched')
})

test('a push that cannot be processed is tried again, and given up after three days', async () => {
  let down = true
  const { start, send, outcomes, move, workings } = withPushes({ confirm: 'status', read: said }, () =>
    down ? Promise.reject(new Error('down')) : paid,
  )
  await start()
  await send({ reference: 'tr_1' })
  expect(await outcomes()).toEqual(['1x down'])
  await move(minute)
  down = false
  expect(await outcomes()).toEqual(['1x paid: noted, the payment of order 1001 is paid'])
  down = true
  const about = { shopId: 'default', adapter: 'psp', key: 'k' }
  const sealed = sealContent(workings.contents, about, { body: 'e30=', headers: {}, query: '' })
  await workings.store.keepPush({ ...about, sealed, receivedAt: 0 }, workings.world.now())
  await move(4 * day)
  expect((await outcomes())[0]).toMatch(/^1x given up after three days: /)
})

test('a push asks no payment service that answered 429, and is processed once its pause is over', async () => {
  let asked = 0
  const setup = paymentsWith({
    push: { confirm: 'status', read: said },
    async status(_attempt, { fetch }) {
      asked++
      const { status } = await fetch('https://psp.example/status')
      if (status === 429) throw new Error('psp answered 429')
      return paid
    },
  })
  const { workings, world, start, status, stored, move } = setup
  world.outgoing.fetch = async () => new Response('', { status: 429, headers: { 'retry-after': '7200' } })
  await start()
  expect([await status(), asked]).toEqual(['pending', 1])
  await push(workings, '{"reference":"tr_1"}')
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
  const { start, send, outcomes, move, stored, anomalies } = withPushes(
    { confirm: 'status', read: said },
    () => answer(),
  )
  await start()
  await send({ reference: 'tr_1' })
  expect(await outcomes()).toEqual(['1x paid: noted, the payment of order 1001 is paid'])
  await move(10 * day)
  answer = () => Promise.reject(new Error('down'))
  await send({ reference: 'tr_1' })
  expect(await outcomes()).toEqual(['2x down'])
  await move(4 * day)
  expect(await outcomes()).toEqual(['2x given up after three days: down'])
  await send({ reference: 'tr_1' })
  expect(await outcomes()).toEqual(['3x down'])
  answer = () => charged
  await move(minute)
  expect(await outcomes()).toEqual(['3x charged_back: noted, the payment of order 1001 is paid'])
  expect((await stored()).attempts[0]?.facts.map(({ kind }) => kind)).toEqual(['paid', 'charged_back'])
  expect(await anomalies()).toEqual(['charged_back'])
})

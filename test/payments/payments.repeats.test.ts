import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import type { Started } from '../../src/payments/adapter.ts'
import { reportPayment } from '../../src/payments/learn-payment.ts'
import type { PaymentReport } from '../../src/payments/ledger/report.ts'
import { askEvery } from '../../src/payments/payment-memory.ts'
import { checkAttempts } from '../background.ts'
import { day, hour, paid, paymentsWith } from '../helpers/provider.ts'
import { throwing } from '../helpers/world.ts'

/** A provider whose payment service takes idempotency keys for a day. */
const setUp = (...adapters: Partial<AnyPaymentAdapter>[]) =>
  paymentsWith(...adapters.map((adapter) => ({ idempotency: { ttl: day }, ...adapter })))

test('a repeated call gets the same address and starts nothing again', async () => {
  const { start, started } = setUp({})
  expect(await start()).toEqual({ payment_url: 'https://psp.example/1' })
  expect(await start()).toEqual({ payment_url: 'https://psp.example/1' })
  expect(started).toHaveLength(1)
})

test('calls that come together start once and get the same answer', async () => {
  const { start, started } = setUp({ start: async () => ({ redirect: 'https://psp.example/1' }) })
  const answers = await Promise.all([start(), start(), start()])
  expect(new Set(answers.map(({ payment_url }) => payment_url)).size).toBe(1)
  expect(started).toHaveLength(1)
})

test('the 101st attempt of an order is refused and starts nothing; a repeat of the newest is still answered', async () => {
  const { start, started, status } = setUp({})
  for (let cents = 1; cents <= 100; cents++) await start({ price_incl: cents })
  await expect(start({ price_incl: 500 })).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', status: 409 })
  expect(started).toHaveLength(100)
  expect(await start({ price_incl: 100 })).toEqual({ payment_url: 'https://psp.example/1' })
  expect(await status()).toBe('pending')
  expect((await start({ id: 1002 })).payment_url).toBe('https://psp.example/1')
})

test('an address that ran out is a new attempt', async () => {
  const { start, started, move, world } = setUp({
    start: () => ({ redirect: 'https://psp.example/1', urlExpiresAt: new Date(world.now() + 60_000) }),
  })
  await start()
  await move(59_000)
  await start()
  expect(started).toHaveLength(1)
  await move(1_000)
  await start()
  expect(started).toHaveLength(2)
})

test('a refused start is cancelled, and the customer goes straight back to choose again', async () => {
  const { start, status } = setUp({ start: () => ({ refused: 'unknown card' }) })
  expect((await start()).payment_url).toMatch(/^https:\/\/provider\.example\/p\/.+\/return$/)
  expect(await status()).toBe('cancelled')
})

test('a later payment has no address, and a page has ours', async () => {
  const later = setUp({ start: () => ({ later: true }) })
  expect(await later.start()).toEqual({ payment_url: undefined })
  expect(await later.status()).toBe('pending')
  const page = setUp({
    start: () => ({ page: true }),
    page: { render: () => '' as never, submit: () => paid },
  })
  expect((await page.start()).payment_url).toMatch(/^https:\/\/provider\.example\/p\/[^/]+$/)
})

test.each([
  ['nothing', undefined],
  ['no address', { redirect: 'javascript:alert(1)' }],
  ['a page it does not have', { page: true }],
])(
  'a start that returns %s is an error, and the repeat starts again with the same key',
  async (_what, answer) => {
    const { start, started } = setUp({ start: () => answer as never })
    await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
    await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
    expect(new Set(started).size).toBe(1)
    expect(started).toHaveLength(2)
  },
)

test('with several adapters the method names its own, by either of its two names', async () => {
  const { start, started } = setUp({}, {})
  await start({ id: 1, method: 'psp2:card' })
  await expect(start({ id: 2, method: 'card' })).rejects.toMatchObject({ code: 'METHOD_UNKNOWN' })
  expect(started.map((one) => one.split(' ').slice(0, 2))).toEqual([['psp2', 'card']])
})

test('reports name a payment by attempt, reference or order; another name is unknown', async () => {
  const { start, workings, stored } = setUp({})
  await start()
  const [attempt] = (await stored()).attempts
  const pending = { status: 'pending' } as const
  const right = [{ attemptId: attempt!.id }, { adapter: 'psp', reference: 'tr_1' }, { orderId: '1001' }]
  for (const ref of right) expect(await reportPayment(workings, ref, pending)).toBe('pending')
  const wrong = [{ attemptId: 'x' }, { adapter: 'psp', reference: 'no' }, { orderId: 1001, shop: 'other' }]
  for (const ref of wrong)
    await expect(reportPayment(workings, ref, pending)).rejects.toMatchObject({ code: 'UNKNOWN_PAYMENT' })
})

test('authorised money is pending, unless the adapter declares that it is paid', async () => {
  const authorised = { ...paid, status: 'authorised' } as const
  const captured = setUp({})
  await captured.start()
  expect(await captured.report(authorised)).toBe('pending')
  const enough = setUp({ authorisedIsPaid: true })
  await enough.start()
  expect(await enough.report(authorised)).toBe('paid')
})

test('an attempt expires after an hour; without a way to ask, that is how it ended', async () => {
  const { start, status, checkAfter } = setUp({})
  await start()
  await checkAfter(hour - 1)
  expect(await status()).toBe('pending')
  await checkAfter(1)
  expect(await status()).toBe('expired')
  await start()
  expect(await status()).toBe('pending')
})

test('before it expires, the payment service has the last word', async () => {
  const { start, status, checkAfter } = setUp({ status: () => paid })
  await start()
  await checkAfter(hour)
  expect(await status()).toBe('paid')
})

test('where the payment service cannot be asked, the payment stays pending and is tried again', async () => {
  let down = true
  const { start, status, workings, stored, checkAfter } = setUp({
    status: () => (down ? throwing('down')() : { status: 'cancelled' }),
  })
  await start()
  await checkAfter(hour)
  expect(await status()).toBe('pending')
  down = false
  await checkAttempts(workings)
  expect((await stored()).status).toBe('pending')
  await checkAfter(5 * 60_000)
  expect((await stored()).status).toBe('cancelled')
})

test('a status that comes within its deadline counts, and a later one is not waited for', async () => {
  let answer: (said: PaymentReport) => void = () => {}
  const { start, status, move } = setUp({ status: () => new Promise((resolve) => (answer = resolve)) })
  await start()
  const late = status()
  await move(2_000)
  expect(await late).toBe('pending')
  await move(askEvery)
  const read = status()
  await move(1_999)
  answer(paid)
  expect(await read).toBe('paid')
})

test('a start that takes too long is an answer too late, and what it comes back with is kept', async () => {
  let come: (started: Started) => void = () => {}
  let signal: AbortSignal | undefined
  const { start, started, status, move } = setUp({
    start(_attempt, ctx) {
      signal = ctx.signal
      return new Promise((resolve) => (come = resolve))
    },
  })
  const first = start()
  const late = expect(first).rejects.toMatchObject({ code: 'PAYMENT_START_TIMEOUT' })
  await move(4000)
  await late
  expect(signal?.aborted).toBe(true)
  expect(await status()).toBe('pending')
  // The platform repeats its call while the first start is still under way: it is not started twice.
  const second = start()
  come({ redirect: 'https://psp.example/late' })
  expect(await second).toEqual({ payment_url: 'https://psp.example/late' })
  expect(started).toHaveLength(1)
})

test.each([
  ['takes the same key again', { ttl: day }],
  ['does not', undefined],
])(
  'a repeat that read the attempt before its late start ended takes over the outcome, where the service %s',
  async (_which, idempotency) => {
    let come: (started: Started) => void = () => {}
    const { start, started, stored, workings, move } = setUp({
      idempotency,
      start: () => new Promise((resolve) => (come = resolve)),
    })
    const late = expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_TIMEOUT' })
    await move(4000)
    await late
    const { openAttempt } = workings.store
    workings.store.openAttempt = async (...opening) => {
      const opened = await openAttempt(...opening)
      come({ redirect: 'https://psp.example/late' })
      await expect.poll(async () => (await stored()).attempts[0]?.started).toBeDefined()
      return opened
    }
    expect(await start()).toEqual({ payment_url: 'https://psp.example/late' })
    expect(started).toHaveLength(1)
    expect((await stored()).attempts).toHaveLength(1)
  },
)

test('a start whose outcome is unknown is pending, and is not asked about before it expires', async () => {
  const asking = vi.fn(() => paid)
  const { start, status, checkAfter } = setUp({
    start: () => Promise.reject(new Error('connection lost')),
    status: asking,
  })
  await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  expect(await status()).toBe('pending')
  await checkAfter(hour)
  expect(await status()).toBe('expired')
  expect(asking).not.toHaveBeenCalled()
})

test('reads of one order that come together ask once, and a failure shows what is stored', async () => {
  const { promise, resolve } = Promise.withResolvers<PaymentReport>()
  const asking = vi.fn().mockRejectedValueOnce(new Error('down')).mockReturnValueOnce(promise)
  const { start, status, settle, move, lines } = setUp({ status: asking })
  await start()
  expect(await Promise.all([status(), status()])).toEqual(['pending', 'pending'])
  expect(asking).toHaveBeenCalledOnce()
  expect(lines.map(({ message }) => message)).toContain('the payment service did not answer with a status')
  // Right behind it, what is stored is the last word.
  expect(await status()).toBe('pending')
  expect(asking).toHaveBeenCalledOnce()
  await move(askEvery)
  const reads = Promise.all([status(), status(), status()])
  await settle()
  resolve(paid)
  expect(await reads).toEqual(['paid', 'paid', 'paid'])
  expect(await status()).toBe('paid')
  expect(asking).toHaveBeenCalledTimes(2)
})

test('an attempt that expires, and one whose order another paid, is cancelled at its payment service', async () => {
  const cancelled: string[] = []
  const { start, status, workings, settle, stored, checkAfter } = setUp({
    cancel: ({ amount }) => void cancelled.push(amount),
  })
  await start({ price_incl: 10 })
  await checkAfter(hour)
  expect([await status(), cancelled]).toEqual(['expired', ['10.00']])
  await start({ price_incl: 20 })
  await start({ price_incl: 30 })
  await settle()
  expect(cancelled).toEqual(['10.00', '20.00'])
  const { attempts } = await stored()
  const late = { attemptId: attempts[1]!.id }
  await reportPayment(workings, late, { status: 'paid', amount: 30, currency: 'eur' })
  await settle()
  expect([await status(), cancelled]).toEqual(['paid', ['10.00', '20.00', '30.00']])
})

test('a push before the answer of start may extend the expiry, and start does not shorten it', async () => {
  let answer: (started: Started) => void = () => {}
  const { start, report, world, settle, stored } = setUp({
    start: () => new Promise((resolve) => (answer = resolve)),
  })
  const starting = start()
  await settle()
  const expiresAt = new Date(world.now() + day)
  await report({ status: 'open', expiresAt })
  answer({ redirect: 'https://psp.example/1', expiresAt: new Date(world.now() + hour) })
  await starting
  const { attempts } = await stored()
  expect(attempts[0]!.expiresAt).toBe(expiresAt.getTime())
})

test.each([
  ['nothing', undefined],
  ['a word', 'paid'],
  ['money without an amount', { status: 'paid' }],
])('a status() that answers %s says nothing: the payment stays pending', async (_what, said) => {
  const { start, status, lines, stored, checkAfter } = setUp({ status: () => said as never })
  await start()
  expect(await status()).toBe('pending')
  await checkAfter(hour)
  expect((await stored()).status).toBe('pending')
  expect(lines.at(-1)).toMatchObject({
    level: 'warn',
    fields: { err: expect.objectContaining({ code: expect.stringMatching(/_INVALID$/) }) },
  })
})

test('test and live shops stand side by side where the mode is a function of the settings', async () => {
  const mode = vi.fn((settings) => (settings.key.startsWith('live') ? 'live' : 'test'))
  const { start, stored } = setUp({ settings: z.object({ key: z.string().default('test_1') }), mode })
  await start()
  expect(mode.mock.calls).toEqual([[{ key: 'test_1' }]])
  expect((await stored()).attempts[0]!.mode).toBe('test')
  const wrong = setUp({ mode: () => 'both' as never })
  await expect(wrong.start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  expect(await wrong.workings.store.payment('default', '1001')).toBeUndefined()
})

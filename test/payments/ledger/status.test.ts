import { describe, expect, test } from 'vitest'
import type { PaymentAttempt } from '../../../src/payments/adapter-context.ts'
import { owesWebhook } from '../../../src/payments/ledger/status.ts'
import { ContentSeal } from '../../../src/shops/seal.ts'
import { processPushes } from '../../background.ts'
import { paymentsWith } from '../../helpers/provider.ts'
import { push } from '../../helpers/push.ts'
import { Order } from '../order.ts'

/**
 * The status of an order whose attempts heard this, one after the other: `60.00 startsAtZero: paid 60.00, expired; 40.00:`. An attempt is of
 * 100.00 eur, and starts with no words, unless some stand in front of it.
 */
function statusOf(attempts: string) {
  const all = attempts.split(';').map((text) => {
    const [said = '', start = ''] = text
      .trim()
      .split(/:(?: |$)/)
      .toReversed()
    const words = start.split(' ')
    const amount = words.find((word) => word.endsWith('.00'))
    const flags = words.filter((word) => /^[a-z]/.test(word)).map((word) => [word, true])
    return { said, start: { ...(amount && { amount }), ...Object.fromEntries(flags) } }
  })
  const order = new Order(all[0]!.start)
  for (const { start } of all.slice(1)) order.start(start)
  for (const [index, { said }] of all.entries()) order.learn(said, { attempt: index + 1 })
  return order.payment.status
}

describe('the table of payment statuses (spec 3.1)', () => {
  test.each([
    ['nothing is known', '', 'pending'],
    ['the customer has not finished', 'open', 'pending'],
    ['the service says pending', 'pending', 'pending'],
    ['a word nobody knows', 'unknown', 'pending'],
    ['the customer paid', 'paid 100.00', 'paid'],
    ['failed', 'failed', 'cancelled'],
    ['the customer abandoned it', 'cancelled', 'cancelled'],
    ['not finished in time', 'expired', 'expired'],
    ['expired and failed', 'expired, failed', 'cancelled'],
    ['paid, then a stale expired', 'paid 100.00, expired', 'paid'],
    ['paid late', 'expired, paid 100.00', 'paid'],
    ['paid, then refunded', 'paid 100.00, refunded 100.00 #r', 'paid'],
    ['refunded before it is paid', 'refunded 100.00 #r, paid 100.00', 'paid'],
    ['paid in parts, of which one went back', 'paid 60.00 #t1, refunded 20.00 #r1, paid 40.00 #t2', 'paid'],
    ['charged back', 'paid 100.00, charged_back 100.00 #d', 'paid'],
    ['authorised, not captured', 'authorised 100.00', 'pending'],
    ['authorised, where that is as good as paid', 'authorisedIsPaid: authorised 100.00', 'paid'],
    ['an authorisation of too little', 'authorisedIsPaid: authorised 90.00', 'pending'],
    ['a part authorised beside a part received', 'authorisedIsPaid: authorised 60.00, paid 60.00', 'pending'],
    ['authorised in full, captured in part', 'authorised 100.00 #a, paid 40.00 #c1', 'pending'],
    ['a part of the amount', 'paid 99.99', 'pending'],
    ['more than the amount', 'paid 100.01', 'paid'],
    ['instalments', 'paid 50.00 #i1, paid 50.00 #i2', 'paid'],
    ['one instalment, reported twice', 'paid 50.00 #i1, paid 50.00 #i1', 'pending'],
    ['in another currency', 'paid 100.00 usd', 'pending'],
    ['in another mode', 'paid 100.00 test', 'pending'],
    ['an order of nothing', '0.00:', 'paid'],
    ['an order of nothing whose service has to say so, unheard of', '0.00 startsAtZero: open', 'pending'],
    ['an order of nothing whose service has to say so, paid', '0.00 startsAtZero: paid 0.00', 'paid'],
    ['an open page of 10 does not settle an order of 100', '10.00: paid 10.00; 100.00:', 'pending'],
    ['an old page of 100 settles an order that has shrunk to 60', '100.00: paid 100.00; 60.00:', 'paid'],
    ['an old page of 100 is not settled by the 60 that are owed now', 'paid 60.00; 60.00:', 'pending'],
    ['parts on two attempts', 'paid 50.00; paid 50.00', 'pending'],
    ['the first attempt expires while the second is open', 'expired; ', 'pending'],
    ['how the newest attempt ended', 'expired; cancelled', 'cancelled'],
  ])('%s', (_what, attempts, status) => {
    expect(statusOf(attempts)).toBe(status)
  })
})

test('cancelled at its service for the customer, who turned back, or for our clock, by which it has expired', () => {
  const cancelled = (order: Order) =>
    order.learn({ status: 'cancelled' }, { source: 'cancel' }).payment.status
  expect(cancelled(new Order())).toBe('cancelled')
  expect(cancelled(new Order().learn({ status: 'expired' }, { source: 'expiry' }))).toBe('expired')
})

test('money of one currency or mode never pays what another one owes', () => {
  for (const start of [{ currency: 'usd' }, { mode: 'test' as const }]) {
    const order = new Order()
    order.start(start)
    order.says('paid 100.00 #c1')
    expect(order.payment.status).toBe('pending')
    expect(order.opened[0]?.[0]).toBe('currency' in start ? 'paid_other_currency' : 'paid_other_mode')
  }
})

test('every change but a new attempt owes a webhook', () => {
  const statuses = ['pending', 'paid', 'expired', 'cancelled'] as const
  // Nothing leaves paid.
  const owing = (['pending', 'expired', 'cancelled'] as const).flatMap((from) =>
    statuses.filter((to) => owesWebhook(from, to)).map((to) => `${from} -> ${to}`),
  )
  expect(owing).toEqual([
    'pending -> paid',
    'pending -> expired',
    'pending -> cancelled',
    'expired -> paid',
    'expired -> cancelled',
    'cancelled -> paid',
    'cancelled -> expired',
  ])
})

const kept = { session: 'cs_1', steps: [1, 2] }

test('what start keeps with an attempt is there for status, cancel and pushes, and sealed in the store', async () => {
  const seen: Record<string, unknown> = {}
  const { start, status, stored, workings, settle } = paymentsWith({
    start: () => ({ redirect: 'https://psp.example/1', reference: 'tr_1', data: kept }),
    status: ({ data }: PaymentAttempt) => {
      seen.status = data
      return { status: 'pending' }
    },
    cancel: ({ data }: PaymentAttempt) => {
      seen.cancel = data
      return undefined
    },
    push: {
      verify: () => true,
      async read(_push, ctx) {
        seen.push = (await ctx.attempt({ reference: 'tr_1' }))?.data
        return []
      },
    },
  })
  await start()
  await status()
  await push(workings, 'x')
  await processPushes(workings)
  const { sealedData } = (await stored()).attempts[0]!.started!
  expect(Buffer.from(sealedData!, 'base64url').toString()).not.toContain('cs_1')
  await start({ price_incl: 40 })
  await settle()
  expect(seen).toEqual({ status: kept, cancel: kept, push: kept })
})

const circle: { self?: object } = {}
circle.self = circle

test.each([
  ['more than 4 KiB', 'x'.repeat(4_095)],
  ['no JSON', () => 1],
  ['a circle', circle],
])('data that is %s starts no payment, and the log says why', async (_what, data) => {
  const { start, lines } = paymentsWith({ start: () => ({ later: true, data }) })
  await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  expect(String(lines.at(-1)?.fields.err)).toContain(
    'start() of payment adapter "psp" returns data that is JSON of at most 4 KiB',
  )
})

test.each([
  [{ later: true, reference: 12345 }, '`reference` as a text of at most 255 characters'],
  [{ later: true, expiresAt: '2026-03-02' }, '`expiresAt` as a Date'],
  [{ redirect: 'https://psp.example/1', urlExpiresAt: new Date(Number.NaN) }, '`urlExpiresAt` as a Date'],
  [{ reference: 'tr_1' }, "{ redirect: 'https://...' }, { page: true }, { later: true } or { refused: why }"],
  [undefined, "{ redirect: 'https://...' }, { page: true }, { later: true } or { refused: why }"],
])('the log says what is wrong with an answer of start: %j', async (answer, expected) => {
  const { start, lines } = paymentsWith({ start: () => answer as never })
  await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  expect(String(lines.at(-1)?.fields.err)).toContain(`start() of payment adapter "psp" returns ${expected}`)
})

test('data of 4 KiB is kept', async () => {
  const { start, stored } = paymentsWith({ start: () => ({ later: true, data: 'x'.repeat(4_094) }) })
  await start()
  expect((await stored()).attempts[0]?.started?.sealedData).toBeDefined()
})

test('a sealed text opens in its own row and with its own key', () => {
  const seal = new ContentSeal('a key of tests')
  const sealed = seal.close('text', 'attempt a')
  expect(seal.open(sealed, 'attempt a')).toBe('text')
  expect(() => seal.open(sealed, 'attempt b')).toThrow('The sealed text of attempt b was changed')
  expect(() => new ContentSeal('another key').open(sealed, 'attempt a')).toThrow('was changed')
  expect(() => seal.open(sealed.slice(2), 'attempt a')).toThrow('was changed')
  expect(() => seal.open('', 'attempt a')).toThrow('was changed')
  expect(() => new ContentSeal().close('text', 'attempt a')).toThrow('start the provider first')
})

test('the language is that of the order, not one that another call of the shop named', async () => {
  const languages: unknown[] = []
  const { start } = paymentsWith({
    start: ({ language }: PaymentAttempt) => {
      languages.push(language)
      return { later: true }
    },
  })
  await start({ language: 'de' })
  await start({ id: 1002 })
  expect(languages).toEqual(['de', undefined])
})

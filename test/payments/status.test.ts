import { describe, expect, test } from 'vitest'
import type { PaymentAttempt } from '../../src/payments/adapter.ts'
import { ContentSeal } from '../../src/payments/page-tokens.ts'
import type { PaymentReport } from '../../src/payments/report.ts'
import { owesWebhook } from '../../src/payments/status.ts'
import { processPushes } from '../background.ts'
import { paymentsWith } from '../use-cases/provider.ts'
import { push } from '../use-cases/push.ts'
import { money, Order } from './order.ts'

const paid = (amount: string, event?: string) => money('paid', amount, event)
const state = (status: 'open' | 'pending' | 'failed' | 'cancelled' | 'expired' | 'unknown') => ({ status })

/** An order whose attempts heard this, one after the other. */
function orderOf(
  ...attempts: {
    amount?: string
    authorisedIsPaid?: boolean
    startsAtZero?: boolean
    reports: PaymentReport[]
  }[]
) {
  const [first, ...others] = attempts.map(({ reports: _, ...start }) => start)
  const order = new Order(first)
  for (const start of others) order.start(start)
  for (const [index, { reports }] of attempts.entries()) order.learn(reports, { attempt: index + 1 })
  return order.payment.status
}

describe('the table of payment statuses (spec 3.1)', () => {
  test.each<[string, Parameters<typeof orderOf>, string]>([
    ['nothing is known', [{ reports: [] }], 'pending'],
    ['the customer has not finished', [{ reports: [state('open')] }], 'pending'],
    ['the service says pending', [{ reports: [state('pending')] }], 'pending'],
    ['a word nobody knows', [{ reports: [state('unknown')] }], 'pending'],
    ['the customer paid', [{ reports: [paid('100.00')] }], 'paid'],
    ['failed', [{ reports: [state('failed')] }], 'cancelled'],
    ['the customer abandoned it', [{ reports: [state('cancelled')] }], 'cancelled'],
    ['not finished in time', [{ reports: [state('expired')] }], 'expired'],
    ['expired and failed', [{ reports: [state('expired'), state('failed')] }], 'cancelled'],
    ['paid, then a stale expired', [{ reports: [paid('100.00'), state('expired')] }], 'paid'],
    ['paid late', [{ reports: [state('expired'), paid('100.00')] }], 'paid'],
    ['paid, then refunded', [{ reports: [paid('100.00'), money('refunded', '100.00', 'r')] }], 'paid'],
    ['refunded before it is paid', [{ reports: [money('refunded', '100.00', 'r'), paid('100.00')] }], 'paid'],
    ['charged back', [{ reports: [paid('100.00'), money('charged_back', '100.00', 'd')] }], 'paid'],
    ['authorised, not captured', [{ reports: [money('authorised', '100.00')] }], 'pending'],
    [
      'authorised, where that is as good as paid',
      [{ authorisedIsPaid: true, reports: [money('authorised', '100.00')] }],
      'paid',
    ],
    [
      'an authorisation of too little',
      [{ authorisedIsPaid: true, reports: [money('authorised', '90.00')] }],
      'pending',
    ],
    [
      'a part authorised and another part received do not add up',
      [{ authorisedIsPaid: true, reports: [money('authorised', '60.00'), paid('60.00')] }],
      'pending',
    ],
    [
      'authorised in full, captured in part',
      [{ reports: [money('authorised', '100.00', 'a'), paid('40.00', 'c1')] }],
      'pending',
    ],
    ['a part of the amount', [{ reports: [paid('99.99')] }], 'pending'],
    ['more than the amount', [{ reports: [paid('100.01')] }], 'paid'],
    ['instalments', [{ reports: [paid('50.00', 'i1'), paid('50.00', 'i2')] }], 'paid'],
    ['one instalment, reported twice', [{ reports: [paid('50.00', 'i1'), paid('50.00', 'i1')] }], 'pending'],
    [
      'in another currency',
      [{ reports: [{ ...paid('100.00'), currency: 'usd' } as PaymentReport] }],
      'pending',
    ],
    ['in another mode', [{ reports: [{ ...paid('100.00'), mode: 'test' } as PaymentReport] }], 'pending'],
    ['an order of nothing', [{ amount: '0.00', reports: [] }], 'paid'],
    [
      'an order of nothing whose service has to say so, unheard of',
      [{ amount: '0.00', startsAtZero: true, reports: [state('open')] }],
      'pending',
    ],
    [
      'an order of nothing whose service has to say so, paid',
      [{ amount: '0.00', startsAtZero: true, reports: [paid('0.00')] }],
      'paid',
    ],
    [
      'an open page of 10 does not settle an order of 100',
      [
        { amount: '10.00', reports: [paid('10.00')] },
        { amount: '100.00', reports: [] },
      ],
      'pending',
    ],
    [
      'an old page of 100 settles an order that has shrunk to 60',
      [
        { amount: '100.00', reports: [paid('100.00')] },
        { amount: '60.00', reports: [] },
      ],
      'paid',
    ],
    [
      'an old page of 100 is not settled by the 60 that the order owes now',
      [
        { amount: '100.00', reports: [paid('60.00')] },
        { amount: '60.00', reports: [] },
      ],
      'pending',
    ],
    ['parts on two attempts', [{ reports: [paid('50.00')] }, { reports: [paid('50.00')] }], 'pending'],
    [
      'the first attempt expires while the second is open',
      [{ reports: [state('expired')] }, { reports: [] }],
      'pending',
    ],
    [
      'how the newest attempt ended',
      [{ reports: [state('expired')] }, { reports: [state('cancelled')] }],
      'cancelled',
    ],
  ])('%s', (_what, attempts, status) => {
    expect(orderOf(...attempts)).toBe(status)
  })
})

test('cancelled at its service for the customer, who turned back, or for our clock, by which it has expired', () => {
  const cancelled = (order: Order) => order.learn(state('cancelled'), { source: 'cancel' }).payment.status
  expect(cancelled(new Order())).toBe('cancelled')
  expect(cancelled(new Order().learn(state('expired'), { source: 'expiry' }))).toBe('expired')
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

test.each([
  ['more than 4 KiB', 'x'.repeat(4_095)],
  ['no JSON', () => 1],
  ['a circle', circle()],
])('data that is %s starts no payment, and the log says why', async (_what, data) => {
  const { start, lines } = paymentsWith({ start: () => ({ later: true, data }) })
  await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  expect(String(lines.at(-1)?.fields.err)).toContain(
    'start() of payment adapter "psp" returns data that is JSON of at most 4 KiB',
  )
})

test.each([
  [
    { redirect: 'https://psp.example/1', reference: 12345 },
    '`reference` as a text of at most 255 characters',
  ],
  [{ later: true, expiresAt: '2026-03-02' }, '`expiresAt` as a Date'],
  [{ redirect: 'https://psp.example/1', urlExpiresAt: new Date(Number.NaN) }, '`urlExpiresAt` as a Date'],
  [{ reference: 'tr_1' }, '{ redirect: url }, { page: true }, { later: true } or { refused: why }'],
  [undefined, '{ redirect: url }, { page: true }, { later: true } or { refused: why }'],
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

function circle(): object {
  const one: { self?: object } = {}
  one.self = one
  return one
}

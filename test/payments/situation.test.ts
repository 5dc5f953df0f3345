import { expect, test } from 'vitest'
import { type AnomalyKind, anomalyKinds, type OpenedAnomaly } from '../../src/payments/ledger/anomalies.ts'
import type { Attempt, Fact, Payment } from '../../src/payments/ledger/payment.ts'
import { anomalySentence, isBad, moneyText, situationOf, worstFirst } from '../../src/payments/situation.ts'
import type { WebhookState } from '../../src/store-port.ts'

const start = Date.UTC(2026, 2, 2, 10)
const minute = 60_000

const fact = (kind: Fact['kind'], amount?: string, more: Partial<Fact> = {}): Fact =>
  ({
    kind,
    source: 'push',
    at: start,
    ...(amount && { amount, currency: 'eur', event: `${kind}-1` }),
    ...more,
  }) as Fact

const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  ...{
    id: 'wren.1',
    shopId: 'wren',
    orderId: '1',
    orderNumber: undefined,
    adapter: 'cardpay',
    methodId: 'card',
  },
  ...{ amount: '149.00', currency: 'eur', mode: 'live', authorisedIsPaid: false, underpaidBy: undefined },
  ...{ language: 'en', idempotencyKey: 'k', pageHash: 'p', openedAt: start, expiresAt: start + 60 * minute },
  started: {
    how: 'redirect',
    paymentUrl: 'https://psp.example',
    urlExpiresAt: undefined,
    reference: 'r',
  } as never,
  ...{ checkAt: undefined, lastWord: undefined, facts: [], asked: undefined },
  ...changes,
})

const payment = (
  status: Payment['status'],
  attempts: Attempt[],
  changes: Partial<Payment> = {},
): Payment => ({
  ...{
    shopId: 'wren',
    orderId: '1',
    status,
    statusVersion: 0,
    deliveredVersion: 0,
    readVersion: 0,
    readAt: undefined,
  },
  ...{
    openedAt: start,
    changedAt: start,
    redirectUrl: '',
    webhookUrl: 'https://hooks.example/x',
    paidBy: undefined,
  },
  attempts,
  ...changes,
})

const anomaly = (kind: AnomalyKind, stake?: string, changes: Partial<OpenedAnomaly> = {}): OpenedAnomaly => ({
  ...{
    kind,
    attemptId: 'wren.1',
    event: 'e',
    remedy: 'Look at it.',
    id: 'abc',
    shopId: 'wren',
    orderId: '1',
  },
  ...{ openedAt: start, closedAt: undefined, note: undefined },
  ...(stake && { stake, expected: '149.00', received: '100.00', currency: 'eur' }),
  ...changes,
})

const webhook = (changes: Partial<WebhookState> = {}): WebhookState =>
  ({
    ...{
      shopId: 'wren',
      orderId: '1',
      state: 'delivered',
      confirmed: true,
      webhookUrl: 'https://hooks.example/x',
    },
    ...{ laneClosed: false, waitsForLane: false, dueAt: start, lastFailure: undefined },
    ...changes,
  }) as WebhookState

const of = (one: Payment, given: Partial<Parameters<typeof situationOf>[1]> = {}) =>
  situationOf(one, { anomalies: [], now: start, ...given })

const paid = (facts: Fact[] = [fact('paid', '149.00')], changes: Partial<Payment> = {}) =>
  payment('paid', [attempt({ facts })], { statusVersion: 1, paidBy: 'wren.1', ...changes })

test('a paid order that the shop knows of is good, and says when the shop read it', () => {
  const one = paid(undefined, { deliveredVersion: 1, readVersion: 1, readAt: start + minute })
  expect(of(one, { webhook: webhook() })).toEqual({
    ...{ look: 'good', sentence: 'The order is paid.' },
    more: 'The shop read the status at 2026-03-02 10:01:00 UTC.',
  })
})

test('an order whose webhook waits, was accepted only or was given up says what the shop does not know', () => {
  const waits = of(paid(), {
    webhook: webhook({ state: 'owed', confirmed: false, lastFailure: 'status 503' } as never),
  })
  expect(waits).toEqual({
    ...{ look: 'wait', sentence: 'The order is paid.' },
    more: 'The shop does not know it yet. It waits for its webhook to hooks.example; next try 2026-03-02 10:00:00; last failure: status 503.',
  })
  const closed = webhook({ state: 'owed', confirmed: false, laneClosed: true, waitsForLane: true } as never)
  expect(of(paid(), { webhook: closed }).more).toContain('the lane of webhooks to hooks.example is closed')
  expect(of(paid(), { webhook: webhook({ confirmed: false }) })).toEqual({
    ...{ look: 'wait', sentence: 'The order is paid.' },
    more: 'The shop accepted the webhook and has not read the status.',
  })
  expect(of(paid(), { webhook: webhook({ state: 'dead', confirmed: false } as never) })).toEqual({
    ...{ look: 'bad', sentence: 'The order is paid. The shop does not know it: its webhook was given up.' },
    more: 'The shop does not know it yet. It waits for a person: its webhook was given up.',
  })
})

test('an order without a webhook yet says nothing about one', () => {
  expect(
    of(payment('pending', [attempt()]), { webhook: webhook({ state: 'owed', confirmed: false } as never) })
      .more,
  ).toBe('')
  expect(of(paid()).more).toBe('')
})

test('a pending order says who is to act', () => {
  const pending = (changes: Partial<Attempt>) => of(payment('pending', [attempt(changes)]))
  expect(pending({})).toEqual({ look: 'wait', sentence: 'The customer has not finished paying.', more: '' })
  expect(pending({ lastWord: { is: 'open', at: start } }).sentence).toBe(
    'The customer has not finished paying.',
  )
  expect(pending({ lastWord: { is: 'working', at: start } }).sentence).toBe(
    'The payment service (cardpay) works on it.',
  )
  expect(pending({ started: undefined }).sentence).toBe('It is unknown whether cardpay started the payment.')
  expect(pending({ facts: [fact('failed')] }).sentence).toBe(
    'The order is not paid: every attempt has ended.',
  )
  const two = payment('pending', [
    attempt({ adapter: 'old', started: undefined }),
    attempt({ id: 'wren.2', facts: [fact('failed')] }),
  ])
  expect(of(two).sentence).toBe('It is unknown whether old started the payment.')
})

test('an order that ended without money looks like nothing', () => {
  const ended = (status: Payment['status']) =>
    of(payment(status, [attempt({ facts: [fact(status as never)] })]))
  expect(ended('expired')).toEqual({
    look: '',
    sentence: 'The payment has expired: nobody paid in time.',
    more: '',
  })
  expect(ended('cancelled')).toEqual({ look: '', sentence: 'The payment was cancelled.', more: '' })
})

test('money that moved back is in the words, with what is left', () => {
  const back = [fact('paid', '149.00'), fact('refunded', '20.00')]
  expect(of(paid(back)).more).toBe('€149.00 was received, €20.00 was refunded; €129.00 is left.')
  const won = [...back, fact('charged_back', '129.00'), fact('chargeback_won', '129.00')]
  expect(of(paid(won)).more).toBe(
    '€149.00 was received, €20.00 was refunded, €129.00 was taken back by the bank, €129.00 was won back; €129.00 is left.',
  )
})

test('what needs review is the sentence, the worst first, and the status follows', () => {
  const anomalies = [
    anomaly('unknown_status'),
    anomaly('charged_back', '129.00'),
    anomaly('disputed', '20.00'),
  ]
  expect(of(paid(), { anomalies, webhook: webhook({ confirmed: false }) })).toEqual({
    ...{ look: 'bad', sentence: 'The bank took €129.00 back.' },
    more: 'The order is paid. The shop accepted the webhook and has not read the status. 2 more to review.',
  })
  expect(of(paid(), { anomalies: [anomaly('unknown_status')] })).toEqual({
    ...{ look: 'wait', sentence: 'The payment service reported a status that the adapter does not know.' },
    more: 'The order is paid.',
  })
  expect(of(payment('pending', [attempt()]), { anomalies: [anomaly('underpaid', '49.00')] }).more).toBe(
    'The order is not paid yet.',
  )
})

test('lost money goes before other, money before none, the larger stake before the smaller, the older before the newer', () => {
  const order = [
    anomaly('charged_back', '900.00'),
    anomaly('disputed', '89.00'),
    anomaly('late_paid', '89.00', { openedAt: start + 1 }),
    anomaly('paid_other_mode'),
    anomaly('overpaid', '1000.00'),
    anomaly('unknown_status', undefined, { openedAt: start - 1 }),
    anomaly('unknown_status'),
  ]
  for (const turned of [order, order.toReversed(), [...order.slice(3), ...order.slice(0, 3)]])
    expect(turned.toSorted(worstFirst)).toEqual(order)
})

test('each kind of anomaly has a sentence of its own, with its money where that is the point', () => {
  const sentences: Partial<Record<AnomalyKind, string>> = {
    charged_back: 'The bank took €49.00 back.',
    disputed: 'The customer disputes €49.00 at the bank.',
    double_paid: 'The order was paid twice: €49.00 came on top.',
    late_paid: 'The customer paid €49.00 after the attempt had ended.',
    overpaid: 'The customer paid €49.00 too much.',
    underpaid: 'Only €100.00 of €149.00 was received.',
    over_refunded: '€49.00 more went back than was received.',
    paid_in_parts: '€100.00 came in parts, and no attempt received enough.',
  }
  const seen = new Set<string>()
  for (const kind of Object.keys(anomalyKinds) as AnomalyKind[]) {
    const withMoney = anomalySentence(anomaly(kind, '49.00'))
    const without = anomalySentence(anomaly(kind))
    expect(without, kind).toMatch(/^[A-Z][^.]*.*\.$/)
    expect(anomalyKinds[kind].why).toContain(without)
    expect(withMoney, kind).toBe(sentences[kind] ?? without)
    expect(withMoney).not.toMatch(/undefined|NaN/)
    seen.add(withMoney)
  }
  expect(seen.size).toBe(Object.keys(anomalyKinds).length)
})

test('a kind of a newer version is named as it is, and looks like something to do', () => {
  const newer = anomaly('of_a_newer_version' as never, '1.00')
  expect(anomalySentence(newer)).toBe('of_a_newer_version')
  expect(isBad('of_a_newer_version' as never)).toBe(false)
  expect(of(paid(), { anomalies: [newer] }).look).toBe('wait')
})

test('money is written with the sign and the digits of its currency, however large it is', () => {
  expect(moneyText('129', 'eur')).toBe('€129.00')
  expect(moneyText('1234.5', 'GBP')).toBe('£1,234.50')
  expect(moneyText('700', 'jpy')).toBe('¥700')
  expect(moneyText('9007199254740993.01', 'eur')).toBe('€9,007,199,254,740,993.01')
  expect(moneyText('0.10', 'eur')).toBe('€0.10')
  expect(moneyText('5.00', 'points')).toBe('5.00 POINTS')
})

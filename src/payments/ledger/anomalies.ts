import { hash } from 'node:crypto'
import type { CodeText } from '../../errors/codes.ts'
import { type Big, type Decimal, roundToCurrency } from '../../money/index.ts'
import { time } from '../../printable.ts'

/** The kinds of anomaly: events that need review. */
export const anomalyKinds = {
  overpaid: {
    why: 'The attempt received more than the order owes. The order is paid.',
    remedy: 'Refund the rest with `purveyor payments refund` or at the payment service, then close it.',
  },
  underpaid: {
    why: 'Part of the amount was received, and the time of the attempt is over.',
    remedy:
      'Request the rest from the customer. Otherwise send the part back with `purveyor payments refund <order> --attempt <attempt>`, or settle it with `purveyor payments close-anomaly <id>`: either ends the attempt.',
  },
  paid_in_parts: {
    why: 'Several attempts received parts of the amount, and none received enough.',
    remedy:
      'Compare the parts with the order. Request the rest, or refund each with `purveyor payments refund <order> --attempt <attempt>`. Then close it.',
  },
  paid_but_returned: {
    why: 'The amount was received in full, but part of it went back before the order became paid.',
    remedy: 'Ask the shop to hold the order until the rest is clear, then close it.',
  },
  paid_other_currency: {
    why: 'Money was received in another currency than that of the order. It does not count.',
    remedy: 'Check the currency at the payment service. Refund it, then close it.',
  },
  paid_other_mode: {
    why: 'Test money was reported for a live payment, or live money for a test. It does not count.',
    remedy: 'Check the keys of the payment service. Refund live money, then close it.',
  },
  double_paid: {
    why: 'Another attempt received money for an order that is paid.',
    remedy: 'Refund it with `purveyor payments refund --attempt` or at the payment service, then close it.',
  },
  late_paid: {
    why: 'The customer paid after the attempt had expired or was cancelled. The order is paid.',
    remedy: 'Check that the shop still sends the order, then close it.',
  },
  authorisation_lost: {
    why: 'The order is paid by an authorisation that ended before the money was captured.',
    remedy: 'Ask the customer to pay again or ask the shop to hold the order, then close it.',
  },
  disputed: {
    why: 'The customer disputes a payment at the bank. No money has moved. It closes when the dispute is won or lost.',
    remedy: 'Answer the dispute at the payment service before its time is over, and inform the shop.',
  },
  charged_back: {
    why: 'The bank took money back. The order stays paid.',
    remedy: 'Answer the dispute at the payment service and inform the shop, then close it.',
  },
  over_refunded: {
    why: 'More money went back than was received, and the missing money has not come for an hour.',
    remedy: 'Compare the refunds and chargebacks at the payment service, then close it.',
  },
  over_won: {
    why: 'For an hour, more was reported as won back than was charged back. The surplus does not count.',
    remedy:
      'Look the dispute up at the payment service, report what it took as `charged_back`, then close it. Give all steps of a dispute one `event` in the adapter.',
  },
  event_changed: {
    why: 'The payment service reported one event twice, with different money. The first report counts.',
    remedy: 'Look the event up at the payment service, then close it. Check `event` in the adapter.',
  },
  unknown_status: {
    why: 'The payment service reported a status that the adapter does not know.',
    remedy: 'Map the status in the adapter. Set this payment with `purveyor payments report`.',
  },
  pending_too_long: {
    why: 'For 30 days the payment service has reported the payment as pending or authorised.',
    remedy: 'Ask the payment service. If it has ended, run `purveyor payments report`.',
  },
  amount_changed_after_paid: {
    why: 'The shop started a paid order again with another amount. An amount above what was received was refused (`PAID_LESS`).',
    remedy: 'Ask the shop for the right amount, then close it.',
  },
  start_unknown: {
    why: 'It is unknown whether the payment service started this payment.',
    remedy:
      'Search the payment service for its idempotency key. To avoid this, give the adapter `idempotency` or `find`.',
  },
  expiry_unconfirmed: {
    why: 'The payment should have expired a day ago, and the adapter cannot ask the payment service.',
    remedy: 'Check it at the payment service, then run `purveyor payments report`.',
  },
  too_many_forms: {
    why: 'The payment page reached its maximum number of forms without a payment. The attempt has ended.',
    remedy:
      'Ask the shop if it knows the customer: somebody may be trying out card or voucher numbers. Then close it.',
  },
  webhook_gone: {
    why: 'The shop answered 410: it accepts no more webhooks for this order.',
    remedy: 'Ask the shop; `purveyor webhooks replay <order>` sends it by hand.',
  },
} satisfies Record<string, CodeText>

/** The kind of an anomaly. `purveyor explain` has a page for each. */
export type AnomalyKind = keyof typeof anomalyKinds

/** One event of a payment that needs review. */
export interface Anomaly {
  kind: AnomalyKind
  attemptId: string
  /**
   * The event: `charged_back #dp_1` is a movement with the service's own id, `paid =48.40 eur` a total, `received 10.00 eur` a figure
   * that was reached. Of one attempt and kind each event opens one anomaly, so closing one mutes no later one. Empty where there can be
   * one alone, such as a start of unknown outcome.
   */
  event: string
  /** The amount that the order owes, the amount that the attempt received, and the amount of the event. */
  expected?: Decimal
  received?: Decimal
  stake?: Decimal
  currency?: string
  /** Until when a dispute can be answered, in milliseconds since 1970. */
  answerBy?: number | undefined
}

/** The anomaly of an event with so much at stake. */
export function anomalyAt(
  level: { kind: AnomalyKind; attemptId: string; currency: string; expected: Big; received: Big },
  event: string,
  stake: Big,
): Anomaly {
  const { kind, attemptId, currency } = level
  const text = (amount: Big) => roundToCurrency(amount, currency)
  return {
    kind,
    attemptId,
    event,
    expected: text(level.expected),
    received: text(level.received),
    stake: text(stake),
    currency: currency.toLowerCase(),
  }
}

type Named = Pick<Anomaly, 'kind' | 'attemptId' | 'event'>

export const isSame = (one: Named, other: Named): boolean =>
  one.kind === other.kind && one.attemptId === other.attemptId && one.event === other.event

/** An anomaly as it is kept, until a person closes it or its dispute ends. */
export interface OpenedAnomaly extends Anomaly {
  /** The next step for a person, in a sentence or two. */
  remedy: string
  /** For people to name it by: ten letters and digits. */
  id: string
  shopId: string
  orderId: string
  /** Milliseconds since 1970. */
  openedAt: number
  closedAt: number | undefined
  /** The note of the person who closed it, or the report that ended its dispute. */
  note: string | undefined
}

/** The same anomaly has the same id in every process. One without an event has the id that it had before there were events. */
export const anomalyId = (shopId: string, orderId: string, { kind, attemptId, event }: Named): string => {
  const names = [shopId, orderId, attemptId, kind, ...(event === '' ? [] : [event])]
  return hash('sha256', JSON.stringify(names), 'hex').slice(0, 10)
}

/** `48.40 eur of charged_back #dp_1, received 48.40, expected 48.40`: the money of an anomaly; empty where it has none. */
export function anomalyWords({ event, expected, received, stake, currency, answerBy }: Anomaly): string {
  if (stake === undefined) return event
  const until = answerBy === undefined ? '' : `, answer by ${time(answerBy)}`
  return `${stake} ${currency} of ${event}, received ${received}, expected ${expected}${until}`
}

import type { CodeText } from '../codes.ts'

/** The kinds of anomaly: events that need review. */
export const anomalyKinds = {
  paid_other_amount: {
    why: 'The amount paid differs from the amount of the order.',
    remedy: 'Compare both amounts at the payment service. Refund or request the rest, then close it.',
  },
  paid_other_mode: {
    why: 'Test money was reported for a live payment, or live money for a test.',
    remedy: 'Check the keys of the payment service.',
  },
  underpaid: {
    why: 'Only part of the amount was paid.',
    remedy: 'Wait for the rest, or refund and close it.',
  },
  double_paid: {
    why: 'The order was paid twice.',
    remedy: 'Refund one at the payment service, then close it.',
  },
  late_paid: {
    why: 'The customer paid after the payment had expired or was cancelled. The order is paid.',
    remedy: 'Check that the shop still sends the order, then close it.',
  },
  reversed: {
    why: 'The money was refunded or charged back. The order stays paid.',
    remedy: 'Inform the shop, then close it.',
  },
  unknown_status: {
    why: 'The payment service reported a status that the adapter does not know.',
    remedy: 'Map the status in the adapter. Set this payment with `purveyor payments report`.',
  },
  amount_changed_after_paid: {
    why: 'The shop started a paid order again with another amount.',
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
  webhook_gone: {
    why: 'The shop answered 410: it accepts no more webhooks for this order.',
    remedy: 'Ask the shop; `purveyor webhooks replay <order>` sends it by hand.',
  },
} satisfies Record<string, CodeText>

/** The kind of an anomaly. `purveyor explain` has a page for each. */
export type AnomalyKind = keyof typeof anomalyKinds

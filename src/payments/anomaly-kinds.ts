import type { CodeText } from '../codes.ts'

/** The kinds of anomaly: events that need review. */
export const anomalyKinds = {
  paid_other_amount: {
    why: 'Money came, and not as much as the order owes.',
    remedy: 'Compare both with the payment service; pay back or ask for the rest, then close it.',
  },
  paid_other_mode: {
    why: 'Test money was reported for a live payment, or live money for a test.',
    remedy: 'Check the keys of the payment service.',
  },
  underpaid: {
    why: 'A part of the amount was paid.',
    remedy: 'Wait for the rest, or pay back and close it.',
  },
  double_paid: {
    why: 'The order was paid twice.',
    remedy: 'Pay one back at the payment service, then close it.',
  },
  late_paid: {
    why: 'Money came after the payment had expired or was cancelled. The order is paid.',
    remedy: 'Check that the shop still sends the order, then close it.',
  },
  reversed: {
    why: 'Money was paid back or charged back. The order stays paid.',
    remedy: 'Inform the shop, then close it.',
  },
  unknown_status: {
    why: 'The payment service used a word that the adapter does not know.',
    remedy: 'Map the word in the adapter; `purveyor payments report` says how the payment stands.',
  },
  amount_changed_after_paid: {
    why: 'The shop started a paid order again with another amount.',
    remedy: 'Ask the shop what the order costs, then close it.',
  },
  start_unknown: {
    why: 'Nobody knows whether the payment service has started this payment.',
    remedy: 'Look there for its idempotency key; give the adapter `idempotency` or `find`.',
  },
  expiry_unconfirmed: {
    why: 'The payment should have expired a day ago, and the payment service cannot be asked.',
    remedy: 'Look there, then `purveyor payments report`.',
  },
  webhook_gone: {
    why: 'The shop answered 410: it takes no more calls for this order.',
    remedy: 'Ask the shop; `purveyor webhooks replay <order>` sends it by hand.',
  },
} satisfies Record<string, CodeText>

export type AnomalyKind = keyof typeof anomalyKinds

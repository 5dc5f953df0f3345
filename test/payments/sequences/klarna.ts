import { documented, type Sequence } from './sequence.ts'

const pending = documented('Pending orders', 'https://developers.klarna.com/en/gb/kco-v3/pending-orders')
const statuses = documented(
  'What do the various order statuses mean?',
  'https://klarna.com/au/business/merchant-support/what-do-the-various-order-statuses-mean',
)

/** Klarna: an order is authorised, perhaps after a review, and captured as the goods are sent, within 28 days. */
export const klarna: Sequence[] = [
  pending('accepted after a review, captured when it is sent', '120.00 sek', {
    steps: [
      ['2m', 'fraud_status PENDING', 'pending'],
      ['1d', 'FRAUD_RISK_ACCEPTED', 'authorised 120.00'],
      ['3d', 'capture created', 'paid 120.00 #capture-1'],
    ],
    expected: 'paid received=120.00 net=120.00 webhooks=paid',
  }),
  pending('rejected after a review', '120.00 sek', {
    steps: [
      ['2m', 'fraud_status PENDING', 'pending'],
      ['1d', 'FRAUD_RISK_REJECTED', 'cancelled', { detail: 'REJECTED' }],
    ],
    expected: 'cancelled webhooks=cancelled',
  }),
  pending('accepted at once, and stopped before it was captured', '120.00 sek', {
    adapter: { authorisedIsPaid: true },
    steps: [
      ['2m', 'fraud_status ACCEPTED', 'authorised 120.00'],
      ['5h', 'FRAUD_RISK_STOPPED', 'cancelled', { detail: 'STOPPED' }],
    ],
    expected: 'paid webhooks=paid',
    anomalies: [['authorisation_lost', 'cancelled', '120.00']],
  }),
  statuses('captured in two parts, of which one is refunded', '120.00 sek', {
    adapter: { authorisedIsPaid: true },
    steps: [
      ['2m', 'Authorised', 'authorised 120.00'],
      ['2d', 'Captured in part', 'paid 80.00 #capture-1'],
      ['4d', 'Captured', 'paid 40.00 #capture-2'],
      ['20d', 'Refunded', 'refunded 40.00 #refund-1'],
    ],
    expected: 'paid received=120.00 refunded=40.00 net=80.00 webhooks=paid',
  }),
  statuses('captured in part, and the rest expires', '100.00 sek', {
    adapter: { authorisedIsPaid: true },
    steps: [
      ['2m', 'Authorised', 'authorised 100.00'],
      ['2d', 'Captured in part', 'paid 60.00 #capture-1'],
      ['28d', 'Expired', 'expired'],
    ],
    expected: 'paid received=60.00 net=60.00 webhooks=paid',
    anomalies: [['authorisation_lost', 'expired', '40.00']],
  }),
  statuses('never sent: the order expires after 28 days', '100.00 sek', {
    steps: [
      ['2m', 'Authorised', 'authorised 100.00'],
      ['28d', 'Expired', 'expired'],
    ],
    expected: 'expired webhooks=expired',
  }),
]

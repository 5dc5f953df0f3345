import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const pending: Source = {
  title: 'Pending orders',
  url: 'https://developers.klarna.com/en/gb/kco-v3/pending-orders',
  read,
}
const statuses: Source = {
  title: 'What do the various order statuses mean?',
  url: 'https://klarna.com/au/business/merchant-support/what-do-the-various-order-statuses-mean',
  read,
}

/** Klarna: an order is authorised, perhaps after a review, and captured as the goods are sent, within 28 days. */
export const klarna: Sequence[] = [
  {
    name: 'accepted after a review, captured when it is sent',
    source: pending,
    order: { amount: '120.00', currency: 'sek' },
    steps: [
      { at: '2m', says: 'fraud_status PENDING', report: { status: 'pending' } },
      {
        at: '1d',
        says: 'FRAUD_RISK_ACCEPTED',
        report: { status: 'authorised', amount: '120.00', currency: 'sek' },
      },
      {
        at: '3d',
        says: 'capture created',
        report: { status: 'paid', amount: '120.00', currency: 'sek', event: 'capture-1' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '120.00', net: '120.00' }, webhooks: ['paid'] },
  },
  {
    name: 'rejected after a review',
    source: pending,
    order: { amount: '120.00', currency: 'sek' },
    steps: [
      { at: '2m', says: 'fraud_status PENDING', report: { status: 'pending' } },
      { at: '1d', says: 'FRAUD_RISK_REJECTED', report: { status: 'cancelled', detail: 'REJECTED' } },
    ],
    expected: { status: 'cancelled', ledger: {}, webhooks: ['cancelled'] },
  },
  {
    name: 'accepted at once, and stopped before it was captured',
    source: pending,
    order: { amount: '120.00', currency: 'sek' },
    adapter: { authorisedIsPaid: true },
    steps: [
      {
        at: '2m',
        says: 'fraud_status ACCEPTED',
        report: { status: 'authorised', amount: '120.00', currency: 'sek' },
      },
      { at: '5h', says: 'FRAUD_RISK_STOPPED', report: { status: 'cancelled', detail: 'STOPPED' } },
    ],
    expected: {
      status: 'paid',
      ledger: {},
      anomalies: [['authorisation_lost', 'cancelled', '120.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'captured in two parts, of which one is refunded',
    source: statuses,
    order: { amount: '120.00', currency: 'sek' },
    adapter: { authorisedIsPaid: true },
    steps: [
      {
        at: '2m',
        says: 'Authorised',
        report: { status: 'authorised', amount: '120.00', currency: 'sek' },
      },
      {
        at: '2d',
        says: 'Captured in part',
        report: { status: 'paid', amount: '80.00', currency: 'sek', event: 'capture-1' },
      },
      {
        at: '4d',
        says: 'Captured',
        report: { status: 'paid', amount: '40.00', currency: 'sek', event: 'capture-2' },
      },
      {
        at: '20d',
        says: 'Refunded',
        report: { status: 'refunded', amount: '40.00', currency: 'sek', event: 'refund-1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '120.00', refunded: '40.00', net: '80.00' },
      webhooks: ['paid'],
    },
  },
  {
    name: 'captured in part, and the rest expires',
    source: statuses,
    order: { amount: '100.00', currency: 'sek' },
    adapter: { authorisedIsPaid: true },
    steps: [
      {
        at: '2m',
        says: 'Authorised',
        report: { status: 'authorised', amount: '100.00', currency: 'sek' },
      },
      {
        at: '2d',
        says: 'Captured in part',
        report: { status: 'paid', amount: '60.00', currency: 'sek', event: 'capture-1' },
      },
      { at: '28d', says: 'Expired', report: { status: 'expired' } },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '60.00', net: '60.00' },
      anomalies: [['authorisation_lost', 'expired', '40.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'never sent: the order expires after 28 days',
    source: statuses,
    order: { amount: '100.00', currency: 'sek' },
    steps: [
      {
        at: '2m',
        says: 'Authorised',
        report: { status: 'authorised', amount: '100.00', currency: 'sek' },
      },
      { at: '28d', says: 'Expired', report: { status: 'expired' } },
    ],
    expected: { status: 'expired', ledger: {}, webhooks: ['expired'] },
  },
]

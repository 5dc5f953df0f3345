import type { Sequence, Source } from './sequence.ts'

const statuses: Source = {
  title: 'Transaction Statuses',
  url: 'https://developer.pay.nl/docs/transaction-statuses',
  read: '2026-11-22',
}

/** Pay.nl: a code for each state, with the amount that is paid so far: totals without ids. */
export const payNl: Sequence[] = [
  {
    name: 'paid',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      { at: '1m', says: '20 PENDING', report: { status: 'open' } },
      { at: '2m', says: '50 PENDING', report: { status: 'pending' } },
      { at: '3m', says: '100 PAID', report: { status: 'paid', amount: '50.00', currency: 'eur' } },
    ],
    expected: { status: 'paid', ledger: { received: '50.00', net: '50.00' }, webhooks: ['paid'] },
  },
  {
    name: 'a gift card pays a part, a bank the rest',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      { at: '2m', says: '80 PARTIAL PAYMENT', report: { status: 'paid', amount: '15.00', currency: 'eur' } },
      { at: '6m', says: '100 PAID', report: { status: 'paid', amount: '50.00', currency: 'eur' } },
    ],
    expected: { status: 'paid', ledger: { received: '50.00', net: '50.00' }, webhooks: ['paid'] },
  },
  {
    name: 'a gift card pays a part, and the customer leaves',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      { at: '2m', says: '80 PARTIAL PAYMENT', report: { status: 'paid', amount: '15.00', currency: 'eur' } },
      { at: '2h', says: '-80 EXPIRED', report: { status: 'expired' } },
    ],
    until: '1d',
    expected: {
      status: 'expired',
      ledger: { received: '15.00', net: '15.00' },
      anomalies: [['underpaid', 'received 15.00 eur', '15.00']],
      webhooks: ['expired'],
    },
  },
  {
    name: 'parts on two attempts, none of them enough',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      { at: '2m', says: '80 PARTIAL PAYMENT', report: { status: 'paid', amount: '15.00', currency: 'eur' } },
      { at: '5m', starts: { method: 'bank' } },
      {
        at: '8m',
        says: '100 PAID, of the rest',
        attempt: 2,
        report: { status: 'paid', amount: '35.00', currency: 'eur' },
      },
    ],
    expected: {
      status: 'pending',
      ledger: { received: '35.00', net: '35.00' },
      anomalies: [['paid_in_parts', 'paid =35.00 eur', '50.00']],
      webhooks: [],
    },
  },
  {
    name: 'a transfer of another amount',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      { at: '1m', says: '90 PENDING', report: { status: 'open' } },
      {
        at: '3d',
        says: '-51 PAID_CHECKAMOUNT',
        report: { status: 'paid', amount: '45.00', currency: 'eur' },
      },
    ],
    until: '15d',
    expected: {
      status: 'pending',
      ledger: { received: '45.00', net: '45.00' },
      anomalies: [['underpaid', 'received 45.00 eur', '45.00']],
      webhooks: [],
    },
  },
  {
    name: 'a reservation, captured in part and then in full',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: '95 AUTHORIZE',
        report: { status: 'authorised', amount: '50.00', currency: 'eur' },
      },
      {
        at: '1d',
        says: '97 PARTLY CAPTURED',
        report: { status: 'paid', amount: '20.00', currency: 'eur' },
      },
      { at: '3d', says: '100 PAID', report: { status: 'paid', amount: '50.00', currency: 'eur' } },
    ],
    expected: { status: 'paid', ledger: { received: '50.00', net: '50.00' }, webhooks: ['paid'] },
  },
  {
    name: 'suspicious, and cleared after two days',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      { at: '2m', says: '85 VERIFY', report: { status: 'pending', detail: 'VERIFY' } },
      { at: '2d', says: '100 PAID', report: { status: 'paid', amount: '50.00', currency: 'eur' } },
    ],
    expected: { status: 'paid', ledger: { received: '50.00', net: '50.00' }, webhooks: ['paid'] },
  },
  {
    name: 'sent by the bank, and not received for more than a month',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    steps: [{ at: '2m', says: '98 PENDING', report: { status: 'pending' } }],
    until: '31d',
    expected: {
      status: 'pending',
      ledger: {},
      anomalies: [['pending_too_long', 'pending', '50.00']],
      webhooks: [],
    },
  },
  {
    name: 'denied, expired, and then paid after all',
    source: statuses,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      { at: '2m', says: '-80 EXPIRED', report: { status: 'expired' } },
      { at: '3m', says: '-63 DENIED', report: { status: 'failed' } },
      { at: '1d', says: '100 PAID', report: { status: 'paid', amount: '50.00', currency: 'eur' } },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '50.00', net: '50.00' },
      anomalies: [['late_paid', 'paid =50.00 eur', '50.00']],
      webhooks: ['expired', 'cancelled', 'paid'],
    },
  },
]

import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const connect: Source = {
  title: 'Webhook event types',
  url: 'https://docs.connect.worldline-solutions.com/documentation/webhooks/event-types/',
  read,
}
const direct: Source = {
  title: 'Webhooks: payment id and operation id',
  url: 'https://support.direct.ingenico.com/en/integration/api-developer-guide/webhooks-payid',
  read,
}
const statuses: Source = {
  title: 'Transaction status full list',
  url: 'https://support.legacy.worldline-solutions.com/en/get-started/transaction-status-full',
  read,
}

/** Worldline, once Ingenico and Ogone: each operation of a payment has a number, an uncertain one gets its end later. */
export const worldline: Sequence[] = [
  {
    name: 'bank transfer in two parts',
    source: connect,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      { at: '1m', says: 'payment.pending_payment', report: { status: 'open' } },
      {
        at: '2d',
        says: 'payment.paid',
        report: { status: 'paid', amount: '60.00', currency: 'eur', event: 'increment-1' },
      },
      {
        at: '5d',
        says: 'payment.paid_increment',
        report: { status: 'paid', amount: '40.00', currency: 'eur', event: 'increment-2' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '100.00', net: '100.00' }, webhooks: ['paid'] },
  },
  {
    name: 'bank transfer in two parts that are too much',
    source: connect,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      { at: '1m', says: 'payment.pending_payment', report: { status: 'open' } },
      {
        at: '2d',
        says: 'payment.paid',
        report: { status: 'paid', amount: '60.00', currency: 'eur', event: 'increment-1' },
      },
      {
        at: '5d',
        says: 'payment.paid_increment',
        report: { status: 'paid', amount: '50.00', currency: 'eur', event: 'increment-2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '110.00', net: '110.00' },
      anomalies: [['overpaid', 'paid #increment-2', '10.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'authorised, captured with a delay, refunded: one operation each',
    source: direct,
    order: { amount: '75.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'payment.pending_capture, 3136405348_0, 5',
        report: { status: 'authorised', amount: '75.00', currency: 'eur', event: '3136405348_0' },
      },
      { at: '1d', says: 'payment.capture_requested, 3136405348_1, 91', report: { status: 'pending' } },
      {
        at: '2d',
        says: 'payment.captured, 3136405348_1, 9',
        report: { status: 'paid', amount: '75.00', currency: 'eur', event: '3136405348_1' },
      },
      {
        at: '9d',
        says: 'payment.refunded, 3136405348_2, 8',
        report: { status: 'refunded', amount: '15.00', currency: 'eur', event: '3136405348_2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '75.00', refunded: '15.00', net: '60.00' },
      webhooks: ['paid'],
    },
  },
  {
    name: 'an uncertain payment is refused after two days',
    source: statuses,
    order: { amount: '75.00', currency: 'eur' },
    steps: [
      { at: '2m', says: '92, payment uncertain', report: { status: 'pending', detail: '92' } },
      { at: '2d', says: '93, payment refused', report: { status: 'failed', detail: '93' } },
    ],
    expected: { status: 'cancelled', ledger: {}, webhooks: ['cancelled'] },
  },
  {
    name: 'refused, and the customer takes another card on the same page',
    source: statuses,
    order: { amount: '75.00', currency: 'eur' },
    steps: [
      { at: '2m', says: '2, authorisation refused', report: { status: 'open', detail: '2' } },
      { at: '4m', says: '91, payment processing', report: { status: 'pending' } },
      {
        at: '5m',
        says: '9, payment requested',
        report: { status: 'paid', amount: '75.00', currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '75.00', net: '75.00' }, webhooks: ['paid'] },
  },
  {
    name: 'waiting for the customer: our clock ends it, and the money comes after all',
    source: statuses,
    order: { amount: '75.00', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      { at: '1m', says: '41, waiting for client payment', report: { status: 'open' } },
      {
        at: '17d',
        says: '9, payment received',
        report: { status: 'paid', amount: '75.00', currency: 'eur' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '75.00', net: '75.00' },
      anomalies: [['late_paid', 'paid =75.00 eur', '75.00']],
      webhooks: ['expired', 'paid'],
    },
  },
  {
    name: 'chargeback',
    source: connect,
    order: { amount: '75.00', currency: 'eur' },
    steps: [
      {
        at: '3m',
        says: 'payment.captured',
        report: { status: 'paid', amount: '75.00', currency: 'eur', event: '_1' },
      },
      {
        at: '40d',
        says: 'payment.chargebacked',
        report: { status: 'charged_back', amount: '75.00', currency: 'eur', event: '_2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '75.00', chargedBack: '75.00', net: '0.00' },
      anomalies: [['charged_back', 'charged_back #_2', '75.00']],
      webhooks: ['paid'],
    },
  },
]

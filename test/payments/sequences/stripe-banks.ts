import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const sepa: Source = {
  title: 'Accept a SEPA Direct Debit payment',
  url: 'https://docs.stripe.com/payments/sepa-debit/accept-a-payment',
  read,
}
const sepaDisputes: Source = {
  title: 'SEPA Direct Debit payment disputes',
  url: 'https://support.stripe.com/questions/sepa-direct-debit-payment-disputes',
  read,
}
const transfers: Source = {
  title: 'Accept a bank transfer',
  url: 'https://docs.stripe.com/payments/bank-transfers/accept-a-payment',
  read,
}
const oxxo: Source = {
  title: 'Accept an OXXO payment',
  url: 'https://docs.stripe.com/payments/oxxo/accept-a-payment',
  read,
}

/** Bank debits, bank transfers and vouchers through Stripe: slow, and a debit comes back for eight weeks. */
export const stripeBanks: Sequence[] = [
  {
    name: 'SEPA debit that succeeds on day 5',
    source: sepa,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '24h' },
    steps: [
      { at: '3m', says: 'checkout.session.completed, payment_status unpaid', report: { status: 'pending' } },
      { at: '3m', says: 'payment_intent.processing', report: { status: 'pending' } },
      {
        at: '5d',
        says: 'checkout.session.async_payment_succeeded',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'py_1' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '100.00', net: '100.00' }, webhooks: ['paid'] },
  },
  {
    name: 'SEPA debit that begins just after our clock has ended its page',
    source: sepa,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      { at: '61m', says: 'payment_intent.processing', report: { status: 'pending' } },
      {
        at: '5d',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'py_1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', net: '100.00' },
      anomalies: [['late_paid', 'paid #py_1', '100.00']],
      webhooks: ['expired', 'paid'],
    },
  },
  {
    name: 'SEPA debit that fails on day 4',
    source: sepa,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '24h' },
    steps: [
      { at: '3m', says: 'checkout.session.completed, payment_status unpaid', report: { status: 'pending' } },
      {
        at: '4d',
        says: 'checkout.session.async_payment_failed',
        report: { status: 'failed', detail: 'insufficient_funds' },
      },
    ],
    until: '40d',
    expected: { status: 'cancelled', ledger: {}, webhooks: ['cancelled'] },
  },
  {
    name: 'SEPA debit that its bank takes back in week 7',
    source: sepaDisputes,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      { at: '3m', says: 'payment_intent.processing', report: { status: 'pending' } },
      {
        at: '5d',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'py_1' },
      },
      {
        at: '47d',
        says: 'charge.dispute.created, status lost',
        report: { status: 'charged_back', amount: '100.00', currency: 'eur', event: 'dp_1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', chargedBack: '100.00', net: '0.00' },
      anomalies: [['charged_back', 'charged_back #dp_1', '100.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'SEPA debit that is refunded and taken back as well: the customer has it twice',
    source: sepaDisputes,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      { at: '3m', says: 'payment_intent.processing', report: { status: 'pending' } },
      {
        at: '5d',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'py_1' },
      },
      {
        at: '8d',
        says: 'refund.created',
        report: { status: 'refunded', amount: '100.00', currency: 'eur', event: 're_1' },
      },
      {
        at: '20d',
        says: 'charge.dispute.created, status lost',
        report: { status: 'charged_back', amount: '100.00', currency: 'eur', event: 'dp_1' },
      },
    ],
    until: '21d',
    expected: {
      status: 'paid',
      ledger: { received: '100.00', refunded: '100.00', chargedBack: '100.00', net: '-100.00' },
      anomalies: [
        ['charged_back', 'charged_back #dp_1', '100.00'],
        ['over_refunded', 'returned 200.00 eur live', '100.00'],
      ],
      webhooks: ['paid'],
    },
  },
  {
    name: 'bank transfer in two parts',
    source: transfers,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      { at: '1m', says: 'payment_intent.requires_action', report: { status: 'open' } },
      {
        at: '2d',
        says: 'payment_intent.partially_funded',
        report: { status: 'paid', amount: '60.00', currency: 'eur', event: 'ccsbtxn_1' },
      },
      {
        at: '4d',
        says: 'cash_balance.funds_available, applied to the payment',
        report: { status: 'paid', amount: '40.00', currency: 'eur', event: 'ccsbtxn_2' },
      },
      {
        at: '4d',
        says: 'payment_intent.succeeded, amount_received 10000',
        report: { status: 'paid', amount: '100.00', currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '100.00', net: '100.00' }, webhooks: ['paid'] },
  },
  {
    name: 'bank transfer of too little',
    source: transfers,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      {
        at: '2d',
        says: 'payment_intent.partially_funded',
        report: { status: 'paid', amount: '60.00', currency: 'eur', event: 'ccsbtxn_1' },
      },
    ],
    until: '15d',
    expected: {
      status: 'pending',
      ledger: { received: '60.00', net: '60.00' },
      anomalies: [['underpaid', 'received 60.00 eur', '60.00']],
      webhooks: [],
    },
  },
  {
    name: 'bank transfer whose second part comes after its time',
    source: transfers,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      {
        at: '2d',
        says: 'payment_intent.partially_funded',
        report: { status: 'paid', amount: '60.00', currency: 'eur', event: 'ccsbtxn_1' },
      },
      {
        at: '16d',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '40.00', currency: 'eur', event: 'ccsbtxn_2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', net: '100.00' },
      anomalies: [['underpaid', 'received 60.00 eur', '60.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'voucher that is paid in a shop the next day',
    source: oxxo,
    order: { amount: '649.00', currency: 'mxn' },
    adapter: { expiresAfter: '24h' },
    steps: [
      { at: '1m', says: 'payment_intent.requires_action', report: { status: 'open', expiresAt: '3d' } },
      {
        at: '2d',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '649.00', currency: 'mxn', event: 'ch_1' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '649.00', net: '649.00' }, webhooks: ['paid'] },
  },
  {
    name: 'voucher that expires',
    source: oxxo,
    order: { amount: '649.00', currency: 'mxn' },
    adapter: { expiresAfter: '24h' },
    steps: [
      { at: '1m', says: 'payment_intent.requires_action', report: { status: 'open', expiresAt: '5d' } },
      {
        at: '4d',
        says: 'payment_intent.payment_failed',
        report: { status: 'expired', detail: 'payment_intent_payment_attempt_expired' },
      },
    ],
    expected: { status: 'expired', ledger: {}, webhooks: ['expired'] },
  },
  {
    name: 'voucher that is paid in its last hour, and heard of the day after',
    source: oxxo,
    order: { amount: '649.00', currency: 'mxn' },
    steps: [
      { at: '1m', says: 'payment_intent.requires_action', report: { status: 'open', expiresAt: '3d' } },
      {
        at: '4d',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '649.00', currency: 'mxn', event: 'ch_1', at: '71h' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '649.00', net: '649.00' },
      anomalies: [['late_paid', 'paid #ch_1', '649.00']],
      webhooks: ['expired', 'paid'],
    },
  },
]

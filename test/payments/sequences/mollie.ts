import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const statuses: Source = {
  title: 'Handling payment status',
  url: 'https://docs.mollie.com/docs/status-change',
  read,
}
const webhooks: Source = { title: 'Webhooks', url: 'https://docs.mollie.com/reference/webhooks.md', read }
const holds: Source = {
  title: 'Place a hold for a payment',
  url: 'https://docs.mollie.com/docs/place-a-hold-for-a-payment',
  read,
}
const refunds: Source = {
  title: 'Webhooks for the Refunds API',
  url: 'https://docs.mollie.com/reference/refunds-api-webhooks',
  read,
}
const debits: Source = {
  title: 'What do I need to know about reversals of SEPA Direct Debit transactions',
  url: 'https://help.mollie.com/hc/en-gb/articles/115000796469',
  read,
}

/** Mollie calls with an id and is asked: its answers are snapshots. The newer webhooks name captures and refunds by their ids. */
export const mollie: Sequence[] = [
  {
    name: 'a payment that is paid',
    source: webhooks,
    order: { amount: '10.00', currency: 'eur' },
    steps: [
      { at: '1m', says: 'status open', report: { status: 'open' } },
      {
        at: '2m',
        says: 'status paid',
        report: { status: 'paid', totals: { received: '10.00', refunded: '0.00' }, currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '10.00', net: '10.00' }, webhooks: ['paid'] },
  },
  {
    name: 'the customer cancels, chooses again and pays',
    source: statuses,
    order: { amount: '10.00', currency: 'eur' },
    steps: [
      { at: '2m', says: 'status canceled', report: { status: 'cancelled' } },
      { at: '3m', starts: {} },
      {
        at: '5m',
        says: 'status paid',
        attempt: 2,
        report: { status: 'paid', totals: { received: '10.00' }, currency: 'eur' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '10.00', net: '10.00' },
      webhooks: ['cancelled', 'paid'],
    },
  },
  {
    name: 'the customer leaves it until it expires',
    source: statuses,
    order: { amount: '10.00', currency: 'eur' },
    adapter: { expiresAfter: '20m' },
    steps: [
      { at: '1m', says: 'status open', report: { status: 'open' } },
      { at: '15m', says: 'status expired', report: { status: 'expired' } },
    ],
    until: '2h',
    expected: { status: 'expired', ledger: {}, webhooks: ['expired'] },
  },
  {
    name: 'a bank transfer that takes nine days',
    source: statuses,
    order: { amount: '250.00', currency: 'eur' },
    adapter: { expiresAfter: '12d' },
    steps: [
      { at: '1m', says: 'status open', report: { status: 'open' } },
      {
        at: '9d',
        says: 'status paid',
        report: { status: 'paid', totals: { received: '250.00' }, currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '250.00', net: '250.00' }, webhooks: ['paid'] },
  },
  {
    name: 'pending is no reason to expire, however long',
    source: statuses,
    order: { amount: '10.00', currency: 'eur' },
    steps: [
      { at: '1m', says: 'status open', report: { status: 'open' } },
      { at: '5m', says: 'status pending', report: { status: 'pending' } },
      {
        at: '6d',
        says: 'status paid',
        report: { status: 'paid', totals: { received: '10.00' }, currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '10.00', net: '10.00' }, webhooks: ['paid'] },
  },
  {
    name: 'a direct debit is paid after a day, and fails on day 5',
    source: debits,
    order: { amount: '25.00', currency: 'eur' },
    steps: [
      { at: '1m', says: 'status pending', report: { status: 'pending' } },
      {
        at: '1d',
        says: 'status paid',
        report: { status: 'paid', totals: { received: '25.00' }, currency: 'eur' },
      },
      {
        at: '5d',
        says: 'status paid, amountChargedBack 25.00',
        report: { status: 'paid', totals: { received: '25.00', chargedBack: '25.00' }, currency: 'eur' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '25.00', chargedBack: '25.00', net: '0.00' },
      anomalies: [['charged_back', 'charged_back =25.00 eur', '25.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'captures with ids beside answers without: each counts once',
    source: holds,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'status authorized',
        report: { status: 'authorised', totals: { authorised: '50.00' }, currency: 'eur' },
      },
      {
        at: '1d',
        says: 'capture.succeeded',
        report: { status: 'paid', amount: '35.95', currency: 'eur', event: 'cpt_1' },
      },
      {
        at: '1d',
        says: 'status authorized, amountCaptured 35.95',
        report: {
          status: 'authorised',
          totals: { authorised: '50.00', received: '35.95' },
          currency: 'eur',
        },
      },
      {
        at: '2d',
        says: 'capture.succeeded',
        report: { status: 'paid', amount: '14.05', currency: 'eur', event: 'cpt_2' },
      },
      {
        at: '2d',
        says: 'status paid, amountCaptured 50.00',
        report: { status: 'paid', totals: { received: '50.00' }, currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '50.00', net: '50.00' }, webhooks: ['paid'] },
  },
  {
    name: 'an authorisation that is never captured ends',
    source: holds,
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'status authorized',
        report: { status: 'authorised', totals: { authorised: '50.00' }, currency: 'eur' },
      },
      { at: '28d', says: 'status expired', report: { status: 'expired' } },
    ],
    expected: { status: 'expired', ledger: {}, webhooks: ['expired'] },
  },
  {
    name: 'a refund that fails, beside snapshots whose total falls again',
    source: refunds,
    order: { amount: '10.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'status paid',
        report: { status: 'paid', totals: { received: '10.00', refunded: '0.00' }, currency: 'eur' },
      },
      {
        at: '3d',
        says: 'refund.refunded',
        report: { status: 'refunded', amount: '5.95', currency: 'eur', event: 're_4qqhO89gsT' },
      },
      {
        at: '3d',
        says: 'amountRefunded 5.95',
        report: { status: 'paid', totals: { received: '10.00', refunded: '5.95' }, currency: 'eur' },
      },
      {
        at: '6d',
        says: 'refund.failed',
        report: { status: 'refund_failed', amount: '5.95', currency: 'eur', event: 're_4qqhO89gsT' },
      },
      {
        at: '6d',
        says: 'amountRefunded 0.00',
        report: { status: 'paid', totals: { received: '10.00', refunded: '0.00' }, currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '10.00', net: '10.00' }, webhooks: ['paid'] },
  },
  {
    name: 'both tabs are paid',
    source: webhooks,
    order: { amount: '40.00', currency: 'eur' },
    steps: [
      { at: '1m', says: 'status open', report: { status: 'open' } },
      { at: '5m', starts: { method: 'ideal' } },
      {
        at: '8m',
        says: 'status paid',
        attempt: 2,
        report: { status: 'paid', totals: { received: '40.00' }, currency: 'eur' },
      },
      {
        at: '9m',
        says: 'status paid',
        report: { status: 'paid', totals: { received: '40.00' }, currency: 'eur' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '40.00', net: '40.00' },
      anomalies: [['double_paid', 'paid =40.00 eur', '40.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'the page of a smaller cart is paid after the cart has grown',
    source: webhooks,
    order: { amount: '10.00', currency: 'eur' },
    adapter: { expiresAfter: '15m' },
    steps: [
      { at: '5m', starts: { amount: '100.00' } },
      {
        at: '8m',
        says: 'status paid',
        report: { status: 'paid', totals: { received: '10.00' }, currency: 'eur' },
      },
      { at: '20m', says: 'status expired', attempt: 2, report: { status: 'expired' } },
    ],
    until: '1d',
    expected: {
      status: 'pending',
      ledger: {},
      anomalies: [['underpaid', 'received 10.00 eur', '10.00']],
      webhooks: [],
    },
  },
]

import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const pushes: Source = {
  title: 'Push messages',
  url: 'https://docs.buckaroo.io/docs/integration-push-messages',
  read,
}

const statuses: Source = { title: 'Status', url: 'https://docs.buckaroo.io/docs/integration-status', read }

/** Buckaroo: a push for each change of status, at times several for one; each transfer, refund and reversal has a transaction key. */
export const buckaroo: Sequence[] = [
  {
    name: 'the push of a success comes three times',
    source: pushes,
    order: { amount: '32.50', currency: 'eur' },
    steps: [
      { at: '1m', says: '790, pending input', report: { status: 'open' } },
      {
        at: '2m',
        says: '190, success',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: '4E8BD922' },
      },
      {
        at: '2m',
        says: '190, success, again',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: '4E8BD922' },
      },
      {
        at: '3h',
        says: '190, success, again',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: '4E8BD922' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '32.50', net: '32.50' }, webhooks: ['paid'] },
  },
  {
    name: 'two transfers for one order',
    source: statuses,
    order: { amount: '32.50', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      { at: '1m', says: '792, awaiting consumer', report: { status: 'open' } },
      {
        at: '3d',
        says: '190, success, of a transfer',
        report: { status: 'paid', amount: '30.00', currency: 'eur', event: 'A1' },
      },
      {
        at: '6d',
        says: '190, success, of a transfer',
        report: { status: 'paid', amount: '2.50', currency: 'eur', event: 'A2' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '32.50', net: '32.50' }, webhooks: ['paid'] },
  },
  {
    name: 'the same order is transferred twice',
    source: pushes,
    order: { amount: '32.50', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      {
        at: '3d',
        says: '190, success, of a transfer',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: 'A1' },
      },
      {
        at: '4d',
        says: '190, success, of a transfer',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: 'A2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '65.00', net: '65.00' },
      anomalies: [['overpaid', 'paid #A2', '32.50']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'a direct debit that is reversed',
    source: statuses,
    order: { amount: '32.50', currency: 'eur' },
    steps: [
      { at: '1m', says: '791, pending processing', report: { status: 'pending' } },
      {
        at: '6d',
        says: '190, success',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: 'A1' },
      },
      {
        at: '25d',
        says: 'reversal',
        report: { status: 'charged_back', amount: '32.50', currency: 'eur', event: 'A2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '32.50', chargedBack: '32.50', net: '0.00' },
      anomalies: [['charged_back', 'charged_back #A2', '32.50']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'the push of pending is delivered after that of success',
    source: pushes,
    order: { amount: '32.50', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: '190, success',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: 'A1' },
      },
      { at: '2h', says: '791, pending processing, delivered late', report: { status: 'pending' } },
      { at: '3h', says: '690, rejected, of an earlier try', report: { status: 'open' } },
    ],
    until: '2d',
    expected: { status: 'paid', ledger: { received: '32.50', net: '32.50' }, webhooks: ['paid'] },
  },
  {
    name: 'failed, and paid in another go at the same request',
    source: statuses,
    order: { amount: '32.50', currency: 'eur' },
    steps: [
      { at: '2m', says: '490, failed', report: { status: 'failed', detail: '490' } },
      {
        at: '6m',
        says: '190, success',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: 'A1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '32.50', net: '32.50' },
      anomalies: [['late_paid', 'paid #A1', '32.50']],
      webhooks: ['cancelled', 'paid'],
    },
  },
  {
    name: 'cancelled by the customer',
    source: statuses,
    order: { amount: '32.50', currency: 'eur' },
    steps: [
      { at: '1m', says: '790, pending input', report: { status: 'open' } },
      { at: '2m', says: '890, cancelled by user', report: { status: 'cancelled' } },
    ],
    expected: { status: 'cancelled', ledger: {}, webhooks: ['cancelled'] },
  },
  {
    name: 'one transaction key with two amounts: the first stands',
    source: pushes,
    order: { amount: '32.50', currency: 'eur' },
    adapter: { expiresAfter: '14d' },
    steps: [
      {
        at: '3d',
        says: '190, success',
        report: { status: 'paid', amount: '32.50', currency: 'eur', event: 'A1' },
      },
      {
        at: '4d',
        says: '190, success, with another amount',
        report: { status: 'paid', amount: '25.00', currency: 'eur', event: 'A1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '32.50', net: '32.50' },
      anomalies: [['event_changed', 'paid 25.00 eur #A1', '25.00']],
      webhooks: ['paid'],
    },
  },
]

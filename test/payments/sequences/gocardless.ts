import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const partners: Source = {
  title: 'Webhooks for partners',
  url: 'https://developer.gocardless.com/partners/webhooks-for-partners',
  read,
}
const events: Source = {
  title: 'Real-Time Reconciliation events for GoCardless',
  url: 'https://docs.zuora.com/zuora-payments/report-and-reconcile-transactions/real-time-reconciliation-overview/configure-real-time-reconciliation/enable-and-configure-real-time-reconciliation-for-gocardless/real-time-reconciliation-events-for-gocardless',
  read,
}

/** GoCardless: bank debits only. Days pass before one is confirmed, and it can fail or come back after that. */
export const gocardless: Sequence[] = [
  {
    name: 'submitted, confirmed, paid out',
    source: partners,
    order: { amount: '80.00', currency: 'gbp' },
    steps: [
      { at: '2m', says: 'payments created', report: { status: 'pending' } },
      { at: '1d', says: 'payments submitted', report: { status: 'pending' } },
      {
        at: '5d',
        says: 'payments confirmed',
        report: { status: 'paid', amount: '80.00', currency: 'gbp', event: 'PM123' },
      },
      {
        at: '7d',
        says: 'payments paid_out',
        report: { status: 'paid', amount: '80.00', currency: 'gbp', event: 'PM123' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '80.00', net: '80.00' }, webhooks: ['paid'] },
  },
  {
    name: 'fails on day 4',
    source: partners,
    order: { amount: '80.00', currency: 'gbp' },
    steps: [
      { at: '2m', says: 'payments created', report: { status: 'pending' } },
      {
        at: '4d',
        says: 'payments failed, will_attempt_retry false',
        report: { status: 'failed', detail: 'insufficient_funds' },
      },
    ],
    expected: { status: 'cancelled', ledger: {}, webhooks: ['cancelled'] },
  },
  {
    name: 'fails, is tried again by the service, and confirmed',
    source: partners,
    order: { amount: '80.00', currency: 'gbp' },
    steps: [
      { at: '2m', says: 'payments created', report: { status: 'pending' } },
      {
        at: '4d',
        says: 'payments failed, will_attempt_retry true',
        report: { status: 'pending', detail: 'insufficient_funds' },
      },
      {
        at: '11d',
        says: 'payments confirmed',
        report: { status: 'paid', amount: '80.00', currency: 'gbp', event: 'PM123' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '80.00', net: '80.00' }, webhooks: ['paid'] },
  },
  {
    name: 'fails after it was confirmed',
    source: events,
    order: { amount: '80.00', currency: 'gbp' },
    steps: [
      {
        at: '5d',
        says: 'payments confirmed',
        report: { status: 'paid', amount: '80.00', currency: 'gbp', event: 'PM123' },
      },
      {
        at: '6d',
        says: 'payments late_failure_settled',
        report: { status: 'charged_back', amount: '80.00', currency: 'gbp', event: 'EV2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '80.00', chargedBack: '80.00', net: '0.00' },
      anomalies: [['charged_back', 'charged_back #EV2', '80.00']],
      webhooks: ['paid'],
    },
    adapter: { expiresAfter: '14d' },
  },
  {
    name: 'charged back, and the chargeback is cancelled',
    source: events,
    order: { amount: '80.00', currency: 'gbp' },
    adapter: { expiresAfter: '14d' },
    steps: [
      {
        at: '5d',
        says: 'payments confirmed',
        report: { status: 'paid', amount: '80.00', currency: 'gbp', event: 'PM123' },
      },
      {
        at: '30d',
        says: 'payments charged_back',
        report: { status: 'charged_back', amount: '80.00', currency: 'gbp', event: 'EV3' },
      },
      {
        at: '33d',
        says: 'payments chargeback_cancelled',
        report: { status: 'chargeback_won', amount: '80.00', currency: 'gbp', event: 'EV4' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '80.00', chargedBack: '80.00', chargebackWon: '80.00', net: '80.00' },
      anomalies: [['charged_back', 'charged_back #EV3', '80.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'an action that the adapter does not know yet',
    source: events,
    order: { amount: '80.00', currency: 'gbp' },
    steps: [
      { at: '2m', says: 'payments created', report: { status: 'pending' } },
      {
        at: '3d',
        says: 'payments surcharge_fee_debited',
        report: { status: 'unknown', detail: 'surcharge_fee_debited' },
      },
      {
        at: '5d',
        says: 'payments confirmed',
        report: { status: 'paid', amount: '80.00', currency: 'gbp', event: 'PM123' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '80.00', net: '80.00' },
      anomalies: [['unknown_status', 'unknown surcharge_fee_debited']],
      webhooks: ['paid'],
    },
  },
]

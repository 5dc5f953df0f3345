import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const events: Source = {
  title: 'Event types',
  url: 'https://www.checkout.com/docs/reporting-and-insights/events-api/event-types',
  read,
}

/** Checkout.com: each action of a payment has an id, and each dispute. */
export const checkoutCom: Sequence[] = [
  {
    name: 'card with 3-D Secure',
    source: events,
    order: { amount: '65.40', currency: 'gbp' },
    steps: [
      { at: '1m', says: 'payment_pending', report: { status: 'open' } },
      {
        at: '2m',
        says: 'payment_approved',
        report: { status: 'authorised', amount: '65.40', currency: 'gbp', event: 'act_1' },
      },
      {
        at: '3m',
        says: 'payment_captured',
        report: { status: 'paid', amount: '65.40', currency: 'gbp', event: 'act_2' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '65.40', net: '65.40' }, webhooks: ['paid'] },
  },
  {
    name: 'declined, and paid at the second start',
    source: events,
    order: { amount: '65.40', currency: 'gbp' },
    steps: [
      { at: '2m', says: 'payment_declined', report: { status: 'failed', detail: '20051' } },
      { at: '4m', starts: {} },
      {
        at: '6m',
        says: 'payment_captured',
        attempt: 2,
        report: { status: 'paid', amount: '65.40', currency: 'gbp', event: 'act_2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '65.40', net: '65.40' },
      webhooks: ['cancelled', 'paid'],
    },
  },
  {
    name: 'authorised and voided',
    source: events,
    order: { amount: '65.40', currency: 'gbp' },
    steps: [
      {
        at: '2m',
        says: 'payment_approved',
        report: { status: 'authorised', amount: '65.40', currency: 'gbp', event: 'act_1' },
      },
      { at: '2d', says: 'payment_voided', report: { status: 'cancelled' } },
    ],
    expected: { status: 'cancelled', ledger: {}, webhooks: ['cancelled'] },
  },
  {
    name: 'a capture is declined, the next one succeeds',
    source: events,
    order: { amount: '65.40', currency: 'gbp' },
    steps: [
      {
        at: '2m',
        says: 'payment_approved',
        report: { status: 'authorised', amount: '65.40', currency: 'gbp', event: 'act_1' },
      },
      { at: '1d', says: 'payment_capture_declined', report: { status: 'pending' } },
      {
        at: '2d',
        says: 'payment_captured',
        report: { status: 'paid', amount: '65.40', currency: 'gbp', event: 'act_3' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '65.40', net: '65.40' }, webhooks: ['paid'] },
  },
  {
    name: 'one refund succeeds, another is declined',
    source: events,
    order: { amount: '65.40', currency: 'gbp' },
    steps: [
      {
        at: '3m',
        says: 'payment_captured',
        report: { status: 'paid', amount: '65.40', currency: 'gbp', event: 'act_2' },
      },
      {
        at: '4d',
        says: 'payment_refunded',
        report: { status: 'refunded', amount: '20.00', currency: 'gbp', event: 'act_4' },
      },
      {
        at: '5d',
        says: 'payment_refund_declined',
        report: { status: 'refund_failed', amount: '15.40', currency: 'gbp', event: 'act_5' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '65.40', refunded: '20.00', net: '45.40' },
      webhooks: ['paid'],
    },
  },
  {
    name: 'dispute won',
    source: events,
    order: { amount: '65.40', currency: 'gbp' },
    steps: [
      {
        at: '3m',
        says: 'payment_captured',
        report: { status: 'paid', amount: '65.40', currency: 'gbp', event: 'act_2' },
      },
      {
        at: '12d',
        says: 'dispute_evidence_required',
        report: { status: 'charged_back', amount: '65.40', currency: 'gbp', event: 'dsp_1' },
      },
      {
        at: '50d',
        says: 'dispute_won',
        report: { status: 'chargeback_won', amount: '65.40', currency: 'gbp', event: 'dsp_1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '65.40', chargedBack: '65.40', chargebackWon: '65.40', net: '65.40' },
      anomalies: [['charged_back', 'charged_back #dsp_1', '65.40']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'dispute lost because nobody answered',
    source: events,
    order: { amount: '65.40', currency: 'gbp' },
    steps: [
      {
        at: '3m',
        says: 'payment_captured',
        report: { status: 'paid', amount: '65.40', currency: 'gbp', event: 'act_2' },
      },
      {
        at: '12d',
        says: 'dispute_evidence_required',
        report: { status: 'charged_back', amount: '30.00', currency: 'gbp', event: 'dsp_1' },
      },
      {
        at: '30d',
        says: 'dispute_expired',
        report: { status: 'charged_back', amount: '30.00', currency: 'gbp', event: 'dsp_1' },
      },
      {
        at: '31d',
        says: 'dispute_lost',
        report: { status: 'charged_back', amount: '30.00', currency: 'gbp', event: 'dsp_1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '65.40', chargedBack: '30.00', net: '35.40' },
      anomalies: [['charged_back', 'charged_back #dsp_1', '30.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'a dispute of a payment that was refunded: resolved by the service a day later',
    source: events,
    order: { amount: '65.40', currency: 'gbp' },
    steps: [
      {
        at: '3m',
        says: 'payment_captured',
        report: { status: 'paid', amount: '65.40', currency: 'gbp', event: 'act_2' },
      },
      {
        at: '4d',
        says: 'payment_refunded',
        report: { status: 'refunded', amount: '65.40', currency: 'gbp', event: 'act_4' },
      },
      {
        at: '12d',
        says: 'dispute_evidence_required',
        report: { status: 'charged_back', amount: '65.40', currency: 'gbp', event: 'dsp_1' },
      },
      {
        at: '13d',
        says: 'dispute_resolved',
        report: { status: 'chargeback_won', amount: '65.40', currency: 'gbp', event: 'dsp_1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: {
        received: '65.40',
        refunded: '65.40',
        chargedBack: '65.40',
        chargebackWon: '65.40',
        net: '0.00',
      },
      anomalies: [
        ['charged_back', 'charged_back #dsp_1', '65.40'],
        ['over_refunded', 'returned 130.80 gbp live', '65.40'],
      ],
      webhooks: ['paid'],
    },
  },
]

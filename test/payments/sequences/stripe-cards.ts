import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const checkout: Source = {
  title: 'Fulfill orders',
  url: 'https://docs.stripe.com/checkout/fulfillment',
  read,
}
const holds: Source = {
  title: 'Capture a payment multiple times',
  url: 'https://docs.stripe.com/payments/multicapture',
  read,
}
const refunds: Source = { title: 'Refund and cancel payments', url: 'https://docs.stripe.com/refunds', read }
const disputes: Source = { title: 'Disputes and fraud', url: 'https://docs.stripe.com/disputes', read }

const ordering: Source = {
  title: 'Best practices for using webhooks: event ordering',
  url: 'https://stripe.com/docs/webhooks/best-practices#event-ordering',
  read,
}

/** Cards through Stripe Checkout: charges, refunds and disputes carry ids, the session and the charge carry totals. */
export const stripeCards: Sequence[] = [
  {
    name: 'card with 3-D Secure',
    source: checkout,
    order: { amount: '48.40', currency: 'eur' },
    adapter: { expiresAfter: '24h' },
    steps: [
      { at: '1m', says: 'payment_intent.requires_action', report: { status: 'open' } },
      {
        at: '2m',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '48.40', currency: 'eur', event: 'ch_1' },
      },
      {
        at: '2m',
        says: 'checkout.session.completed, payment_status paid',
        report: { status: 'paid', amount: '48.40', currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '48.40', net: '48.40' }, webhooks: ['paid'] },
  },
  {
    name: 'a card is declined, another one on the same page succeeds',
    source: checkout,
    order: { amount: '48.40', currency: 'eur' },
    adapter: { expiresAfter: '24h' },
    steps: [
      {
        at: '1m',
        says: 'payment_intent.payment_failed',
        report: { status: 'open', detail: 'card_declined' },
      },
      {
        at: '4m',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '48.40', currency: 'eur', event: 'ch_2' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '48.40', net: '48.40' }, webhooks: ['paid'] },
  },
  {
    name: 'the session expires',
    source: checkout,
    order: { amount: '48.40', currency: 'eur' },
    adapter: { expiresAfter: '24h' },
    steps: [{ at: '24h', says: 'checkout.session.expired', report: { status: 'expired' } }],
    until: '30d',
    expected: { status: 'expired', ledger: {}, webhooks: ['expired'] },
  },
  {
    name: 'a session that is paid as it expires: its events arrive the wrong way round',
    source: ordering,
    order: { amount: '48.40', currency: 'eur' },
    adapter: { expiresAfter: '24h' },
    steps: [
      { at: '24h', says: 'checkout.session.expired', report: { status: 'expired' } },
      {
        at: '25h',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '48.40', currency: 'eur', event: 'ch_1' },
      },
      { at: '26h', says: 'checkout.session.expired, again', report: { status: 'expired' } },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '48.40', net: '48.40' },
      anomalies: [['late_paid', 'paid #ch_1', '48.40']],
      webhooks: ['expired', 'paid'],
    },
  },
  {
    name: 'authorised, captured in two parts',
    source: holds,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '24h' },
    steps: [
      {
        at: '2m',
        says: 'payment_intent.amount_capturable_updated',
        report: { status: 'authorised', amount: '100.00', currency: 'eur' },
      },
      {
        at: '1d',
        says: 'charge.captured, amount_captured 6000',
        report: { status: 'paid', amount: '60.00', currency: 'eur' },
      },
      {
        at: '3d',
        says: 'charge.captured, amount_captured 10000',
        report: { status: 'paid', amount: '100.00', currency: 'eur' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '100.00', net: '100.00' }, webhooks: ['paid'] },
  },
  {
    name: 'an authorisation that counts as paid is never captured',
    source: {
      title: 'Capture a payment: uncaptured payments expire after 7 days',
      url: 'https://docs.stripe.com/api/charges/capture',
      read,
    },
    order: { amount: '100.00', currency: 'eur' },
    adapter: { authorisedIsPaid: true, expiresAfter: '24h' },
    steps: [
      {
        at: '2m',
        says: 'payment_intent.amount_capturable_updated',
        report: { status: 'authorised', amount: '100.00', currency: 'eur' },
      },
      { at: '7d', says: 'payment_intent.canceled', report: { status: 'cancelled', detail: 'automatic' } },
    ],
    expected: {
      status: 'paid',
      ledger: {},
      anomalies: [['authorisation_lost', 'cancelled', '100.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'two partial refunds, each reported with its id and in the total of the charge',
    source: refunds,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'ch_1' },
      },
      {
        at: '3d',
        says: 'refund.created',
        report: { status: 'refunded', amount: '30.00', currency: 'eur', event: 're_1' },
      },
      {
        at: '3d',
        says: 'charge.refunded, amount_refunded 3000',
        report: { status: 'refunded', amount: '30.00', currency: 'eur' },
      },
      {
        at: '5d',
        says: 'refund.created',
        report: { status: 'refunded', amount: '20.00', currency: 'eur', event: 're_2' },
      },
      {
        at: '5d',
        says: 'charge.refunded, amount_refunded 5000',
        report: { status: 'refunded', amount: '50.00', currency: 'eur' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', refunded: '50.00', net: '50.00' },
      webhooks: ['paid'],
    },
  },
  {
    name: 'a refund that fails: the money comes back',
    source: refunds,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'ch_1' },
      },
      {
        at: '3d',
        says: 'refund.created',
        report: { status: 'refunded', amount: '100.00', currency: 'eur', event: 're_1' },
      },
      {
        at: '20d',
        says: 'refund.failed',
        report: { status: 'refund_failed', amount: '100.00', currency: 'eur', event: 're_1' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '100.00', net: '100.00' }, webhooks: ['paid'] },
  },
  {
    name: 'dispute lost',
    source: disputes,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'ch_1' },
      },
      {
        at: '20d',
        says: 'charge.dispute.funds_withdrawn',
        report: { status: 'charged_back', amount: '100.00', currency: 'eur', event: 'dp_1' },
      },
      {
        at: '60d',
        says: 'charge.dispute.closed, status lost',
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
    name: 'dispute won after a partial refund',
    source: disputes,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'ch_1' },
      },
      {
        at: '4d',
        says: 'refund.created',
        report: { status: 'refunded', amount: '30.00', currency: 'eur', event: 're_1' },
      },
      {
        at: '20d',
        says: 'charge.dispute.funds_withdrawn',
        report: { status: 'charged_back', amount: '70.00', currency: 'eur', event: 'dp_1' },
      },
      {
        at: '60d',
        says: 'charge.dispute.funds_reinstated',
        report: { status: 'chargeback_won', amount: '70.00', currency: 'eur', event: 'dp_1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: {
        received: '100.00',
        refunded: '30.00',
        chargedBack: '70.00',
        chargebackWon: '70.00',
        net: '70.00',
      },
      anomalies: [['charged_back', 'charged_back #dp_1', '70.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'the refund of an order is heard of before its payment, and all of it twice',
    source: ordering,
    order: { amount: '48.40', currency: 'eur' },
    steps: [
      {
        at: '10m',
        says: 'refund.created',
        report: { status: 'refunded', amount: '48.40', currency: 'eur', event: 're_1' },
      },
      {
        at: '11m',
        says: 'payment_intent.succeeded',
        report: { status: 'paid', amount: '48.40', currency: 'eur', event: 'ch_1' },
      },
      {
        at: '12m',
        says: 'refund.created, again',
        report: { status: 'refunded', amount: '48.40', currency: 'eur', event: 're_1' },
      },
      {
        at: '13m',
        says: 'payment_intent.succeeded, again',
        report: { status: 'paid', amount: '48.40', currency: 'eur', event: 'ch_1' },
      },
    ],
    until: '1d',
    expected: {
      status: 'paid',
      ledger: { received: '48.40', refunded: '48.40', net: '0.00' },
      anomalies: [['paid_but_returned', 'paid #ch_1', '48.40']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'the whole life of an order on two attempts, with movements beside totals',
    source: disputes,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { expiresAfter: '24h' },
    steps: [
      { at: '2m', says: 'payment_intent.payment_failed', report: { status: 'open' } },
      { at: '10m', starts: { amount: '80.00' } },
      {
        at: '11m',
        says: 'checkout.session.expired, of the first session',
        report: { status: 'cancelled' },
      },
      {
        at: '12m',
        says: 'charge.captured, amount_captured 5000',
        attempt: 2,
        report: { status: 'paid', amount: '50.00', currency: 'eur' },
      },
      {
        at: '13m',
        says: 'charge.succeeded',
        attempt: 2,
        report: { status: 'paid', amount: '80.00', currency: 'eur', event: 'ch_1' },
      },
      {
        at: '3d',
        says: 'refund.created',
        attempt: 2,
        report: { status: 'refunded', amount: '10.00', currency: 'eur', event: 're_1' },
      },
      {
        at: '4d',
        says: 'refund.created',
        attempt: 2,
        report: { status: 'refunded', amount: '20.00', currency: 'eur', event: 're_2' },
      },
      {
        at: '5d',
        says: 'charge.refunded, amount_refunded 3000',
        attempt: 2,
        report: { status: 'refunded', amount: '30.00', currency: 'eur' },
      },
      {
        at: '20d',
        says: 'charge.dispute.funds_withdrawn',
        attempt: 2,
        report: { status: 'charged_back', amount: '50.00', currency: 'eur', event: 'dp_1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '80.00', refunded: '30.00', chargedBack: '50.00', net: '0.00' },
      anomalies: [['charged_back', 'charged_back #dp_1', '50.00']],
      webhooks: ['paid'],
    },
  },
]

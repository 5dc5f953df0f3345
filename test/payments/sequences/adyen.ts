import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const webhooks: Source = {
  title: 'Webhook structure and types',
  url: 'https://docs.adyen.com/development-resources/webhooks/webhook-types',
  read,
}
const capture: Source = {
  title: 'Capture an authorised payment',
  url: 'https://docs.adyen.com/api-explorer/Checkout/52/post/payments/_paymentPspReference_/captures',
  read,
}
const failures: Source = {
  title: 'CAPTURE_FAILED and REFUND_FAILED reasons',
  url: 'https://docs.adyen.com/online-payments/capture/failure-reasons',
  read,
}
const disputes: Source = {
  title: 'Chargeback successfully defended',
  url: 'https://docs.adyen.com/api-explorer/Webhooks/1/post/CHARGEBACK_REVERSED',
  read,
}
const multibanco: Source = {
  title: 'Multibanco',
  url: 'https://docs.adyen.com/payment-methods/multibanco/',
  read,
}

/**
 * Adyen names every modification by a pspReference of its own. All events of a dispute share one, so the adapter puts the stage behind it
 * where money moves a second time.
 */
export const adyen: Sequence[] = [
  {
    name: 'card with 3-D Secure, authorised and captured at once',
    source: webhooks,
    order: { amount: '11.30', currency: 'eur' },
    adapter: { authorisedIsPaid: true },
    steps: [
      { at: '1m', says: '/payments: RedirectShopper', report: { status: 'open' } },
      {
        at: '2m',
        says: 'AUTHORISATION, success true',
        report: { status: 'authorised', amount: '11.30', currency: 'eur', event: '7914073381342284' },
      },
      {
        at: '3m',
        says: 'CAPTURE, success true',
        report: { status: 'paid', amount: '11.30', currency: 'eur', event: '8814073381342285' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '11.30', net: '11.30' }, webhooks: ['paid'] },
  },
  {
    name: 'authorised, captured in three parts',
    source: capture,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'AUTHORISATION, success true',
        report: { status: 'authorised', amount: '100.00', currency: 'eur', event: 'A1' },
      },
      {
        at: '1d',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '50.00', currency: 'eur', event: 'C1' },
      },
      {
        at: '2d',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '30.00', currency: 'eur', event: 'C2' },
      },
      {
        at: '3d',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '20.00', currency: 'eur', event: 'C3' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '100.00', net: '100.00' }, webhooks: ['paid'] },
  },
  {
    name: 'captured in part, the rest is cancelled: what was authorised counted as paid',
    source: capture,
    order: { amount: '100.00', currency: 'eur' },
    adapter: { authorisedIsPaid: true },
    steps: [
      {
        at: '2m',
        says: 'AUTHORISATION, success true',
        report: { status: 'authorised', amount: '100.00', currency: 'eur', event: 'A1' },
      },
      {
        at: '1d',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '80.00', currency: 'eur', event: 'C1' },
      },
      { at: '2d', says: 'CANCELLATION', report: { status: 'cancelled' } },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '80.00', net: '80.00' },
      anomalies: [['authorisation_lost', 'cancelled', '20.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'captured in part, the rest is cancelled: what was authorised counted as nothing',
    source: capture,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'AUTHORISATION, success true',
        report: { status: 'authorised', amount: '100.00', currency: 'eur', event: 'A1' },
      },
      {
        at: '1d',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '80.00', currency: 'eur', event: 'C1' },
      },
      { at: '2d', says: 'CANCELLATION', report: { status: 'cancelled' } },
    ],
    expected: {
      status: 'cancelled',
      ledger: { received: '80.00', net: '80.00' },
      anomalies: [['underpaid', 'received 80.00 eur', '80.00']],
      webhooks: ['cancelled'],
    },
  },
  {
    name: 'a capture that the scheme rejects afterwards',
    source: failures,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'AUTHORISATION, success true',
        report: { status: 'authorised', amount: '100.00', currency: 'eur', event: 'A1' },
      },
      {
        at: '1d',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'C1' },
      },
      {
        at: '3d',
        says: 'CAPTURE_FAILED',
        report: { status: 'charged_back', amount: '100.00', currency: 'eur', event: 'C1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', chargedBack: '100.00', net: '0.00' },
      anomalies: [['charged_back', 'charged_back #C1', '100.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'a refund that fails, and is made again',
    source: failures,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '3m',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'C1' },
      },
      {
        at: '5d',
        says: 'REFUND, success true',
        report: { status: 'refunded', amount: '40.00', currency: 'eur', event: 'R1' },
      },
      {
        at: '7d',
        says: 'REFUND_FAILED',
        report: { status: 'refund_failed', amount: '40.00', currency: 'eur', event: 'R1' },
      },
      {
        at: '8d',
        says: 'REFUND, success true',
        report: { status: 'refunded', amount: '40.00', currency: 'eur', event: 'R2' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', refunded: '40.00', net: '60.00' },
      webhooks: ['paid'],
    },
  },
  {
    name: 'the failure of a refund is heard of first',
    source: failures,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '3m',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'C1' },
      },
      {
        at: '7d',
        says: 'REFUND_FAILED',
        report: { status: 'refund_failed', amount: '40.00', currency: 'eur', event: 'R1' },
      },
      {
        at: '8d',
        says: 'REFUND, success true',
        report: { status: 'refunded', amount: '25.00', currency: 'eur', event: 'R2' },
      },
      {
        at: '9d',
        says: 'REFUND, success true, delivered late',
        report: { status: 'refunded', amount: '40.00', currency: 'eur', event: 'R1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', refunded: '25.00', net: '75.00' },
      webhooks: ['paid'],
    },
  },
  {
    name: 'a dispute that is defended',
    source: disputes,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '3m',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'C1' },
      },
      {
        at: '30d',
        says: 'CHARGEBACK',
        report: { status: 'charged_back', amount: '100.00', currency: 'eur', event: 'D1' },
      },
      {
        at: '31d',
        says: 'CHARGEBACK_REVERSED',
        report: { status: 'chargeback_won', amount: '100.00', currency: 'eur', event: 'D1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', chargedBack: '100.00', chargebackWon: '100.00', net: '100.00' },
      anomalies: [['charged_back', 'charged_back #D1', '100.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'a dispute that is defended and then lost to a second chargeback',
    source: disputes,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '3m',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'C1' },
      },
      {
        at: '30d',
        says: 'CHARGEBACK',
        report: { status: 'charged_back', amount: '100.00', currency: 'eur', event: 'D1' },
      },
      {
        at: '31d',
        says: 'CHARGEBACK_REVERSED',
        report: { status: 'chargeback_won', amount: '100.00', currency: 'eur', event: 'D1' },
      },
      {
        at: '60d',
        says: 'SECOND_CHARGEBACK',
        report: { status: 'charged_back', amount: '100.00', currency: 'eur', event: 'D1/second' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', chargedBack: '200.00', chargebackWon: '100.00', net: '0.00' },
      anomalies: [
        ['charged_back', 'charged_back #D1', '100.00'],
        ['charged_back', 'charged_back #D1/second', '100.00'],
      ],
      webhooks: ['paid'],
    },
  },
  {
    name: 'pre-arbitration, won in the end',
    source: {
      title: "Cardholder's bank accepted pre-arbitration case",
      url: 'https://docs.adyen.com/api-explorer/Webhooks/latest/post/PREARBITRATION_WON',
      read,
    },
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '3m',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'C1' },
      },
      {
        at: '30d',
        says: 'CHARGEBACK',
        report: { status: 'charged_back', amount: '60.00', currency: 'eur', event: 'D1' },
      },
      {
        at: '75d',
        says: 'PREARBITRATION_WON',
        report: { status: 'chargeback_won', amount: '60.00', currency: 'eur', event: 'D1/prearbitration' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', chargedBack: '60.00', chargebackWon: '60.00', net: '100.00' },
      anomalies: [['charged_back', 'charged_back #D1', '60.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'voucher that is paid at a cash machine on day 3',
    source: multibanco,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      { at: '1m', says: '/payments: PresentToShopper', report: { status: 'open', expiresAt: '7d' } },
      { at: '1m', says: 'PENDING', report: { status: 'open' } },
      {
        at: '3d',
        says: 'AUTHORISATION, success true',
        report: { status: 'paid', amount: '100.00', currency: 'eur', event: 'A1' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '100.00', net: '100.00' }, webhooks: ['paid'] },
  },
  {
    name: 'voucher that nobody pays',
    source: multibanco,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      { at: '1m', says: '/payments: PresentToShopper', report: { status: 'open', expiresAt: '7d' } },
      { at: '8d', says: 'OFFER_CLOSED', report: { status: 'expired' } },
    ],
    expected: { status: 'expired', ledger: {}, webhooks: ['expired'] },
  },
  {
    name: 'everything comes twice, the capture before its authorisation',
    source: webhooks,
    order: { amount: '11.30', currency: 'eur' },
    adapter: { authorisedIsPaid: true },
    steps: [
      {
        at: '3m',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '11.30', currency: 'eur', event: 'C1' },
      },
      {
        at: '4m',
        says: 'AUTHORISATION',
        report: { status: 'authorised', amount: '11.30', currency: 'eur', event: 'A1' },
      },
      {
        at: '5m',
        says: 'CAPTURE, again',
        report: { status: 'paid', amount: '11.30', currency: 'eur', event: 'C1' },
      },
      {
        at: '6m',
        says: 'AUTHORISATION, again',
        report: { status: 'authorised', amount: '11.30', currency: 'eur', event: 'A1' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '11.30', net: '11.30' }, webhooks: ['paid'] },
  },
  {
    name: 'an event with live false about a live payment',
    source: webhooks,
    order: { amount: '11.30', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'CAPTURE, live false',
        report: { status: 'paid', amount: '11.30', currency: 'eur', event: 'C1', mode: 'test' },
      },
    ],
    expected: {
      status: 'pending',
      ledger: {},
      others: ['11.30 eur test'],
      anomalies: [['paid_other_mode', 'paid #C1', '11.30']],
      webhooks: [],
    },
  },
  {
    name: 'the whole life of an order: two captures, a refund that fails, a dispute that is won',
    source: disputes,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'AUTHORISATION, success true',
        report: { status: 'authorised', amount: '100.00', currency: 'eur', event: 'A1' },
      },
      {
        at: '1d',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '70.00', currency: 'eur', event: 'C1' },
      },
      {
        at: '2d',
        says: 'CAPTURE',
        report: { status: 'paid', amount: '30.00', currency: 'eur', event: 'C2' },
      },
      {
        at: '9d',
        says: 'REFUND, success true',
        report: { status: 'refunded', amount: '30.00', currency: 'eur', event: 'R1' },
      },
      {
        at: '11d',
        says: 'REFUND_FAILED',
        report: { status: 'refund_failed', amount: '30.00', currency: 'eur', event: 'R1' },
      },
      {
        at: '30d',
        says: 'CHARGEBACK',
        report: { status: 'charged_back', amount: '70.00', currency: 'eur', event: 'D1' },
      },
      {
        at: '45d',
        says: 'CHARGEBACK_REVERSED',
        report: { status: 'chargeback_won', amount: '70.00', currency: 'eur', event: 'D1' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', chargedBack: '70.00', chargebackWon: '70.00', net: '100.00' },
      anomalies: [['charged_back', 'charged_back #D1', '70.00']],
      webhooks: ['paid'],
    },
  },
]

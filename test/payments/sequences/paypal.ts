import type { Sequence, Source } from './sequence.ts'

const read = '2026-11-22'
const webhooks: Source = {
  title: 'Payments v2 webhook events',
  url: 'https://docs.paypal.ai/reference/webhook-events/payments-v2',
  read,
}
const captures: Source = {
  title: 'The status and status details of a captured payment',
  url: 'https://developer.paypal.com/sdk/orders/v2/definitions/capture_status',
  read,
}
const disputes: Source = {
  title: 'Subscribe to disputes webhooks',
  url: 'https://developer.paypal.com/docs/disputes/webhooks/',
  read,
}

/** PayPal: authorisations, captures and refunds have ids. A capture may wait for days for an eCheck to clear. */
export const paypal: Sequence[] = [
  {
    name: 'approved and captured at once',
    source: webhooks,
    order: { amount: '23.99', currency: 'usd' },
    steps: [
      { at: '2m', says: 'CHECKOUT.ORDER.APPROVED', report: { status: 'pending' } },
      {
        at: '2m',
        says: 'PAYMENT.CAPTURE.COMPLETED',
        report: { status: 'paid', amount: '23.99', currency: 'usd', event: 'CAPTURE001' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '23.99', net: '23.99' }, webhooks: ['paid'] },
  },
  {
    name: 'an eCheck that clears on day 5',
    source: captures,
    order: { amount: '23.99', currency: 'usd' },
    steps: [
      { at: '2m', says: 'PAYMENT.CAPTURE.PENDING, ECHECK', report: { status: 'pending', detail: 'ECHECK' } },
      {
        at: '5d',
        says: 'PAYMENT.CAPTURE.COMPLETED',
        report: { status: 'paid', amount: '23.99', currency: 'usd', event: 'CAPTURE001' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '23.99', net: '23.99' }, webhooks: ['paid'] },
  },
  {
    name: 'an eCheck that bounces on day 4',
    source: captures,
    order: { amount: '23.99', currency: 'usd' },
    steps: [
      { at: '2m', says: 'PAYMENT.CAPTURE.PENDING, ECHECK', report: { status: 'pending', detail: 'ECHECK' } },
      { at: '4d', says: 'PAYMENT.CAPTURE.DECLINED', report: { status: 'failed' } },
    ],
    expected: { status: 'cancelled', ledger: {}, webhooks: ['cancelled'] },
  },
  {
    name: 'a voucher of Multibanco that is not paid in seven days',
    source: {
      title: 'Multibanco with the Orders API',
      url: 'https://developer.paypal.com/platforms/checkout/apm/multibanco/orders-api',
      read,
    },
    order: { amount: '50.00', currency: 'eur' },
    steps: [
      { at: '2m', says: 'PAYMENT.CAPTURE.PENDING', report: { status: 'pending' } },
      { at: '7d', says: 'PAYMENT.CAPTURE.DENIED', report: { status: 'expired' } },
    ],
    expected: { status: 'expired', ledger: {}, webhooks: ['expired'] },
  },
  {
    name: 'authorised, captured in two parts',
    source: webhooks,
    order: { amount: '100.00', currency: 'usd' },
    steps: [
      {
        at: '2m',
        says: 'PAYMENT.AUTHORIZATION.CREATED',
        report: { status: 'authorised', amount: '100.00', currency: 'usd', event: '7W5147081L658180V' },
      },
      {
        at: '2d',
        says: 'PAYMENT.CAPTURE.COMPLETED, final_capture false',
        report: { status: 'paid', amount: '70.00', currency: 'usd', event: 'CAPTURE001' },
      },
      {
        at: '9d',
        says: 'PAYMENT.CAPTURE.COMPLETED, final_capture true',
        report: { status: 'paid', amount: '30.00', currency: 'usd', event: 'CAPTURE002' },
      },
    ],
    expected: { status: 'paid', ledger: { received: '100.00', net: '100.00' }, webhooks: ['paid'] },
  },
  {
    name: 'an authorisation that reaches its 30th day',
    source: webhooks,
    order: { amount: '100.00', currency: 'usd' },
    steps: [
      {
        at: '2m',
        says: 'PAYMENT.AUTHORIZATION.CREATED',
        report: { status: 'authorised', amount: '100.00', currency: 'usd', event: '7W5147081L658180V' },
      },
      { at: '29d', says: 'PAYMENT.AUTHORIZATION.VOIDED', report: { status: 'cancelled' } },
    ],
    expected: { status: 'cancelled', ledger: {}, webhooks: ['cancelled'] },
  },
  {
    name: 'refunded in two parts until nothing is left',
    source: webhooks,
    order: { amount: '100.00', currency: 'usd' },
    steps: [
      {
        at: '2m',
        says: 'PAYMENT.CAPTURE.COMPLETED',
        report: { status: 'paid', amount: '100.00', currency: 'usd', event: 'CAPTURE001' },
      },
      {
        at: '2d',
        says: 'PAYMENT.CAPTURE.REFUNDED',
        report: { status: 'refunded', amount: '25.00', currency: 'usd', event: 'REFUND001' },
      },
      {
        at: '9d',
        says: 'PAYMENT.CAPTURE.REFUNDED',
        report: { status: 'refunded', amount: '75.00', currency: 'usd', event: 'REFUND002' },
      },
    ],
    until: '10d',
    expected: {
      status: 'paid',
      ledger: { received: '100.00', refunded: '100.00', net: '0.00' },
      webhooks: ['paid'],
    },
  },
  {
    name: 'PayPal takes a capture back, and the seller wins the dispute',
    source: disputes,
    order: { amount: '100.00', currency: 'usd' },
    steps: [
      {
        at: '2m',
        says: 'PAYMENT.CAPTURE.COMPLETED',
        report: { status: 'paid', amount: '100.00', currency: 'usd', event: 'CAPTURE001' },
      },
      {
        at: '15d',
        says: 'PAYMENT.CAPTURE.REVERSED',
        report: { status: 'charged_back', amount: '100.00', currency: 'usd', event: 'PP-D-4012' },
      },
      {
        at: '40d',
        says: 'CUSTOMER.DISPUTE.RESOLVED, RESOLVED_SELLER_FAVOUR',
        report: { status: 'chargeback_won', amount: '100.00', currency: 'usd', event: 'PP-D-4012' },
      },
    ],
    expected: {
      status: 'paid',
      ledger: { received: '100.00', chargedBack: '100.00', chargebackWon: '100.00', net: '100.00' },
      anomalies: [['charged_back', 'charged_back #PP-D-4012', '100.00']],
      webhooks: ['paid'],
    },
  },
  {
    name: 'money in another currency than the order owes',
    source: webhooks,
    order: { amount: '100.00', currency: 'eur' },
    steps: [
      {
        at: '2m',
        says: 'PAYMENT.CAPTURE.COMPLETED, in usd',
        report: { status: 'paid', amount: '108.00', currency: 'usd', event: 'CAPTURE001' },
      },
    ],
    until: '2d',
    expected: {
      status: 'pending',
      ledger: {},
      others: ['108.00 usd live'],
      anomalies: [['paid_other_currency', 'paid #CAPTURE001', '108.00']],
      webhooks: [],
    },
  },
]

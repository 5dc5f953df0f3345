import { isPaid, ordersAndPays, orderThen, pays, paysInAnyWay, scenario, scenariosOf } from './scenario.ts'

/** The start of a payment, doubled, lost, repeated and changed. */
export const starts = scenariosOf(['payments'], {
  'start-doubled': scenario('The start of a payment is sent twice at the same moment', [
    { switch: { calls: 'doubled' } },
    { order: {} },
    { expect: { paymentUrls: 'same' } },
    { switch: { calls: 'once' } },
    { pay: 'paid' },
    { expect: { paymentUrls: 'same' } },
  ]),
  'start-in-two-tabs': scenario('The order is placed in two tabs at the same moment', [
    { switch: { paymentTabs: 'two' } },
    ...paysInAnyWay,
    { expect: { paymentUrls: 'same' } },
  ]),
  'start-answer-lost': scenario(
    'The answer to the start of a payment is lost, and the shop repeats the call',
    [
      { order: {} },
      { switch: { answers: 'dropNext' } },
      { repeatStart: 1 },
      { repeatStart: 1 },
      { pay: 'paid' },
      { expect: { paymentUrls: 'same' } },
    ],
  ),
  'start-repeated-after-paid': scenario('The start is repeated for days after the order was paid', [
    ...orderThen('paid'),
    { move: '1d' },
    { repeatStart: 2 },
    { move: '1d' },
    { repeatStart: 1 },
    { expect: { lastStatus: 201 } },
    isPaid,
  ]),
  'amount-changed': scenario(
    'The customer changes the order after the payment was opened, and pays the new amount',
    [{ order: {} }, { payAgain: { shipment: 'other' } }, { expect: { paymentUrls: 'different' } }, ...pays],
    'rates',
    'payments',
  ),
  'old-amount-paid': scenario(
    'If the page of the old amount can still be paid, the order must not count as paid',
    [
      { order: { shipment: 'first' } },
      { payAgain: { shipment: 'other' } },
      { choose: 'paid', of: 'first' },
      { customer: 'returns' },
      { expect: { order: 'pending', provider: 'pending' } },
      ...pays,
    ],
    'rates',
    'payments',
  ),
  'refused-200': scenario('The shop accepts only 201 where the contract says so', [
    { switch: { created: 'refused' } },
    ...paysInAnyWay,
  ]),
  'unknown-order': scenario('The shop asks for the status of an unknown order', [
    { order: {} },
    { askFor: 'unknown order' },
    { expect: { lastStatus: 404 } },
    { pay: 'paid' },
  ]),
  'without-shop-id': scenario('The shop sends no shop id with payments', [
    { switch: { shopId: 'none' } },
    ...paysInAnyWay,
  ]),
})

/** All ends of a payment, and all ways in which a customer can return. */
export const endings = scenariosOf(['payments'], {
  paid: scenario('The customer pays and returns', [
    ...orderThen('paid'),
    { expect: { order: 'paid', provider: 'paid', invoice: 'made' } },
  ]),
  'pending-then-paid': scenario('The payment takes time, and the webhook reports its end', [
    ...orderThen('pending'),
    { expect: { order: 'pending', provider: 'pending', invoice: 'none yet' } },
    { move: '10m' },
    { expect: { order: 'paid', provider: 'paid', webhooks: 1, invoice: 'made' } },
  ]),
  cancelled: scenario('The customer cancels and returns', [
    ...orderThen('cancelled'),
    { expect: { order: 'cancelled', provider: 'cancelled', invoice: 'none yet' } },
  ]),
  expired: scenario('The payment was not finished in time', [
    ...orderThen('expired'),
    { expect: { order: 'expired', provider: 'expired' } },
  ]),
  'cancelled-then-paid': scenario('After a cancelled payment the same order is paid', [
    ...orderThen('cancelled'),
    { expect: { order: 'cancelled' } },
    { payAgain: {} },
    { choose: 'paid' },
    { customer: 'returns' },
    { expect: { order: 'paid', provider: 'paid', paymentUrls: 'different' } },
  ]),
  'expired-then-paid': scenario('After an expired payment the same order is paid', [
    ...orderThen('expired'),
    { payAgain: {} },
    ...pays,
  ]),
  'never-returns': scenario('The customer pays and never returns', [
    { switch: { customer: 'never' } },
    ...orderThen('paid'),
    { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
  ]),
  'returns-twice': scenario('The customer returns twice at the same moment', [
    { switch: { customer: 'returnsTwice' } },
    ...ordersAndPays,
  ]),
  'returns-before-paying': scenario(
    'The customer returns from the payment page without paying, and pays later',
    [{ order: {} }, { customer: 'returns' }, { expect: { order: 'pending', provider: 'pending' } }, ...pays],
  ),
  'returns-after-expiry': scenario('The customer returns two hours later without having paid', [
    { switch: { customer: 'returnsLate' } },
    { order: {} },
    { customer: 'returns' },
    {
      onlyIf: { provider: 'expired' },
      otherwise: 'The provider keeps a payment open for more than two hours',
    },
    { expect: { order: 'expired', provider: 'expired' } },
  ]),
  'never-finished': scenario('The customer leaves the payment page open and never returns', [
    { order: {} },
    { expect: { order: 'not_paid', provider: 'pending' } },
    { moveUntil: { order: 'expired' } },
    { expect: { order: 'expired', provider: 'expired', webhooks: 1 } },
  ]),
  'two-tabs': scenario('The payment page is open in two tabs, and both are used', [
    { order: {} },
    { choose: 'paid', tabs: 2 },
    { customer: 'returns' },
    isPaid,
  ]),
  'a-month-later': scenario('An order is still paid a month later', [
    ...orderThen('paid'),
    { move: '1month' },
    isPaid,
  ]),
})

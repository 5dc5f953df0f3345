import { isPaid, orderThen, pays, paysInAnyWay, scenario, scenariosOf } from './scenario.ts'

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
  'amount-changed': {
    ...scenario('The customer changes the order after the payment was opened, and pays the new amount', [
      { order: {} },
      { payAgain: { shipment: 'other' } },
      { expect: { paymentUrls: 'different' } },
      ...pays,
    ]),
    needs: ['rates', 'payments'],
  },
  'old-amount-paid': {
    ...scenario('The page of the old amount is paid, if it still can be: the order must not count as paid', [
      { order: { shipment: 'first' } },
      { payAgain: { shipment: 'other' } },
      { choose: 'paid', of: 'first' },
      { customer: 'returns' },
      { expect: { order: 'pending', provider: 'pending' } },
      ...pays,
    ]),
    needs: ['rates', 'payments'],
  },
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

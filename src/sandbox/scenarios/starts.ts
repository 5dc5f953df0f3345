import { isPaid, orderThen, pays, paysInAnyWay, scenariosOf } from './scenario.ts'

/** The start of a payment, doubled, lost, repeated and changed. */
export const starts = scenariosOf(['payments'], {
  'start-doubled': {
    title: 'The start of a payment is sent twice at the same moment',
    steps: [
      { switch: { calls: 'doubled' } },
      { order: {} },
      { expect: { paymentUrls: 'same' } },
      { switch: { calls: 'once' } },
      { pay: 'paid' },
      { expect: { paymentUrls: 'same' } },
    ],
  },
  'start-in-two-tabs': {
    title: 'The order is placed in two tabs at the same moment',
    steps: [{ switch: { paymentTabs: 'two' } }, ...paysInAnyWay, { expect: { paymentUrls: 'same' } }],
  },
  'start-answer-lost': {
    title: 'The answer to the start of a payment is lost, and the shop repeats the call',
    steps: [
      { order: {} },
      { switch: { answers: 'dropNext' } },
      { repeatStart: 1 },
      { repeatStart: 1 },
      { pay: 'paid' },
      { expect: { paymentUrls: 'same' } },
    ],
  },
  'start-repeated-after-paid': {
    title: 'The start is repeated for days after the order was paid',
    steps: [
      ...orderThen('paid'),
      { move: '1d' },
      { repeatStart: 2 },
      { move: '1d' },
      { repeatStart: 1 },
      { expect: { lastStatus: 201 } },
      isPaid,
    ],
  },
  'amount-changed': {
    title: 'The customer changes the order after the payment was opened, and pays the new amount',
    needs: ['rates', 'payments'],
    steps: [
      { order: {} },
      { payAgain: { shipment: 'other' } },
      { expect: { paymentUrls: 'different' } },
      ...pays,
    ],
  },
  'old-amount-paid': {
    title: 'The page of the old amount is paid, if it still can be: the order must not count as paid',
    needs: ['rates', 'payments'],
    steps: [
      { order: { shipment: 'first' } },
      { payAgain: { shipment: 'other' } },
      { choose: 'paid', of: 'first' },
      { customer: 'returns' },
      { expect: { order: 'pending', provider: 'pending' } },
      ...pays,
    ],
  },
  'refused-200': {
    title: 'The shop accepts only 201 where the contract says so',
    steps: [{ switch: { created: 'refused' } }, ...paysInAnyWay],
  },
  'unknown-order': {
    title: 'The shop asks for the status of an unknown order',
    steps: [{ order: {} }, { askFor: 'unknown order' }, { expect: { lastStatus: 404 } }, { pay: 'paid' }],
  },
  'without-shop-id': {
    title: 'The shop sends no shop id with payments',
    steps: [{ switch: { shopId: 'none' } }, ...paysInAnyWay],
  },
})

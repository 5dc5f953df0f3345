import { ordersAndPays, orderThen, pays, type Scenario } from './scenario.ts'

/** All ends of a payment, and all ways in which a customer can return. */
export const endings: Scenario[] = [
  {
    name: 'paid',
    title: 'The customer pays and returns',
    needs: ['payment'],
    steps: [...orderThen('paid'), { expect: { order: 'paid', provider: 'paid', invoice: 'made' } }],
  },
  {
    name: 'pending-then-paid',
    title: 'The payment takes time, and the webhook reports its end',
    needs: ['payment'],
    steps: [
      ...orderThen('pending'),
      { expect: { order: 'pending', provider: 'pending', invoice: 'none yet' } },
      { move: '10m' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 1, invoice: 'made' } },
    ],
  },
  {
    name: 'cancelled',
    title: 'The customer cancels and returns',
    needs: ['payment'],
    steps: [
      ...orderThen('cancelled'),
      { expect: { order: 'cancelled', provider: 'cancelled', invoice: 'none yet' } },
    ],
  },
  {
    name: 'expired',
    title: 'The payment was not finished in time',
    needs: ['payment'],
    steps: [...orderThen('expired'), { expect: { order: 'expired', provider: 'expired' } }],
  },
  {
    name: 'cancelled-then-paid',
    title: 'After a cancelled payment the same order is paid',
    needs: ['payment'],
    steps: [
      ...orderThen('cancelled'),
      { expect: { order: 'cancelled' } },
      { payAgain: {} },
      { choose: 'paid' },
      { customer: 'returns' },
      { expect: { order: 'paid', provider: 'paid', paymentUrls: 'different' } },
    ],
  },
  {
    name: 'expired-then-paid',
    title: 'After an expired payment the same order is paid',
    needs: ['payment'],
    steps: [...orderThen('expired'), { payAgain: {} }, ...pays],
  },
  {
    name: 'never-returns',
    title: 'The customer pays and never returns',
    needs: ['payment'],
    steps: [
      { switch: { customer: 'never' } },
      ...orderThen('paid'),
      { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
    ],
  },
  {
    name: 'returns-twice',
    title: 'The customer returns twice at the same moment',
    needs: ['payment'],
    steps: [{ switch: { customer: 'returnsTwice' } }, ...ordersAndPays],
  },
  {
    name: 'returns-before-paying',
    title: 'The customer returns from the payment page without paying, and pays later',
    needs: ['payment'],
    steps: [
      { order: {} },
      { customer: 'returns' },
      { expect: { order: 'pending', provider: 'pending' } },
      ...pays,
    ],
  },
  {
    name: 'returns-after-expiry',
    title: 'The customer returns two hours later without having paid',
    needs: ['payment'],
    steps: [
      { switch: { customer: 'returnsLate' } },
      { order: {} },
      { customer: 'returns' },
      { expect: { order: 'expired', provider: 'expired' } },
    ],
  },
  {
    name: 'never-finished',
    title: 'The customer leaves the payment page open and never returns',
    needs: ['payment'],
    steps: [
      { order: {} },
      { expect: { order: 'not_paid', provider: 'pending' } },
      { move: '3h' },
      { expect: { order: 'expired', provider: 'expired', webhooks: 1 } },
    ],
  },
  {
    name: 'two-tabs',
    title: 'The payment page is open in two tabs, and both are used',
    needs: ['payment'],
    steps: [
      { order: {} },
      { choose: 'paid', tabs: 2 },
      { customer: 'returns' },
      { expect: { order: 'paid', provider: 'paid' } },
    ],
  },
  {
    name: 'a-month-later',
    title: 'An order is still paid a month later',
    needs: ['payment'],
    steps: [...orderThen('paid'), { move: '1month' }, { expect: { order: 'paid', provider: 'paid' } }],
  },
  {
    name: 'service-point',
    title: 'A paid order for a service point counts as shipped',
    needs: ['shipment', 'payment'],
    steps: [
      { order: { shipment: 'servicepoint' } },
      { choose: 'paid' },
      { customer: 'returns' },
      { expect: { order: 'paid', provider: 'paid', result: 'shipped' } },
    ],
  },
]

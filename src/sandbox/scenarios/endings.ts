import { isPaid, ordersAndPays, orderThen, pays, scenariosOf } from './scenario.ts'

/** All ends of a payment, and all ways in which a customer can return. */
export const endings = scenariosOf(['payments'], {
  paid: {
    title: 'The customer pays and returns',
    steps: [...orderThen('paid'), { expect: { order: 'paid', provider: 'paid', invoice: 'made' } }],
  },
  'pending-then-paid': {
    title: 'The payment takes time, and the webhook reports its end',
    steps: [
      ...orderThen('pending'),
      { expect: { order: 'pending', provider: 'pending', invoice: 'none yet' } },
      { move: '10m' },
      { expect: { order: 'paid', provider: 'paid', webhooks: 1, invoice: 'made' } },
    ],
  },
  cancelled: {
    title: 'The customer cancels and returns',
    steps: [
      ...orderThen('cancelled'),
      { expect: { order: 'cancelled', provider: 'cancelled', invoice: 'none yet' } },
    ],
  },
  expired: {
    title: 'The payment was not finished in time',
    steps: [...orderThen('expired'), { expect: { order: 'expired', provider: 'expired' } }],
  },
  'cancelled-then-paid': {
    title: 'After a cancelled payment the same order is paid',
    steps: [
      ...orderThen('cancelled'),
      { expect: { order: 'cancelled' } },
      { payAgain: {} },
      { choose: 'paid' },
      { customer: 'returns' },
      { expect: { order: 'paid', provider: 'paid', paymentUrls: 'different' } },
    ],
  },
  'expired-then-paid': {
    title: 'After an expired payment the same order is paid',
    steps: [...orderThen('expired'), { payAgain: {} }, ...pays],
  },
  'never-returns': {
    title: 'The customer pays and never returns',
    steps: [
      { switch: { customer: 'never' } },
      ...orderThen('paid'),
      { expect: { order: 'paid', provider: 'paid', webhooks: 1 } },
    ],
  },
  'returns-twice': {
    title: 'The customer returns twice at the same moment',
    steps: [{ switch: { customer: 'returnsTwice' } }, ...ordersAndPays],
  },
  'returns-before-paying': {
    title: 'The customer returns from the payment page without paying, and pays later',
    steps: [
      { order: {} },
      { customer: 'returns' },
      { expect: { order: 'pending', provider: 'pending' } },
      ...pays,
    ],
  },
  'returns-after-expiry': {
    title: 'The customer returns two hours later without having paid',
    steps: [
      { switch: { customer: 'returnsLate' } },
      { order: {} },
      { customer: 'returns' },
      {
        onlyIf: { provider: 'expired' },
        otherwise: 'The provider keeps a payment open for more than two hours',
      },
      { expect: { order: 'expired', provider: 'expired' } },
    ],
  },
  'never-finished': {
    title: 'The customer leaves the payment page open and never returns',
    steps: [
      { order: {} },
      { expect: { order: 'not_paid', provider: 'pending' } },
      { moveUntil: { order: 'expired' } },
      { expect: { order: 'expired', provider: 'expired', webhooks: 1 } },
    ],
  },
  'two-tabs': {
    title: 'The payment page is open in two tabs, and both are used',
    steps: [{ order: {} }, { choose: 'paid', tabs: 2 }, { customer: 'returns' }, isPaid],
  },
  'a-month-later': {
    title: 'An order is still paid a month later',
    steps: [...orderThen('paid'), { move: '1month' }, isPaid],
  },
})

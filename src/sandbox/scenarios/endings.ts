import { isPaid, ordersAndPays, orderThen, pays, scenario, scenariosOf } from './scenario.ts'

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

import type { PresetName } from '../../messages/presets.ts'
import { allValid, isPaid, pays, paysInAnyWay, scenario, scenariosOf } from './scenario.ts'

/** Habits of other platforms that a real one has. A provider of shipping, of payment or of both can play them. */
export const habits = scenariosOf([], {
  'shipping-taxed': cart('The tax of shipping is listed too, and one tax rate appears twice', 'taxed'),
  'discount-line': cart('A discount is a line with prices below 0', 'discount'),
  'digital-line': cart('A digital line has 0 colli', 'digital'),
  'html-line': cart('A line has a page of HTML', 'described'),
  'fractions-of-yen': cart('Prices in yen have decimals', 'fractions', 'jpy'),
  'guest-unnamed': scenario('A guest gives a name with the order; until then the customer is null', [
    { checkout: { customer: 'guest' } },
    allValid,
    { order: { customer: 'guest' } },
    { pay: 'paid' },
  ]),
  'order-number-of-letters': scenario('The number of an order is 16 letters', [
    { switch: { orderNumbers: 'letters' } },
    ...paysInAnyWay,
  ]),
  'currency-changed': scenario(
    'The order changes its currency under one id: only the new amount pays it',
    [
      { order: {} },
      { payAgain: { currency: 'other' } },
      { choose: 'paid', of: 'first' },
      { customer: 'returns' },
      { expect: { paymentUrls: 'different', order: 'pending', provider: 'pending' } },
      ...pays,
    ],
    'payments',
  ),
  'changed-after-paid': scenario(
    'A paid order is started again with another cart, and stays paid',
    [
      { order: { lines: 'letter' } },
      ...pays,
      { payAgain: { lines: 'free' } },
      isPaid,
      { payAgain: { lines: 'letter' } },
      { expect: { lastStatus: 201 } },
      isPaid,
    ],
    'payments',
  ),
})

/** A cart whose methods are valid, and which is paid. The list of methods may be empty. */
function cart(title: string, lines: PresetName, currency?: string) {
  const visit = { lines, ...(currency && { currency }) }
  return scenario(title, [{ checkout: visit }, allValid, { order: visit }, { pay: 'paid' }])
}

import type { PersonName } from '../../messages/people.ts'
import type { PresetName } from '../../messages/presets.ts'
import type { Handling } from '../orders.ts'
import { allValid, type MethodPick, type Step, scenario, scenariosOf } from './scenario.ts'

const ordered: Step[] = [{ pay: 'paid' }, { expect: { order: 'paid' } }]

const handled = (title: string, shipment: MethodPick, handling: Handling['status']) =>
  scenario(title, [{ order: { shipment, ownPayment: true } }, ...ordered, { expect: { handling } }])

/** A cart in the estimate and in the checkout. The answer may be empty, but never an error. */
const cart = (what: string, lines: PresetName) =>
  scenario(`${what}: every answer is valid`, [{ estimate: { lines } }, { checkout: { lines } }, allValid])

const customers = (who: string, names: PersonName[]) =>
  scenario(`${who}: every answer is valid`, [
    ...names.map((customer): Step => ({ checkout: { customer } })),
    allValid,
  ])

/** Shipping alone: the order is paid in the shop itself, so that no payment service is needed. */
export const shipping = scenariosOf(['rates'], {
  'order-shipped': scenario(
    'A paid order with the first method waits for its shipment, or for what the method needs',
    [{ order: { shipment: 'first', ownPayment: true } }, ...ordered, { expect: { invoice: 'made' } }],
  ),
  'service-point': handled(
    'A paid order for a service point counts as shipped',
    'servicepoint',
    'completed_shipped',
  ),
  pickup: handled(
    'A paid order to be collected waits for its pickup',
    'pickup',
    'processing_awaiting_pickup',
  ),
  'cash-on-delivery': scenario('An order with cash on delivery is shipped before it is paid', [
    { order: { shipment: 'cash on delivery', ownPayment: true } },
    { expect: { order: 'not_paid', handling: 'completed_shipped', result: 'shipped' } },
  ]),
  letter: cart('A letter', 'letter'),
  'three-boxes': cart('Three boxes', 'boxes'),
  heavy: cart('A cart of 48 kg', 'heavy'),
  'dangerous-goods': cart('Dangerous goods', 'dangerous'),
  'high-value': cart('A value above the threshold for free shipping', 'free'),
  'empty-cart': cart('An empty cart', 'nothing'),
  abroad: customers('Customers in seven countries', ['be', 'de', 'fr', 'es', 'gb', 'ch', 'us']),
  islands: customers('Customers on islands', ['island', 'canary']),
  'company-customer': customers('Companies with a VAT number', ['company']),
  'without-zipcode': scenario('A country without zipcodes, in the cart and the checkout', [
    { estimate: { country: 'hk', zipcode: '' } },
    { checkout: { customer: 'no-zipcode' } },
    allValid,
  ]),
  'nobody-known': scenario('A checkout that knows nothing but the country', [
    { checkout: { customer: 'nobody' } },
    allValid,
  ]),
  'unserved-country': scenario('A country that no carrier serves gets an empty list, not an error', [
    { estimate: { country: 'aq', zipcode: '' } },
    { checkout: { country: 'aq', zipcode: '', address1: '' } },
    allValid,
  ]),
  'bills-elsewhere': scenario('The shipping address decides, not the billing address', [
    { checkout: { customer: 'be' } },
    { checkout: { customer: 'elsewhere' } },
    { expect: { lists: 'same' } },
  ]),
  'other-language': scenario('Another language changes words, but neither ids nor prices', [
    { checkout: { language: 'en' } },
    { checkout: { language: 'nl' } },
    { checkout: { language: 'fr' } },
    { expect: { lists: 'same' } },
    allValid,
  ]),
  'other-currency': scenario('A shop with another currency gets a valid answer', [
    { checkout: { currency: 'usd' } },
    { checkout: { currency: 'jpy' } },
    allValid,
  ]),
  'answer-lost': scenario('The answer with the methods gets lost, and the shop asks again', [
    { checkout: {} },
    { switch: { answers: 'dropNext' } },
    { checkout: {} },
    { checkout: {} },
    { expect: { methods: 'same' } },
  ]),
  'invalid-list-dropped': scenario('The shop drops a whole list for one invalid method', [
    { switch: { invalidMethods: 'dropped' } },
    { checkout: {} },
    { expect: { methods: 'some' } },
  ]),
  'rates-refused-200': scenario('The shop accepts rates with status 201 only', [
    { switch: { created: 'refused' } },
    { checkout: {} },
    { expect: { methods: 'some' } },
  ]),
})

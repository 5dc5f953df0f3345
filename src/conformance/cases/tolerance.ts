import type { Message } from '../../messages/exact.ts'
import type { MessagePath } from '../answers.ts'
import { type ByLevel, type CaseByName, casesOf, set } from '../case.ts'
import type { Target } from '../target.ts'

// The quirks of live platforms, one at a time: every message must be answered with each of them.

/** `must` where the contract says that it is sent, `should` for the habit of some platforms alone. */
interface Quirk extends ByLevel {
  section?: string
  remedy: string
  change?: (message: Message) => unknown
  /** The messages that carry it. Default: all three. */
  of?: readonly MessagePath[]
  headers?: Record<string, string | null>
}

const addresses = ['billing_address', 'shipping_address']
const people = (message: Message): Message[] =>
  ['customer', ...addresses].map((part) => message[part]).filter(Boolean)

/** Fields of the customer and the addresses that may hold no data. */
const emptiable = 'gender phone mobile middlename company address2 extension region vatnumber'.split(' ')
const emptied = (value: unknown) => (message: Message) => {
  for (const part of people(message))
    for (const name of emptiable.filter((one) => one in part))
      if (value === undefined) delete part[name]
      else part[name] = value
}

const noData = 'Read "", null, false and a missing key as no data.'
const methods = ['shipment_methods', 'payment_methods'] as const

const quirks: Record<string, Quirk> = {
  'empty-text': { must: 'Fields without data are empty text', remedy: noData, change: emptied('') },
  null: { must: 'Fields without data are null', remedy: noData, change: emptied(null) },
  false: { must: 'Fields without data are false', remedy: noData, change: emptied(false) },
  missing: { should: 'Fields without data are missing', remedy: noData, change: emptied(undefined) },
  'address-without-lines': {
    must: 'Address lines are null',
    remedy: 'Require no more of an address than the answer needs.',
    of: methods,
    change: set({ name: null, address1: null, number: null, city: null }, ...addresses),
  },
  'prices-as-text': {
    must: 'Prices are decimal text with four digits',
    remedy: 'Read 36.3 and "36.3000" alike.',
    change({ quote, order }) {
      const names = ['price_incl', 'price_excl', 'price_tax']
      for (const part of [quote, order, ...(quote?.products ?? [])])
        for (const name of names) if (part && name in part) part[name] = part[name].toFixed(4)
    },
  },
  'house-number-as-number': {
    must: 'The house number is a number',
    remedy: 'Read number as text or as an integer.',
    of: methods,
    change: set({ number: 263 }, ...addresses),
  },
  'flags-as-numbers': {
    should: 'Flags are 0 and 1',
    remedy: 'Read true, false, 1 and 0.',
    change(message) {
      if ('rate_estimate' in message) message.rate_estimate = 0
      if (message.customer) message.customer.sameaddress = 1
      if (message.quote) Object.assign(message.quote, { additional_cost: 0, vat_shifted: 0 })
      for (const product of message.quote?.products ?? []) product.stock_available = 1
    },
  },
  'birthdate-as-timestamp': {
    must: 'The date of birth is a timestamp as text',
    remedy: 'Read Y-m-d and seconds since 1970; midnight is that of the shop.',
    change: set({ birthdate: '583970400' }, 'customer'),
  },
  'no-estimate-flag': {
    should: 'rate_estimate and checkout_id are missing',
    section: 'spec 4.3',
    remedy: 'Read a missing rate_estimate as false.',
    of: methods,
    change(message) {
      delete message.rate_estimate
      delete message.checkout_id
    },
  },
  'no-totals': {
    should: 'totals, additional_cost and the times of a quote are missing',
    remedy: 'Use the prices of the quote, and require nothing else.',
    of: methods,
    change(message) {
      const costs = ['additional_cost', 'additional_cost_price_incl', 'additional_cost_price_excl']
      for (const name of ['totals', ...costs, 'created_at', 'updated_at']) delete message.quote[name]
    },
  },
  'no-email': {
    must: 'The customer has no e-mail address yet',
    remedy: 'Require it only when the payment is started.',
    of: methods,
    change: set({ email: '' }, 'customer'),
  },
  'data-as-list': {
    must: 'The data of the chosen method is an empty list',
    remedy: 'PHP writes an empty object as []: read it as an object.',
    of: ['payment'],
    change: set({ data: [] }, 'payment_method'),
  },
  'data-filled-in': {
    must: 'The data of the chosen method has unknown values',
    remedy: 'Ignore what you do not know.',
    of: ['payment'],
    change: set({ data: { issuer: 'bank', nested: { list: [1, 2] } } }, 'payment_method'),
  },
  'unknown-fields': {
    should: 'There are fields that the contract does not have',
    remedy: 'Ignore what you do not know.',
    change(message) {
      Object.assign(message, { platform_version: '7.1', extra: { nested: true } })
      for (const part of people(message)) part.custom_field = 'value'
    },
  },
  password: {
    must: 'The customer has a password',
    remedy: 'Ignore it, and never store it.',
    change: set({ password: 'correct horse battery staple' }, 'customer'),
  },
  'no-products': {
    should: 'The list of products is empty',
    remedy: 'Take prices and weights from the quote, not from its products.',
    of: methods,
    change: set({ products: [] }, 'quote'),
  },
  'products-as-object': {
    should: 'The list of products is an object with numbers for keys',
    remedy: 'PHP writes a list with gaps as an object: read its values.',
    of: methods,
    change: ({ quote }) => Object.assign(quote, { products: { 1: quote.products[0] } }),
  },
  'product-fields-empty': {
    must: 'Sizes, weights and codes of products hold no data',
    remedy: noData,
    of: methods,
    change(message) {
      const none = { ean: '', sku: false, size_x: null, size_y: '', weight: 0, volume: '', colli: null }
      for (const product of message.quote.products) Object.assign(product, none)
    },
  },
  'ids-as-text': {
    should: 'Ids are text',
    remedy: 'Read 101 and "101" alike.',
    of: methods,
    change(message) {
      message.quote.id = String(message.quote.id)
      if (message.shop.id !== undefined) message.shop.id = String(message.shop.id)
      for (const product of message.quote.products) product.product_id = String(product.product_id)
    },
  },
  'other-alphabets': {
    must: 'Names and streets are in other alphabets',
    remedy: 'Read and keep text as UTF-8.',
    change(message) {
      for (const part of people(message)) {
        if ('firstname' in part) Object.assign(part, { firstname: 'Ἀλέξανδρος', lastname: '王 🚲' })
        if ('city' in part) Object.assign(part, { city: 'København', address1: 'Straße “des 17. Juni”' })
      }
    },
  },
  company: {
    must: 'The customer is a company with a VAT number',
    remedy: 'Serve companies too.',
    change: set({ type: 'company', company: 'Check B.V.', vatnumber: 'NL000099998B57' }, 'customer'),
  },
  'language-with-country': {
    should: 'The language of the shop is in another form',
    remedy: 'Read nl, NL and nl_NL alike, and fall back to a language you have.',
    of: methods,
    change: set({ language: 'nl_NL' }, 'shop'),
  },
  'no-content-type': {
    should: 'The call has no Content-Type',
    section: 'spec 4.3',
    remedy: 'Read a body without a type as JSON: all bodies are.',
    headers: { 'content-type': null },
  },
  charset: {
    should: 'The Content-Type names its charset',
    section: 'spec 4.3',
    remedy: 'Read the type up to the semicolon.',
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  'shop-in-payment': {
    should: 'The start of a payment names the shop too',
    remedy: 'Ignore it, or compare it with the shop of the endpoint.',
    of: ['payment'],
    change: (message) =>
      Object.assign(message, { shop: { language: 'en', currency: message.order.currency } }),
  },
}

function quirksIn(path: MessagePath, about: 'rates' | 'payments'): Record<string, CaseByName> {
  const writes = path === 'payment'
  const carried = Object.entries(quirks).filter(([, { of }]) => of?.includes(path) ?? true)
  const caseOf = ([name, { must, should, section = 'spec 2.4', remedy, change, headers }]: [
    string,
    Quirk,
  ]) => [
    `tolerates-${name}-in-${path.replace('_', '-')}`,
    {
      [must ? 'must' : 'should']: `${must ?? should}: POST ${path} is answered`,
      section,
      about,
      writes,
      platform: writes
        ? 'The affected customers cannot pay.'
        : 'The affected customers see no methods of this provider.',
      remedy,
      async run(target: Target) {
        const message = writes ? await target.paymentMessage() : target.checkoutMessage()
        change?.(message)
        await target.answer(path, message, `the quirk ${name}`, headers)
      },
    },
  ]
  return Object.fromEntries(carried.map(caseOf))
}

const shared = { topic: 'tolerance', section: 'spec 4.3', about: 'either' } as const

export const toleranceCases = casesOf(shared, {
  ...quirksIn('shipment_methods', 'rates'),
  ...quirksIn('payment_methods', 'payments'),
  ...quirksIn('payment', 'payments'),
  'tolerates-doubled-slash': {
    should: 'An endpoint that was registered with a slash at its end is answered',
    platform: 'Some join the address with a double slash, and get no answer.',
    remedy: 'Treat // as /, or register the endpoint without a slash.',
    async run(target) {
      const json = target.checkoutMessage()
      const isServed = (await target.plain('shipment_methods')).hasList('shipment_methods')
      const path = isServed ? 'shipment_methods' : 'payment_methods'
      await target.mustAnswer(path, await target.call(`/${path}`, { json }))
    },
  },
})

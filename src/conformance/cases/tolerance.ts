import type { Message } from '../../messages/exact.ts'
import type { MessagePath } from '../answers.ts'
import { casesOf, type RunnableCase, set, textsIn } from '../case.ts'

// The quirks of live platforms, one at a time: every message must be answered with each of them.

interface Quirk {
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

const methods = ['shipment_methods', 'payment_methods'] as const

/** `must` where the contract says that it is sent, `should` for the habit of some platforms alone (spec 2.4). */
const quirkTable = `
empty-text | must | Fields without data are empty text | Read "", null, false and a missing key as no data.
null | must | Fields without data are null | Read "", null, false and a missing key as no data.
false | must | Fields without data are false | Read "", null, false and a missing key as no data.
missing | should | Fields without data are missing | Read "", null, false and a missing key as no data.
address-without-lines | must | Address lines are null | Require no more of an address than the answer needs.
prices-as-text | must | Prices are decimal text with four digits | Read 36.3 and "36.3000" alike.
house-number-as-number | must | The house number is a number | Read number as text or as an integer.
flags-as-numbers | should | Flags are 0 and 1 | Read true, false, 1 and 0.
birthdate-as-timestamp | must | The date of birth is a timestamp as text | Read Y-m-d and seconds since 1970; midnight is that of the shop.
no-estimate-flag | should, spec 4.3 | rate_estimate and checkout_id are missing | Read a missing rate_estimate as false.
no-totals | should | totals, additional_cost and the times of a quote are missing | Use the prices of the quote, and require nothing else.
no-email | must | The customer has no e-mail address yet | Require it only when the payment is started.
data-as-list | must | The data of the chosen method is an empty list | PHP writes an empty object as []: read it as an object.
data-filled-in | must | The data of the chosen method has unknown values | Ignore what you do not know.
unknown-fields | should | There are fields that the contract does not have | Ignore what you do not know.
password | must | The customer has a password | Ignore it, and never store it.
no-products | should | The list of products is empty | Take prices and weights from the quote, not from its products.
products-as-object | should | The list of products is an object with numbers for keys | PHP writes a list with gaps as an object: read its values.
product-fields-empty | must | Sizes, weights and codes of products hold no data | Read "", null, false and a missing key as no data.
ids-as-text | should | Ids are text | Read 101 and "101" alike.
other-alphabets | must | Names and streets are in other alphabets | Read and keep text as UTF-8.
company | must | The customer is a company with a VAT number | Serve companies too.
language-with-country | should | The language of the shop is in another form | Read nl, NL and nl_NL alike, and fall back to a language you have.
no-content-type | should, spec 4.3 | The call has no Content-Type | Read a body without a type as JSON: all bodies are.
charset | should, spec 4.3 | The Content-Type names its charset | Read the type up to the semicolon.
shop-in-payment | should | The start of a payment names the shop too | Ignore it, or compare it with the shop of the endpoint.
`

const quirks: Record<string, Quirk> = {
  'empty-text': { change: emptied('') },
  null: { change: emptied(null) },
  false: { change: emptied(false) },
  missing: { change: emptied(undefined) },
  'address-without-lines': {
    of: methods,
    change: set({ name: null, address1: null, number: null, city: null }, ...addresses),
  },
  'prices-as-text': {
    change({ quote, order }) {
      const names = ['price_incl', 'price_excl', 'price_tax']
      for (const part of [quote, order, ...(quote?.products ?? [])])
        for (const name of names) if (part && name in part) part[name] = part[name].toFixed(4)
    },
  },
  'house-number-as-number': { of: methods, change: set({ number: 263 }, ...addresses) },
  'flags-as-numbers': {
    change(message) {
      if ('rate_estimate' in message) message.rate_estimate = 0
      if (message.customer) message.customer.sameaddress = 1
      if (message.quote) Object.assign(message.quote, { additional_cost: 0, vat_shifted: 0 })
      for (const product of message.quote?.products ?? []) product.stock_available = 1
    },
  },
  'birthdate-as-timestamp': { change: set({ birthdate: '583970400' }, 'customer') },
  'no-estimate-flag': {
    of: methods,
    change(message) {
      delete message.rate_estimate
      delete message.checkout_id
    },
  },
  'no-totals': {
    of: methods,
    change(message) {
      const costs = ['additional_cost', 'additional_cost_price_incl', 'additional_cost_price_excl']
      for (const name of ['totals', ...costs, 'created_at', 'updated_at']) delete message.quote[name]
    },
  },
  'no-email': { of: methods, change: set({ email: '' }, 'customer') },
  'data-as-list': { of: ['payment'], change: set({ data: [] }, 'payment_method') },
  'data-filled-in': {
    of: ['payment'],
    change: set({ data: { issuer: 'bank', nested: { list: [1, 2] } } }, 'payment_method'),
  },
  'unknown-fields': {
    change(message) {
      Object.assign(message, { platform_version: '7.1', extra: { nested: true } })
      for (const part of people(message)) part.custom_field = 'value'
    },
  },
  password: { change: set({ password: 'correct horse battery staple' }, 'customer') },
  'no-products': { of: methods, change: set({ products: [] }, 'quote') },
  'products-as-object': {
    of: methods,
    change: ({ quote }) => Object.assign(quote, { products: { 1: quote.products[0] } }),
  },
  'product-fields-empty': {
    of: methods,
    change(message) {
      const none = { ean: '', sku: false, size_x: null, size_y: '', weight: 0, volume: '', colli: null }
      for (const product of message.quote.products) Object.assign(product, none)
    },
  },
  'ids-as-text': {
    of: methods,
    change(message) {
      message.quote.id = String(message.quote.id)
      if (message.shop.id !== undefined) message.shop.id = String(message.shop.id)
      for (const product of message.quote.products) product.product_id = String(product.product_id)
    },
  },
  'other-alphabets': {
    change(message) {
      for (const part of people(message)) {
        if ('firstname' in part) Object.assign(part, { firstname: 'Ἀλέξανδρος', lastname: '王 🚲' })
        if ('city' in part) Object.assign(part, { city: 'København', address1: 'Straße “des 17. Juni”' })
      }
    },
  },
  company: {
    change: set({ type: 'company', company: 'Check B.V.', vatnumber: 'NL000099998B57' }, 'customer'),
  },
  'language-with-country': { of: methods, change: set({ language: 'nl_NL' }, 'shop') },
  'no-content-type': { headers: { 'content-type': null } },
  charset: { headers: { 'content-type': 'application/json; charset=utf-8' } },
  'shop-in-payment': {
    of: ['payment'],
    change: (message) =>
      Object.assign(message, { shop: { language: 'en', currency: message.order.currency } }),
  },
}

const shared = { topic: 'tolerance', section: 'spec 4.3', about: 'either' } as const

/** The cases of the quirks that a message can carry. */
function quirksIn(path: MessagePath, about: 'rates' | 'payments'): RunnableCase[] {
  const writes = path === 'payment'
  const platform = `The affected customers ${writes ? 'cannot pay' : 'see no methods of this provider'}.`
  const carried = textsIn(quirkTable, platform).filter(({ name }) => quirks[name]!.of?.includes(path) ?? true)
  return carried.map(({ name, title, ...texts }) => ({
    ...{ ...shared, section: 'spec 2.4', ...texts, about, writes },
    name: `tolerates-${name}-in-${path.replace('_', '-')}`,
    title: `${title}: POST ${path} is answered`,
    async run(target) {
      const { change, headers } = quirks[name]!
      const message = writes ? await target.paymentMessage() : target.checkoutMessage()
      change?.(message)
      await target.answer(path, message, `the quirk ${name}`, headers)
    },
  }))
}

const table = `
tolerates-doubled-slash | should | An endpoint that was registered with a slash at its end is answered
  | Some join the address with a double slash, and get no answer. | Treat // as /, or register the endpoint without a slash.
`

export const toleranceCases = [
  ...quirksIn('shipment_methods', 'rates'),
  ...quirksIn('payment_methods', 'payments'),
  ...quirksIn('payment', 'payments'),
  ...casesOf(shared, table, {
    async 'tolerates-doubled-slash'(target) {
      const json = target.checkoutMessage()
      const isServed = (await target.plain('shipment_methods')).hasList('shipment_methods')
      const path = isServed ? 'shipment_methods' : 'payment_methods'
      await target.mustAnswer(path, await target.call(`/${path}`, { json }))
    },
  }),
]

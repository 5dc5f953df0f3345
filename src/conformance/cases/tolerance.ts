import type { Served } from '../../contract/served.ts'
import { type CaseByName, casesOf, type Level } from '../case.ts'
import { isList, type Message, type MessagePath, type Target } from '../target.ts'

// The quirks of live platforms, one at a time: every message must be answered with each of them.

interface Quirk {
  title: string
  /** `must` where the contract says that it is sent. Default: the habit of some platforms alone. */
  level?: Level
  section?: string
  remedy: string
  change?: (message: Message) => unknown
  /** The messages that carry it. Default: all three. */
  of?: readonly MessagePath[]
  headers?: Record<string, string | null>
}

const people = (message: Message): Message[] =>
  [message.customer, message.billing_address, message.shipping_address].filter(Boolean)

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
  'empty-text': {
    level: 'must',
    title: 'Fields without data are empty text',
    remedy: noData,
    change: emptied(''),
  },
  null: { level: 'must', title: 'Fields without data are null', remedy: noData, change: emptied(null) },
  false: { level: 'must', title: 'Fields without data are false', remedy: noData, change: emptied(false) },
  missing: { title: 'Fields without data are missing', remedy: noData, change: emptied(undefined) },
  'address-without-lines': {
    level: 'must',
    title: 'Address lines are null',
    remedy: 'Require no more of an address than the answer needs.',
    of: methods,
    change(message) {
      for (const part of ['billing_address', 'shipping_address'])
        Object.assign(message[part], { name: null, address1: null, number: null, city: null })
    },
  },
  'prices-as-text': {
    level: 'must',
    title: 'Prices are decimal text with four digits',
    remedy: 'Read 36.3 and "36.3000" alike.',
    change({ quote, order }) {
      const names = ['price_incl', 'price_excl', 'price_tax']
      for (const part of [quote, order, ...(quote?.products ?? [])])
        for (const name of names) if (part && name in part) part[name] = part[name].toFixed(4)
    },
  },
  'house-number-as-number': {
    level: 'must',
    title: 'The house number is a number',
    remedy: 'Read number as text or as an integer.',
    of: methods,
    change(message) {
      for (const part of ['billing_address', 'shipping_address']) message[part].number = 263
    },
  },
  'flags-as-numbers': {
    title: 'Flags are 0 and 1',
    remedy: 'Read true, false, 1 and 0.',
    change(message) {
      if ('rate_estimate' in message) message.rate_estimate = 0
      if (message.customer) message.customer.sameaddress = 1
      if (message.quote) Object.assign(message.quote, { additional_cost: 0, vat_shifted: 0 })
      for (const product of message.quote?.products ?? []) product.stock_available = 1
    },
  },
  'birthdate-as-timestamp': {
    level: 'must',
    title: 'The date of birth is a timestamp as text',
    remedy: 'Read Y-m-d and seconds since 1970; midnight is that of the shop.',
    change: ({ customer }) => Object.assign(customer, { birthdate: '583970400' }),
  },
  'no-estimate-flag': {
    title: 'rate_estimate and checkout_id are missing',
    section: 'spec 4.3',
    remedy: 'Read a missing rate_estimate as false.',
    of: methods,
    change(message) {
      delete message.rate_estimate
      delete message.checkout_id
    },
  },
  'no-totals': {
    title: 'totals, additional_cost and the times of a quote are missing',
    remedy: 'Use the prices of the quote, and need nothing else.',
    of: methods,
    change(message) {
      const costs = ['additional_cost', 'additional_cost_price_incl', 'additional_cost_price_excl']
      for (const name of ['totals', ...costs, 'created_at', 'updated_at']) delete message.quote[name]
    },
  },
  'no-email': {
    level: 'must',
    title: 'The customer has no e-mail address yet',
    remedy: 'Do without it until the payment is started.',
    of: methods,
    change: ({ customer }) => Object.assign(customer, { email: '' }),
  },
  'data-as-list': {
    level: 'must',
    title: 'The data of the chosen method is an empty list',
    remedy: 'PHP writes an empty object as []: read it as an object.',
    of: ['payment'],
    change: ({ payment_method: method }) => Object.assign(method, { data: [] }),
  },
  'data-filled-in': {
    level: 'must',
    title: 'The data of the chosen method has unknown values',
    remedy: 'Ignore what you do not know.',
    of: ['payment'],
    change: ({ payment_method: method }) =>
      Object.assign(method, { data: { issuer: 'bank', nested: { list: [1, 2] } } }),
  },
  'unknown-fields': {
    title: 'There are fields that the contract does not have',
    remedy: 'Ignore what you do not know.',
    change(message) {
      Object.assign(message, { platform_version: '7.1', extra: { nested: true } })
      for (const part of people(message)) part.custom_field = 'value'
    },
  },
  password: {
    level: 'must',
    title: 'The customer has a password',
    remedy: 'Ignore it, and never store it.',
    change: ({ customer }) => Object.assign(customer, { password: 'correct horse battery staple' }),
  },
  'no-products': {
    title: 'The list of products is empty',
    remedy: 'Take prices and weights from the quote, not from its products.',
    of: methods,
    change: ({ quote }) => Object.assign(quote, { products: [] }),
  },
  'products-as-object': {
    title: 'The list of products is an object with numbers for keys',
    remedy: 'PHP writes a list with gaps as an object: read its values.',
    of: methods,
    change: ({ quote }) => Object.assign(quote, { products: { 1: quote.products[0] } }),
  },
  'product-fields-empty': {
    level: 'must',
    title: 'Sizes, weights and codes of products hold no data',
    remedy: noData,
    of: methods,
    change(message) {
      const none = { ean: '', sku: false, size_x: null, size_y: '', weight: 0, volume: '', colli: null }
      for (const product of message.quote.products) Object.assign(product, none)
    },
  },
  'ids-as-text': {
    title: 'Ids are text',
    remedy: 'Read 101 and "101" alike.',
    of: methods,
    change(message) {
      message.quote.id = String(message.quote.id)
      if (message.shop.id !== undefined) message.shop.id = String(message.shop.id)
      for (const product of message.quote.products) product.product_id = String(product.product_id)
    },
  },
  'other-alphabets': {
    level: 'must',
    title: 'Names and streets are in other alphabets',
    remedy: 'Read and keep text as UTF-8.',
    change(message) {
      for (const part of people(message)) {
        if ('firstname' in part) Object.assign(part, { firstname: 'Ἀλέξανδρος', lastname: '王 🚲' })
        if ('city' in part) Object.assign(part, { city: 'København', address1: 'Straße “des 17. Juni”' })
      }
    },
  },
  company: {
    level: 'must',
    title: 'The customer is a company with a VAT number',
    remedy: 'Serve companies too.',
    change: ({ customer }) =>
      Object.assign(customer, { type: 'company', company: 'Check B.V.', vatnumber: 'NL000099998B57' }),
  },
  'language-with-country': {
    title: 'The language of the shop is in another form',
    remedy: 'Read nl, NL and nl_NL alike, and fall back to a language you have.',
    of: methods,
    change: ({ shop }) => Object.assign(shop, { language: 'nl_NL' }),
  },
  'no-content-type': {
    title: 'The call has no Content-Type',
    section: 'spec 4.3',
    remedy: 'Read a body without a type as JSON: all bodies are.',
    headers: { 'content-type': null },
  },
  charset: {
    title: 'The Content-Type names its charset',
    section: 'spec 4.3',
    remedy: 'Read the type up to the semicolon.',
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  'shop-in-payment': {
    title: 'The start of a payment names the shop too',
    remedy: 'Ignore it, or compare it with the shop of the endpoint.',
    of: ['payment'],
    change: (message) =>
      Object.assign(message, { shop: { language: 'en', currency: message.order.currency } }),
  },
}

async function send(target: Target, path: MessagePath, name: string, { change, headers }: Quirk) {
  const message = path === 'payment' ? await target.paymentMessage() : target.checkoutMessage()
  change?.(message)
  await target.answer(path, message, `the quirk ${name}`, headers)
}

function quirksIn(path: MessagePath, about: Served): Record<string, CaseByName> {
  const writes = path === 'payment'
  const carried = Object.entries(quirks).filter(([, { of }]) => of?.includes(path) ?? true)
  const caseOf = ([name, quirk]: [string, Quirk]) => [
    `tolerates-${name}-in-${path.replace('_', '-')}`,
    {
      title: `${quirk.title}: POST ${path} is answered`,
      section: quirk.section ?? 'spec 2.4',
      level: quirk.level ?? 'should',
      about,
      writes,
      platform: writes
        ? 'The affected customers cannot pay.'
        : 'The affected customers see no methods of this provider.',
      remedy: quirk.remedy,
      run: (target: Target) => send(target, path, name, quirk),
    },
  ]
  return Object.fromEntries(carried.map(caseOf))
}

const shared = { topic: 'tolerance', section: 'spec 4.3', about: 'either' } as const

/** Deviations from the spec that live platforms send (spec 2.4). */
export const toleranceCases = casesOf(shared, {
  ...quirksIn('shipment_methods', 'rates'),
  ...quirksIn('payment_methods', 'payments'),
  ...quirksIn('payment', 'payments'),
  'tolerates-doubled-slash': {
    title: 'An endpoint that was registered with a slash at its end is answered',
    level: 'should',
    platform: 'Some join the address with a double slash, and get no answer.',
    remedy: 'Treat // as /, or register the endpoint without a slash.',
    async run(target) {
      const json = target.checkoutMessage()
      const { json: answered } = await target.shipmentMethods()
      const path = isList(answered, 'shipment_methods') ? 'shipment_methods' : 'payment_methods'
      await target.mustAnswer(path, await target.call(`/${path}`, { json }))
    },
  },
})

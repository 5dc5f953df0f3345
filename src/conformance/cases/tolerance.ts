import type { ConformanceCase } from '../case.ts'
import { expectStatus } from '../expect.ts'
import type { Message, Target } from '../target.ts'

// The quirks of live platforms, one at a time: every message must be answered with each of them.

interface Quirk {
  name: string
  title: string
  section?: string
  remedy: string
  change: (message: Message) => void
  /** The messages that carry it. Default: all three. */
  of?: readonly ('shipment_methods' | 'payment_methods' | 'payment')[]
  headers?: Record<string, string | null>
}

const people = (message: Message): Message[] =>
  [message.customer, message.billing_address, message.shipping_address].filter(Boolean)

/** Fields of the customer and the addresses that may hold no data. */
const emptied = (value: unknown) => (message: Message) => {
  for (const part of people(message)) {
    for (const name of [
      'gender',
      'phone',
      'mobile',
      'middlename',
      'company',
      'address2',
      'extension',
      'region',
      'vatnumber',
    ]) {
      if (!(name in part)) continue
      if (value === undefined) delete part[name]
      else part[name] = value
    }
  }
}

const noData = 'Read "", null, false and a missing key as no data.'
const methods = ['shipment_methods', 'payment_methods'] as const

const quirks: Quirk[] = [
  { name: 'empty-text', title: 'Fields without data are empty text', remedy: noData, change: emptied('') },
  { name: 'null', title: 'Fields without data are null', remedy: noData, change: emptied(null) },
  { name: 'false', title: 'Fields without data are false', remedy: noData, change: emptied(false) },
  { name: 'missing', title: 'Fields without data are missing', remedy: noData, change: emptied(undefined) },
  {
    name: 'address-without-lines',
    title: 'Address lines are null',
    remedy: 'Require no more of an address than the answer needs.',
    of: methods,
    change(message) {
      for (const part of ['billing_address', 'shipping_address']) {
        Object.assign(message[part], { name: null, address1: null, number: null, city: null })
      }
    },
  },
  {
    name: 'prices-as-text',
    title: 'Prices are decimal text with four digits',
    remedy: 'Read 36.3 and "36.3000" alike.',
    change(message) {
      const { quote, order } = message
      if (quote) Object.assign(quote, { price_incl: '36.3000', price_excl: '30.0000' })
      for (const product of quote?.products ?? [])
        Object.assign(product, { price_incl: '36.3000', price_excl: '30.0000' })
      if (order) Object.assign(order, { price_incl: '36.3000', price_excl: '30.0000', price_tax: '6.3000' })
    },
  },
  {
    name: 'house-number-as-number',
    title: 'The house number is a number',
    remedy: 'Read number as text or as an integer.',
    of: methods,
    change(message) {
      for (const part of ['billing_address', 'shipping_address']) message[part].number = 263
    },
  },
  {
    name: 'flags-as-numbers',
    title: 'Flags are 0 and 1',
    remedy: 'Read true, false, 1 and 0.',
    change(message) {
      if ('rate_estimate' in message) message.rate_estimate = 0
      if (message.customer) message.customer.sameaddress = 1
      if (message.quote) Object.assign(message.quote, { additional_cost: 0, vat_shifted: 0 })
      for (const product of message.quote?.products ?? []) product.stock_available = 1
    },
  },
  {
    name: 'birthdate-as-timestamp',
    title: 'The date of birth is a timestamp as text',
    remedy: 'Read Y-m-d and seconds since 1970; midnight is that of the shop.',
    change(message) {
      message.customer.birthdate = '583970400'
    },
  },
  {
    name: 'no-estimate-flag',
    title: 'rate_estimate and checkout_id are missing',
    section: 'spec 4.3',
    remedy: 'Read a missing rate_estimate as false.',
    of: methods,
    change(message) {
      delete message.rate_estimate
      delete message.checkout_id
    },
  },
  {
    name: 'no-totals',
    title: 'totals, additional_cost and the times of a quote are missing',
    remedy: 'Use the prices of the quote, and need nothing else.',
    of: methods,
    change(message) {
      for (const name of [
        'totals',
        'additional_cost',
        'additional_cost_price_incl',
        'additional_cost_price_excl',
        'created_at',
        'updated_at',
      ])
        delete message.quote[name]
    },
  },
  {
    name: 'no-email',
    title: 'The customer has no e-mail address yet',
    remedy: 'Do without it until the payment is started.',
    of: methods,
    change(message) {
      message.customer.email = ''
    },
  },
  {
    name: 'data-as-list',
    title: 'The data of the chosen method is an empty list',
    remedy: 'PHP writes an empty object as []: read it as an object.',
    of: ['payment'],
    change(message) {
      message.payment_method.data = []
    },
  },
  {
    name: 'data-filled-in',
    title: 'The data of the chosen method has unknown values',
    remedy: 'Ignore what you do not know.',
    of: ['payment'],
    change(message) {
      message.payment_method.data = { issuer: 'bank', nested: { list: [1, 2] } }
    },
  },
  {
    name: 'unknown-fields',
    title: 'There are fields that the contract does not have',
    remedy: 'Ignore what you do not know.',
    change(message) {
      Object.assign(message, { platform_version: '7.1', extra: { nested: true } })
      for (const part of people(message)) part.custom_field = 'value'
    },
  },
  {
    name: 'password',
    title: 'The customer has a password',
    remedy: 'Ignore it, and never store it.',
    change(message) {
      message.customer.password = 'correct horse battery staple'
    },
  },
  {
    name: 'no-products',
    title: 'The list of products is empty',
    remedy: 'Take prices and weights from the quote, not from its products.',
    of: methods,
    change(message) {
      message.quote.products = []
    },
  },
  {
    name: 'products-as-object',
    title: 'The list of products is an object with numbers for keys',
    remedy: 'PHP writes a list with gaps as an object: read its values.',
    of: methods,
    change(message) {
      message.quote.products = { 1: message.quote.products[0] }
    },
  },
  {
    name: 'product-fields-empty',
    title: 'Sizes, weights and codes of products hold no data',
    remedy: noData,
    of: methods,
    change(message) {
      for (const product of message.quote.products) {
        Object.assign(product, {
          ean: '',
          sku: false,
          size_x: null,
          size_y: '',
          weight: 0,
          volume: '',
          colli: null,
        })
      }
    },
  },
  {
    name: 'ids-as-text',
    title: 'Ids are text',
    remedy: 'Read 101 and "101" alike.',
    of: methods,
    change(message) {
      message.quote.id = String(message.quote.id)
      if (message.shop.id !== undefined) message.shop.id = String(message.shop.id)
      for (const product of message.quote.products) product.product_id = String(product.product_id)
    },
  },
  {
    name: 'other-alphabets',
    title: 'Names and streets are in other alphabets',
    remedy: 'Read and keep text as UTF-8.',
    change(message) {
      for (const part of people(message)) {
        if ('firstname' in part) Object.assign(part, { firstname: 'Ἀλέξανδρος', lastname: '王 🚲' })
        if ('city' in part) Object.assign(part, { city: 'København', address1: 'Straße “des 17. Juni”' })
      }
    },
  },
  {
    name: 'company',
    title: 'The customer is a company with a VAT number',
    remedy: 'Serve companies too.',
    change(message) {
      Object.assign(message.customer, { type: 'company', company: 'Check B.V.', vatnumber: 'NL000099998B57' })
    },
  },
  {
    name: 'language-with-country',
    title: 'The language of the shop is in another form',
    remedy: 'Read nl, NL and nl_NL alike, and fall back to a language you have.',
    of: methods,
    change(message) {
      message.shop.language = 'nl_NL'
    },
  },
  {
    name: 'no-content-type',
    title: 'The call has no Content-Type',
    section: 'spec 4.3',
    remedy: 'Read a body without a type as JSON: all bodies are.',
    change() {},
    headers: { 'content-type': null },
  },
  {
    name: 'charset',
    title: 'The Content-Type names its charset',
    section: 'spec 4.3',
    remedy: 'Read the type up to the semicolon.',
    change() {},
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  {
    name: 'shop-in-payment',
    title: 'The start of a payment names the shop too',
    remedy: 'Ignore it, or compare it with the shop of the endpoint.',
    of: ['payment'],
    change(message) {
      message.shop = { language: 'en', currency: 'eur' }
    },
  },
]

async function send(target: Target, path: string, { change, headers = {} }: Quirk): Promise<void> {
  const message = path === 'payment' ? await target.paymentMessage() : target.checkoutMessage()
  change(message)
  expectStatus(await target.call(path, { json: message, headers }), 201)
}

const about = { shipment_methods: 'rates', payment_methods: 'payments', payment: 'payments' } as const

/** Deviations from the spec that live platforms send (spec 2.4). */
export const toleranceCases: ConformanceCase[] = [
  ...(['shipment_methods', 'payment_methods', 'payment'] as const).flatMap((path) =>
    quirks
      .filter(({ of = [...methods, 'payment'] }) => of.includes(path))
      .map(
        (quirk): ConformanceCase => ({
          name: `tolerates-${quirk.name}-in-${path.replace('_', '-')}`,
          title: `${quirk.title}: POST ${path} is answered`,
          topic: 'tolerance',
          section: quirk.section ?? 'spec 2.4',
          level: 'must',
          about: about[path],
          writes: path === 'payment',
          platform:
            path === 'payment'
              ? 'The affected customers cannot pay.'
              : 'The affected customers see no methods of this provider.',
          remedy: quirk.remedy,
          run: (target) => send(target, path, quirk),
        }),
      ),
  ),
  {
    name: 'tolerates-doubled-slash',
    title: 'An endpoint that was registered with a slash at its end is answered',
    topic: 'tolerance',
    section: 'spec 4.3',
    level: 'should',
    about: 'either',
    platform: 'Some join the address with a double slash, and get no answer.',
    remedy: 'Treat // as /, or register the endpoint without a slash.',
    async run(target) {
      const json = target.checkoutMessage()
      const path = (await target.shipmentMethods()).status === 201 ? 'shipment_methods' : 'payment_methods'
      expectStatus(await target.call(`/${path}`, { json }), 201)
    },
  },
]

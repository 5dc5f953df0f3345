import fc from 'fast-check'

// Values that the spec allows to be sent (spec 2.4, 4.3), written down a second time and independent of the schemas.
// They stay inside the limits that hold for every body: 32 levels, whole numbers that JSON carries exactly.

type Model = Record<string, fc.Arbitrary<unknown>>

const missing = Symbol('missing')
const noData = fc.constantFrom<unknown>('', null, false, missing)
const maybe = (some: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: some }, noData)
const object = (model: Model) =>
  fc
    .record(model)
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== missing)))

// Text that people type, and text that breaks programs.
const visible = [...'aBz019 -_./\\\'"<>&%@#?=:;,{}[]', ...'éß漢ع🚀\u0301\u200d\u2028']
const character = fc.constantFrom(...visible, '\u0000', '\n', '\t', '\u007f', '\u0085')
const word = fc.string({ unit: character, maxLength: 12 })
/** Short, or just as long as the field may be. */
const upTo = (most: number) => {
  const longest = fc.constantFrom('a', '漢', '🚀').map((one) => one.repeat(most))
  return fc.oneof({ weight: 9, arbitrary: word }, longest)
}
const text = (most: number) => maybe(upTo(most))
const textOrInteger = (most: number) => maybe(fc.oneof(upTo(most), fc.maxSafeInteger()))
const digits = (from: number, to: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: from, maxLength: to })
const letters = (count: number) =>
  fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: count, maxLength: count })
const id = fc.maxSafeNat()
const integer = fc.maxSafeInteger()
const flag = fc.constantFrom<unknown>(true, false, 0, 1)
const fraction = digits(0, 4).map((some) => some && `.${some}`)
const decimalText = fc.tuple(digits(1, 12), fraction).map((parts) => parts.join(''))
const decimalFromZero = fc.oneof(
  decimalText,
  fc.double({ min: 0, max: 999_999_999_999, noNaN: true }),
  fc.nat({ max: 1_000_000 }).map((cents) => cents / 100),
)
const decimal = fc.oneof(
  decimalFromZero,
  decimalText.map((some) => `-${some}`),
  fc.double({ min: -999_999_999_999, max: 0, noNaN: true }),
)
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const timestamp = maybe(
  fc
    .tuple(day, fc.constantFrom('Z', '+02:00', '+01:00', '-05:00', '+05:30'))
    .map(([iso, offset]) => iso.slice(0, 19) + offset),
)
// Not fc.webUrl: its first use takes most of a second.
const urlText = fc.string({ unit: fc.constantFrom(...'abZ09-._~%&=+@:!$*,;()[]éß漢'), maxLength: 20 })
const url = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.constantFrom(...'shop.example a-1.shop.example localhost 127.0.0.1 [::1] winkel-é.example'.split(' ')),
    fc.constantFrom('', ':80', ':8443'),
    fc.oneof(
      fc.constant(''),
      urlText.map((some) => `/${some}`),
      fc.tuple(urlText, urlText, urlText).map(([path, query, hash]) => `/${path}?${query}#${hash}`),
      urlText.map((some) => `?${some}`),
    ),
  )
  .map(([scheme, host, port, rest]) => `${scheme}://${host}${port}${rest}`)
const name = fc.oneof(id, fc.string({ unit: fc.constantFrom(...visible), minLength: 1, maxLength: 12 }))
const data = fc.dictionary(
  word,
  fc.anything({ maxDepth: 3, key: word, values: [fc.string(), fc.boolean(), integer, fc.constant(null)] }),
  { maxKeys: 4, noNullPrototype: true },
)

/** These fields, each with such a value. */
const alike = (names: string, some: fc.Arbitrary<unknown>): Model =>
  Object.fromEntries(names.split(' ').map((name) => [name, some]))

const shop = object({ id, language: letters(2), currency: letters(3) })

const customer = object({
  id: maybe(id),
  gender: maybe(fc.constantFrom('male', 'female')),
  birthdate: maybe(
    fc.oneof(
      day.map((iso) => iso.slice(0, 10)),
      fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }).map(String),
      fc.constantFrom('0000-00-00', '1980-02-31'),
    ),
  ),
  ...alike('phone mobile password company', text(256)),
  ...alike('firstname middlename lastname fulllastname fullname', text(256)),
  ...alike('national_id vatnumber cocnumber', text(128)),
  email: text(320),
  type: maybe(fc.constantFrom('private', 'company')),
  sameaddress: maybe(flag),
})

const country = maybe(letters(2))

const address = object({
  ...alike('name company address1 address2 city region', text(256)),
  ...alike('number extension', textOrInteger(256)),
  zipcode: text(32),
  country,
})

const product = object({
  product_id: id,
  variant_id: maybe(id),
  ...alike('title fulltitle variant', text(512)),
  description: text(2000),
  ...alike('price_incl price_excl', decimal),
  quantity: integer,
  ...alike('article_code ean sku', textOrInteger(256)),
  ...alike('tax_rate size_x size_y size_z', maybe(decimal)),
  ...alike('weight volume colli', maybe(integer)),
  stock_available: maybe(flag),
})

const orMissing = (some: fc.Arbitrary<unknown>) => fc.oneof(some, fc.constant(missing))
const taxes = fc.array(object({ percentage: decimal, amount: decimal }), { maxLength: 3 })
const quote = object({
  id,
  ...alike('price_incl price_excl', decimal),
  ...alike('additional_cost vat_shifted', maybe(flag)),
  totals: maybe(object({ ...alike('sub_total grand_total', maybe(decimal)), taxes: orMissing(taxes) })),
  ...alike('weight volume colli', maybe(integer)),
  products: fc.array(product, { maxLength: 3 }),
  ...alike('created_at updated_at', timestamp),
  ...alike('additional_cost_price_incl additional_cost_price_excl', maybe(decimal)),
})

const addresses = alike('billing_address shipping_address', address)
const checkout = { checkout_id: maybe(id), shop, customer, ...addresses, quote }

/** By the name of the message: everything that a platform may send. */
export const wireValid: Record<string, fc.Arbitrary<unknown>> = {
  'shipment methods': object({ ...checkout, rate_estimate: maybe(fc.constantFrom<unknown>(false, 0)) }),
  'shipment estimate': object({
    rate_estimate: fc.constantFrom<unknown>(true, 1),
    shop,
    shipping_address: object({ zipcode: text(32), country }),
    quote,
  }),
  'payment methods': object({ ...checkout, rate_estimate: maybe(flag) }),
  'payment start': object({
    order: object({
      ...{ id, number: upTo(128), price_incl: decimalFromZero, currency: letters(3) },
      ...alike('price_excl price_tax', maybe(decimal)),
    }),
    customer,
    payment_method: object({
      id: name,
      method: maybe(name),
      title: text(512),
      data: fc.oneof({ weight: 3, arbitrary: data }, noData, fc.constant([])),
    }),
    ...alike('redirect_url webhook_url', url),
    shop: orMissing(shop),
    ...alike('billing_address shipping_address', orMissing(address)),
  }),
}

/** Decimals of 0 or more as an adapter may give them. */
export const offeredDecimal = decimalFromZero
export const offeredFlag = fc.constantFrom<unknown>(true, false, 0, 1, '0', '1', null, undefined, '')
export const offeredName = name
export const offeredData = data
export const offeredText = fc.string({ unit: character, minLength: 1, maxLength: 12 })

/** An unknown value. */
export const wild = fc.anything({ withBigInt: true, withDate: true, withMap: true, maxDepth: 1 })

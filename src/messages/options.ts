import { z } from 'zod'
import { anyOption, checkOptions, didYouMean, each, optionGroup } from '../checked-options.ts'
import { type Decimal, isCurrency } from '../money/index.ts'
import { countryFault, isCountry } from '../rates/files/cells.ts'
import type { PresetName } from './presets.ts'
import { most, type Product } from './products.ts'

// Every option of a message once: its type, and below its reader. Sandbox, checker, test kit and scenarios each take some of them.

/** The customer of a checkout. Empty text is no data; a field that is not set is as live platforms send it. */
export interface Customer {
  /** Default in a checkout: that of the customer in Amsterdam, as the next two. */
  firstname: string
  /** Default in a checkout: as above. */
  lastname: string
  /** Default in a checkout: as above. */
  email: string
  /** Default: as live platforms send it. */
  phone?: string
  /** Makes a customer of type `company`. Default: a private customer. */
  company?: string
  /** The VAT number of a company. Default: as live platforms send it. */
  vatnumber?: string
  /** The number of a company in the trade register. Default: as live platforms send it. */
  cocnumber?: string
}

/** The destination that a cart knows. */
export interface Destination {
  /** Default in a message or checkout: that of Amsterdam, `1016GV`, or of an example in `country`. */
  zipcode: string
  /** Two letters. Default in a message or checkout: `nl`. */
  country: string
}

/** The address that an order is shipped to, or billed to. */
export interface DeliveryAddress extends Destination {
  /** The street. Default in a message or checkout: that of an address in Amsterdam, as the next two. */
  address1: string
  /** The number of the house, as text. Default in a message or checkout: as above. */
  number: string
  /** Default in a message or checkout: as above. */
  city: string
  /** The part behind the number, such as `A`. Default: as live platforms send it. */
  extension?: string
  /** The state or province. Default: as live platforms send it. */
  region?: string
}

/** One product of a cart in code. Figures are of one piece, in the units of the shop. */
export interface LineOptions extends Partial<Omit<Product, 'id' | 'priceExcl' | 'taxRate' | 'stockLevel'>> {
  /** The price of one piece without tax, in the currency of the shop. Default `10.00`. */
  excl?: Decimal | number
  /** The same with tax, in the currency of the shop. Default: computed from `excl`. */
  incl?: Decimal | number
  /** A fraction. Default `0.21`. */
  taxRate?: Decimal | number
  /** The number of pieces: a whole number from 1. Default 1. */
  quantity?: number
  /** Default true. */
  inStock?: boolean
}

/** The cart of a checkout. Default: the shop's own. */
export interface CartOptions {
  /** The products: a list, or the name of a preset such as `letter`, `heavy` or `nothing`. */
  lines?: PresetName | readonly LineOptions[]
  /** Three letters. Default: that of the shop, `eur` in a message. */
  currency?: string
  /** The platform's id of the shop. Default: the one that is visited, 4711 in a message. */
  shop?: number
}

/** The customer and the cart of a checkout. Default: a customer in Amsterdam with the shop's own cart. */
export interface CheckoutOptions extends CartOptions {
  /** Two letters, such as `nl`. Default `en`, and `nl` in a message. */
  language?: string
  /** Default: a customer in Amsterdam. */
  customer?: Partial<Customer>
  /** The shipping address. Default: one in Amsterdam. */
  address?: Partial<DeliveryAddress>
  /** The billing address. Default: the same as `address`. */
  billing?: Partial<DeliveryAddress> | undefined
  /** Whether the customer is a guest who is not named before the order: until then the shop sends `null`. Default false. */
  guest?: boolean | undefined
  /** Pays in the shop itself, as without a payment service. Default false. */
  ownPayment?: boolean
}

/**
 * The cart, destination and language of a message. Default: three products of 1,510 g for 47.13 EUR with tax, to Amsterdam. `country` and
 * `zipcode` also stand in `address`.
 */
export interface MessageOptions
  extends Partial<Destination>,
    Pick<CartOptions, 'lines' | 'currency' | 'shop'>,
    Pick<CheckoutOptions, 'language' | 'address'> {
  /** The id of the quote, and of the order of a payment. Default 6001, and 1001 for an order. */
  id?: number
  /** The weight of the whole cart, a whole number in the unit of the shop. The cart then holds one product; not beside `lines`. Default: that of the products. */
  weight?: number
  /**
   * The value of the whole cart with tax, in `currency`, such as `'80.00'`. The cart then holds one product; not beside `lines`. Default:
   * that of the products.
   */
  value?: string | number
  /** The tax rate of `value`, a fraction. Default `0.21`. */
  taxRate?: string | number
}

/** The fields of a checkout beside its cart. */
export interface CheckoutBodyOptions
  extends MessageOptions,
    Pick<CheckoutOptions, 'customer' | 'billing' | 'guest'> {}

/** The fields of a payment start. */
export interface PaymentBodyOptions
  extends Pick<MessageOptions, 'id'>,
    Pick<CartOptions, 'currency'>,
    Pick<CheckoutOptions, 'customer'> {
  /** With VAT, in `currency`. Default `29.34`, rounded to the currency. */
  amount?: string
  /** The id of the payment method. Default `card`. */
  method?: string
  /** The customer's data for the payment method. Default: none, and as before where an order is paid again. */
  data?: Record<string, unknown>
  /** The address of the shop that the customer returns to. Default `https://shop.example/return?order=1001`. */
  redirectUrl?: string
  /** The address of the shop for webhooks. Default `https://shop.example/webhook?order=1001`. */
  webhookUrl?: string
}

/** The shop that a check plays, and where its customers live. */
export interface CheckedShop
  extends Partial<Pick<Destination, 'country' | 'zipcode'>>,
    Pick<CartOptions, 'currency'> {
  /** The platform's id of the shop. Default: none, or one that fits if the provider requires one. */
  shopId?: number | undefined
}

/** The fields that are set: an undefined one is not given. */
export const given = <T extends object>(fields: T): { [Field in keyof T]?: Exclude<T[Field], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as object

/** Options that are read without those that are undefined. */
export const optionsOf = <Options>(shape: Record<keyof Options, z.ZodType>) =>
  optionGroup(shape).transform(given)

/** One of these words. */
export const wordOf = (known: readonly string[]) =>
  z.unknown().refine((word) => known.includes(word as string), {
    error: ({ input }) => `"${String(input)}" is not known: ${didYouMean(String(input), known)}`,
  })

const text = z.string().optional()
/** Empty text is no data. Capitals are read as small letters. */
const country = z
  .string()
  .refine((code) => code === '' || isCountry(code.toLowerCase()), {
    error: ({ input }) => countryFault(String(input)),
  })
  .toLowerCase()
  .optional()
/** Text, but for the country. */
export const addressFields = [
  ...(['address1', 'number', 'extension', 'zipcode', 'city', 'region', 'country'] as const),
]
const address = optionsOf<DeliveryAddress>({ ...each(text, ...addressFields), country }).optional()
/** All text. */
export const customerFields = [
  ...(['firstname', 'lastname', 'email', 'phone', 'company', 'vatnumber', 'cocnumber'] as const),
]

const idRule = 'must be a whole number from 0'
const numberUpTo = (limit: number, least = 0, kind: 'number' | 'int' = 'int') => {
  const rule = `must be a ${kind === 'int' ? 'whole number' : 'number'} from ${least} to ${limit}`
  return z[kind](rule).min(least, rule).max(limit, rule).optional()
}

const readers = {
  // Read where the currency is known.
  ...each(anyOption, 'lines', 'value', 'taxRate', 'amount'),
  ...each(text, 'address1', 'zipcode', 'method', 'redirectUrl', 'webhookUrl'),
  ...each(z.int(idRule).min(0, idRule).optional(), 'id', 'shop'),
  ...each(address, 'address', 'billing'),
  country,
  currency: z.string().refine(isCurrency, 'must be a code such as eur').toLowerCase().optional(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/, 'must be two small letters, such as nl')
    .optional(),
  weight: numberUpTo(most.whole),
  customer: optionsOf<Customer>(each(text, ...customerFields)).optional(),
  ...each(z.boolean().optional(), 'guest', 'ownPayment'),
  data: z.record(z.string(), z.unknown()).optional(),
} satisfies Record<keyof (CheckoutBodyOptions & CheckoutOptions & PaymentBodyOptions) | 'address1', z.ZodType>

/** The readers of some of them. */
export const only = <Name extends keyof typeof readers>(...names: Name[]): Record<Name, z.ZodType> =>
  Object.fromEntries(names.map((name) => [name, readers[name]])) as never

export const lineOptions = optionsOf<LineOptions>({
  ...each(text, 'title', 'fulltitle', 'description', 'articleCode', 'ean', 'sku'),
  ...each(anyOption, 'excl', 'incl', 'taxRate', 'inStock'),
  ...each(numberUpTo(most.whole), 'weight', 'volume'),
  ...each(numberUpTo(most.size, 0, 'number'), 'sizeX', 'sizeY', 'sizeZ'),
  colli: numberUpTo(most.colli),
  quantity: numberUpTo(most.quantity, 1),
})

/** Reads the options of a call. Throws `ARGUMENT_INVALID` that names every fault. */
export function readOptions<Options>(call: string, schema: z.ZodType, options: Options): Options {
  checkOptions(call, schema, options)
  return schema.parse(options) as Options
}

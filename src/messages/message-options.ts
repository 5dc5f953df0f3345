import { z } from 'zod'
import { anyOption, checkOptions, optionGroup } from '../use-cases/option-faults.ts'
import type { LineOptions } from './lines.ts'
import { addressOption, countryOption, customerOption, languageOption, textOption } from './options.ts'
import type { Customer, DeliveryAddress, Destination } from './people.ts'
import type { PresetName } from './presets.ts'

/** The cart, destination and language of a message. Default: three products of 1,510 g for 47.13 EUR with tax, to Amsterdam. */
export interface MessageOptions extends Partial<Destination> {
  /** Two letters. Default `nl`. */
  language?: string
  /** The id of the quote. Default 6001. */
  id?: number
  /** The platform's id of the shop. Default 4711. */
  shop?: number
  /** Three letters. Default `eur`. */
  currency?: string
  /** The products: a list, or the name of a preset such as `letter`, `heavy` or `nothing`. */
  lines?: PresetName | readonly LineOptions[]
  /** The weight of the whole cart, a whole number in the unit of the shop. The cart then holds one product; not beside `lines`. Default: that of the products. */
  weight?: number
  /**
   * The value of the whole cart with tax, in `currency`, such as `'80.00'`. The cart then holds one product; not beside `lines`. Default:
   * that of the products.
   */
  value?: string | number
  /** The tax rate of `value`, a fraction. Default `0.21`. */
  taxRate?: string | number
  /** The shipping address. `country` and `zipcode` may also stand alone. */
  address?: Partial<DeliveryAddress>
}

/** The fields of a checkout beside its cart. */
export interface CheckoutBodyOptions extends MessageOptions {
  /** Default: a customer in Amsterdam. */
  customer?: Partial<Customer>
  /** The billing address, if it is a different one. */
  billing?: Partial<DeliveryAddress>
}

/** The fields of a payment start. */
export interface PaymentBodyOptions {
  /** The platform's id of the order. Default 1001. */
  id?: number
  /** With VAT, in `currency`. Default `29.34`, rounded to the currency. */
  amount?: string
  /** Three letters. Default `eur`. */
  currency?: string
  /** The id of the payment method. Default `card`. */
  method?: string
  /** The customer's data for the payment method. Default: none. */
  data?: Record<string, unknown>
  /** Default: a customer in Amsterdam. */
  customer?: Partial<Customer>
  /** The address of the shop that the customer returns to. Default `https://shop.example/return?order=1001`. */
  redirectUrl?: string
  /** The address of the shop for webhooks. Default `https://shop.example/webhook?order=1001`. */
  webhookUrl?: string
}

const id = z.int('must be a whole number from 0').min(0, 'must be a whole number from 0').optional()

/** Figures and the currency are checked where they are used. */
const messageOptions = optionGroup({
  language: languageOption,
  id,
  shop: id,
  currency: anyOption,
  lines: anyOption,
  weight: anyOption,
  value: anyOption,
  taxRate: anyOption,
  address: addressOption,
  country: countryOption,
  zipcode: textOption,
  customer: customerOption,
  billing: addressOption,
} satisfies Record<keyof CheckoutBodyOptions, z.ZodType>)

const paymentOptions = optionGroup({
  id,
  amount: anyOption,
  currency: anyOption,
  method: textOption,
  data: z.record(z.string(), z.unknown()).optional(),
  customer: customerOption,
  redirectUrl: textOption,
  webhookUrl: textOption,
} satisfies Record<keyof PaymentBodyOptions, z.ZodType>)

/** Throws `ARGUMENT_INVALID` that names every option that a cart or checkout does not take. */
export const checkMessageOptions = (call: string, given: unknown): void =>
  checkOptions(`${call}()`, messageOptions, given)

/** The same of the start of a payment. */
export const checkPaymentOptions = (call: string, given: unknown): void =>
  checkOptions(`${call}()`, paymentOptions, given)

import { z } from 'zod'
import { field } from './fields.ts'
import { amountOnWire, amountOrDiscount, anyText, flag, required, wire, withDefault } from './values.ts'

// The fields that shipping and payment methods share.

const pricesOf = <Wire extends z.ZodType, Written extends z.ZodType, Rate extends z.ZodType>(
  amount: Wire,
  written: Written,
  rate: Rate,
) => ({
  price_incl: field(amount, written),
  price_excl: field(amount.optional(), written),
  tax_rate: field(wire.decimalFromZero.optional(), rate),
})

/**
 * The three price fields of spec 2.5 and 2.6. `price_excl` and `tax_rate` are missing in known answers of providers. The
 * spec names no least price of a shipping method: below 0 it is a discount.
 */
export const priceFields = pricesOf(wire.decimal, required(amountOrDiscount), required(amountOnWire))
const free = withDefault(amountOnWire, 0)
/** Most payment methods are free and have no price fields. */
export const freePriceFields = pricesOf(wire.decimalFromZero, free, free)

export const methodTitle = field(z.string().min(1), required(anyText))
export const methodFlag = field(wire.flag.optional(), flag())

export const iconWire = z
  .union([z.string().regex(/^[a-z0-9_-]+$/), z.string().regex(/^https:\/\/\S+$/)])
  .meta({ description: 'A known icon name, or the https address of an image of 50 by 32 pixels.' })

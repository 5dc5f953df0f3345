import { z } from 'zod'
import { field } from './fields.ts'
import { amountOnWire, anyText, flag, required, wire, withDefault } from './values.ts'

// The fields that shipping and payment methods share.

const pricesOf = <Written extends z.ZodType>(written: Written) => ({
  price_incl: field(wire.decimalFromZero, written),
  price_excl: field(wire.decimalFromZero.optional(), written),
  tax_rate: field(wire.decimalFromZero.optional(), written),
})

/** The three price fields of spec 2.5 and 2.6. `price_excl` and `tax_rate` are missing in known answers of providers. */
export const priceFields = pricesOf(required(amountOnWire))
/** Most payment methods are free and have no price fields. */
export const freePriceFields = pricesOf(withDefault(amountOnWire, 0))

export const methodTitle = field(z.string().min(1), required(anyText))
export const methodFlag = field(wire.flag.optional(), flag())

export const iconWire = z
  .union([z.string().regex(/^[a-z0-9_-]+$/), z.string().regex(/^https:\/\/\S+$/)])
  .meta({ description: 'A known icon name, or the https address of an image of 50 by 32 pixels.' })

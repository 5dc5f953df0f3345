import { z } from 'zod'
import { amountOnWire, required, wire, withDefault } from './values.ts'

/** The three price fields of spec 2.5 and 2.6. `price_excl` and `tax_rate` are missing in known answers of providers. */
export const priceFields = {
  price_incl: wire.decimalFromZero,
  price_excl: wire.decimalFromZero.optional(),
  tax_rate: wire.decimalFromZero.optional(),
}

export const priceFieldsWriter = {
  price_incl: required(amountOnWire),
  price_excl: required(amountOnWire),
  tax_rate: required(amountOnWire),
}

/** Most payment methods are free and have no price fields. */
export const freePriceFieldsWriter = {
  price_incl: withDefault(amountOnWire, 0),
  price_excl: withDefault(amountOnWire, 0),
  tax_rate: withDefault(amountOnWire, 0),
}

export const iconWire = z
  .union([z.string().regex(/^[a-z0-9_-]+$/), z.string().regex(/^https:\/\/\S+$/)])
  .meta({
    description: 'A known icon name, or the https address of an image of 50 by 32 pixels.',
  })

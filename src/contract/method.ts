import { z } from 'zod'
import { readDecimal } from '../money/decimal.ts'
import { isNoData, MAX_AMOUNT, wire } from './values.ts'

/** The three price fields of spec 2.5 and 2.6. `price_excl` and `tax_rate` are missing in known answers of providers. */
export const priceFields = {
  price_incl: wire.decimalFromZero,
  price_excl: wire.decimalFromZero.optional(),
  tax_rate: wire.decimalFromZero.optional(),
}

/** A decimal of 0 or more as the number that is written to JSON: the only place where money becomes a binary float. */
const jsonAmount = (whenMissing?: number) =>
  z.transform((value: unknown, ctx): number => {
    if (whenMissing !== undefined && isNoData(value)) return whenMissing
    const written = Number(readDecimal(value))
    if (written >= 0 && written <= MAX_AMOUNT) return written
    ctx.issues.push({
      code: 'custom',
      message: `must be a decimal number from 0 to ${MAX_AMOUNT}`,
      input: value,
    })
    return z.NEVER
  })

export const priceFieldsWriter = {
  price_incl: jsonAmount(),
  price_excl: jsonAmount(),
  tax_rate: jsonAmount(),
}

/** Most payment methods cost nothing and say nothing of prices. */
export const freePriceFieldsWriter = {
  price_incl: jsonAmount(0),
  price_excl: jsonAmount(0),
  tax_rate: jsonAmount(0),
}

export const iconWire = z
  .union([z.string().regex(/^[a-z0-9_-]+$/), z.string().regex(/^https:\/\/\S+$/)])
  .meta({
    description: 'A known icon name, or the https address of an image of 50 by 32 pixels.',
  })

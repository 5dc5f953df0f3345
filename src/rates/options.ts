import { z } from 'zod'
import { productFacts } from '../adapters/product-facts.ts'
import { lengthUnits, volumetricUnits, volumeUnits } from '../adapters/units.ts'
import type { AnyRateAdapter } from '../any-adapter.ts'
import { optionFaults } from '../checked-options.ts'
import { type ErrorFault, PurveyorError } from '../errors/errors.ts'
import {
  currencyDigits,
  type Decimal,
  decimal,
  meantFraction,
  type Price,
  price,
  readDecimal,
  roundToCurrency,
} from '../money/index.ts'
import { isCountry, noCountry } from './files/cells.ts'
import { type ParcelRules, ruleFaults } from './parcels/parcel-rules.ts'
import { isTimeZone } from './zoned-time.ts'

/** Checks the options of an adapter's factory. Throws `CONFIGURATION_INVALID`, which names every fault. */
export function optionsOf<T extends z.ZodType>(factory: string, schema: T, given: unknown): z.output<T> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw optionsError(factory, optionFaults(schema, given))
}

export function optionsError(factory: string, given: readonly ErrorFault[]): PurveyorError {
  const faults = given.map(({ path = 'options', message }) => ({ path, message }))
  const listed = faults.map(({ path, message }) => `\n  ${path}: ${message}`)
  const message = `${factory}() cannot use these options:${listed.join('')}`
  return new PurveyorError('CONFIGURATION_INVALID', message, { place: factory, faults })
}

/** Options of every factory whose values may be functions of the shop's settings. */
export const settingsOptions = {
  settings: z
    .custom<z.ZodType>(
      (value) => typeof (value as z.ZodType | null)?.safeParse === 'function',
      'must be a schema of zod',
    )
    .optional(),
  settingsName: z.string().min(1).optional(),
}

/** An amount, a weight, a percentage: 0 or more. */
const noAmount = { error: "must be a number of 0 or more, or a decimal string such as '4.95'" }
export const amount = z
  .union([z.string(), z.number()], noAmount)
  .refine((value) => readDecimal(value)?.startsWith('-') === false, noAmount)

/** The same, of any sign. */
const noSigned = { error: "must be a number, or a decimal string such as '-4.95'" }
export const signed = z
  .union([z.string(), z.number()], noSigned)
  .refine((value) => readDecimal(value) !== undefined, noSigned)

/** A tax rate. `21` is refused with the fraction that it means. */
export const fraction = amount.refine((value) => Number(value) < 1, {
  error: ({ input }) => `must be a fraction below 1: ${meantFraction(input)}`,
})

export const text = z.union(
  [z.string().min(1), z.record(z.string().regex(/^[a-z]{2}$/), z.string().min(1))],
  { error: "must be a text, or one for each language: { en: 'At your door', nl: 'Aan de deur' }" },
)

export const countries = z
  .array(z.string().refine(isCountry, { error: ({ input }) => noCountry(String(input)) }))
  .min(1, 'must name one country at least')

/** A value for each country of the destination, and one for all others under `*`. */
export const byCountry = <T extends z.ZodType>(value: T) =>
  z.record(z.string(), value).superRefine((given, ctx) => {
    for (const code of Object.keys(given))
      if (code !== '*' && !isCountry(code))
        ctx.addIssue({ code: 'custom', path: [code], message: noCountry(code) })
  })

export const timeZone = z
  .string()
  .refine(isTimeZone, 'is not a time zone: write a name such as Europe/Amsterdam')

export const currencyCode = z.string().regex(/^[a-z]{3}$/i, 'must be three letters such as eur')
export const adapterName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,40}$/i, 'must be letters, digits, - and _')

/** One price: with or without tax, and its tax rate. */
export const priceOptions = {
  excl: amount.optional(),
  incl: amount.optional(),
  taxRate: fraction,
  currency: currencyCode.optional(),
}

/** A price as an option has it: with or without tax. */
export interface GivenPrice {
  /** Without tax, in `currency`: a number, or decimal text such as `'4.95'`. Default: computed from `incl`. */
  excl?: Decimal | number | undefined
  /** With tax, in `currency`. Default: computed from `excl`. */
  incl?: Decimal | number | undefined
  /** A fraction: `'0.21'` is 21 %. */
  taxRate: Decimal | number
  /** Three letters such as `eur`. Default: the shop's. */
  currency?: string | undefined
}

export function givenPrice({ excl, incl, taxRate, currency }: GivenPrice, shopCurrency: string): Price {
  const rest = { taxRate, currency: currency ?? shopCurrency }
  return price(excl === undefined ? { incl: incl!, ...rest } : { excl, ...rest })
}

/** Whether another adapter can hold it. */
export const isAdapter = (value: unknown): value is AnyRateAdapter =>
  typeof (value as Partial<AnyRateAdapter> | null | undefined)?.quote === 'function'

export const isFunction = (value: unknown): boolean => typeof value === 'function'
export const callable = z.custom<(...args: never[]) => unknown>(isFunction, 'must be a function')
/** The rules of parcels as an option of an adapter: those of `ctx.parcels` but the unit of weight. */
export type ParcelOptions = Omit<ParcelRules, 'unit'>

const most = amount.optional()
export const parcelOptions = z
  .strictObject({
    maxWeight: most,
    volumetricDivisor: z.number().optional(),
    volumetricUnit: z.enum(volumetricUnits).optional(),
    maxParcels: z.number().optional(),
    lengthUnit: z.enum(lengthUnits).optional(),
    ...{ maxLength: most, maxGirth: most, maxLengthAndGirth: most },
    volumeUnit: z.enum(volumeUnits).optional(),
    maxVolume: most,
    apart: z.array(z.enum(productFacts)).readonly().optional(),
  } satisfies Record<keyof ParcelOptions, z.ZodType>)
  .superRefine((rules, ctx) => {
    for (const { at, message } of ruleFaults(rules as Partial<ParcelRules>))
      ctx.addIssue({ code: 'custom', path: [at], message })
  })

/** The value of a quote as thresholds compare it: in money (spec 2.4 quote sends four decimals), 0 for one below 0. */
export function quoteValue(amount: Decimal, currency: string): Decimal {
  if (amount.startsWith('-')) return '0'
  const point = amount.indexOf('.')
  const isMoney = point < 0 || amount.length - point - 1 <= currencyDigits(currency)
  return isMoney ? amount : roundToCurrency(amount, currency)
}

/** Whether a quote has reached a value, with tax and in the currency of its shop. */
export const hasReached = (
  { quote, shop }: { quote: { price_incl: Decimal }; shop: { currency: string } },
  value: Decimal | number,
): boolean => decimal(quoteValue(quote.price_incl, shop.currency)).gte(value)

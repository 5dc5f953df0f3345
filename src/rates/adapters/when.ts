import { z } from 'zod'
import type { Need } from '../../adapters/call-adapter.ts'
import { type ProductFact, productFacts, type QuoteWithFacts } from '../../adapters/product-facts.ts'
import { type WeightUnit, weightUnits } from '../../adapters/units.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import { type Decimal, decimal } from '../../money/index.ts'
import { amount, countries, hasReached } from '../options.ts'
import { type OfSettings, type SchemaOf, type SettingsOption, shopOptions } from '../shop-options.ts'
import { placesOf } from '../tariffs/zones.ts'
import { destinationOf } from '../zipcodes/areas.ts'
import { around, type WrappedAdapter } from './around.ts'

const texts = z.array(z.string()).min(1)
const facts = z.array(z.enum(productFacts)).min(1)

/** The condition of `when`. All parts that are given must hold. Each is a value, or a function of the shop's settings. */
export interface Condition<S = unknown> extends SettingsOption<S> {
  /** Only these countries, such as `['nl', 'be']`. Default: all. */
  countries?: OfSettings<string[] | undefined, S>
  /** Only these zipcodes: `10*`, `1000-1999` or `1012AB`. Those with a `!` in front are left out. Default: all. */
  zipcodes?: OfSettings<string[] | undefined, S>
  /** Only these states or provinces, as the shop writes them: `CA`. Default: all. */
  regions?: OfSettings<string[] | undefined, S>
  /** Only quotes of this value. Default: any. */
  value?: OfSettings<ValueRange | undefined, S>
  /** Only quotes of this weight. Default: any. */
  weight?: OfSettings<WeightRange | undefined, S>
  /** Only private customers, or only companies. Default: both. */
  customer?: OfSettings<'private' | 'company' | undefined, S>
  /** Only carts of such products. Default: any. */
  products?: OfSettings<ProductCondition | undefined, S>
}

/** Values of a quote with tax, in the shop's currency. */
export interface ValueRange {
  /** From this value on, in the shop's currency. Default: from 0. */
  from?: Decimal | number | undefined
  /** Below this value, in the shop's currency. Default: any. */
  below?: Decimal | number | undefined
}

/** Weights of a quote. */
export interface WeightRange {
  /** Above this weight, in `unit`. Default: from 0. */
  above?: Decimal | number | undefined
  /** Up to this weight, in `unit`. Default: any. */
  upTo?: Decimal | number | undefined
  /** The unit of `above` and `upTo`. */
  unit: WeightUnit
}

/** Facts of the products of a cart. */
export interface ProductCondition {
  /** Each product has all of these. Default: none. */
  every?: ProductFact[] | undefined
  /** At least one product has one of these. Default: none. */
  some?: ProductFact[] | undefined
  /** No product has one of these. Default: none. */
  none?: ProductFact[] | undefined
}

const condition = z
  .strictObject({
    countries: countries.optional(),
    zipcodes: texts.optional(),
    regions: texts.optional(),
    value: z.strictObject({ from: amount.optional(), below: amount.optional() }).optional(),
    weight: z
      .strictObject({ above: amount.optional(), upTo: amount.optional(), unit: z.enum(weightUnits) })
      .optional(),
    customer: z.enum(['private', 'company']).optional(),
    products: z
      .strictObject({ every: facts.optional(), some: facts.optional(), none: facts.optional() })
      .optional(),
  } satisfies SchemaOf<Condition>)
  .transform(({ zipcodes = [], regions = [], ...given }, ctx) => {
    const fault = (message: string) => ctx.addIssue({ code: 'custom', path: ['zipcodes'], message })
    const cells = { zipcode: zipcodes.join('|'), region: regions.join('|') }
    return { ...given, places: placesOf(cells, given.countries, fault) }
  })

/** The reason why the products do not fit; `undefined` if they do. */
function misfit({ products }: QuoteWithFacts, wanted: ProductCondition): string | undefined {
  const { every = [], some = [], none: without = [] } = wanted
  const has = (fact: ProductFact) => products.filter((product) => product.facts?.includes(fact))
  const lacking = every.find((fact) => products.length === 0 || has(fact).length < products.length)
  if (lacking) return `only for products that are all ${lacking}`
  if (some.length > 0 && some.every((fact) => has(fact).length === 0))
    return `only for products that are ${some.join(' or ')}`
  const found = without.find((fact) => has(fact).length > 0)
  return found && `not for products that are ${found}`
}

/** With a schema of settings for an adapter that has none. */
export function when<S>(
  given: Condition<S> & { settings: z.ZodType<S> },
  adapter: AnyRateAdapter,
): AnyRateAdapter
/** Asks the adapter only if the whole condition is true. A customer without a company name counts as private. */
export function when<S>(given: Condition<S>, adapter: WrappedAdapter<S>): AnyRateAdapter
export function when<S>(given: Condition<S>, adapter: WrappedAdapter<S>): AnyRateAdapter {
  const { options, schema } = shopOptions('when', condition, given)
  // Constants are checked at once, also beside functions.
  const place = { countries: given.countries, zipcodes: given.zipcodes, regions: given.regions }
  if (!Object.values(place).some((one) => typeof one === 'function')) shopOptions('when', condition, place)
  const needs: Need[] = ['shipping_address.country', 'shipping_address.zipcode']
  if (given.regions) needs.push('shipping_address.region')

  return around(adapter, given.customer ? [...needs, 'customer.type'] : needs, {
    ...schema,
    reads: given.products && (({ quote }) => quote.products.map((product) => product.facts)),
    before({ shop, shipping_address, quote, customer: who }, ctx) {
      const { countries: to, places, value, weight, customer, products } = options.of(ctx)
      const { country, zipcode, region } = shipping_address
      if (to && !(country && to.includes(country)))
        return `not to ${country ?? 'a destination without country'}`
      if (places && !places(destinationOf(country ?? '', zipcode, region)))
        return given.regions ? 'not to this zipcode or region' : 'not to this zipcode'
      const { from, below } = value ?? {}
      const reaches = (amount: Decimal | number) => hasReached({ quote, shop }, amount)
      if (from !== undefined && !reaches(from)) return `only for quotes from ${from} on`
      if (below !== undefined && reaches(below)) return `only for quotes below ${below}`
      if (weight) {
        const { unit, above, upTo } = weight
        const heavy = decimal(ctx.parcels(quote, { unit }).actual)
        if (above !== undefined && heavy.lte(above)) return `only above ${above} ${unit}`
        if (upTo !== undefined && heavy.gt(upTo)) return `only up to ${upTo} ${unit}`
      }
      const unfit = products && misfit(quote, products)
      if (unfit) return unfit
      if (customer && (who?.type ?? 'private') !== customer) return `only for a ${customer} customer`
      return undefined
    },
  })
}

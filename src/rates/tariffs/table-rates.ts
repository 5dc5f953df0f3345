import { z } from 'zod'
import type { OfferedShipmentMethod } from '../../adapters/offered-methods.ts'
import { type WeightUnit, weightUnits } from '../../adapters/units.ts'
import type { Decimal } from '../../money/index.ts'
import { next } from '../../world.ts'
import { none, type RateAdapter, type RateAnswer, type RateContext } from '../adapter.ts'
import { inMillionths } from '../files/cells.ts'
import { WatchedFiles } from '../files/watched-files.ts'
import {
  currencyCode,
  fraction,
  type ParcelOptions,
  parcelOptions,
  quoteValue,
  timeZone,
} from '../options.ts'
import type { Parcels } from '../parcels/packing.ts'
import { measuresOf } from '../parcels/parcel-rules.ts'
import { type OfSettings, type SchemaOf, type SettingsOption, shopOptions } from '../shop-options.ts'
import { destinationOf } from '../zipcodes/areas.ts'
import {
  groupsOf,
  type Lot,
  lotsFor,
  offerOf,
  type SurchargeOptions,
  surchargeOptions,
  unweighed,
} from './offers.ts'
import { type Tariff, tariffs } from './read-table.ts'
import { countriesFor, type MethodZones, methodsFor, nextChange } from './table.ts'
import { zoneFor } from './zones.ts'

/** Options of `tableRates`. Each value, except `name`, `watch` and `folder`, may be a function of the shop's settings. */
export interface TableRatesOptions<S = unknown> extends SettingsOption<S> {
  /** A `.csv` or `.json` file: a path from the working directory, or an absolute one. */
  file: OfSettings<string, S>
  /** The name of the adapter. Default `table`. */
  name?: string | undefined
  /** The unit of the tariff's weights. Default `kg`. */
  weightUnit?: OfSettings<WeightUnit | undefined, S>
  /** The tax rate of rows without one, as a fraction: `'0.21'` is 21 %. Without it each row has its own. */
  taxRate?: OfSettings<Decimal | number | undefined, S>
  /** The currency of rows without one, such as `eur`. Default: the shop's. */
  currency?: OfSettings<string | undefined, S>
  /** The limits of one parcel. A cart that needs several pays for each at its own weight. Default: one parcel of any weight. */
  parcel?: OfSettings<ParcelOptions | undefined, S>
  /** The amount of the quote that `value_from`, `value_to` and `free_from` are compared with. Default `incl`, with tax. */
  value?: OfSettings<'incl' | 'excl' | undefined, S>
  /** On top of every price, as the tariff writes prices: fuel, islands, remote areas. Default: none. */
  surcharges?: OfSettings<SurchargeOptions[] | undefined, S>
  /** The time zone of `valid_from` and `valid_until`. Default `Europe/Amsterdam`. */
  timeZone?: OfSettings<string | undefined, S>
  /** Whether a changed file is loaded while the provider runs. Default true. */
  watch?: boolean | undefined
  /** The folder in which files that a function returns must lie. Default: the working directory. */
  folder?: string | undefined
}

const options = z
  .strictObject({
    file: z.string().min(1),
    name: z.string().default('table'),
    weightUnit: z.enum(weightUnits).default('kg'),
    taxRate: fraction.optional(),
    currency: currencyCode.optional(),
    parcel: parcelOptions.default({}),
    value: z.enum(['incl', 'excl']).default('incl'),
    surcharges: z.array(surchargeOptions).default([]),
    timeZone: timeZone.default('Europe/Amsterdam'),
    watch: z.boolean().default(true),
    folder: z.string().min(1).optional(),
  } satisfies SchemaOf<TableRatesOptions>)
  .transform(({ taxRate, currency, timeZone, ...given }) => {
    const defaults = { taxRate, currency, timeZone }
    // Shops whose tariffs are read from one file in one way share one in memory.
    return { ...given, kind: tariffs(defaults), key: JSON.stringify([given.file, defaults]) }
  })
type Options = z.output<typeof options>

/**
 * Rates from a tariff in a CSV or JSON file. The most specific zone wins, then the tightest band, then the lowest price. A changed file is
 * loaded in the background. If it has a fault, the old one stays in use.
 *
 * Throws `CONFIGURATION_INVALID` for wrong options. A file with faults stops the provider's start with `RATE_TABLE_INVALID`.
 */
export function tableRates<S = unknown>(
  given: TableRatesOptions<S>,
): RateAdapter<`shipping_address.${'country' | 'zipcode' | 'region'}`, S> {
  const { options: ofShop, schema } = shopOptions('tableRates', options, given)
  const { name = 'table', watch = true } = given
  const { file, folder } = given
  const files = new WatchedFiles<Tariff>({ adapter: name, file, folder, watch })
  const tariff = ({ key, ...its }: Options, now: () => number) => files.of(key, { ...its, now })
  const { parcel = {} } = ofShop.constant ?? {}
  const readsParcels = Object.values(parcel).some((rule) => rule !== undefined)

  function answer(read: Tariff, rules: Options, request: Request, ctx: RateContext<S>): RateAnswer {
    const { table, surcharges: lines } = read
    const { weightUnit, parcel, value, surcharges } = rules
    const { shop, quote, shipping_address } = request
    const { country, zipcode, region } = shipping_address
    if (!country) return none('the destination has no country')
    const countries = countriesFor(table, shop.currency)
    if (!countries) return none('the tariff is empty')

    const parcels = table.weighs ? ctx.parcels(quote, { unit: weightUnit, ...parcel }) : undefined
    const groups = parcels ? groupsOf(parcels) : unweighed
    const amount = value === 'incl' ? quote.price_incl : quote.price_excl
    const worth = inMillionths(quoteValue(amount, shop.currency))
    const destination = destinationOf(country, zipcode, region)
    const now = ctx.now()
    const all = lines.length === 0 ? surcharges : [...lines, ...surcharges]
    const wanted = { worth, currency: shop.currency, destination, now, surcharges: all }
    const methods: OfferedShipmentMethod[] = []
    for (const [own, others] of methodsFor(countries, country)) {
      const inOwn = own ? zoneFor(own.zones, destination) : -1
      const its = inOwn >= 0 ? own! : (others ?? own)!
      const zone = its === own ? inOwn : zoneFor(its.zones, destination)
      const lots = zone >= 0 ? lotsFor(its, zone, groups, { value: worth, now }) : undefined
      const method = lots && offerOf(lots, wanted)
      if (method) methods.push(method)
      else ctx.explain(lots ? twoTaxes(its, lots) : whyNot(its, zone, parcels))
    }
    const goodUntil = nextChange(table, now)
    if (methods.length === 0) return { ...none(`no rate of the tariff fits ${country}`), goodUntil }
    return goodUntil === undefined ? methods : methods.map((method) => ({ ...method, goodUntil }))
  }

  return {
    name,
    needs: ['shipping_address.country', 'shipping_address.zipcode', 'shipping_address.region'],
    estimate: 'quote',
    ...schema,
    measures: readsParcels ? measuresOf(parcel) : [],
    files,
    // Tariffs of shops are read at their first quote.
    prepare: async ({ now }) => void (ofShop.constant && (await tariff(ofShop.constant, now))),
    quote(request, ctx) {
      const its = ofShop.of(ctx)
      return next(tariff(its, ctx.now), (one) => answer(one, its, request, ctx))
    },
  }
}

type Request = Parameters<ReturnType<typeof tableRates>['quote']>[0]

const twoTaxes = ({ method }: MethodZones, lots: readonly Lot[]) =>
  `${method}: the lines ${lots.map(({ row }) => row.line).join(', ')} for its parcels differ in tax`

function whyNot({ method, zones: { names, regions } }: MethodZones, zone: number, parcels?: Parcels): string {
  if (zone < 0) return `${method}: not to this zipcode${regions ? ' or region' : ''}`
  const heavy = parcels ? `a parcel of ${parcels.each} ${parcels.unit} and ` : ''
  return `${method}: no line of zone ${names[zone]} fits ${heavy}the value`
}

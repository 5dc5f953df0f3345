import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { type Decimal, type Price, price } from '../../money/index.ts'
import {
  type NoMethods,
  none,
  type OfferedShipmentMethod,
  type RateAdapter,
  type RateContext,
} from '../../rates/adapter.ts'
import type { Parcels } from '../../rates/parcels.ts'
import { weightUnits } from '../../rates/units.ts'
import { amount, optionsOf } from '../options.ts'
import { inMillionths } from './cells.ts'
import { readTable } from './read-table.ts'
import { type TableRow, zipcodeKey } from './row.ts'
import { isAt, readSurcharge, surchargeOptions, withSurcharges } from './surcharges.ts'
import { type MethodZones, methodsFor, type RateTable, rowFor, zoneFor } from './table.ts'

const options = z.strictObject({
  /** A `.csv` or `.json` file. */
  file: z.string().min(1),
  name: z.string().default('table'),
  /** The unit of the tariff's weights. */
  weightUnit: z.enum(weightUnits).default('kg'),
  /** The tax rate of rows without one, as a fraction. */
  taxRate: amount.optional(),
  /** The currency of rows without one. Default: the shop's. */
  currency: z
    .string()
    .regex(/^[a-z]{3}$/i)
    .optional(),
  /** Splits what is too heavy for one parcel into several, each at its own price. */
  parcel: z
    .strictObject({
      maxWeight: amount.optional(),
      volumetricDivisor: z.number().positive().optional(),
      maxParcels: z.number().int().positive().optional(),
    })
    .default({}),
  /** The amount of the quote that `value_from`, `value_to` and `free_from` are compared with. */
  value: z.enum(['incl', 'excl']).default('incl'),
  /** On top of every price, as the tariff writes prices: fuel, islands, remote areas. */
  surcharges: z.array(surchargeOptions).default([]),
  /** How often to check the file for changes, in milliseconds. 0: never. */
  reloadEvery: z.number().nonnegative().default(5_000),
})

/** Options of `tableRates`. */
export type TableRatesOptions = z.input<typeof options>

/**
 * Rates from a tariff in a CSV or JSON file. The most specific zone wins, then the tightest band, then the lowest price. A changed file is
 * loaded in the background. If it has a fault, the old one stays in use.
 *
 * Throws `CONFIGURATION_INVALID` for wrong options. A file with faults stops the provider's start with `RATE_TABLE_INVALID`.
 */
export function tableRates(
  given: TableRatesOptions,
): RateAdapter<'shipping_address.country' | 'shipping_address.zipcode'> {
  const checked = optionsOf('tableRates', options, given)
  const { file, name, weightUnit, parcel, value, reloadEvery } = checked
  const surcharges = checked.surcharges.map(readSurcharge)
  let table: RateTable | undefined
  let loading: Promise<RateTable> | undefined
  let loadedFrom = ''
  let seen = ''
  let lookedAt = 0

  function load(): Promise<RateTable> {
    loading ??= (async () => {
      const version = await versionOf(file)
      const read = await readTable(file, checked)
      loadedFrom = version
      table = read
      return read
    })().finally(() => {
      loading = undefined
    })
    return loading
  }

  /**
   * In the background: the old tariff stays in use until the new one is ready. A file that has changed since the last look may be half
   * written, and end in the middle of a price, so it is read at the next look.
   */
  async function reload({ log }: RateContext): Promise<void> {
    const version = await versionOf(file)
    if (version === loadedFrom || loading) return
    if (version !== seen) {
      seen = version
      return
    }
    loadedFrom = version
    try {
      const read = await readTable(file, checked)
      if ((await versionOf(file)) !== version) return
      table = read
      log.info({ adapter: name, file, rows: read.rows.length }, 'the changed tariff is in use')
    } catch (error) {
      log.error(
        { adapter: name, file, err: error },
        'the changed tariff has faults: the old one stays in use',
      )
    }
  }

  function answer(from: RateTable, request: Request, ctx: RateContext): OfferedShipmentMethod[] | NoMethods {
    const { shop, quote, shipping_address } = request
    const { country, zipcode = '' } = shipping_address
    if (!country) return none('the destination has no country')
    const { currencies } = from
    const countries = currencies.get(shop.currency) ?? currencies.get('') ?? otherCurrency(currencies)
    if (!countries) return none('the tariff is empty')

    const parcels = from.weighs ? ctx.parcels(quote, { unit: weightUnit, ...parcel }) : undefined
    const weight = parcels ? inMillionths(parcels.each) : 0
    const worth = inMillionths(value === 'incl' ? quote.price_incl : quote.price_excl)
    const zip = zipcodeKey(zipcode)
    const wanted = { worth, currency: shop.currency, count: parcels?.count ?? 1, country, zip }
    const methods: OfferedShipmentMethod[] = []
    for (const [own, others] of methodsFor(countries, country)) {
      const inOwn = own ? zoneFor(own, zip) : -1
      const zones = inOwn >= 0 ? own! : (others ?? own)!
      const zone = inOwn >= 0 || !others ? inOwn : zoneFor(others, zip)
      const row = zone >= 0 ? rowFor(zones, zone, weight, worth) : undefined
      if (row) methods.push(offer(row, wanted))
      else ctx.explain(whyNot(zones, zone, parcels))
    }
    return methods.length > 0 ? methods : none(`no rate of the tariff fits ${country}`)
  }

  function offer(row: TableRow, { worth, currency, count, country, zip }: Wanted): OfferedShipmentMethod {
    const inCurrency = row.currency ?? currency
    if (worth >= row.freeFrom) {
      return offerAt(row, price({ excl: 0, taxRate: row.taxRate, currency: inCurrency }))
    }
    const extra = surcharges.filter((one) => isAt(one, country, zip))
    const plain = count === 1 && extra.length === 0 && !row.surcharge && !row.surchargePercent
    if (plain) return plainOffer(row, inCurrency)
    return offerAt(row, priceOf(row, withSurcharges(row, count, extra), inCurrency))
  }

  return {
    name,
    needs: ['shipping_address.country', 'shipping_address.zipcode'],
    estimate: 'quote',
    prepare: async () => void (await (table ?? load())),
    quote(request, ctx) {
      if (!table) return load().then((loaded) => answer(loaded, request, ctx))
      const now = ctx.now()
      if (reloadEvery > 0 && now - lookedAt >= reloadEvery) {
        // The first answer after the start only notes the time.
        if (lookedAt > 0)
          reload(ctx).catch((error: unknown) =>
            ctx.log.error({ adapter: name, err: error }, 'the tariff file cannot be checked for changes'),
          )
        lookedAt = now
      }
      return answer(table, request, ctx)
    },
  }
}

/** The order that a row is offered for. `worth` is the value of the quote in millionths, `count` the number of parcels. */
interface Wanted extends Record<'currency' | 'country' | 'zip', string> {
  worth: number
  count: number
}

type Request = Parameters<ReturnType<typeof tableRates>['quote']>[0]

const versionOf = async (file: string): Promise<string> => {
  const { mtimeMs, size } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0 }))
  return `${mtimeMs} ${size}`
}

/** Rates in a currency that the shop does not have: the framework converts them, or leaves them out and says so. */
const otherCurrency = (currencies: RateTable['currencies']) => currencies.values().next().value

/** Computed once per row, because no quote changes it. */
function plainOffer(row: TableRow, currency: string): OfferedShipmentMethod {
  if (row.offer?.currency !== currency) {
    row.offer = { currency, method: Object.freeze(offerAt(row, priceOf(row, row.amount, currency))) }
  }
  return row.offer.method
}

function offerAt(row: TableRow, { price_incl, price_excl, tax_rate }: Price): OfferedShipmentMethod {
  const { id, title, description, currency, is_pickup, is_servicepoint, is_cash_on_delivery } = row
  const prices = { price_incl, price_excl, tax_rate, currency }
  return { id, title, description, ...prices, is_pickup, is_servicepoint, is_cash_on_delivery }
}

function priceOf({ side, taxRate }: TableRow, amount: Decimal, currency: string): Price {
  return price(side === 'excl' ? { excl: amount, taxRate, currency } : { incl: amount, taxRate, currency })
}

function whyNot({ method, names }: MethodZones, zone: number, parcels: Parcels | undefined): string {
  if (zone < 0) return `${method}: not to this zipcode`
  const heavy = parcels ? `a parcel of ${parcels.each} ${parcels.unit} and ` : ''
  return `${method}: no line of zone ${names[zone]} fits ${heavy}the value`
}

import { type Decimal, type Price, price } from '../../money/index.ts'
import type { OfferedShipmentMethod } from '../../rates/adapter.ts'
import type { Destination } from '../../rates/zipcodes/areas.ts'
import { type Lot, totalOf } from './lots.ts'
import type { TableRow } from './row.ts'
import { applies, type Surcharge, withSurcharges } from './surcharges.ts'

/** The order that lines are offered for. `worth` is the value of the quote in millionths. */
export interface Wanted {
  worth: number
  currency: string
  destination: Destination
  now: number
  surcharges: readonly Surcharge[]
}

/** The method of the lines for all parcels. `undefined` if the lines differ in tax. */
export function offerOf(lots: readonly Lot[], wanted: Wanted): OfferedShipmentMethod | undefined {
  const { worth, currency, destination, now } = wanted
  const [{ row, count }] = lots as [Lot]
  const inCurrency = row.currency ?? currency
  if (worth >= row.freeFrom)
    return offerAt(row, price({ excl: 0, taxRate: row.taxRate, currency: inCurrency }))
  const extra = wanted.surcharges.filter((one) => applies(one, { method: row.id, destination, now }))
  if (lots.length > 1) {
    if (lots.some((lot) => lot.row.side !== row.side || lot.row.taxRate !== row.taxRate)) return undefined
    return offerAt(row, priceOf(row, totalOf(lots, extra), inCurrency))
  }
  const plain = count === 1 && extra.length === 0 && !row.surcharge && !row.surchargePercent
  if (plain) return plainOffer(row, inCurrency)
  return offerAt(row, priceOf(row, withSurcharges(row, count, extra), inCurrency))
}

/** Computed once per row, because no quote changes it. */
function plainOffer(row: TableRow, currency: string): OfferedShipmentMethod {
  if (row.offer?.currency !== currency)
    row.offer = { currency, method: Object.freeze(offerAt(row, priceOf(row, row.amount, currency))) }
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

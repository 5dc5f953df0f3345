import { type Decimal, decimal, readDecimal } from '../../money/index.ts'
import type { Parcels } from '../../rates/parcels.ts'
import { inMillionths } from './cells.ts'
import type { TableRow } from './row.ts'
import { type Surcharge, withSurcharges } from './surcharges.ts'
import { type MethodZones, rowFor, type Sought } from './table.ts'

/** Parcels of one weight, in millionths of the tariff's unit. */
interface Group {
  weight: number
  count: number
}

/** Parcels of one weight, with the line of the tariff for one of them. */
export interface Lot {
  row: TableRow
  count: number
}

/** For a tariff that asks for no weight. */
export const unweighed: readonly Group[] = [{ weight: 0, count: 1 }]

/** The parcels by their weight, the heaviest first. */
export function groupsOf({ list, each, count }: Parcels): Group[] {
  if (count === 1) return [{ weight: inMillionths(each), count }]
  return Array.from(
    Map.groupBy(list, ({ chargeable }) => chargeable),
    ([weight, { length }]) => ({ weight: inMillionths(weight), count: length }),
  )
}

/** A line for every parcel; `undefined` if one has none. */
export function lotsFor(
  zones: MethodZones,
  zone: number,
  groups: readonly Group[],
  at: Pick<Sought, 'value' | 'now'>,
): Lot[] | undefined {
  const lots: Lot[] = []
  for (const { weight, count } of groups) {
    const row = rowFor(zones, zone, { weight, ...at })
    if (!row) return undefined
    lots.push({ row, count })
  }
  return lots
}

/** The price of all parcels with their surcharges, with or without tax as the tariff writes it. */
export function totalOf(lots: readonly Lot[], extra: Surcharge[]): Decimal {
  const parts = lots.map(({ row, count }) => withSurcharges(row, count, extra))
  const total = parts.reduce((sum, one) => sum.plus(one), decimal('0'))
  return readDecimal(total.toFixed(10))!
}

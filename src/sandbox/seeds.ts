import { didYouMean } from '../checked-options.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import { presets } from '../messages/presets.ts'
import { quantityRule, readProduct, readQuantity } from '../messages/products.ts'
import { type ApiRecord, isObject, timestamp } from './api/records.ts'
import type { State } from './state.ts'
import type { Table } from './table.ts'

/** Initial records of each resource, by its address. `cart` holds products with their quantity: `{ product: 101, quantity: 2 }`. */
export type Seeds = Record<string, Iterable<Record<string, unknown>>>

export const seedUnusable = (message: string, cause?: unknown): PurveyorError =>
  new PurveyorError('SEED_UNUSABLE', message, { cause })

/** Throws `ARGUMENT_INVALID` for what is no seed, for an id that is there twice and for a bad product. Other records are checked where they are read. */
export function checkSeeds(seeds: unknown): asserts seeds is Seeds {
  const refused = (fault: string) => wrongCall(`createSandbox(): ${fault}`)
  if (!isObject(seeds)) throw refused('resources must be an object with a list of records for each resource')
  for (const [name, records] of Object.entries(seeds)) {
    if (isObject(records) && Symbol.iterator in records) continue
    if (!Array.isArray(records) || !records.every(isObject)) throw refused(`${name} needs a list of records`)
    const ids = records.flatMap(({ id }) => (id === undefined || id === null ? [] : [Number(id)]))
    const twice = ids.find((id, index) => ids.indexOf(id) < index)
    if (twice !== undefined) throw refused(`${name} has the id ${twice} twice`)
  }
  for (const [index, product] of (Array.isArray(seeds.products) ? seeds.products : []).entries()) {
    const [fault] = Object.entries(readProduct(product).faults)
    if (fault) throw refused(`products[${index}].${fault.join(' ')}`)
  }
}

/** The fault in `cart`, with its place. Products that are no list are not read. */
export function cartFault({ products, cart }: Seeds): string | undefined {
  const known = products === undefined ? usualIds : Array.isArray(products) ? idsOf(products) : undefined
  for (const [index, item] of (Array.isArray(cart) ? cart : []).entries()) {
    if (readQuantity(item.quantity ?? 1) === undefined) return `cart[${index}].quantity ${quantityRule}`
    const [unknown] = Object.keys(item).filter((name) => !cartFields.includes(name))
    if (unknown !== undefined)
      return `cart[${index}].${unknown} is not a field: ${didYouMean(unknown, cartFields)}`
    if (item.product === undefined)
      return `cart[${index}].product is missing: write the id of one of the products`
    if (known && !known.includes(Number(item.product)))
      return `cart[${index}].product must be the id of one of the products`
  }
}

const cartFields = ['product', 'quantity']
const usualIds = presets.usual.items.map(({ product }) => product.id)

/** Products without an id are numbered from 1. */
const idsOf = (products: readonly Record<string, unknown>[]): number[] =>
  products.map(({ id }, index) => Number(id ?? index + 1))

/** The records of a resource. An empty store is filled with `records`; those without an id get one. */
export function seededTable(
  state: State,
  name: string,
  records: Seeds[string],
  { now, firstId }: { now: number; firstId?: number },
): Table<ApiRecord> {
  const table = state.table<ApiRecord>(`resource ${name}`, firstId)
  if (table.size === 0) table.fill(recordsOf(records, table, now))
  return table
}

function* recordsOf(records: Seeds[string], ids: { nextId(): number }, now: number): Generator<ApiRecord> {
  const at = timestamp(now)
  for (const record of records)
    yield { createdAt: at, updatedAt: at, ...record, id: Number(record.id ?? ids.nextId()) }
}

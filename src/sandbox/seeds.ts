import { didYouMean } from '../checked-options.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import { presets } from '../messages/presets.ts'
import { quantityRule, readProduct, readQuantity } from '../messages/products.ts'
import { type ApiRecord, isObject, timestamp } from './api/records.ts'
import { ownerFieldOf } from './api/rows.ts'
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
    const twice = idTwice(records)
    if (twice !== undefined) throw refused(`${name} has the id ${twice} twice`)
  }
  for (const [index, product] of (Array.isArray(seeds.products) ? seeds.products : []).entries()) {
    const [fault] = Object.entries(readProduct(product).faults)
    if (fault) throw refused(`products[${index}].${fault.join(' ')}`)
  }
}

/** The id that several records have. */
export function idTwice(records: readonly Record<string, unknown>[]): string | undefined {
  const ids = records.flatMap(({ id }) => (id === undefined || id === null ? [] : [String(id)]))
  return [...Map.groupBy(ids, (id) => id)].find(([, all]) => all.length > 1)?.[0]
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

/**
 * The tables of resources by their address. Each is filled when it is first used, so that a start costs nothing, and once: one whose records
 * were all deleted stays empty.
 */
export class SeededTables {
  readonly #state: State
  readonly #seeds: Seeds
  readonly #now: () => number
  readonly #filled = new Map<string, Table<ApiRecord>>()

  constructor(state: State, seeds: Seeds, now: () => number) {
    this.#state = state
    this.#seeds = seeds
    this.#now = now
  }

  /** `usual`: its records without a seed. Those without an id get one, and a nested one the first owner. */
  of(path: string, usual: Seeds[string] = [], firstId = 1): Table<ApiRecord> {
    const known = this.#filled.get(path)
    if (known) return known
    const table = this.#state.table<ApiRecord>(`resource ${path}`, firstId)
    const mark = this.#state.table<{ id: number }>(`seeded ${path}`)
    if (mark.size === 0) {
      if (table.size === 0) table.fill(this.#records(path, usual, table))
      mark.fill([{ id: 1 }])
    }
    this.#filled.set(path, table)
    return table
  }

  *#records(path: string, usual: Seeds[string], ids: Table<ApiRecord>): Generator<ApiRecord> {
    const at = timestamp(this.#now())
    const owner = ownerFieldOf(path)
    for (const record of this.#seeds[path] ?? usual) {
      const owned = owner === undefined || record[owner] !== undefined ? {} : { [owner]: 1 }
      const times = { createdAt: at, updatedAt: at }
      yield { ...times, ...record, ...owned, id: Number(record.id ?? ids.nextId()) }
    }
  }
}

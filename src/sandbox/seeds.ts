import { didYouMean, nearest } from '../checked-options.ts'
import { wrongCall } from '../errors/errors.ts'
import { presets } from '../messages/presets.ts'
import { quantityRule, readProduct, readQuantity } from '../messages/products.ts'
import { notNumber, readField } from './api/fields.ts'
import { type ApiRecord, idOf, isObject, timestamp } from './api/records.ts'
import { ofEveryRecord } from './api/resource-api.ts'
import { ownerFieldOf, resourceRows } from './api/resources.ts'
import type { MovingClock } from './clock.ts'
import { idTwice, type Seeds, seedsFrom, seedUnusable } from './seed-files.ts'
import type { State, Table } from './state.ts'

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

/** The fault in `cart`, with its place. Products that are no list are not read. */
function cartFault({ products, cart }: Seeds): string | undefined {
  const known = products === undefined ? presets.usual.items.map(({ product }) => product) : products
  // Those without an id are numbered from 1.
  const ids = Array.isArray(known) ? known.map(({ id }, index) => Number(id ?? index + 1)) : undefined
  for (const [index, item] of (Array.isArray(cart) ? cart : []).entries()) {
    if (readQuantity(item.quantity ?? 1) === undefined) return `cart[${index}].quantity ${quantityRule}`
    const [unknown] = Object.keys(item).filter((name) => !cartFields.includes(name))
    if (unknown !== undefined)
      return `cart[${index}].${unknown} is not a field: ${didYouMean(unknown, cartFields)}`
    if (item.product === undefined)
      return `cart[${index}].product is missing: write the id of one of the products`
    if (ids && !ids.includes(Number(item.product)))
      return `cart[${index}].product must be the id of one of the products`
  }
}

const cartFields = ['product', 'quantity']
/**
 * The seeds of a file or a folder, and those of code, which come before them. Records stay as they are: those of a live shop have words and
 * forms of their own, and only their figures are reckoned with. Throws `SEED_UNUSABLE` that names the record and the field of a fault: now for
 * a list, and while it is used for what only iterates.
 */
export function seedsOf({ seed, resources }: { seed?: string; resources?: Seeds }): Seeds {
  if (!seed && !resources) return {}
  const given = { ...(seed && seedsFrom(seed)), ...resources }
  const fault = cartFault(given)
  if (fault !== undefined) refuse([fault], seed === undefined || resources?.cart ? '' : `${seed}: `)
  refuse(misspelt(given, ['cart', ...resourceRows().map(({ path }) => path)], 'a resource'))
  return Object.fromEntries(
    Object.entries(given).map(([path, records]): [string, Seeds[string]] => {
      const checked = { [Symbol.iterator]: () => checkedRecords(path, records) }
      return [path, Array.isArray(records) ? [...checked] : checked]
    }),
  )
}

function refuse(faults: readonly string[], place = ''): void {
  if (faults.length === 0) return
  const said = `${place}${faults.join('; ')}`
  throw seedUnusable(said.endsWith('?') ? said : `${said}.`)
}

function* checkedRecords(path: string, records: Seeds[string]): IterableIterator<Record<string, unknown>> {
  const fields = resourceRows().find((one) => one.path === path)?.fields ?? {}
  let number = 0
  for (const record of records) {
    const figures = Object.entries(record).filter(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name]! : undefined
      if (field?.kind !== 'whole' && field?.kind !== 'decimal') return false
      const read = readField(field, value, () => true)
      return 'fault' in read && read.fault === notNumber
    })
    const all = [
      ...(isId(record.id) ? [] : ['id must be a whole number from 1']),
      ...misspelt(record, Object.keys(fields), 'a field'),
      ...figures.map(([name]) => `${name} ${notNumber}`),
    ]
    refuse(all, `${path}, record ${++number}: `)
    yield record
  }
}

/** Names that are nearly a known one, each with what was meant. Other unknown names are those of a live shop, which has more of them. */
function misspelt(given: object, known: readonly string[], kind: string): string[] {
  const names = Object.keys(given).filter((name) => !known.includes(name) && !ofEveryRecord.includes(name))
  const missing = known.filter((name) => !Object.hasOwn(given, name))
  return names.flatMap((name) => {
    const meant = nearest(name, missing, (one) => Math.max(1, one.length / 3))
    return meant === undefined ? [] : [`${name} is not ${kind}: did you mean ${meant}?`]
  })
}

/** Saved tables may hold ids as text. Without one, the record gets the next. */
const isId = (id: unknown): boolean => id === undefined || id === null || idOf(id) > 0

export interface Seeding {
  state: State
  resources?: Seeds | undefined
  clock: MovingClock
}

/** The table of a resource, filled once, when it is first used. `usual`: its records without a seed. A nested one without an owner gets the first. */
export function seededTable(from: Seeding, path: string, usual: Seeds[string] = [], firstId = 1) {
  const table = from.state.table<ApiRecord>(`resource ${path}`, firstId)
  const mark = from.state.table<{ id: number }>(`seeded ${path}`)
  if (mark.get(1)) return table
  const records = from.resources?.[path] ?? usual
  if (table.count(0) === 0) table.fill(firstRecords(path, records, table, timestamp(from.clock.now())))
  mark.fill([{ id: 1 }])
  return table
}

function* firstRecords(path: string, records: Seeds[string], ids: Table<ApiRecord>, at: string) {
  const owner = ownerFieldOf(path)
  for (const record of records) {
    const owned = owner === undefined || record[owner] !== undefined ? {} : { [owner]: 1 }
    yield { createdAt: at, updatedAt: at, ...record, ...owned, id: Number(record.id ?? ids.nextId()) }
  }
}

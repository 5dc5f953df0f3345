import { seededAddress, seededCustomer } from '../../../messages/people.ts'
import { type Seeds, seededTable } from '../../seeds.ts'
import type { Shop } from '../../shop.ts'
import type { State } from '../../state.ts'
import type { Table } from '../../table.ts'
import { allCountries, apiLanguages } from '../languages.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { ApiRecord } from '../records.ts'
import { resourceRows } from '../resources.ts'
import { rowOf } from '../rows.ts'
import {
  actionSource,
  derivedSource,
  ownerFieldOf,
  type Source,
  Surface,
  tableSource,
  withSeeds,
} from '../surface.ts'
import {
  attributesSource,
  categoriesSource,
  firstOwnVariant,
  productsSource,
  shopSource,
  variantsSource,
} from './catalog.ts'
import { addOrders } from './order-sources.ts'
import { accountOf } from './orders.ts'
import { chargesSource, servicesSource } from './own.ts'

interface SurfaceOptions {
  shop: Shop
  state: State
  seeds: Seeds
  limits: RateLimits
  /** The user name of the caller, which its account shows. */
  key: string
}

/** Not resources: the cart of the shop's pages, and what `Catalogue` fills itself. */
const filledElsewhere = ['cart', 'products', 'shop']

/** The resources of a shop (spec 4.1, 4.2): every row of the table, and any other name that is seeded. */
export function surfaceOf({ shop, state, seeds, limits, key }: SurfaceOptions): Surface {
  const surface = new Surface()
  const tables = new Tables(state, seeds, () => shop.clock.now())
  const table = (path: string) => () => tables.of(path)
  const { catalogue } = shop
  const single = (record: () => Record<string, unknown>): Source =>
    actionSource({ single: () => record() as ApiRecord })
  const seededOr = (path: string, source: () => Source): Source =>
    Object.hasOwn(seeds, path) ? tableSource(table(path)) : source()
  const special: Record<string, Source> = {
    external_services: servicesSource(shop),
    app_subscriptions: chargesSource(shop),
    products: productsSource(catalogue),
    'products/{id}/attributes': attributesSource(
      table('products/{id}/attributes'),
      (path) => surface.must(path).source,
    ),
    categories: categoriesSource(table('categories')),
    shop: shopSource(catalogue),
    languages: seededOr('languages', () =>
      derivedSource(() => apiLanguages.map((one) => ({ ...one, isDefault: one.code === 'en' }))),
    ),
    countries: seededOr('countries', () => derivedSource(() => allCountries.map((one) => ({ ...one })))),
    webhooks: {
      ...tableSource(table('webhooks')),
      faults: ({ itemGroup }): Record<string, string> =>
        itemGroup === undefined || surface.find(String(itemGroup))
          ? {}
          : { itemGroup: 'must be a resource of the shop, such as orders' },
    },
    files: filesSource(table('files')),
    events: tableSource(() => state.table('event')),
    account: single(() => ({ id: 1, apiKey: key })),
    'account/permissions': single(() => ({ read: areas, write: areas })),
    'account/ratelimit': single(() => limits.view()),
    variants: seededOr('variants', () => variantsSource(catalogue, table('variants'))),
  }
  for (const one of resourceRows) surface.add(one, special[one.path] ?? tableSource(table(one.path)))
  for (const name of Object.keys(seeds))
    if (!surface.find(name) && !filledElsewhere.includes(name))
      surface.add(rowOf(`${name} | LNRCUD`), tableSource(table(name)))
  addOrders(surface, shop, state, table('customers'))
  for (const path of Object.keys(seeds)) {
    if (!ofOrders.test(path)) continue
    surface.replace(path, withSeeds(surface.must(path).source, table(path)))
    if (path === 'orders') shop.book.orders.startAfter(tables.of(path).lastId)
  }
  return surface
}

/** A file lies at the address that its `attachment` names. */
function filesSource(table: Parameters<typeof tableSource>[0]): Source {
  const source = tableSource(table)
  const kept = ({ attachment, ...fields }: Record<string, unknown>) =>
    attachment === undefined ? fields : { ...fields, src: attachment }
  return {
    ...source,
    create: (fields) => source.create!(kept(fields)),
    update: (record, fields) => source.update!(record, kept(fields)),
  }
}

/** The records that follow from the shop's own orders. Seeds stand beside them. */
const ofOrders = /^(orders|invoices|shipments)(\/\{id\}\/(products|items))?$|^orders\/events$/

const areas = ['account', 'catalog', 'checkouts', 'content', 'customers', 'orders', 'shop']

/** The tables of resources by their address. Each is filled when it is first used, so that a start costs nothing. */
class Tables {
  readonly #state: State
  readonly #seeds: Seeds
  readonly #now: () => number
  readonly #open = new Map<string, Table<ApiRecord>>()

  constructor(state: State, seeds: Seeds, now: () => number) {
    this.#state = state
    this.#seeds = seeds
    this.#now = now
  }

  of(path: string): Table<ApiRecord> {
    const known = this.#open.get(path)
    if (known) return known
    // A table is filled once: one whose records were all deleted stays empty.
    const mark = this.#state.table<{ id: number }>(`seeded ${path}`)
    const table = seededTable(this.#state, path, mark.size === 0 ? this.#records(path) : [], {
      now: this.#now(),
      ...(path === 'variants' && { firstId: firstOwnVariant }),
    })
    if (mark.size === 0) mark.fill([{ id: 1 }])
    this.#open.set(path, table)
    return table
  }

  *#records(path: string): IterableIterator<Record<string, unknown>> {
    const row = resourceRows.find((one) => one.path === path)
    const seeds = this.#seeds[path] ?? (path === 'customers' ? seededCustomers : (row?.seeds ?? []))
    const owner = ownerFieldOf(path)
    for (const seed of seeds)
      yield owner === undefined || seed[owner] !== undefined ? seed : { ...seed, [owner]: 1 }
  }
}

const seededCustomers: Record<string, unknown>[] = [
  {
    id: 90210,
    ...accountOf({ customer: seededCustomer, address: seededAddress }),
    type: 'private',
    isConfirmed: true,
    language: 'en',
  },
]

import { seededAddress, seededCustomer } from '../../../messages/people.ts'
import { type Seeds, seededTable } from '../../seeds.ts'
import type { Shop } from '../../shop.ts'
import type { State } from '../../state.ts'
import type { Table } from '../../table.ts'
import { allCountries, apiLanguages } from '../languages.ts'
import { type ApiRecord, timestamp } from '../records.ts'
import { resourceRows } from '../resources/index.ts'
import { type ResourceRow, row } from '../resources/row.ts'
import type { RateLimits } from '../routes.ts'
import {
  derivedSource,
  ownerFieldOf,
  type Source,
  Surface,
  singleSource,
  tableSource,
  withSeeds,
} from '../surface.ts'
import type { Uploads } from '../uploads.ts'
import { followChanges } from '../writes.ts'
import { cartRecords, firstOwnVariant, productsSource, shopSource, variantsSource } from './catalog.ts'
import { addOrders } from './order-sources.ts'
import { accountOf } from './orders.ts'
import { addQuotes } from './quotes.ts'

interface SurfaceOptions {
  shop: Shop
  state: State
  seeds: Seeds
  limits: RateLimits
  uploads: Uploads
  /** The user name of the caller, which its account shows. */
  key: string
}

/** Not resources: the cart of the shop's pages, and what `Catalogue` fills itself. */
const filledElsewhere = ['cart', 'products', 'shop']

/** The resources of a shop (spec 4.1): every row of the tables, and any other name that is seeded. */
export function surfaceOf({ shop, state, seeds, limits, uploads, key }: SurfaceOptions): Surface {
  const surface = new Surface()
  const tables = new Tables(state, seeds, () => shop.clock.now())
  const { catalogue } = shop
  const products = productsSource(catalogue)
  const events = state.collection<ApiRecord>('event')
  const special: Record<string, Source> = {
    products,
    catalog: catalogSource(products),
    shop: shopSource(catalogue),
    carts: derivedSource(() => cartRecords(catalogue).carts),
    'carts/{id}/products': derivedSource(() => cartRecords(catalogue).products),
    languages: derivedSource(() => apiLanguages.map((one) => ({ ...one, isDefault: one.code === 'en' }))),
    countries: derivedSource(() => allCountries.map((one) => ({ ...one }))),
    webhooks: {
      ...tableSource(() => tables.of('webhooks')),
      faults: ({ itemGroup }): Record<string, string> =>
        itemGroup === undefined || surface.find(String(itemGroup))
          ? {}
          : { itemGroup: 'must be a resource of the shop, such as orders' },
    },
    events: { ...derivedSource(() => events.all()), remove: (id) => events.delete(id) },
    account: singleSource(() => ({ id: 1, apiKey: key })),
    'account/permissions': singleSource(() => ({ read: areas, write: areas })),
    'account/ratelimit': singleSource(() => limits.view()),
    time: singleSource(({ now }) => ({
      rfc822: new Date(now).toUTCString(),
      iso8601: new Date(now).toISOString(),
      timestamp: Math.floor(now / 1000),
    })),
    dashboard: singleSource(() => ({
      orders: shop.orders.length,
      customers: tables.of('customers').size,
      products: catalogue.products.size,
      revenue: Number(shop.orders.reduce((sum, { amounts }) => sum + Number(amounts.incl), 0).toFixed(2)),
    })),
    ...(!Object.hasOwn(seeds, 'variants') && {
      variants: variantsSource(products, () => tables.of('variants')),
    }),
  }
  const add = (one: ResourceRow) =>
    surface.add(one, uploads.of(one, special[one.path] ?? sourceOf(one, tables)))
  for (const one of resourceRows) add(one)
  for (const name of Object.keys(seeds))
    if (!surface.find(name) && !filledElsewhere.includes(name)) add(row(name))
  addOrders({ surface, shop, state, customers: () => tables.of('customers') })
  for (const path of Object.keys(seeds)) {
    const resource = surface.find(path)
    if (!resource || !/^(orders|invoices|shipments)(\/\{id\}\/(products|items))?$/.test(path)) continue
    const seeded = withSeeds(resource.source, () => tables.of(path))
    surface.add(resource.row, seeded)
    if (path === 'orders') shop.startOrdersAfter(tables.of(path).lastId)
  }
  addQuotes(surface, shop)
  followChanges(state, surface, ({ resource, action, record }) => {
    const event = { itemGroup: resource.row.path, itemAction: action, itemId: record.id }
    events.set({ id: events.nextId(), createdAt: timestamp(shop.clock.now()), ...event })
    events.keep(1_000)
  })
  return surface
}

const areas = ['account', 'catalog', 'checkouts', 'content', 'customers', 'orders', 'shop']

/** A single record that can only be read has the values of its row until it is seeded. */
function sourceOf(row: ResourceRow, tables: Tables): Source {
  const source = tableSource(() => tables.of(row.path), ownerFieldOf(row.path))
  if (!row.single) return source
  if (row.verbs.includes('create')) return replacing(source)
  return { ...source, single: (asking) => source.single!(asking) ?? tables.of(row.path).set({ id: 1 }) }
}

/** A single record that is made again takes the place of the one before, such as the image of a brand. */
const replacing = (source: Source): Source => ({
  ...source,
  create(fields, asking) {
    const before = source.single!(asking)
    if (before) source.remove!(before.id)
    return source.create!(fields, asking)
  },
})

function catalogSource(products: Source): Source {
  const variants = variantsSource(products, () => ({ get: () => undefined }) as unknown as Table<ApiRecord>)
  const whole = (product: ApiRecord): ApiRecord => ({
    ...product,
    variants: [variants.get(product.id + 1000)],
  })
  return {
    get(id) {
      const product = products.get(id)
      return product && whole(product)
    },
    *each(since) {
      for (const product of products.each(since)) yield whole(product)
    },
    page: (part) => products.page!(part).map(whole),
    count: (since) => products.count!(since),
  }
}

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

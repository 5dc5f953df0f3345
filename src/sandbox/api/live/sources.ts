import { seededAddress, seededCustomer } from '../../../messages/people.ts'
import type { Seeds } from '../../seeds.ts'
import type { Shop } from '../../shop.ts'
import type { State } from '../../state.ts'
import { allCountries, apiLanguages } from '../languages.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { ApiRecord } from '../records.ts'
import { resourceRows } from '../resources.ts'
import { rowOf } from '../rows.ts'
import { actionSource, derivedSource, type Source, Surface, tableSource, withSeeds } from '../surface.ts'
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
  const { catalogue, tables } = shop
  const usual = new Map(resourceRows().map(({ path, seeds }) => [path, seeds])).set(
    'customers',
    seededCustomers,
  )
  const firstId = (path: string) => (path === 'variants' ? firstOwnVariant : 1)
  const table = (path: string) => () => tables.of(path, usual.get(path), firstId(path))
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
  for (const one of resourceRows()) surface.add(one, special[one.path] ?? tableSource(table(one.path)))
  for (const name of Object.keys(seeds))
    if (!surface.find(name) && !filledElsewhere.includes(name))
      surface.add(rowOf(`${name} | LNRCUD`), tableSource(table(name)))
  addOrders(surface, shop, state)
  for (const path of Object.keys(seeds)) {
    if (!ofOrders.test(path)) continue
    surface.replace(path, withSeeds(surface.must(path).source, table(path)))
    if (path === 'orders') shop.book.orders.startAfter(table(path)().lastId)
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

const seededCustomers: Record<string, unknown>[] = [
  {
    id: 90210,
    ...accountOf({ customer: seededCustomer, address: seededAddress }),
    type: 'private',
    isConfirmed: true,
    language: 'en',
  },
]

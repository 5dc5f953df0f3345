import { z } from 'zod'
import { seededAddress, seededCustomer } from '../../../messages/people.ts'
import { readDecimal } from '../../../money/index.ts'
import type { Charge } from '../../charges.ts'
import type { OpenShop } from '../../opened.ts'
import { seededTable } from '../../seeds.ts'
import type { Shop } from '../../shop.ts'
import type { NewService, Service } from '../../state.ts'
import { ApiError } from '../answers.ts'
import { allCountries, apiLanguages } from '../languages.ts'
import { type ApiRecord, datesOf } from '../records.ts'
import { resourceRows, rowOf } from '../resources.ts'
import { derivedSource, type Source, Surface, tableSource, withSeeds } from '../surface.ts'
import * as catalog from './catalog.ts'
import { orderSources } from './order-sources.ts'
import { accountOf } from './orders.ts'

/** Not resources: the cart of the shop's pages, and what `Catalogue` fills itself. */
const filledElsewhere = ['cart', 'products', 'shop']

/** The resources of a shop (spec 4.1, 4.2): every row of the table, and any other name that is seeded. */
export function surfaceOf({ shop, state, seeds, limits, api }: OpenShop): Surface {
  const surface = new Surface()
  const { catalogue, clock } = shop
  const usual = new Map(resourceRows().map(({ path, seeds }) => [path, seeds]))
    .set('customers', [seededAccount])
    .set(
      'languages',
      apiLanguages.map((one) => ({ ...one, isDefault: one.code === 'en' })),
    )
    .set('countries', allCountries)
  const firstId = (path: string) => (path === 'variants' ? catalog.firstOwnVariant : 1)
  const seeding = { state, resources: seeds, clock }
  const table = (path: string) => () => seededTable(seeding, path, usual.get(path), firstId(path))
  const single = (record: () => object) => derivedSource({ single: () => record() as ApiRecord })
  const ofOrders = orderSources(shop, state)
  const special: Record<string, Source> = {
    external_services: servicesSource(shop),
    app_subscriptions: chargesSource(shop),
    products: catalog.productsSource(catalogue),
    'products/{id}/attributes': catalog.attributesSource(
      table('products/{id}/attributes'),
      (path) => surface.find(path)!.source,
    ),
    categories: catalog.categoriesSource(table('categories')),
    shop: catalog.shopSource(catalogue),
    webhooks: {
      ...tableSource(table('webhooks')),
      faults: ({ itemGroup = 'orders', itemAction = '*' }) => ({
        ...(!surface.find(String(itemGroup)) && {
          itemGroup: 'must be a resource of the shop, such as orders',
        }),
        ...(!actions.includes(String(itemAction)) && { itemAction: `must be one of ${actions.join(', ')}` }),
      }),
    },
    // A file lies at the address that its `attachment` names.
    files: tableSource(table('files'), ({ attachment, ...file }) =>
      attachment === undefined ? file : { ...file, src: attachment },
    ),
    events: tableSource(() => state.table('event')),
    account: single(() => ({ id: 1, apiKey: api.key })),
    'account/permissions': single(() => ({ read: areas, write: areas })),
    'account/ratelimit': single(() => limits.view()),
    ...(!seeds.variants && { variants: catalog.variantsSource(catalogue, table('variants')) }),
  }
  for (const row of resourceRows()) {
    const { [row.path]: ofOrder } = ofOrders
    // Seeds, and what programs make, stand beside the records that follow from the shop's own orders.
    const shown =
      ofOrder && (seeds[row.path] || row.verbs.includes('C')) ? withSeeds(ofOrder, table(row.path)) : ofOrder
    surface.add(row, shown ?? special[row.path] ?? tableSource(table(row.path)))
  }
  for (const name of Object.keys(seeds))
    if (!surface.find(name) && !filledElsewhere.includes(name))
      surface.add(rowOf(`${name} | LNRCUD`), tableSource(table(name)))
  if (seeds.orders) shop.book.startAfter(table('orders')().lastId)
  return surface
}

const actions = ['*', 'created', 'updated', 'deleted', 'paid', 'shipped', 'cancelled']

const areas = ['account', 'catalog', 'checkouts', 'content', 'customers', 'orders', 'shop']

const seededAccount = {
  ...{ id: 90210, type: 'private', isConfirmed: true, language: 'en' },
  ...accountOf({ customer: seededCustomer, address: seededAddress }),
}

// The resources of spec 4.2: each caller has its own.

function servicesSource({ services }: Shop): Source {
  const record = (service: Service): ApiRecord => ({ ...service, ...datesOf(service) })
  const members: Partial<Source> = {
    create: (fields) => record(services.add(fields as unknown as NewService)),
    update: ({ id }, fields) => record(services.change(services.get(id)!, fields)),
    remove: services.remove,
  }
  return derivedSource(members, () => services.all().map(record))
}

const httpAddress = z.url({ protocol: /^https?$/ })

function chargesSource(shop: Shop): Source {
  const { charges } = shop
  const record = (charge: Charge): ApiRecord => {
    const { id, type, title, price, callbackUrl, status, token } = charge
    const pages = shop.apiUrl.replace(/\/api$/, `/charges/${id}`)
    return {
      ...{ id, type, title, price: Number(price), callbackUrl, status },
      approvalUrl: status === 'pending' ? `${pages}/approval?token=${token}` : null,
      cancelUrl: `${pages}/cancel?token=${token}`,
      ...datesOf(charge),
    }
  }
  const members: Partial<Source> = {
    faults: ({ price, callbackUrl }) => ({
      ...(Number(price) < 0 && { price: 'must be 0 or more' }),
      ...(!httpAddress.safeParse(callbackUrl).success && { callbackUrl: 'must be an address' }),
    }),
    create(fields) {
      const { type, title, callbackUrl } = fields as unknown as Charge
      const { appSubscriptionId: from, price } = fields
      const upgradeFrom = from === undefined ? undefined : Number(from)
      return record(charges.create({ type, title, callbackUrl, price: readDecimal(price)!, upgradeFrom }))
    },
    remove(id) {
      if (charges.remove(id)) return
      throw new ApiError(422, 'Only a charge that waits for the approval of the merchant can be removed.')
    },
  }
  return derivedSource(members, () => charges.all().map(record))
}

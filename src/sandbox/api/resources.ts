import { isCurrency, price } from '../../money/index.ts'
import { type Catalogue, variantOf } from '../catalogue.ts'
import { handlingOf, type Order } from '../orders.ts'
import { variantIdOf } from '../payloads.ts'
import { seededAddress, seededCustomer } from '../people.ts'
import { productOf, readProduct, recordOf } from '../products.ts'
import { type Seeds, seededCollection } from '../seeds.ts'
import type { Shop } from '../shop.ts'
import type { Collection, State } from '../state.ts'
import { ApiError } from './errors.ts'
import { type ApiRecord, timestamp } from './records.ts'

/** A resource of the shop. Without `write` it is read only: it follows from the events in the shop. */
export interface Resource {
  all(): ApiRecord[]
  /** Whether it is a single record, without an id in its path. */
  single?: boolean
  write?: Pick<Collection<ApiRecord>, 'delete' | 'nextId' | 'set'>
}

const link = (resource: string, id: number) => ({
  resource: { id, url: `${resource}/${id}`, link: `${resource}/${id}.json` },
})

const customers = [
  {
    id: 90210,
    ...seededCustomer,
    type: 'private',
    isConfirmed: true,
    addressShippingZipcode: seededAddress.zipcode,
    addressShippingCity: seededAddress.city,
    addressShippingCountry: seededAddress.country,
  },
]

const orderRecord = (order: Order): ApiRecord => {
  const { status, paymentStatus, result, invoice } = handlingOf(order)
  return {
    id: order.id,
    createdAt: timestamp(order.createdAt),
    updatedAt: timestamp(order.updatedAt),
    number: order.number,
    status,
    paymentStatus,
    shipmentStatus: result ?? 'not_shipped',
    priceExcl: Number(order.amounts.excl),
    priceIncl: Number(order.amounts.incl),
    email: order.customer.email,
    firstname: order.customer.firstname,
    lastname: order.customer.lastname,
    addressShippingZipcode: order.address.zipcode,
    addressShippingCountry: order.address.country,
    shipmentTitle: order.shipmentMethod?.title ?? false,
    shipmentData: order.shipmentMethod?.data ?? {},
    paymentTitle: order.paymentMethod.title,
    paymentData: { method: order.paymentMethod.data, customer: order.data },
    invoice,
    customer: false,
  }
}

/** Above the ids of the variant that every product has. */
const firstOwnVariant = 1_000_001

/** The products of the cart. Throws a 422 that names the field for a figure that no product has. */
function productsOf(catalogue: Catalogue): Resource {
  const { products } = catalogue
  return {
    all: () => products.all(),
    write: {
      nextId: () => products.nextId(),
      delete: (id) => products.delete(id),
      set(record) {
        const before = products.get(record.id)
        const { faults } = readProduct(record)
        const [fault] = Object.entries(faults)
        if (fault) throw new ApiError(422, `${fault[0]} ${fault[1]}.`)
        const { currency } = catalogue.shop
        const given = withExcl(record, before, currency)
        return products.set({ ...given, ...recordOf(productOf(given), currency) })
      },
    },
  }
}

/** A record whose price is given with tax alone gets the price without it. */
function withExcl(record: ApiRecord, before: ApiRecord | undefined, currency: string): ApiRecord {
  const { priceIncl } = record
  const isNew = priceIncl !== undefined && priceIncl !== before?.priceIncl
  if (!isNew || (record.priceExcl !== undefined && record.priceExcl !== before?.priceExcl)) return record
  const { product, faults } = readProduct({ priceExcl: priceIncl })
  if (faults.priceExcl) throw new ApiError(422, `priceIncl ${faults.priceExcl}.`)
  const { taxRate } = productOf(record)
  const { price_excl } = price({ incl: product.priceExcl ?? '0', taxRate, currency })
  return { ...record, priceExcl: price_excl }
}

/** Each product has one variant with its own fields; a program can make more. */
function variantsOf(catalogue: Catalogue, more: Collection<ApiRecord>): Resource {
  const products = productsOf(catalogue)
  const productOfVariant = (id: number) => catalogue.products.all().find((one) => variantIdOf(one.id) === id)
  return {
    all: () => [
      ...catalogue.products.all().map(variantOf),
      ...more.all().filter(({ id }) => id >= firstOwnVariant),
    ],
    write: {
      nextId: () => more.nextId(),
      delete: (id) => more.delete(id),
      set(record) {
        const product = productOfVariant(record.id)
        if (!product) return more.set(record)
        const { id: _, title: __, isDefault: ___, product: ____, ...fields } = record
        return variantOf(products.write!.set({ ...product, ...fields, id: product.id }))
      },
    },
  }
}

/** The shop that is visited, as one record. */
function shopsOf(catalogue: Catalogue): Resource {
  const { shops } = catalogue
  return {
    single: true,
    all: () => shops.all().filter(({ id }) => id === catalogue.shop.id),
    write: {
      nextId: () => shops.nextId(),
      delete: () => undefined,
      set(record) {
        if (!isCurrency(record.currency)) throw new ApiError(422, 'currency is a code such as eur.')
        const saved = shops.set({ ...record, currency: record.currency.toLowerCase() })
        catalogue.setCurrency(record.currency.toLowerCase())
        return saved
      },
    },
  }
}

/** The resources of a shop by name (spec 4.1): seeded ones, and ones that follow from events. */
export function resourcesOf(shop: Shop, state: State, seeds: Seeds): Map<string, Resource> {
  const resources = new Map<string, Resource>()
  const { products: _, shop: __, cart: ___, ...others } = seeds
  const now = shop.clock.now()
  for (const [name, records] of Object.entries({ customers, ...others })) {
    const firstId = name === 'variants' ? firstOwnVariant : undefined
    const write = seededCollection(state, name, records, { now, ...(firstId && { firstId }) })
    resources.set(name, { all: () => write.all(), write })
  }
  const { catalogue } = shop
  resources.set('products', productsOf(catalogue))
  if (!others.variants) {
    const more = state.collection<ApiRecord>('resource variants', firstOwnVariant)
    resources.set('variants', variantsOf(catalogue, more))
  }
  resources.set('shop', shopsOf(catalogue))
  resources.set('orders', { all: () => shop.orders.map(orderRecord) })
  resources.set('invoices', {
    all: () =>
      shop.invoices.all().flatMap(({ for: whom, createdAt, orderId, total, ...invoice }) => {
        if (whom !== 'customer') return []
        const order = orderId === undefined ? false : link('orders', orderId)
        return [{ ...invoice, createdAt: timestamp(createdAt), priceIncl: Number(total), order }]
      }),
  })
  return resources
}

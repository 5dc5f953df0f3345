import { cart, currency } from '../cart.ts'
import { handlingOf, type Order } from '../orders.ts'
import { seededAddress, seededCustomer, shopId } from '../payloads.ts'
import type { Shop } from '../shop.ts'
import type { Collection, State } from '../state.ts'
import { type ApiRecord, timestamp } from './records.ts'

/** Initial records of each resource, by its name. */
export type Seeds = Record<string, Record<string, unknown>[]>

/** A resource of the shop. Without `write` it is read only: it follows from the events in the shop. */
export interface Resource {
  all(): ApiRecord[]
  /** Whether it is a single record, without an id in its path. */
  single?: boolean
  write?: Collection<ApiRecord>
}

const link = (resource: string, id: number) => ({
  resource: { id, url: `${resource}/${id}`, link: `${resource}/${id}.json` },
})

const products: Record<string, unknown>[] = cart.map((line) => ({
  id: line.id,
  isVisible: true,
  title: line.title,
  fulltitle: `${line.title} - Default`,
  description: '',
  brand: false,
  variants: { resource: { id: false, url: `variants?product=${line.id}`, link: 'variants.json' } },
}))

const variants = cart.map((line) => ({
  id: line.id + 1000,
  isDefault: true,
  title: 'Default',
  articleCode: `ART-${line.id}`,
  priceExcl: Number(line.price_excl) / line.quantity,
  priceIncl: Number(line.price_incl) / line.quantity,
  weight: line.weight / line.quantity,
  stockLevel: 25,
  product: link('products', line.id),
}))

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

const shopRecords = [{ id: shopId, title: 'Sandbox shop', currency, mainLanguage: 'en' }]

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

/** The resources of a shop by name (spec 4.1): seeded ones, and ones that follow from events. */
export function resourcesOf(shop: Shop, state: State, seeds: Seeds): Map<string, Resource> {
  const resources = new Map<string, Resource>()
  const seeded: Seeds = { products, variants, customers, shop: shopRecords, ...seeds }
  for (const [name, records] of Object.entries(seeded)) {
    const write = state.collection<ApiRecord>(`resource ${name}`)
    const now = timestamp(shop.clock.now())
    if (write.size === 0) {
      for (const record of records) {
        const id = Number(record.id ?? write.nextId())
        write.set({ createdAt: now, updatedAt: now, ...record, id })
      }
    }
    resources.set(name, { all: () => write.all(), write, single: name === 'shop' })
  }
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

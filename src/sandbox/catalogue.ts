import { type CartLine, lineOf, linesFrom } from '../messages/lines.ts'
import { shopId } from '../messages/live.ts'
import { type PresetName, presets } from '../messages/presets.ts'
import { most, type Product, productOf, readQuantity, recordOf } from '../messages/products.ts'
import { isCurrency } from '../money/index.ts'
import { type ApiRecord, isObject, timestamp } from './api/records.ts'
import type { MovingClock } from './clock.ts'
import { type Seeding, seededTable } from './seeds.ts'
import type { Table } from './state.ts'

/** A shop of the platform. Its id goes into every call. */
export type PlatformShop = ReturnType<typeof shopOf>

interface KeptCart {
  id: number
  items: { product: number; quantity: number }[]
  /** The preset that fills it, where its lines have habits that its products have not. */
  preset?: PresetName | undefined
  shop?: number
}

const firstShop = { id: shopId, title: 'Sandbox shop', currency: 'eur', mainLanguage: 'en' }

const shownProducts = 250

/** The products, the cart and the shops of a platform. The records of the API are the products of the cart. */
export class Catalogue {
  readonly products: Table<ApiRecord>
  readonly shops: Table<ApiRecord>
  readonly #carts: Table<KeptCart>
  readonly #clock: MovingClock

  constructor(from: Seeding) {
    const { products, cart } = from.resources ?? {}
    this.#clock = from.clock
    this.shops = seededTable(from, 'shop', [firstShop], shopId)
    this.#carts = from.state.table('cart')
    const usual = presets.usual.items.map(({ product }) =>
      productRecord({ id: product.id }, product, this.shop.currency),
    )
    this.products = seededTable(from, 'products', usual, products ? 1 : 101)
    if (this.#carts.get(1)) return
    if (cart) for (const item of cart) this.put(Number(item.product), readQuantity(item.quantity ?? 1) ?? 1)
    else if (products) for (const { id } of this.#first(most.lines)) this.put(id, 1)
    else for (const { product, quantity } of presets.usual.items) this.put(product.id, quantity)
    this.#keep({})
  }

  get shop(): PlatformShop {
    const chosen = this.shops.get(this.#carts.get(1)?.shop ?? 0)
    return shopOf(chosen ?? this.shops.all()[0] ?? firstShop)
  }

  shopWith(id: number): PlatformShop | undefined {
    const record = this.shops.get(id)
    return record && shopOf(record)
  }

  allShops(): PlatformShop[] {
    return this.shops.all().map(shopOf)
  }

  visit(id: number): void {
    if (this.shops.get(id)) this.#keep({ shop: id })
  }

  setCurrency(currency: string): void {
    this.shops.set({ ...this.shops.get(this.shop.id), ...this.shop, currency, updatedAt: this.#now })
    for (const record of this.products.each(0)) this.save(pieceOf(record))
  }

  addShop(title: string, currency: string): PlatformShop {
    const now = this.#now
    const times = { createdAt: now, updatedAt: now }
    return shopOf(this.shops.set({ id: this.shops.nextId(), title, currency, mainLanguage: 'en', ...times }))
  }

  all(): Product[] {
    return this.#first(shownProducts).map(pieceOf)
  }

  find(id: number): Product | undefined {
    const record = this.products.get(id)
    return record && pieceOf(record)
  }

  /** The products in the cart. Those that the API has deleted are gone. */
  items() {
    return (this.#carts.get(1)?.items ?? []).flatMap(({ product: id, quantity }) => {
      const product = this.find(id)
      return product ? [{ product, quantity }] : []
    })
  }

  lines(currency = this.shop.currency): CartLine[] {
    const { preset } = this.#carts.get(1) ?? {}
    if (preset) return linesFrom(preset, currency)
    return this.items().map(({ product, quantity }) => lineOf(product, quantity, currency))
  }

  save(product: Omit<Product, 'id'> & { id?: number }): Product {
    const id = product.id ?? this.products.nextId()
    const updatedAt = this.#now
    const before = this.products.get(id) ?? { id, createdAt: updatedAt }
    const record = productRecord({ ...before, updatedAt }, { ...product, id }, this.shop.currency)
    return pieceOf(this.products.set(record))
  }

  /** Puts pieces of a product into the cart, in place of those that are there; 0 takes them out. Ignored without such a product. */
  put(product: number, quantity: number): void {
    if (!this.products.get(product)) return
    const items = new Map(this.items().map((item) => [item.product.id, item.quantity]))
    if (items.has(product) || items.size < most.lines) items.set(product, quantity)
    const kept = [...items].map(([product, quantity]) => ({ product, quantity }))
    this.#keep({ items: kept.filter((item) => item.quantity > 0), preset: undefined })
  }

  /** Fills the cart with a preset, whose products become as they were. */
  fill(name: PresetName): void {
    const { items, isHabit } = presets[name]
    // A discount is a line of the cart, and no product of the shop.
    for (const { product } of items) if (!product.priceExcl.startsWith('-')) this.save(product)
    const kept = items.map(({ product, quantity }) => ({ product: product.id, quantity }))
    this.#keep({ items: kept, preset: isHabit ? name : undefined })
  }

  get #now(): string {
    return timestamp(this.#clock.now())
  }

  #keep(changes: Partial<KeptCart>): void {
    this.#carts.set({ items: [], ...this.#carts.get(1), ...changes, id: 1 })
  }

  #first(limit: number): ApiRecord[] {
    return this.products.page({ since: 0, offset: 0, limit })
  }
}

/** The product of a record, with the figures of its variant. A seed may have them beside its title. */
export const pieceOf = (record: ApiRecord): Product =>
  productOf({ ...(record._variant as object | undefined), ...record, title: record.title })

/** The record of a product, as live platforms have it: the figures of a piece are those of its variant. */
export function productRecord(record: ApiRecord, product: Product, currency: string): ApiRecord {
  const { title, fulltitle, description, ...figures } = recordOf(product, currency)
  const kept = Object.entries(record).filter(([name]) => !Object.hasOwn(figures, name))
  const _variant = { ...(record._variant as object | undefined), ...figures }
  return { ...Object.fromEntries(kept), title, fulltitle, description, _variant, id: record.id }
}

function shopOf(record: ApiRecord) {
  // A seed of a live shop has an object.
  const given = isObject(record.currency) ? record.currency.shortcode : record.currency
  const currency = typeof given === 'string' ? given.toLowerCase() : ''
  return {
    id: record.id,
    title: String(record.title ?? `Shop ${record.id}`),
    /** Three lower-case letters. */
    currency: isCurrency(currency) ? currency : 'eur',
  }
}

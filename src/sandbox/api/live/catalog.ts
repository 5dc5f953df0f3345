import { variantIdOf } from '../../../messages/live.ts'
import { productOf, readProduct, recordOf } from '../../../messages/products.ts'
import { isCurrency, price } from '../../../money/index.ts'
import type { Catalogue } from '../../catalogue.ts'
import type { Table } from '../../table.ts'
import { ApiError } from '../answers.ts'
import type { ApiRecord } from '../records.ts'
import type { Source } from '../surface.ts'

/** Above the ids of the variant that every product has. */
export const firstOwnVariant = 1_000_000_001

/** The products of the cart. Throws a 422 that names the field for a figure that no product has. */
export function productsSource(catalogue: Catalogue): Source {
  const { products } = catalogue
  const save = (record: ApiRecord, before?: ApiRecord): ApiRecord => {
    const { currency } = catalogue.shop
    const given = withExcl(record, before, currency)
    return products.set({ ...given, ...recordOf(productOf(given), currency) })
  }
  // A seed may say little of a product: the rest follows.
  const complete = (record: ApiRecord): ApiRecord => {
    const { currency } = catalogue.shop
    const given = record.priceExcl === undefined ? withExcl(record, undefined, currency) : record
    return { ...recordOf(productOf(given), currency), ...record }
  }
  return {
    get(id) {
      const record = products.get(id)
      return record && complete(record)
    },
    *each(since) {
      for (const record of products.each(since)) yield complete(record)
    },
    page: (part) => products.page(part).map(complete),
    count: (since) => products.count(since),
    create: (fields) => save({ ...fields, id: products.nextId() }),
    update: (record, fields) => save({ ...record, ...fields }, record),
    remove: (id) => products.delete(id),
    faults: faultsOf,
  }
}

function faultsOf({ priceIncl, ...fields }: Record<string, unknown>): Record<string, string> {
  const { priceExcl: fault } = readProduct({ priceExcl: priceIncl }).faults
  return { ...readProduct(fields).faults, ...(fault !== undefined && { priceIncl: fault }) }
}

/** A record whose price is given with tax alone gets the price without it. */
function withExcl(record: ApiRecord, before: ApiRecord | undefined, currency: string): ApiRecord {
  const { priceIncl } = record
  const isNew = priceIncl !== undefined && priceIncl !== before?.priceIncl
  if (!isNew || (record.priceExcl !== undefined && record.priceExcl !== before?.priceExcl)) return record
  const { product } = readProduct({ priceExcl: priceIncl })
  const { taxRate } = productOf(record)
  const { price_excl } = price({ incl: product.priceExcl ?? '0', taxRate, currency })
  return { ...record, priceExcl: price_excl }
}

const ofProduct = variantIdOf(0)

/** Each product has one variant with its own figures; a program can make more. */
export function variantsSource(products: Source, own: () => Table<ApiRecord>): Source {
  const update = (record: ApiRecord, fields: Record<string, unknown>, ...asking: [never]): ApiRecord => {
    const product = products.get(record.id - ofProduct)
    if (record.id >= firstOwnVariant || !product) return own().set({ ...record, ...fields })
    const { product: _, id: __, ...changes } = fields
    const known = Object.entries(changes).filter(([name]) => name in product && name !== 'title')
    const figures = Object.fromEntries(known)
    const others = Object.fromEntries(Object.entries(changes).filter(([name]) => !(name in figures)))
    const kept = { ...(product._variant as object | undefined), ...others }
    return variantOf(products.update!(product, { ...figures, _variant: kept }, ...asking))
  }
  return {
    get(id) {
      if (id >= firstOwnVariant) return own().get(id)
      const product = products.get(id - ofProduct)
      return product && variantOf(product)
    },
    *each(since) {
      for (const product of products.each(Math.max(0, since - ofProduct))) yield variantOf(product)
      yield* own().each(Math.max(since, firstOwnVariant - 1))
    },
    count: (since) =>
      products.count!(Math.max(0, since - ofProduct)) + own().count(Math.max(since, firstOwnVariant - 1)),
    faults: faultsOf,
    create: (fields) => own().set({ ...fields, id: own().nextId() }),
    update: update as Source['update'] & {},
    remove(id) {
      if (id < firstOwnVariant) throw new ApiError(422, 'The default variant is removed with its product.')
      own().delete(id)
    },
  }
}

function variantOf(product: ApiRecord): ApiRecord {
  const { id, _variant, ...fields } = product
  for (const name of 'fulltitle description content title url brand supplier type set'.split(' '))
    delete fields[name]
  return { ...fields, isDefault: true, ...(_variant as object | undefined), id: variantIdOf(id), product: id }
}

/** The shop that is visited, as one record. */
export function shopSource(catalogue: Catalogue): Source {
  const { shops } = catalogue
  return {
    get: (id) => shops.get(id),
    each: () => [],
    single: () => shops.get(catalogue.shop.id),
    update(record, fields) {
      const currency = String(fields.currency ?? record.currency).toLowerCase()
      if (!isCurrency(currency)) throw new ApiError(422, 'currency must be a code such as eur.')
      shops.set({ ...record, ...fields, currency })
      if (fields.currency !== undefined) catalogue.setCurrency(currency)
      return shops.get(record.id)!
    },
  }
}

export function cartRecords(catalogue: Catalogue): { carts: ApiRecord[]; products: ApiRecord[] } {
  const { currency } = catalogue.shop
  const lines = catalogue.lines()
  const sum = (name: 'price_excl' | 'price_incl') =>
    Number(lines.reduce((all, line) => all + Number(line[name]), 0).toFixed(4))
  const products = lines.map((line, place) => ({
    id: place + 1,
    cart: 1,
    productTitle: line.title,
    quantity: line.quantity,
    priceExcl: Number(line.price_excl),
    priceIncl: Number(line.price_incl),
    taxRate: Number(line.tax_rate),
    product: line.productId,
    variant: variantIdOf(line.productId),
  }))
  const cart = { id: 1, currency, priceExcl: sum('price_excl'), priceIncl: sum('price_incl') }
  return { carts: [cart], products }
}

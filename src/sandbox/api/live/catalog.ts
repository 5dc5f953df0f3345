import { variantIdOf } from '../../../messages/live.ts'
import { fulltitleOf, productFields, readProduct, recordOf } from '../../../messages/products.ts'
import { price } from '../../../money/index.ts'
import { type Catalogue, pieceOf, productRecord } from '../../catalogue.ts'
import type { Table } from '../../state.ts'
import { ApiError } from '../answers.ts'
import { type ApiRecord, idIn } from '../records.ts'
import { derivedSource, type Source, tableSource } from '../surface.ts'

/** Above the ids of the variant that every product has. */
export const firstOwnVariant = 1_000_000_001

type Fields = Record<string, unknown>

/** The products of the cart. A figure that a program writes goes to the variant, which shows it. */
export function productsSource(catalogue: Catalogue): Source {
  const { products } = catalogue
  // A seed may say little of a product: the rest follows.
  const complete = (record: ApiRecord): ApiRecord => {
    const { title } = pieceOf(record)
    return { title, fulltitle: fulltitleOf(title), ...record }
  }
  return {
    ...tableSource(() => products, complete),
    create: (fields) => complete(saved(catalogue, { id: products.nextId() }, fields)),
    update: ({ id }, fields) => complete(saved(catalogue, products.get(id)!, fields)),
    faults: faultsOf,
  }
}

function saved(catalogue: Catalogue, before: ApiRecord, fields: Fields): ApiRecord {
  const { currency } = catalogue.shop
  const record = { ...before, ...withPrices(recordOf(pieceOf(before), currency), fields, currency) }
  return catalogue.products.set(productRecord(record, pieceOf(record), currency))
}

function faultsOf({ priceIncl, ...fields }: Fields): Record<string, string> {
  const { priceExcl: fault } = readProduct({ priceExcl: priceIncl }).faults
  return { ...readProduct(fields).faults, ...(fault !== undefined && { priceIncl: fault }) }
}

/** The sent fields with both prices: one that is not sent, or is as before at the same rate, follows from the other. */
function withPrices(before: Fields, fields: Fields, currency: string): Fields {
  const isRateNew = fields.taxRate !== undefined && fields.taxRate !== before.taxRate
  const isNew = (name: string) => fields[name] !== undefined && (isRateNew || fields[name] !== before[name])
  if (isNew('priceExcl') === isNew('priceIncl')) return fields
  const taxRate = String(fields.taxRate ?? before.taxRate ?? '0.21')
  if (isNew('priceExcl')) {
    const { price_incl } = price({ excl: String(fields.priceExcl), taxRate, currency })
    return { ...fields, priceIncl: Number(price_incl) }
  }
  const { price_excl } = price({ incl: String(fields.priceIncl), taxRate, currency })
  return { ...fields, priceExcl: Number(price_excl) }
}

const ofProduct = variantIdOf(0)
const figures: readonly string[] = [...productFields, 'priceIncl', 'updatedAt']

/** Each product has one variant with its own figures; a program can make more. */
export function variantsSource(catalogue: Catalogue, own: () => Table<ApiRecord>): Source {
  const { products } = catalogue
  const variantOf = (product: ApiRecord): ApiRecord => {
    const { id, createdAt, updatedAt, _variant } = product
    const { title, fulltitle, description, ...ofPiece } = recordOf(pieceOf(product), catalogue.shop.currency)
    const ofIt = { isDefault: true, ...(_variant as object | undefined), ...ofPiece, product: id }
    return { ...ofIt, createdAt, updatedAt, id: variantIdOf(id) }
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
      products.count(Math.max(0, since - ofProduct)) + own().count(Math.max(since, firstOwnVariant - 1)),
    faults: faultsOf,
    create: (fields) => own().set({ ...withPrices({}, fields, catalogue.shop.currency), id: own().nextId() }),
    update(record, { product: _, ...changes }) {
      const product = record.id >= firstOwnVariant ? undefined : products.get(record.id - ofProduct)
      if (!product) return own().set({ ...record, ...withPrices(record, changes, catalogue.shop.currency) })
      const isFigure = ([name]: [string, unknown]) => name !== 'title' && figures.includes(name)
      const { ofPiece = [], others = [] } = Object.groupBy(Object.entries(changes), (change) =>
        isFigure(change) ? 'ofPiece' : 'others',
      )
      const _variant = { ...(product._variant as object | undefined), ...Object.fromEntries(others) }
      return variantOf(saved(catalogue, { ...product, _variant }, Object.fromEntries(ofPiece)))
    },
    remove(id) {
      if (id < firstOwnVariant) throw new ApiError(422, 'The default variant is removed with its product.')
      own().delete(id)
    },
  }
}

/** Categories with their depth and their path: the ids from the top one down to their own. */
export function categoriesSource(table: () => Table<ApiRecord>): Source {
  const pathOf = (record: ApiRecord, below: readonly number[] = []): number[] => {
    const path = [record.id, ...below]
    const parent = table().get(idIn(record.parent))
    // A seed may name a circle.
    return parent && !path.includes(parent.id) ? pathOf(parent, path) : path
  }
  return tableSource(table, (record) => {
    const path = pathOf(record)
    return { depth: path.length, path: path.map(String), ...record }
  })
}

const attributesOfProduct = 10_000

/** The attributes of products: those of the product's type, each with the value that was set for it. */
export function attributesSource(own: () => Table<ApiRecord>, find: (path: string) => Source): Source {
  const derived = (product: ApiRecord | undefined, id: number): ApiRecord[] => {
    const type = idIn(product?.type)
    return [...find('types/attributes').each(0)].flatMap((joined) => {
      const attribute = find('attributes').get(idIn(joined.attribute))
      if (!attribute || idIn(joined.type) !== type) return []
      const { title, defaultValue = '' } = attribute
      const ofType = { title, value: defaultValue, attribute: attribute.id, product: id }
      return [{ ...ofType, id: id * attributesOfProduct + attribute.id }]
    })
  }
  const of = (product: number): ApiRecord[] => {
    const set = [...own().each(0)].filter((one) => idIn(one.product) === product)
    const isSet = ({ attribute }: ApiRecord) => set.some((one) => idIn(one.attribute) === attribute)
    const unset = derived(find('products').get(product), product).filter((one) => !isSet(one))
    return [...set, ...unset].sort((one, other) => one.id - other.id)
  }
  return derivedSource({
    get: (id) => own().get(id) ?? of(Math.floor(id / attributesOfProduct)).find((record) => record.id === id),
    each: (since, owner) =>
      owner === undefined ? own().each(since) : of(owner).filter(({ id }) => id > since),
    update: (record, fields) => own().set({ ...record, ...fields }),
  })
}

export function shopSource(catalogue: Catalogue): Source {
  const { shops } = catalogue
  return derivedSource({
    get: (id) => shops.get(id),
    single: () => shops.get(catalogue.shop.id),
    update(record, fields) {
      const currency = fields.currency === undefined ? undefined : String(fields.currency).toLowerCase()
      shops.set({ ...record, ...fields, ...(currency && { currency }) })
      if (currency) catalogue.setCurrency(currency)
      return shops.get(record.id)!
    },
  })
}

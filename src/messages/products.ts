import { type Decimal, decimal, price, readDecimal } from '../money/index.ts'

/** A product of the shop. All figures are of one piece, in the units of the shop; 0 and empty text are no data. */
export interface Product {
  id: number
  /** Default in a cart: `Product 1`, by its place. */
  title: string
  /** Empty: the title with the name of its variant, as in `Mug - Default`. */
  fulltitle: string
  /** Default in a cart: none. */
  description: string
  /** Without tax, in the currency of the shop. */
  priceExcl: Decimal
  /** A fraction: `0.21` is 21 %. */
  taxRate: Decimal
  /** Of one piece, a whole number in the shop's unit of weight. Default in a cart: 0. */
  weight: number
  /** Of one piece, a whole number in the shop's unit of volume. Default in a cart: 0. */
  volume: number
  /** The number of parcels of one piece. Default in a cart: 0. */
  colli: number
  /** The length, in the shop's unit of length. Default in a cart: 0. */
  sizeX: number
  /** The width, in the shop's unit of length. Default in a cart: 0. */
  sizeY: number
  /** The height, in the shop's unit of length. Default in a cart: 0. */
  sizeZ: number
  /** Default in a cart: none. */
  articleCode: string
  /** The number of its bar code. Default in a cart: none. */
  ean: string
  /** Default in a cart: none. */
  sku: string
  /** Pieces in stock. */
  stockLevel: number
}

/** The most of everything: their product still fits the amounts and whole numbers of the contract. */
export const most = {
  lines: 50,
  quantity: 9_999,
  price: 1_000_000,
  whole: 1_000_000_000,
  colli: 999,
  size: 1_000_000,
  text: 200,
}

export const emptyProduct: Omit<Product, 'id' | 'title'> = {
  fulltitle: '',
  description: '',
  priceExcl: '0',
  taxRate: '0.21',
  weight: 0,
  volume: 0,
  colli: 0,
  sizeX: 0,
  sizeY: 0,
  sizeZ: 0,
  articleCode: '',
  ean: '',
  sku: '',
  stockLevel: 25,
}

type Field = Exclude<keyof Product, 'id'>
type Read = (given: unknown) => string | number | undefined

const en = new Intl.NumberFormat('en')

const text =
  (least: 0 | 1): Read =>
  (given) => {
    const value = typeof given === 'number' ? String(given) : given
    if (typeof value !== 'string') return undefined
    const trimmed = value.trim()
    return trimmed.length >= least && trimmed.length <= most.text ? trimmed : undefined
  }

const decimalUpTo =
  (limit: number): Read =>
  (given) => {
    const value = readDecimal(typeof given === 'string' ? given.trim() : given)
    return value === undefined || value.startsWith('-') || decimal(value).gt(limit) ? undefined : value
  }

const numberUpTo =
  (limit: number, whole: boolean): Read =>
  (given) => {
    const value = decimalUpTo(limit)(given)
    return value === undefined || (whole && !Number.isInteger(Number(value))) ? undefined : Number(value)
  }

/** Each field with its reader and the rule that it breaks otherwise. */
const fields: Record<Field, { read: Read; rule: string }> = {
  title: { read: text(1), rule: `is text of 1 to ${most.text} characters` },
  fulltitle: { read: text(0), rule: `is text of at most ${most.text} characters` },
  description: { read: text(0), rule: `is text of at most ${most.text} characters` },
  priceExcl: {
    read: decimalUpTo(most.price),
    rule: `is a price from 0 to ${en.format(most.price)}, with a point, such as 9.50`,
  },
  taxRate: { read: decimalUpTo(1), rule: 'is a fraction from 0 to 1, such as 0.21' },
  weight: { read: numberUpTo(most.whole, true), rule: wholeUpTo(most.whole) },
  volume: { read: numberUpTo(most.whole, true), rule: wholeUpTo(most.whole) },
  colli: { read: numberUpTo(most.colli, true), rule: wholeUpTo(most.colli) },
  sizeX: size(),
  sizeY: size(),
  sizeZ: size(),
  articleCode: { read: text(0), rule: `is text of at most ${most.text} characters` },
  ean: { read: text(0), rule: `is text of at most ${most.text} characters` },
  sku: { read: text(0), rule: `is text of at most ${most.text} characters` },
  stockLevel: { read: numberUpTo(most.whole, true), rule: wholeUpTo(most.whole) },
}

function wholeUpTo(limit: number): string {
  return `is a whole number from 0 to ${en.format(limit)}, without a unit`
}

function size() {
  return {
    read: numberUpTo(most.size, false),
    rule: `is a number above 0, up to ${en.format(most.size)}; leave it empty if there is none`,
  }
}

export const productFields = Object.keys(fields) as Field[]

const isNoData = (given: unknown) => given === undefined || given === null || given === false || given === ''

/**
 * Reads the given fields of a product; fields without data become 0 or empty text. `faults` has the rule of each field that breaks one,
 * as in `is a whole number from 0 to 999, without a unit`.
 */
export function readProduct(given: Record<string, unknown>): {
  product: Partial<Omit<Product, 'id'>>
  faults: Partial<Record<Field, string>>
} {
  const product: Record<string, unknown> = {}
  const faults: Partial<Record<Field, string>> = {}
  for (const name of productFields) {
    if (!Object.hasOwn(given, name)) continue
    const value = given[name]
    if (isNoData(value) && name !== 'title') product[name] = emptyProduct[name]
    else {
      const read = fields[name].read(value)
      if (read === undefined) faults[name] = fields[name].rule
      else product[name] = read
    }
  }
  return { product, faults }
}

/** A whole number of pieces, from 1 to 9,999; `undefined` for anything else. */
export function readQuantity(given: unknown): number | undefined {
  const value = numberUpTo(most.quantity, true)(given)
  return typeof value === 'number' && value >= 1 ? value : undefined
}

export const quantityRule = `is a whole number from 1 to ${en.format(most.quantity)}`

/** A product as the shop's records hold it. Fields that cannot be read are no data. */
export function productOf(record: { id: number } & Record<string, unknown>): Product {
  const { product } = readProduct(record)
  const read = { ...emptyProduct, title: `Product ${record.id}`, ...product, id: record.id }
  return read.fulltitle === fulltitleOf(read.title) ? { ...read, fulltitle: '' } : read
}

export const fulltitleOf = (title: string): string => `${title} - Default`

/** The fields of a product as its API shows them: prices and sizes are numbers, and `priceIncl` follows from `priceExcl`. */
export function recordOf({ id: _, ...product }: Product, currency: string): Record<string, unknown> {
  const { priceExcl, taxRate } = product
  const { price_incl } = price({ excl: priceExcl, taxRate, currency })
  return {
    ...product,
    fulltitle: product.fulltitle || fulltitleOf(product.title),
    priceExcl: Number(priceExcl),
    priceIncl: Number(price_incl),
    taxRate: Number(taxRate),
  }
}

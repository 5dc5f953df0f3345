import { isNoData } from '../contract/plain-read.ts'
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

type Field = Exclude<keyof Product, 'id'>
type Read = (given: unknown) => string | number | undefined

/** A whole number with its thousands apart. `Intl` would read the rules of a language for it at each start, for 30 ms. */
const apart = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',')

/** A field: its value without data, its reader, and the rule that it breaks otherwise. */
interface Rule {
  empty: string | number
  read: Read
  rule: string
}

const text = (least: 0 | 1): Rule => ({
  empty: '',
  read(given) {
    const trimmed = typeof given === 'number' || typeof given === 'string' ? String(given).trim() : undefined
    return trimmed !== undefined && trimmed.length >= least && trimmed.length <= most.text
      ? trimmed
      : undefined
  },
  rule: `must be text of ${least === 1 ? '1 to' : 'at most'} ${most.text} characters`,
})

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

const whole = (limit: number, empty = 0): Rule => ({
  empty,
  read: numberUpTo(limit, true),
  rule: `must be a whole number from 0 to ${apart(limit)}, without a unit`,
})

const size: Rule = {
  empty: 0,
  read: numberUpTo(most.size, false),
  rule: `must be a number above 0, up to ${apart(most.size)}; leave it empty if there is none`,
}

const fields: Record<Field, Rule> = {
  title: text(1),
  fulltitle: text(0),
  description: text(0),
  priceExcl: {
    empty: '0',
    read: decimalUpTo(most.price),
    rule: `must be a price from 0 to ${apart(most.price)}, with a point, such as 9.50`,
  },
  taxRate: { empty: '0.21', read: decimalUpTo(1), rule: 'must be a fraction from 0 to 1, such as 0.21' },
  weight: whole(most.whole),
  volume: whole(most.whole),
  colli: whole(most.colli),
  sizeX: size,
  sizeY: size,
  sizeZ: size,
  articleCode: text(0),
  ean: text(0),
  sku: text(0),
  stockLevel: whole(most.whole, 25),
}

export const emptyProduct = Object.fromEntries(
  Object.entries(fields).map(([name, { empty }]) => [name, empty]),
) as unknown as Omit<Product, 'id'>

export const productFields = Object.keys(fields) as Field[]

/** Reads the given fields of a product; those without data become 0 or empty text. `faults` has the rule of each field that breaks one. */
export function readProduct(given: Record<string, unknown>): {
  product: Partial<Omit<Product, 'id'>>
  faults: Partial<Record<Field, string>>
} {
  const product: Record<string, unknown> = {}
  const faults: Partial<Record<Field, string>> = {}
  for (const name of productFields) {
    if (!Object.hasOwn(given, name)) continue
    const value = given[name]
    if (isNoData(value) && name !== 'title') product[name] = fields[name].empty
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

export const quantityRule = `must be a whole number from 1 to ${apart(most.quantity)}`

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

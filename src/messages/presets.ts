import { wrongCall } from '../errors.ts'
import { type CartLine, type LineOptions, lineOf, linesOf } from './lines.ts'
import { emptyProduct, type Product } from './products.ts'

/** A filling of the cart: products with their quantity. */
export interface Preset {
  title: string
  items: readonly { product: Product; quantity: number }[]
}

const product = (id: number, title: string, rest: Partial<Product>): Product => ({
  ...emptyProduct,
  articleCode: `ART-${id}`,
  ...rest,
  id,
  title,
})
const one = (...given: Parameters<typeof product>) => [{ product: product(...given), quantity: 1 }]

/** Fillings of the cart by name. Weights are in grams, sizes in centimetres and volumes in cubic centimetres. */
export const presets = {
  usual: {
    title: 'Three products, 1,510 g',
    items: [
      {
        product: product(101, 'Stoneware mug', { priceExcl: '9.50', weight: 380, ean: '8712345678906' }),
        quantity: 2,
      },
      { product: product(102, 'Linen tea towel', { priceExcl: '8.25', weight: 120 }), quantity: 1 },
      { product: product(103, 'Beeswax candle', { priceExcl: '3.90', weight: 210 }), quantity: 3 },
    ],
  },
  letter: {
    title: 'A letter, 40 g',
    items: one(201, 'Greeting card', {
      ...{ priceExcl: '3.50', weight: 40, volume: 105, colli: 1 },
      ...{ sizeX: 21, sizeY: 10, sizeZ: 0.5 },
    }),
  },
  parcel: {
    title: 'A parcel, 2.4 kg',
    items: one(202, 'Table lamp', {
      ...{ priceExcl: '45.00', weight: 2_400, volume: 24_000, colli: 1 },
      ...{ sizeX: 40, sizeY: 30, sizeZ: 20 },
    }),
  },
  boxes: {
    title: 'Three boxes, 9 kg each',
    items: one(203, 'Bookcase in three boxes', {
      ...{ priceExcl: '189.00', weight: 27_000, volume: 180_000, colli: 3 },
      ...{ sizeX: 100, sizeY: 60, sizeZ: 30 },
    }),
  },
  heavy: {
    title: 'A heavy one, 48 kg',
    items: one(204, 'Oak table top', {
      ...{ priceExcl: '260.00', weight: 48_000, volume: 72_000, colli: 1 },
      ...{ sizeX: 180, sizeY: 80, sizeZ: 5 },
    }),
  },
  dangerous: {
    title: 'Dangerous goods: lithium batteries',
    items: one(205, 'Lithium battery UN3480', {
      ...{ priceExcl: '79.00', weight: 1_900, volume: 2_250, colli: 1, articleCode: 'ADR-UN3480' },
      ...{ description: 'Dangerous goods, class 9, packing group II', sizeX: 15, sizeY: 15, sizeZ: 10 },
    }),
  },
  free: {
    title: 'Above the threshold for free shipping, 484.00 with tax',
    items: one(206, 'Cast iron pan', {
      ...{ priceExcl: '400.00', weight: 3_800, volume: 9_000, colli: 1 },
      ...{ sizeX: 45, sizeY: 30, sizeZ: 7 },
    }),
  },
  nothing: { title: 'Nothing: an empty cart', items: [] },
} satisfies Record<string, Preset>

/** The name of a filling of the cart. */
export type PresetName = keyof typeof presets

export const presetNames = Object.keys(presets) as PresetName[]

/** The lines of a preset, or of products in code. Throws `ARGUMENT_INVALID` for what no shop sends. */
export function linesFrom(lines: PresetName | readonly LineOptions[], currency: string): CartLine[] {
  if (Array.isArray(lines) && lines.every((line) => line instanceof Object)) return linesOf(lines, currency)
  if (!presetNames.includes(lines as PresetName))
    throw wrongCall(`lines is a list of products, or one of ${presetNames.join(', ')}`)
  const { items }: Preset = presets[lines as PresetName]
  return items.map(({ product, quantity }) => lineOf(product, quantity, currency))
}

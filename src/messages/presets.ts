import type { Decimal } from '../money/index.ts'
import { emptyProduct, type Product } from './products.ts'

/** Habits of live platforms that a product does not have: its line in the messages has them. */
export interface LineHabits {
  /** Fields as they are sent, in place of those of the product. */
  sent?: Readonly<Record<string, unknown>>
  /** A further entry of the cart's taxes. */
  tax?: { percentage: number; amount: Decimal }
  /** Its prices have four decimals, in any currency. */
  finer?: true
}

interface Item {
  product: Product
  quantity: number
  habits?: LineHabits
}

/** A filling of the cart: products with their quantity. */
export interface Preset {
  title: string
  items: readonly Item[]
  /** Its lines are not those of its products. */
  isHabit?: true
}

const item = (
  id: number,
  title: string,
  priceExcl: string,
  rest: Partial<Product>,
  quantity = 1,
  habits?: LineHabits,
): Item => ({
  product: { ...emptyProduct, articleCode: `ART-${id}`, priceExcl, ...rest, id, title },
  quantity,
  ...(habits && { habits }),
})

/** Products that fill one parcel, or a part of one. */
const packed = (weight: number, [sizeX, sizeY, sizeZ]: [number, number, number]): Partial<Product> => ({
  ...{ weight, volume: sizeX * sizeY * sizeZ, colli: 1 },
  ...{ sizeX, sizeY, sizeZ },
})

const page = `<div class="tab"><h2>Fountain pen</h2>\n<p style="margin:0">${'Steel nib &amp; brass cap. '.repeat(400)}</p></div>`

const preset = (title: string, ...items: Item[]): Preset => ({ title, items })
const habit = (title: string, ...items: Item[]): Preset => ({ title, items, isHabit: true })

/** Fillings of the cart by name. Weights are in grams, sizes in centimetres and volumes in cubic centimetres. */
export const presets = {
  usual: preset(
    'Three products, 1,510 g',
    item(101, 'Stoneware mug', '9.50', { weight: 380, ean: '8712345678906' }, 2),
    item(102, 'Linen tea towel', '8.25', { weight: 120 }),
    item(103, 'Beeswax candle', '3.90', { weight: 210 }, 3),
  ),
  letter: preset('A letter, 40 g', item(201, 'Greeting card', '3.50', packed(40, [21, 10, 0.5]))),
  parcel: preset('A parcel, 2.4 kg', item(202, 'Table lamp', '45.00', packed(2_400, [40, 30, 20]))),
  boxes: preset(
    'Three boxes, 9 kg each',
    item(203, 'Bookcase in three boxes', '189.00', { ...packed(27_000, [100, 60, 30]), colli: 3 }),
  ),
  heavy: preset('A heavy one, 48 kg', item(204, 'Oak table top', '260.00', packed(48_000, [180, 80, 5]))),
  dangerous: preset(
    'Dangerous goods: lithium batteries',
    item(205, 'Lithium battery UN3480', '79.00', {
      ...packed(1_900, [15, 15, 10]),
      articleCode: 'ADR-UN3480',
      description: 'Dangerous goods, class 9, packing group II',
    }),
  ),
  free: preset(
    'Above the threshold for free shipping, 484.00 with tax',
    item(206, 'Cast iron pan', '400.00', { ...packed(3_800, [45, 30, 7]), volume: 9_000 }),
  ),
  taxed: habit(
    'The tax of shipping is listed too, and one tax rate appears twice',
    item(207, 'Enamel jug', '24.00', { weight: 900 }, 1, { tax: { percentage: 0.21, amount: '1.22' } }),
  ),
  discount: habit(
    'A discount as a line with a price below 0',
    item(208, 'Wool blanket', '60.00', { weight: 1_400 }),
    item(209, 'Spring discount', '-12.50', {}),
  ),
  digital: habit(
    'A gift card by e-mail, of 0 colli',
    item(210, 'Bread board', '19.00', packed(800, [40, 25, 3])),
    item(211, 'Gift card', '25.00', { taxRate: '0' }, 1, { sent: { colli: 0, weight: 0, volume: 0 } }),
  ),
  described: habit(
    'A line with a page of HTML',
    item(212, 'Fountain pen', '35.00', { weight: 60, description: page }),
  ),
  fractions: habit(
    'Prices finer than the currency',
    item(213, 'Beech dowel', '1042.3575', { weight: 45 }, 3, { finer: true }),
  ),
  nothing: preset('Nothing: an empty cart'),
}

/** The name of a filling of the cart. */
export type PresetName = keyof typeof presets

export const presetNames = Object.keys(presets) as PresetName[]
export const isPresetName = (name: unknown): name is PresetName => presetNames.some((one) => one === name)

import { type Decimal, decimal, type Price, price } from '../money/index.ts'

export const currency = 'eur'

export interface CartLine extends Price {
  id: number
  title: string
  quantity: number
  /** In grams, of all pieces. */
  weight: number
}

const line = (id: number, title: string, quantity: number, unit: Decimal, unitWeight: number): CartLine => ({
  id,
  title,
  quantity,
  weight: unitWeight * quantity,
  ...price({ excl: decimal(unit).times(quantity).toFixed(2), taxRate: '0.21', currency }),
})

/** The cart of every visitor. */
export const cart: readonly CartLine[] = [
  line(101, 'Stoneware mug', 2, '9.50', 380),
  line(102, 'Linen tea towel', 1, '8.25', 120),
  line(103, 'Beeswax candle', 3, '3.90', 210),
]

/** An amount with and without tax, as decimal text. */
export interface Amounts {
  incl: Decimal
  excl: Decimal
}

/** Adds up the cart and additions such as the prices of the chosen methods. */
export function total(...added: { price_incl: Decimal; price_excl: Decimal }[]): Amounts {
  const sum = (field: 'price_incl' | 'price_excl') =>
    [...cart, ...added].reduce((amount, one) => amount.plus(one[field]), decimal(0)).toFixed(2)
  return { incl: sum('price_incl'), excl: sum('price_excl') }
}

import type { Quote } from '../contract/index.ts'
import { decimal } from '../money/index.ts'
import { convertLength, convertVolume, type Units } from './units.ts'

type Product = Quote['products'][number]

/** Equal things of a cart that cannot be divided. Weight and volume are in the shop's units, sides in millimetres. */
export interface Pieces {
  /** The product's place, such as `quote.products[2]`. */
  place: string
  count: number
  /** Of one piece. */
  weight: number
  /** Of one piece. `undefined`, for all pieces of a cart, if unknown. */
  volume: number | undefined
  /** The known sides of one piece, longest first. */
  sides: readonly number[]
  /** A package of its own, which is not packed with others. */
  alone: boolean
}

export interface PiecesOfQuote {
  pieces: Pieces[]
  /** Whether the products' own weights are known. If not, all pieces count as equally heavy. */
  weighed: boolean
  /** Whether each piece has three sides. */
  sized: boolean
}

/** A figure that nothing can have. The message names its place. */
export class WrongFigure extends Error {}

interface Line {
  product: Product
  place: string
  quantity: number
  sides: number[]
}

/**
 * Reads the pieces of a cart. Their weights and volumes add up to those of the quote, whose totals are the safe ones. `undefined` for a cart
 * without products. Throws `WrongFigure`.
 */
export function piecesOf(quote: Quote, units: Units): PiecesOfQuote | undefined {
  const lines = quote.products.map((product, at) => readLine(product, `quote.products[${at}]`, units))
  if (lines.length === 0) return undefined
  const own = (figure: Figure) => perPiece(lines, figure, quote[figure], units.products)
  const [weights, colli] = [own('weight'), own('colli')]
  const volumes = ownVolumes(lines, own('volume'), units)
  const weighed = fitted(lines, weights, quote.weight)
  const filled = fitted(lines, volumes, quote.volume || undefined) ?? shared(lines, weighed, quote.volume)
  const equal = (quote.weight ?? 0) / lines.reduce((sum, { quantity }) => sum + quantity, 0)

  const pieces = lines.map(({ place, quantity, sides }, at): Pieces => {
    const packages = Math.max(1, Math.floor(colli?.[at] ?? 1))
    const volume = filled?.[at]
    return {
      place,
      count: quantity * packages,
      weight: (weighed?.[at] ?? equal) / packages,
      volume: volume === undefined ? undefined : volume / packages,
      sides,
      alone: packages > 1,
    }
  })
  return { pieces, weighed: weighed !== undefined, sized: lines.every(({ sides }) => sides.length === 3) }
}

function readLine(product: Product, place: string, { length = 'mm' }: Units): Line {
  const { quantity = 1, size_x, size_y, size_z } = product
  const figure = (name: string, value: number) => {
    if (value < 0) throw new WrongFigure(`${place}.${name} is negative`)
  }
  for (const name of ['weight', 'volume', 'colli', 'quantity'] as const) figure(name, product[name] ?? 0)
  const sides = Object.entries({ size_x, size_y, size_z }).flatMap(([name, size]) => {
    figure(name, Number(size ?? 0))
    // A size of 0 is one that nobody filled in.
    return Number(size ?? 0) > 0 ? Number(convertLength(size!, length, 'mm')) : []
  })
  return {
    product,
    place,
    quantity: Math.max(1, quantity),
    sides: sides.toSorted((one, other) => other - one),
  }
}

type Figure = 'weight' | 'volume' | 'colli'

/** A figure of each line for one piece. `undefined` if a line has none, or nothing says whether it is that of the piece or of the line. */
function perPiece(
  lines: readonly Line[],
  figure: Figure,
  total: number | undefined,
  stated: Units['products'],
): number[] | undefined {
  // A product without colli is one package.
  const figures = lines.map(({ product }) => (figure === 'colli' ? product.colli || 1 : product[figure]))
  if (!figures.every((one) => one !== undefined)) return undefined
  const ofPieces = lines.reduce((sum, { quantity }, at) => sum + quantity * figures[at]!, 0)
  const ofLines = figures.reduce((sum, one) => sum + one, 0)
  const meant =
    stated ?? (total === ofPieces || ofPieces === ofLines ? 'piece' : total === ofLines ? 'line' : undefined)
  if (meant === undefined) return undefined
  return meant === 'piece' ? figures : figures.map((one, at) => one / lines[at]!.quantity)
}

/** The volume of each piece by the shop's own figure, or by its three sides. */
function ownVolumes(lines: readonly Line[], own: number[] | undefined, { volume = 'cm3' }: Units) {
  const volumes = lines.map(({ sides }, at) => {
    if (own?.[at]) return own[at]
    const [a, b, c] = sides
    if (c === undefined) return undefined
    return Number(convertVolume(decimal(a!).times(b!).times(c).toFixed(0) as `${number}`, 'mm3', volume))
  })
  return volumes.every((one) => one !== undefined) ? volumes : undefined
}

/** The figures in proportion, so that they add up to the total, for instance where it has the packaging in it. */
function fitted(
  lines: readonly Line[],
  figures: number[] | undefined,
  total: number | undefined,
): number[] | undefined {
  if (!figures) return undefined
  const sum = lines.reduce((all, { quantity }, at) => all + quantity * figures[at]!, 0)
  if (total === undefined || sum === total) return figures
  return sum > 0 ? figures.map((one) => (one * total) / sum) : undefined
}

/** The volume of the quote, shared by weight. */
function shared(lines: readonly Line[], weights: number[] | undefined, volume: number | undefined) {
  if (!volume) return undefined
  return fitted(lines, weights?.some((one) => one > 0) ? weights : lines.map(() => 1), volume)
}

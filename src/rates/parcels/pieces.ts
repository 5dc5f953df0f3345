import type { ProductFact, QuoteWithFacts } from '../../adapters/product-facts.ts'
import { convertLength, convertVolume, type Units } from '../../adapters/units.ts'
import { decimal } from '../../money/index.ts'

type Product = QuoteWithFacts['products'][number]
export type PiecesOfQuote = NonNullable<ReturnType<typeof piecesOf>>
/** Equal things of a cart that cannot be divided. Weight and volume are in the shop's units, sides in millimetres. */
export type Pieces = PiecesOfQuote['pieces'][number]

/** A figure that nothing can have. The message names its place. */
export class WrongFigure extends Error {}

/** No figure from here on is exact, nor that of a cart. */
export const tooLarge = 1e15
type Line = ReturnType<typeof readLine>

/**
 * Reads the pieces of a cart. Their weights and volumes add up to those of the quote, whose totals are the safe ones; where it has none, to
 * what is known of the products. `undefined` for a cart without products. Throws `WrongFigure`.
 */
export function piecesOf(quote: QuoteWithFacts, units: Units, apart: readonly ProductFact[] = []) {
  const lines = quote.products.map((product, at) => readLine(product, `quote.products[${at}]`, units))
  if (lines.length === 0) return undefined
  // A total of 0 is one that nobody filled in.
  const [weight, volume, colli] = [quote.weight, quote.volume, quote.colli].map((total) => total || undefined)
  const weighed = fitted(lines, perPiece(lines, 'weight', weight, units.products), weight)
  const volumes = ownVolumes(lines, perPiece(lines, 'volume', volume, units.products), units)
  const known = sumOf(lines, volumes)
  for (const [what, sum] of Object.entries({ weight: weighed ? sumOf(lines, weighed) : 0, volume: known }))
    if (sum >= tooLarge) throw new WrongFigure(`the ${what} of the products is too large`)
  // Sizes of products whose volume nobody filled in: the total of the quote lacks them.
  const isLess = known > (volume ?? 0) && lines.some(({ product }, at) => !product.volume && volumes[at])
  const total = isLess ? undefined : volume
  const filled = total === undefined ? volumes : spread(lines, volumes, weighed, total)
  const equal = (weight ?? 0) / lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const packages = packagesOf(lines, colli, units.products)

  const pieces = lines.map(({ product, place, quantity, sides }, at) => {
    const count = packages.counts[at]!
    const ofOne = quantity / count
    const own = filled[at]
    return {
      place,
      count,
      /** Of one piece. */
      weight: (weighed?.[at] ?? equal) * ofOne,
      /** Of one piece. `undefined`, for all pieces of a cart, if unknown. */
      volume: own === undefined ? undefined : own * ofOne,
      sides,
      /** A package of its own, which is not packed with others. */
      alone: count > quantity,
      /** It is no package: it goes into those of others, also into one that is alone. */
      inside: packages.inside && !product.colli,
      /** Those of its facts that the rules read. Pieces with other ones are not packed with it. */
      facts: apart.filter((fact) => product.facts?.includes(fact)).join(),
    }
  })
  return {
    pieces,
    /** Whether the products' own weights are known. If not, all pieces count as equally heavy. */
    weighed: weighed !== undefined,
    sized: lines.every(({ sides }) => sides.length === 3),
    /** The volume of the quote, or of its products' sizes where that is more. `undefined` if nothing of it is known. */
    volume: total ?? (known > 0 ? known : undefined),
    measured: total !== undefined || volumes.every((one) => one !== undefined),
    /** The packages of the quote, where its products do not show them. */
    packages: packages.unexplained,
    /** Whether it is known if colli are those of pieces or of lines. */
    counted: packages.known,
  }
}

function readLine(product: Product, place: string, { length = 'mm' }: Units) {
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
  return { product, place, quantity: Math.max(1, quantity), sides: sides.sort((one, other) => other - one) }
}

type Figure = 'weight' | 'volume' | 'colli'
type Meant = 'piece' | 'line' | undefined

/** Whether figures are those of pieces or of lines, by the total of the quote. `undefined` if nothing says it. */
function meaning(lines: readonly Line[], figures: readonly number[], total: number | undefined): Meant {
  const ofPieces = lines.reduce((sum, { quantity }, at) => sum + quantity * figures[at]!, 0)
  const ofLines = figures.reduce((sum, one) => sum + one, 0)
  if (total === ofPieces || ofPieces === ofLines) return 'piece'
  return total === ofLines ? 'line' : undefined
}

/** The figure of one piece of each line, as far as known: the least for a quote without a total. `undefined` if nothing says which. */
function perPiece(
  lines: readonly Line[],
  figure: Figure,
  total: number | undefined,
  stated: Units['products'],
): number[] | undefined {
  const given = lines.map(({ product }) => product[figure])
  if (total !== undefined && given.includes(undefined)) return undefined
  if (given.every((one) => one === undefined)) return undefined
  const figures = given.map((one) => one ?? 0)
  const meant = stated ?? meaning(lines, figures, total) ?? (total === undefined ? 'line' : undefined)
  if (meant === undefined) return undefined
  return meant === 'piece' ? figures : figures.map((one, at) => one / lines[at]!.quantity)
}

/** The packages of each line. A product without colli is one, unless those of the others are all that the quote has, as beside a gift card. */
function packagesOf(lines: readonly Line[], total: number | undefined, stated: Units['products']) {
  const each = packagesWith(1, lines, total, stated)
  if (each.isExplained) return each
  const others = packagesWith(0, lines, total, stated)
  return others.isExplained ? others : each
}

function packagesWith(without: 0 | 1, lines: readonly Line[], total?: number, stated?: Units['products']) {
  const colli = lines.map(({ product }) => (product.colli ? Math.max(1, Math.floor(product.colli)) : without))
  const meant = stated ?? meaning(lines, colli, total)
  const [{ product, quantity: alone }] = lines as [Line]
  // All packages of a cart are those of its only product.
  if (lines.length === 1 && !product.colli && total !== undefined && total > alone)
    return { counts: [Math.floor(total)], unexplained: 1, known: true, isExplained: true, inside: false }
  // Without a meaning the fewer packages count.
  const counts = lines.map(({ quantity }, at) =>
    meant === 'piece' && colli[at]! > 0 ? quantity * colli[at]! : Math.max(quantity, colli[at]!),
  )
  const packages = meant === 'piece' ? counts.map((count, at) => (colli[at]! > 0 ? count : 0)) : colli
  const sum = packages.reduce((all, one) => all + one, 0)
  const isExplained = total === undefined || (meant !== undefined && sum === total)
  return {
    counts,
    unexplained: isExplained ? 1 : Math.max(1, Math.floor(total)),
    known: meant !== undefined || colli.every((one) => one === 1),
    isExplained,
    inside: without === 0,
  }
}

function ownVolumes(
  lines: readonly Line[],
  own: number[] | undefined,
  { volume = 'cm3', length }: Units,
): (number | undefined)[] {
  return lines.map(({ place, sides }, at) => {
    if (own?.[at]) return own[at]
    const [a, b, c] = sides
    if (c === undefined || length === undefined) return undefined
    if (a! * b! * c >= tooLarge) throw new WrongFigure(`the sizes of ${place} are too large`)
    return Number(convertVolume(decimal(a!).times(b!).times(c).toFixed(0) as `${number}`, 'mm3', volume))
  })
}

const sumOf = (lines: readonly Line[], figures: readonly (number | undefined)[]): number =>
  lines.reduce((all, { quantity }, at) => all + quantity * (figures[at] ?? 0), 0)

/** The figures in proportion, so that they add up to the total, for instance where it has the packaging in it. */
function fitted(lines: readonly Line[], figures?: number[], total?: number): number[] | undefined {
  if (!figures) return undefined
  const sum = sumOf(lines, figures)
  if (total === undefined || sum === total) return figures
  return sum > 0 ? figures.map((one) => (one * total) / sum) : undefined
}

/** The volume of the quote, by the volumes of its products, or else by weight. */
function spread(
  lines: readonly Line[],
  volumes: (number | undefined)[],
  weights: number[] | undefined,
  total: number,
): (number | undefined)[] {
  const all = volumes.flatMap((one) => one ?? [])
  const known = all.length === lines.length ? fitted(lines, all, total) : undefined
  const byWeight = weights?.some((one) => one > 0) ? weights : lines.map(() => 1)
  return known ?? fitted(lines, byWeight, total) ?? volumes
}

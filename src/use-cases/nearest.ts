import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { genericIcons } from '../contract/icons.ts'

const aThird = ({ length }: string) => Math.max(2, length / 3)

/** The known word closest to a mistyped one; `undefined` if none is similar. Ignores case. */
export function nearest(
  word: string,
  known: readonly string[],
  /** The most letters that may differ. */
  most: (known: string) => number = aThird,
): string | undefined {
  const from = (one: string) => distance(word.toLowerCase(), one.toLowerCase())
  const [best] = known.map((one) => ({ one, away: from(one) })).sort((a, b) => a.away - b.away)
  return best && best.away <= most(best.one) ? best.one : undefined
}

/** ` Did you mean x?`, or the known words. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'there are none here'
  const near = nearest(word, known) ?? known.find((one) => word.startsWith(one) || isStartOf(word, one))
  return near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`
}

/** Such as `log` of `logger`. One or two letters begin too many words. */
const isStartOf = (word: string, known: string): boolean => word.length > 2 && known.startsWith(word)

/** The keys that a schema knows at a place; none where it takes any. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const at = path.reduce<z.ZodType | undefined>((outer, part) => shapeOf(outer)[String(part)], schema)
  return Object.keys(shapeOf(at))
}

/** Its keys, through defaults, transforms, unions and records whose keys are listed. */
function shapeOf(schema: unknown): Record<string, z.ZodType> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return shapeOf(schema.unwrap())
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return shapeOf(schema.unwrap())
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in)
  if (schema instanceof z.ZodUnion) return Object.assign({}, ...schema.options.map(shapeOf))
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum) {
    const { keyType, valueType } = schema
    return Object.fromEntries(keyType.options.map((key) => [String(key), valueType as z.ZodType]))
  }
  return schema instanceof z.ZodObject ? schema.shape : {}
}

/** In a long name two letters may differ, in a short one none: `pix` is a brand, and no `pin`. */
const mostLetters = ({ length }: string): number => (length >= 10 ? 2 : length >= 6 ? 1 : 0)

/** The generic icon name that a name nearly is (spec 2.6). `undefined` for such a name itself, an address, and a name that may be a brand's. */
export function nearestIcon(icon: string): string | undefined {
  if (genericIcons.some((known) => known === icon) || icon.includes(':')) return undefined
  const letters = icon.toLowerCase().replace(/[^a-z0-9]/g, '')
  return nearest(letters, genericIcons, mostLetters)
}

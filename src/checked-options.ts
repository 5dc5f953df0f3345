import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { genericIcons } from './contract/icons.ts'
import { issueWords } from './contract/issue-words.ts'
import { type ErrorFault, wrongCall } from './errors/errors.ts'

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
  if (schema instanceof z.ZodPipe) return { ...shapeOf(schema.in), ...shapeOf(schema.out) }
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

/** An object of options that knows no others. `wanted` is the fault of another value. */
export const optionGroup = <Shape extends z.ZodRawShape>(shape: Shape, wanted = 'must be an object') =>
  z.strictObject(shape, { error: ({ code }) => (code === 'invalid_type' ? wanted : undefined) })

/** An option whose value is checked elsewhere, if at all. */
export const anyOption = z.unknown().optional()

/** The same reader for several options. */
export const each = <Name extends string, Reader extends z.ZodType>(reader: Reader, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, reader])) as Record<Name, Reader>

export const functionOption = z
  .custom((value) => typeof value === 'function', 'must be a function')
  .optional()

/** Every fault of options, each with its path. For an unknown option of the object at `at`, `hint` may know another place. */
export function optionFaults(
  schema: z.ZodType,
  given: unknown,
  hint: (key: string, at: readonly PropertyKey[]) => string | undefined = () => undefined,
): ErrorFault[] {
  const { error } = schema.safeParse(given)
  const issues = error?.issues ?? []
  /** The paths that a mistyped option was meant for: that they are not set is the same fault. */
  const meant = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, nearest(key, keysAt(schema, issue.path))].join('.'))
      : [],
  )
  return issues.flatMap((issue): ErrorFault[] => {
    const path = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys' && meant.includes(path) && !isSet(given, issue.path)) return []
    if (issue.code !== 'unrecognized_keys') return [{ ...(path && { path }), message: issueWords(issue) }]
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      message: `is not an option: ${hint(key, issue.path) ?? didYouMean(key, keysAt(schema, issue.path))}`,
    }))
  })
}

const isSet = (given: unknown, path: readonly PropertyKey[]): boolean =>
  path.reduce<unknown>((at, part) => Object(at)[part], given) !== undefined

/** Throws `ARGUMENT_INVALID` for the options of a call, which names every fault. */
export function checkOptions(call: string, schema: z.ZodType, given: unknown): void {
  const faults = optionFaults(schema, given)
  if (faults.length === 0) return
  throw wrongCall(
    `${call}: ${faults.map(({ path, message }) => `${path ?? 'options'} ${message}`).join(', ')}`,
  )
}

import { z } from 'zod'
import { issueWords } from '../contract/issue-words.ts'
import { type ErrorFault, wrongCall } from '../errors.ts'
import { didYouMean, keysAt, nearest } from './nearest.ts'

/** An object of options that knows no others. */
export const optionGroup = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: ({ code }) => (code === 'invalid_type' ? 'must be an object' : undefined) })

/** An option whose value is checked elsewhere, if at all. */
export const anyOption = z.unknown().optional()

/** The same reader for several options. */
export const each = <Name extends string, Reader extends z.ZodType>(reader: Reader, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, reader])) as Record<Name, Reader>

/** An optional function. */
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

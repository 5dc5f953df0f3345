import { z } from 'zod'
import { readDecimal } from '../money/index.ts'

/** Checks the options of an adapter's factory. Throws one `TypeError` that names all that is wrong. */
export function optionsOf<T extends z.ZodType>(factory: string, schema: T, given: unknown): z.output<T> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const faults = result.error.issues.map(
    ({ path, message }) => `  ${path.join('.') || 'options'}: ${message}`,
  )
  throw new TypeError(`${factory}() cannot use these options:\n${faults.join('\n')}`)
}

/** An amount, a weight, a percentage: 0 or more. */
export const amount = z
  .union([z.string(), z.number()])
  .refine((value) => readDecimal(value)?.startsWith('-') === false, {
    error: "is a number of 0 or more, or a decimal string such as '4.95'",
  })

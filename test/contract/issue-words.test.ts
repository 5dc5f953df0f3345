import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { issueWords } from '../../src/contract/issue-words.ts'

const faultsOf = (schema: z.ZodType, given: unknown): string[] =>
  (schema.safeParse(given).error?.issues ?? []).map(issueWords)

describe('a fault in words', () => {
  const [a, short] = [z.string().regex(/^a/), z.string().max(3)]
  const ofUnit = z.object({ unit: z.enum(['kg', 'g']) })
  const empty = [z.tuple([]), z.literal(''), z.null(), z.literal(false)] as const
  const noData = z.union([z.record(z.string(), z.unknown()), ...empty])
  const noForm = 'matches no accepted form'
  test.for<[string, z.ZodType, unknown, string]>([
    ['nothing', z.object({ a: z.string() }), {}, 'is missing'],
    ['another kind', z.string(), 5, 'must be text'],
    ['a list for an object', z.object({}), [], 'must be an object'],
    ['an object for a list', z.array(z.string()), {}, 'must be a list'],
    ['text for a record', z.record(z.string(), z.string()), 'x', 'must be an object'],
    ['text for a switch', z.boolean(), 'x', 'must be true or false'],
    ['half a number', z.int(), 1.5, 'must be a whole number'],
    ['no number', z.number(), Number.NaN, 'must be a number'],
    ['one of some', z.enum(['kg', 'g']), 'x', 'must be one of kg, g'],
    ['the only one', z.literal('kg'), 'x', 'must be kg'],
    ['too small', z.number().min(1), 0, 'must be 1 or more'],
    ['at the open limit', z.number().gt(1), 1, 'must be above 1'],
    ['too large', z.number().max(9), 10, 'must be 9 or less'],
    ['below the open limit', z.number().lt(9), 9, 'must be below 9'],
    ['empty text', z.string().min(1), '', 'must not be empty'],
    ['long text', z.string().max(3), 'long', 'must have at most 3 characters'],
    ['a short list', z.array(z.number()).min(2), [1], 'must have at least 2 entries'],
    ['a long list', z.array(z.number()).max(1), [1, 2], 'must have at most 1 entry'],
    ['no address', z.url(), 'x', 'must be an address'],
    ['another form', z.string().regex(/^a/), 'x', 'has the wrong form'],
    ['unknown members', z.strictObject({}), { a: 1, b: 2 }, 'has unknown members: a, b'],
    ['none of several kinds', z.union([z.string(), z.number()]), true, 'must be text or a number'],
    ['no flag', z.union([z.boolean(), z.literal(0), z.literal(1)]), 'x', 'must be true or false, 0 or 1'],
    ['none of several forms', z.union([a, z.number().min(1), short]), 'long', noForm],
    ['a wrong form of one kind beside others', z.union([a, short, z.number(), z.boolean()]), 'long', noForm],
    ['a wrong entry beside others', z.union([z.string(), z.array(z.string()), z.number()]), [5], noForm],
    ['a wrong member beside others', z.union([ofUnit, z.string(), z.number()]), { unit: 'x' }, noForm],
    ['none of the forms of no data', noData, 'x', 'must be an object, a list, empty, null or false'],
    ['text for nothing', z.literal(''), 'x', 'must be empty'],
    ['a multiple', z.number().multipleOf(5), 3, 'must be a multiple of 5'],
    ['a test without words', z.string().refine(() => false), 'x', 'is not valid'],
    ['a sentence of the schema', z.string({ error: 'must be a name' }), 5, 'must be a name'],
    ['a sentence of a test', z.string().refine(() => false, 'names no shop'), 'x', 'names no shop'],
    ['a sentence of a union', z.union([short, z.boolean()], { error: 'write a text' }), 5, 'write a text'],
  ])('%s', ([_name, schema, given, words]) => {
    expect(faultsOf(schema, given)).toEqual([words])
  })

  test('no value is repeated', () => {
    const schema = z.object({ key: z.enum(['a']), id: z.number(), code: z.string().length(4) })
    const words = faultsOf(schema, { key: 'sk_live_1', id: 'sk_live_2', code: 'sk_live_3' }).join()
    expect(words).not.toContain('sk_live')
  })
})

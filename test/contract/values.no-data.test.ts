import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forAll } from '../for-all.ts'
import { kinds, optionalPaths } from './kinds.ts'
import { type Path, put, written } from './messages.ts'

const forms: unknown[] = ['', null, false, []]

/** The values of a clean message without data. Flags are false, parts that hold fields are empty, a line has one piece for nothing. */
function emptyAt(value: unknown, path: Path): unknown {
  if (/^quote\.products\[\d\]\.price_/.test(written(path))) return '0'
  if (path.at(-1) === 'quantity') return 1
  if (Array.isArray(value)) return []
  return typeof value === 'boolean' ? false : undefined
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], value)

describe.each(kinds)('in a $name message', (kind) => {
  const { full, read, wire } = kind

  test('every field of the full example is wire-valid and read', () => {
    expect(wire.safeParse(full()).error).toBeUndefined()
    expect(() => read(full())).not.toThrow()
  })

  const optional = optionalPaths(kind).map((path) => [written(path), path] as const)
  test.each(optional)("%s reads the same when it is '', null, false, [] or missing", (_name, path) => {
    const missing = JSON.stringify(read(put(full(), path, undefined)))
    for (const form of forms) expect(JSON.stringify(read(put(full(), path, form)))).toBe(missing)
  })

  test('a field without data changes nothing but itself', () => {
    const clean = read(full()) as object
    for (const path of optionalPaths(kind)) {
      const before = at(clean, path)
      if (path[0] === 'rate_estimate' || path.at(-1) === 'password' || before === undefined) continue
      const after = structuredClone(read(put(full(), path, null))) as Record<string, never>
      const now = at(after, path)
      const isPart = typeof before === 'object' && !Array.isArray(before)
      if (isPart)
        expect(
          Object.values(now as object)
            .flat()
            .filter(Boolean),
        ).toEqual([])
      else if (written(path) === 'shop.language')
        expect(now).toBe(kind.name === 'payment start' ? undefined : 'en')
      else expect(now).toEqual(emptyAt(before, path))
      expect(put(after, path, before)).toEqual(clean)
    }
  })

  test('any number of fields may be without data at once, each in its own form', () => {
    const gaps = fc.array(fc.tuple(fc.constantFrom(...optionalPaths(kind)), fc.constantFrom(...forms)), {
      minLength: 2,
      maxLength: 40,
    })
    forAll(gaps, (choices) => {
      const [mixed, missing] = [full(), full()]
      for (const [path, form] of choices) put(mixed, path, structuredClone(form))
      for (const [path] of choices) put(missing, path, undefined)
      expect(JSON.stringify(read(mixed))).toBe(JSON.stringify(read(missing)))
    })
  })

  const required = [...kind.required].filter((path) => path !== 'payment_method.id')
  test.each(required)('%s is required in every form of no data', (path) => {
    const faults = [{ path, message: expect.any(String) }]
    const refused = expect.objectContaining({ code: 'BODY_INVALID', faults })
    for (const form of [...forms, undefined])
      expect(() => read(put(full(), path.split('.'), form))).toThrow(refused)
  })
})

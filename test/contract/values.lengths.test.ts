import { describe, expect, test } from 'vitest'
import { kinds } from './kinds.ts'
import { type Path, put, written } from './messages.ts'

const longest = (most: number, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, most]))
/** The longest length of each text, by the end of its path, written down a second time. */
const cut: Record<string, number> = {
  ...longest(256, 'name company address1 address2 number extension city region phone mobile'),
  ...longest(256, 'firstname middlename lastname fulllastname fullname'),
  ...longest(512, 'title fulltitle variant'),
  description: 2000,
}
const refused: Record<string, number> = {
  ...longest(128, 'national_id vatnumber cocnumber order.number'),
  ...longest(256, 'article_code ean sku'),
  ...{ zipcode: 32, country: 64, email: 320 },
}

const placesOf = (full: object, longest: Record<string, number>): [string, number, Path][] => {
  const places: [string, number, Path][] = []
  const walk = (value: unknown, path: Path): void => {
    const name = written(path)
    const most = longest[name] ?? longest[String(path.at(-1))]
    if (most !== undefined && name !== 'order.number') places.push([name, most, path])
    else if (longest['order.number'] && name === 'order.number') places.push([name, 128, path])
    else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value))
        walk(child, [...path, Array.isArray(value) ? Number(key) : key])
    }
  }
  walk(full, [])
  return places
}
const at = (body: unknown, path: Path) =>
  path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], body)
const faultOf = (read: () => unknown) => {
  try {
    return read()
  } catch (error) {
    const { code, faults } = error as { code: string; faults: { path: string; message: string }[] }
    return { code, faults }
  }
}

const refusal = (path: string, message: unknown = expect.stringMatching(/^must be /)) => ({
  ...{ code: 'BODY_INVALID', faults: [{ path, message }] },
})

describe.each(kinds)('a $name message', ({ full, wire, read }) => {
  test('with a text that no answer depends on is read up to its longest length, whole characters only', () => {
    const places = placesOf(full(), cut)
    expect(places.length).toBeGreaterThan(0)
    for (const [name, most, path] of places) {
      for (const one of ['a', '漢', '🚀']) {
        const longest = one.repeat(most)
        const fitting = put(full(), path, longest)
        expect(wire.safeParse(fitting).error, name).toBeUndefined()
        expect(at(read(fitting), path), name).toBe(longest)
        const longer = put(full(), path, `${longest}${one}`)
        expect(wire.safeParse(longer).success, name).toBe(false)
        expect(at(read(longer), path), name).toBe(longest)
        expect(at(read(put(full(), path, one.repeat(60_000))), path), name).toBe(longest)
      }
    }
  })

  test('with another text that is too long is refused, with its place', () => {
    const places = placesOf(full(), refused)
    expect(places.length).toBeGreaterThan(0)
    for (const [name, most, path] of places) {
      for (const one of ['a', '漢', '🚀']) {
        const longest = at(read(put(full(), path, one.repeat(most))), path)
        expect(longest, name).toBe(name.endsWith('country') ? undefined : one.repeat(most))
        for (const length of [most + 1, 2 * most, 2 * most + 1, 60_000]) {
          const answer = faultOf(() => read(put(full(), path, one.repeat(length))))
          expect(answer, `${name} ${length}`).toMatchObject(refusal(name))
        }
      }
    }
  })

  test('with ids, amounts, words and addresses of any length is refused or read as no data, never cut', () => {
    const long = '1'.repeat(60_000)
    const walk = (value: unknown, path: Path): void => {
      if (typeof value === 'object' && value !== null) {
        for (const [key, child] of Object.entries(value))
          walk(child, [...path, Array.isArray(value) ? Number(key) : key])
        return
      }
      const [last, name] = [String(path.at(-1)), written(path)]
      if (last in cut && name !== 'order.number') return
      if (name.startsWith('payment_method.data') || last === 'rate_estimate') return
      const answer = faultOf(() => read(put(full(), path, long))) as { code?: string }
      if (answer.code) expect(answer, name).toMatchObject({ code: 'BODY_INVALID', faults: [{ path: name }] })
      // The language of a shop has a value of its own where there is no data.
      else expect([undefined, 'en'], name).toContain(at(answer, path))
    }
    walk(full(), [])
  })
})

test('a cart has 2,000 lines and 100 taxes at most, and one fault names the list', () => {
  const [{ full, read, wire }] = kinds as [(typeof kinds)[number]]
  const line = (full().quote as { products: object[] }).products[0]!
  const products = ['quote', 'products']
  const lines = (count: number) => put(full(), products, Array(count).fill(line))
  expect(read(lines(2000))).toMatchObject({ quote: { products: { length: 2000 } } })
  expect(wire.safeParse(lines(2001)).success).toBe(false)
  const fault = (path: string, most: number) => refusal(path, `must be a list of at most ${most}`)
  expect(faultOf(() => read(lines(2001)))).toEqual(fault('quote.products', 2000))
  const gaps = Object.fromEntries(Array.from({ length: 2001 }, (_, key) => [key, 1]))
  expect(faultOf(() => read(put(full(), products, gaps)))).toEqual(fault('quote.products', 2000))
  const taxed = put(full(), ['quote', 'totals', 'taxes'], Array(101).fill(1))
  expect(faultOf(() => read(taxed))).toEqual(fault('quote.totals.taxes', 100))
})

test("a method's data has 65,536 characters at most, keys and texts together", () => {
  const { full, read, wire } = kinds.find(({ name }) => name === 'payment start')!
  const data = (length: number) => put(full(), ['payment_method', 'data'], { token: 'x'.repeat(length) })
  const most = 65_536 - JSON.stringify({ token: '' }).length
  expect(read(data(most))).toMatchObject({ payment_method: { data: { token: 'x'.repeat(most) } } })
  expect(wire.safeParse(data(most)).success).toBe(true)
  expect(wire.safeParse(data(most + 1)).success).toBe(false)
  const tooLong = { code: 'BODY_INVALID', faults: [{ path: 'payment_method.data' }] }
  expect(faultOf(() => read(data(most + 1)))).toMatchObject(tooLong)
  const keys = put(full(), ['payment_method', 'data'], { ['k'.repeat(70_000)]: 1 })
  expect(faultOf(() => read(keys))).toMatchObject(tooLong)
})

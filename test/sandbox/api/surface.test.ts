import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resourceRows } from '../../../src/sandbox/api/resources.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { type Answer, asForm, asJson, call, type Sent } from './call.ts'

const words = (text = '-', by: string) => (text === '-' ? [] : text.split(by))

const table = readFileSync(new URL('./surface.table.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const cells = line.split(' ; ').map((cell) => cell.trim())
    const [path = '', one = '', many = '', verbs = '', filters, traits, created = '', changed = ''] = cells
    const row = { path, one, many, verbs, filters: words(filters, ',').sort(), traits: words(traits, ' ') }
    return { ...row, created, changed }
  })
type Line = (typeof table)[number]

test('the table has every resource, with its envelopes, verbs, filters and traits', () => {
  expect(table.length).toBeGreaterThanOrEqual(45)
  const rows = resourceRows().map((row) => ({
    path: row.path,
    one: row.one,
    many: row.verbs.includes('L') ? row.many : '-',
    verbs: row.verbs,
    filters: row.filters.toSorted(),
    traits: (['single', 'undated'] as const).filter((trait) => row[trait]),
  }))
  expect(table.map(({ created: _, changed: __, ...line }) => line)).toEqual(rows)
})

/** Ids of records of a new shop, for the owners of nested ones. */
const owners = new Map(
  Object.entries({ products: 101, variants: 1101, customers: 90210, orders: 1001, shipments: 1001 }),
)

/** `a[b]=1&c=2` as pairs of keys and value. */
const pairsOf = (form: string): [string[], string][] =>
  [...new URLSearchParams(form)].map(([name, value]) => [name.replaceAll(']', '').split('['), value])

function bodyOf({ one }: Line, form: string, kind: 'form' | 'json'): Sent {
  const pairs = pairsOf(form).map(([keys, value]): [string[], string] => [[one, ...keys], value])
  if (kind === 'form') {
    const name = ([first, ...keys]: string[]) => `${first}${keys.map((key) => `[${key}]`).join('')}`
    return asForm(
      String(new URLSearchParams(Object.fromEntries(pairs.map(([keys, value]) => [name(keys), value])))),
    )
  }
  const body: Record<string, unknown> = {}
  for (const [keys, value] of pairs) {
    let at = body
    for (const key of keys.slice(0, -1)) {
      at[key] ??= {}
      at = at[key] as typeof at
    }
    at[keys.at(-1)!] = value
  }
  return asJson(body)
}

describe.each(['form', 'json'] as const)('every resource lives its life in %s bodies', (kind) => {
  let shop: Sandbox
  let calls = 0

  beforeAll(async () => {
    shop = createSandbox()
    await shop.listen()
    const { id } = await shop.checkout({ ownPayment: true }).placeOrder()
    await ask('PUT', `nl/orders/${id}.json`, asJson({ order: { paymentStatus: 'paid' } }))
    await ask('PUT', 'nl/products/101.json', asJson({ product: { type: 1 } }))
  })
  afterAll(() => shop.close())

  /** Moves the clock before the limit of calls is reached. */
  async function ask(method: string, path: string, sent?: Sent): Promise<Answer> {
    if (++calls % 250 === 0) await shop.advance('2h')
    return call(shop, method, path, sent)
  }

  test.each(table)('$path', async (line) => {
    const [owner = '', nested] = line.path.split('/{id}/')
    const path = `nl/${nested === undefined ? line.path : `${owner}/${owners.get(owner) ?? 1}/${nested}`}`
    const [single, undated] = ['single', 'undated'].map((trait) => line.traits.includes(trait))
    const can = (letter: string) => line.verbs.includes(letter)
    // biome-ignore lint/suspicious/noExplicitAny: looked into freely
    const inEnvelope = ({ body, status, text }: Answer, key: string, wanted = 200): any => {
      expect([status, text]).toEqual([wanted, expect.any(String)])
      expect(Object.keys(body)).toEqual([key])
      return body[key]
    }
    const shaped = (record: Record<string, unknown>) => {
      if (!undated) expect(record.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
      if (!single) expect(record.id).toEqual(expect.any(Number))
      return record
    }

    let id: unknown
    if (can('C')) {
      const made = await ask('POST', `${path}.json`, bodyOf(line, line.created, kind))
      id = shaped(inEnvelope(made, line.one, 201)).id
    }
    if (can('L')) {
      const records = inEnvelope(await ask('GET', `${path}.json?limit=250`), line.many)
      if (id !== undefined) expect(records.map((record: { id: unknown }) => record.id)).toContain(id)
      id ??= records[0]?.id
      for (const record of can('R') ? records : []) shaped(record)
      if (can('R')) {
        const since = `since_id=${records[0].id}&limit=1`
        const after = inEnvelope(await ask('GET', `${path}.json?${since}`), line.many)
        for (const record of after) expect(record.id).toBeGreaterThan(records[0].id)
        const few = inEnvelope(await ask('GET', `${path}.json?fields=id&page=1`), line.many)
        expect(Object.keys(few[0])).toEqual(['id'])
      }
      for (const filter of line.filters) {
        const none = inEnvelope(await ask('GET', `${path}.json?${filter}=no-such-value`), line.many)
        expect([filter, none]).toEqual([filter, []])
      }
    }
    if (can('N')) {
      const { body } = await ask('GET', `${path}/count.json`)
      expect(body).toEqual({ count: expect.any(Number) })
      if (can('R')) expect(body.count).toBeGreaterThanOrEqual(1)
      if (can('R') && !undated) {
        const early = await ask('GET', `${path}/count.json?created_at_max=2001-01-01T00:00:00Z`)
        expect(early.body).toEqual({ count: 0 })
      }
    }
    const item = single ? `${path}.json` : `${path}/${id}.json`
    if (can('R')) shaped(inEnvelope(await ask('GET', item), line.one))
    if (can('U')) {
      inEnvelope(await ask('PUT', item, bodyOf(line, line.changed, kind)), line.one)
      const again = inEnvelope(await ask('GET', item), line.one)
      for (const [[name = ''], value] of pairsOf(line.changed)) expect(String(again[name])).toBe(value)
    }
    if (can('D')) {
      expect((await ask('DELETE', item)).status).toBe(204)
      if (can('R')) expect((await ask('GET', item)).status).toBe(404)
    }
    const { status, body } = await ask('PATCH', `${path}.json`, bodyOf(line, 'a=b', kind))
    expect([status, body.error.code, body.error.method]).toEqual([405, 405, 'PATCH'])
  })
})

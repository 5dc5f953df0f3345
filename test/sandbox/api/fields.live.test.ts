import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { resourceRows } from '../../../src/sandbox/api/resources.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { folderWith } from '../../folder.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { asJson, call } from './call.ts'

interface Named {
  name: string
  kind: string
  /** As JSON, or a word. */
  unset: string
}

/** Written down apart from the source. */
const table = new Map<string, Named[]>()
for (const line of readFileSync(new URL('./fields.table.txt', import.meta.url), 'utf8').split('\n')) {
  if (/^[a-z]/.test(line)) table.set(line, [])
  if (!line.startsWith(' ')) continue
  const fields = line.trim().split(' ')
  for (const field of fields) {
    const [, name = '', kind = '', unset = ''] = /^(\w+):(\w+)=?(.*)$/.exec(field) ?? []
    ;[...table.values()].at(-1)!.push({ name, kind, unset: unset.replaceAll('·', ' ') })
  }
}

const related = (id: number | false, url: string) => ({
  resource: { id, url, link: `https://live.example/${url}.json` },
})

/** A set value of each kind, as odd as a live shop has it. */
const odd: Record<string, unknown> = {
  text: 'Odd <té> & text',
  flag: 1,
  whole: '7',
  decimal: '12.3400',
  word: 'word_of_the_shop',
  time: '2026-03-02T10:00:00+02:00',
  date: '1990-03-02',
  data: [{ only: null }],
  country: { id: 2_001, code: 'be', code3: 'bel', title: 'België' },
  language: { id: 99, code: 'nl', locale: 'nl_BE', title: 'Vlaams' },
  currency: { id: 12, shortcode: 'usd', title: 'Dollar', symbol: '$' },
  record: related(77, 'dragons/77'),
  list: related(false, 'dragons/77/scales'),
}

const link = z.url()
const relation = (id: z.ZodType) =>
  z.strictObject({ resource: z.strictObject({ id, url: z.string(), link }) })
const coded = { id: z.number(), title: z.string() }

/** The strict form of an unset value. */
function unsetForm({ kind, unset }: Named): z.ZodType {
  const literal = (value: unknown) => z.unknown().refine((given) => JSON.stringify(given) === value)
  if (kind === 'list') return relation(z.literal(false))
  if (kind === 'record') return z.literal(false)
  if (kind === 'word') return z.literal(unset)
  if (kind === 'country') return z.strictObject({ ...coded, code: z.literal(unset), code3: z.string() })
  if (kind === 'language') return z.strictObject({ ...coded, code: z.literal(unset), locale: z.string() })
  if (kind === 'currency')
    return z.strictObject({ ...coded, shortcode: z.literal(unset), symbol: z.string() })
  return literal(unset)
}

/** Fields that the sandbox fills: the title of a product, the place of a category, and the time of an event. */
const filled = new Set([
  ...['products title', 'products fulltitle', 'categories depth', 'categories path'],
  'orders/events createdAt',
])

/** What follows from the shop, and what is no list. */
const unseeded = /^(external_services|app_subscriptions|account(\/(permissions|ratelimit))?|shop|events)$/
const seeded = [...table.keys()].filter((path) => !unseeded.test(path))

/** `product` of `products/{id}/metafields`: the last field of a nested record. */
const nameOfOwner = (path: string) => (path.includes('{id}') ? table.get(path)!.at(-1)!.name : undefined)

function recordsOf(path: string): Record<string, unknown>[] {
  const fields = table.get(path)!
  const owner = nameOfOwner(path)
  const owned = owner === undefined ? {} : { [owner]: related(77, `${path.split('/')[0]}/77`) }
  const at = '2020-01-02T03:04:05+02:00'
  const dated = resourceRows().find((row) => row.path === path)!.undated
    ? {}
    : { createdAt: at, updatedAt: at }
  const every = (value: (field: Named) => unknown) =>
    Object.fromEntries(fields.map((field) => [field.name, value(field)]))
  return [
    {
      id: 77,
      ...dated,
      ...every(({ kind }) => odd[kind]),
      unknownHere: null,
      also: { a: [1, '2'] },
      ...owned,
    },
    { id: 78, ...owned },
    { id: 79, ...dated, ...every(() => null), ...owned },
  ]
}

/** Without links, and without the records that an event brings beside. */
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (name, inner) => (/^(link|embedded)$/.test(name) ? undefined : inner)))

let shop: Sandbox
const events = new Map<string, Record<string, unknown>>()

beforeAll(async () => {
  let closeReceiver = () => {}
  const address = await serveOrigin(
    async (req, res) => {
      events.set(String(req.headers['x-event']), JSON.parse(await text(req)))
      res.end()
    },
    (close) => {
      closeReceiver = close
    },
  )
  const files = seeded.map((path): [string, unknown[]] => {
    const name = path.replaceAll('/{id}', '').replaceAll('/', '.')
    const webhooks = seeded.map((itemGroup, place) => ({
      ...{ id: 100 + place, isActive: true, itemGroup, itemAction: 'updated', language: 'nl', address },
    }))
    return [`${name}.json`, [...recordsOf(path), ...(path === 'webhooks' ? webhooks : [])]]
  })
  shop = createSandbox({ seed: folderWith(Object.fromEntries(files)) })
  await shop.listen()
  return async () => {
    await shop.close()
    closeReceiver()
  }
})

test('the table has every resource with its fields', () => {
  const shown = resourceRows().map(({ path, fields }) => [
    path,
    Object.keys(fields).filter((name) => !fields[name]!.hidden),
  ])
  expect([...table].map(([path, fields]) => [path, fields.map(({ name }) => name)])).toEqual(shown)
})

test.each(seeded)(
  '%s: what was seeded comes back as it was, and the rest in the form of live platforms',
  async (path) => {
    const row = resourceRows().find((one) => one.path === path)!
    const address = `nl/${path.replace('{id}', '77')}`
    const read = async (id: number) => {
      const { status, body } = await call(shop, 'GET', `${address}/${id}.json`)
      expect([id, status]).toEqual([id, 200])
      return body[row.one]
    }
    const [set, unset, none] = recordsOf(path)
    expect(plain(await read(77))).toEqual(plain(set))
    expect(plain(await read(79))).toEqual(plain(none))
    const record = await read(78)
    for (const field of table.get(path)!) {
      if (filled.has(`${path} ${field.name}`) || field.name in unset!) continue
      const { success } = unsetForm(field).safeParse(record[field.name])
      expect([field.name, record[field.name], success]).toEqual([field.name, record[field.name], true])
    }
    // A change of a subscription is no event.
    if (!row.verbs.includes('U') || path === 'webhooks') return
    await call(shop, 'PUT', `${address}/78.json`, asJson({ [row.one]: {} }))
    const event = await vi.waitFor(
      () => events.get(`${path}/updated`) ?? Promise.reject(new Error('no event')),
    )
    expect(plain(event)).toEqual({ [row.one]: { ...plain(await read(78)), templateDataFields: [] } })
  },
)

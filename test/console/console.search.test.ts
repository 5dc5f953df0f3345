import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actions } from '../../src/console/roles.ts'
import type { StorePort } from '../../src/store-port.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sized } from '../long.ts'
import { sharedPostgres } from '../postgres.ts'
import { House } from './house.ts'
import { consoleWith, type Person } from './people.ts'

const server = await sharedPostgres()
const engines: Record<string, () => Promise<StorePort>> = {
  memory: async () => Object.assign(memoryStore(), { volatile: false }),
  postgres: async () => postgresStore({ url: await server.emptied() }),
}

/** With each sign that HTML means, between letters that no page has. */
const marked = `zq<zq>zq"zq'zq&zq`
const unescaped = /zq[<>"']zq|zq&zq/

const hostile = [
  marked,
  `<script>${marked}</script>`,
  `"><img src=x onerror=alert(1)>${marked}`,
  `' or 1=1 --${marked}`,
  `'; drop table payments; --`,
  `\u0000`,
  `20481\u0000`,
  `a\r\nSet-Cookie: a=b`,
  `%`,
  `_`,
  `!`,
  `%%%_%_!!_`,
  `\\`,
  `../../etc/passwd`,
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  'Infinity',
  '-1',
  '1e309',
  '9'.repeat(15),
  '9'.repeat(16),
  '9'.repeat(400),
  '0x10',
  '١٢٣',
  '\u202e20481',
  '\ufeff',
  '\ud83d\ude80'.repeat(200),
  '149.00',
  '149,00 €',
  'WR-20481',
  '20481',
  'BT-LOST-1',
  'push-lost-0001',
  'msg_',
  'msg_1',
  'q-9f31c7aa',
  '{}',
  '[]',
  'null',
  'a'.repeat(5_000),
]
/** What no encoding of text makes: sent as it is. */
const rawBytes = ['%', '%ff', '%00', '%E0%A4%A', '%c0%ae', '%2500', '%u0041', '+', '&&&==', 'a=b=c', '%0d%0a']

const texts = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...hostile), fc.string({ maxLength: 5 }))
      .map(([one, other]) => other + one),
  },
)

/** Of every page its filters, and its addresses with names in them. */
const filters: Record<string, string[]> = {
  '/payments': ['q', 'status', 'shop', 'since', 'review', 'cursor'],
  '/payments.csv': ['q', 'status', 'shop', 'since', 'review', 'cursor'],
  '/anomalies': ['kind', 'shop', 'adapter', 'by', 'closed'],
  '/webhooks': ['shop', 'state'],
  '/rates': ['shop', 'when', 'method', 'all', 'before'],
  '/shops': ['name', 'state', 'after'],
  '/changes': ['shop', 'kind', 'before'],
  '/audit': ['who', 'shop', 'action', 'before'],
  '/zone': ['zone', 'to'],
  '/': ['q', 'zone'],
  '/health': ['q'],
}
const named = [
  '/payments/*/20481',
  '/payments/wren/*',
  '/payments/*/*/raw',
  '/webhooks/*/*',
  '/webhooks/loom/*',
  '/shops/*',
  '/*',
]

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Expects an answer that a person can read, whatever was asked. */
async function isAnswered(person: Person, address: string): Promise<string> {
  const answer = await person.get(address)
  const page = await answer.text()
  const where = `${address}: ${answer.status} ${page.replace(/[\s\S]*<main[^>]*>/, '').slice(0, 400)}`
  expect([200, 303, 404, 422], where).toContain(answer.status)
  expect(page, where).not.toMatch(/\n\s+at |SQLITE|syntax error|node_modules|\.ts:\d|invalid byte/)
  if (!address.startsWith('/payments.csv')) expect(unescaped.test(page), where).toBe(false)
  expect(answer.headers.getSetCookie().filter((one) => !one.startsWith('zone='))).toEqual([])
  const location = answer.headers.get('location')
  if (location !== null) expect(location).toMatch(/^\/console\//)
  return page
}

async function openFor(engine: () => Promise<StorePort>) {
  const desk = await consoleWith({ store: await engine() })
  await new House(desk.store, desk.clock.now(), (id) => desk.provider.shops.add(id)).fill()
  return { ...desk, mila: await desk.signIn('admin', 'mila') }
}

const fields = [
  ...['why', 'note', 'id', 'kind', 'adapter', 'shop', 'before', 'stake', 'body', 'days', 'name'],
  ...['attempt', 'amount', 'status', 'event', 'do', 'token'],
]
const forms = [
  ...['/payments/wren/20481/report', '/payments/wren/20481/refund', '/payments/*/*/ask', '/anomalies/close'],
  ...['/webhooks/*/*/open', '/rates/try', '/shops/wren/rotate', '/shops/*/disable', '/audit/sign-out', '/*'],
]

describe.for(Object.entries(engines))('%s', ([name, engine]) => {
  const runs = name === 'memory' ? sized(1_000, 10_000) : sized(150, 3_000)

  test('every search is answered: with payments, or that none is named so', async () => {
    const { mila, lines } = await openFor(engine)
    const found = { none: 0, some: 0 }
    const search = async (text: string) => {
      const page = await isAnswered(mila, `/payments?q=${encoded(text)}`)
      if (page.includes('No payment is named')) found.none++
      else found.some++
    }
    await fc.assert(fc.asyncProperty(texts, search), { numRuns: runs, examples: hostile.map((one) => [one]) })
    for (const bytes of rawBytes) await isAnswered(mila, `/payments?q=${bytes}`)
    expect(found.none).toBeGreaterThan(runs / 3)
    expect(found.some).toBeGreaterThan(3)
    expect(lines).toEqual([])
    expect(await mila.page(`/payments?q=${encoded(marked)}`)).toContain(
      'No payment is named zq&lt;zq&gt;zq&quot;zq',
    )
  })

  test('every filter of every page, and every name in an address, is answered too', async () => {
    const { mila, lines } = await openFor(engine)
    const filter = fc.constantFrom(
      ...Object.entries(filters).flatMap(([page, names]) => names.map((one) => [page, one] as const)),
    )
    const byFilter = fc.tuple(filter, texts, texts).map(([[page, one], text, other]) => {
      const also = filters[page]![other.length % filters[page]!.length]!
      return `${page}?${one}=${encoded(text)}&${also}=${encoded(other)}`
    })
    const segment = texts.map((text) => encoded(text)).filter((text) => !/^\.{0,2}$/.test(text))
    const byName = fc
      .tuple(fc.constantFrom(...named), segment)
      .map(([path, text]) => path.replaceAll('*', text))
    const address = fc.oneof({ weight: 3, arbitrary: byFilter }, { weight: 1, arbitrary: byName })
    await fc.assert(
      fc.asyncProperty(address, async (one) => void (await isAnswered(mila, one))),
      { numRuns: Math.floor(runs / 2) },
    )
    for (const bytes of rawBytes)
      for (const [page, names] of Object.entries(filters))
        for (const one of names) await isAnswered(mila, `${page}?${one}=${bytes}`)
    expect(lines).toEqual([])
  })

  test('every form is answered, whatever its fields and its address hold', async () => {
    const { mila, lines } = await openFor(engine)
    const token = await mila.token()
    const field = fc.tuple(fc.constantFrom(...fields), texts)
    const values = fc.array(field, { maxLength: 6 })
    const action = fc.constantFrom(...Object.keys(actions))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...forms), texts, action, values, async (path, text, act, given) => {
        const form = { token, do: act, why: 'long enough a reason', days: '1', ...Object.fromEntries(given) }
        const name = encoded(text).replace(/^\.{0,2}$/, 'x')
        const answer = await mila.post(path.replaceAll('*', name), form)
        const page = await answer.text()
        const where = `${path} ${JSON.stringify(form)}: ${answer.status} ${page.slice(-900)}`
        expect([200, 303, 400, 403, 404, 422], where).toContain(answer.status)
        expect(page, where).not.toMatch(/\n\s+at |SQLITE|syntax error|node_modules|\.ts:\d/)
        expect(unescaped.test(page), where).toBe(false)
      }),
      { numRuns: Math.floor(runs / 3) },
    )
    for (const number of [
      '1.5',
      '0.0000001',
      '-1',
      '1e300',
      '9'.repeat(17),
      'Infinity',
      '0x1f',
      ' ',
      '\u0000',
    ]) {
      const close = {
        kind: 'unknown_status',
        since: number,
        before: number,
        stake: '0',
        note: 'long enough a note',
      }
      expect((await mila.post('/anomalies/close', { token, do: 'close', ...close })).status, number).toBe(303)
      const rotate = { token, do: 'rotate', days: number, why: 'long enough a reason' }
      expect([303, 422]).toContain((await mila.post('/shops/wren/rotate', rotate)).status)
    }
    for (const bytes of rawBytes) {
      const answer = await mila.post(`/shops/${bytes}/disable`, { token, do: 'disable', why: 'long enough' })
      expect([400, 404, 422], bytes).toContain(answer.status)
    }
    expect(lines.filter(({ level }) => level >= 50)).toEqual([])
    expect((await mila.get('/')).status).toBe(200)
  })
})

test('a text in a cell of a CSV is text: no formula of a spreadsheet, and no other row', async () => {
  const { mila, store, clock, provider } = await openFor(engines.memory!)
  const house = new House(store, clock.now(), (id) => provider.shops.add(id))
  const numbers = ['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '=1,2', 'a,"b"', 'two\r\nrows']
  for (const [at, orderNumber] of numbers.entries())
    await house.order({ orderId: `csv-${at}`, orderNumber, openedAt: clock.now() })
  const text = await mila.page('/payments.csv?shop=wren')
  for (const cell of ["'=1+1", "'+1", "'-1", "'@sum(a1)", "'\t=1", `"'=1,2"`, '"a,""b"""', '"two\r\nrows"'])
    expect(text).toContain(`,${cell},`)
})

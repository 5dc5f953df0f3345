import { isUtf8 } from 'node:buffer'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { collectGarbage } from '../../garbage.ts'
import { checkout, estimate, payment } from '../../http/messages.ts'
import { Random } from '../random.ts'
import { largeTables } from './large-tables.ts'
import { bodyLimit, liveUrls, longField } from './long-fields.ts'
import { type Asked, openTarget, pageOf, pathOf, postOf, type Target } from './target.ts'

export type HostileReport = Awaited<ReturnType<typeof attackWithInputs>>

const filledIn = {
  ...payment({ method: 'psp:card' }),
  ...liveUrls,
  payment_method: { id: 'psp:card', data: { iban: 'x', more: { holder: 'x' }, list: [{ a: 1 }] } },
}
const messages: [string, object][] = [
  ['shipment_methods', checkout],
  ['shipment_methods', estimate],
  ['payment_methods', checkout],
  ['payment', { ...payment({ method: 'psp:card' }), ...liveUrls }],
  ['payment', filledIn],
  ['payment', { ...payment({ method: 'page:page' }), ...liveUrls, shop: checkout.shop }],
]

const deep = (levels: number): unknown => {
  let value: unknown = 'x'
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value }
  return value
}

const values: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1e21, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 53 + 2, 0.1 + 0.2],
  999_999_999_999,
  ...['', ' ', '0', '-1', '1e999', 'NaN', 'Infinity', '0x10', '1_000', '٣', '12,50', '9'.repeat(400)],
  '1'.repeat(5000),
  ...['\u0000', '\ud800', '\u202e', '\ufeff', '\u2028', '<script>alert(1)</script>', '{{7*7}}'],
  "' or 1=1 --",
  ...['__proto__', 'constructor', 'x'.repeat(70_000), '../../etc/passwd', 'javascript:alert(1)'],
  ...['https://[::1]/', 'http://a@b', 'https://shop.example\\@evil', 'https://shop.example/\r\nx: y'],
  ...['2026-02-30', '0000-00-00', '-9999999999'],
  ...[[], {}, [[]], [null], { length: 1e9 }, { toString: 1, valueOf: 1, toJSON: 1 }],
  JSON.parse('{"then":1}'),
  Array.from({ length: 2000 }, () => ({})),
  ...[31, 40, 2000].map(deep),
]
const keys = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', '0', 'then', 'toJSON'],
  ...['length', 'ID', 'a'.repeat(3000), '\u0000', 'quote.products[0]'],
]

/** Changes one to three places of a message. */
function mutated(random: Random, message: object): unknown {
  let body: unknown = structuredClone(message)
  for (let change = random.between(1, 3); change > 0; change--) {
    const holders: object[] = []
    const collect = (value: unknown, depth: number) => {
      if (typeof value !== 'object' || value === null || depth > 6 || holders.length > 60) return
      holders.push(value)
      for (const child of Object.values(value)) collect(child, depth + 1)
    }
    collect(body, 0)
    if (holders.length === 0 || random.chance(0.01)) {
      body = structuredClone(random.pick(values))
      continue
    }
    const holder = random.pick(holders) as Record<string, unknown>
    const own = Object.keys(holder)
    const key = own.length > 0 && random.chance(0.8) ? random.pick(own) : random.pick(keys)
    if (Array.isArray(holder) && key === 'length') continue
    if (random.chance(0.1)) delete holder[key]
    else
      Object.defineProperty(holder, key, {
        value: structuredClone(random.pick(values)),
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return body
}

const types = [
  ...['application/json', 'text/json', 'text/html', '', 'application/json; charset=utf-16'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json;;;'],
  'a'.repeat(3000),
]
const encodings = ['gzip', 'br', 'identity', 'deflate, gzip', 'x']
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND']
const paths = [
  ...'/ /e /e/ /p/ /n/psp/ /health/ready /e/% /p/%zz /n/%/% /p/%E0%A4%A /e/../../etc/passwd /e/..%2f'.split(
    ' ',
  ),
  ...'//e// /E/x /__proto__ /e/__proto__/payment /e/constructor /p/constructor/done /n/__proto__/x'.split(
    ' ',
  ),
  ...'/p/x/done/../return /p/x?x=% /e/x#y * https://elsewhere.example/e/x /p// /n /e/\u0000'.split(' '),
  `/${'a'.repeat(8000)}`,
]

/** Changes the text below the message: cut, flipped, doubled, garbled. */
function garbled(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text)
  const at = random.between(0, Math.max(0, bytes.length - 1))
  const kind = random.between(0, 5)
  const inserted = (more: Buffer) => Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)])
  if (kind === 0) return bytes.subarray(0, at)
  if (kind === 1) {
    bytes[at] = random.between(0, 255)
    return bytes
  }
  if (kind === 2) return inserted(Buffer.from([0xff, 0xc0, 0x80]))
  if (kind === 3) return Buffer.concat([bytes, bytes])
  if (kind === 4) return Buffer.from('['.repeat(random.between(1, 100_000)))
  return inserted(Buffer.from(random.pick(['1e400', '-', '"\\u0000"', '{"__proto__":{"x":1}}', ','])))
}

/** One hostile input. `known` are paths that lead somewhere. */
export function hostileInput(random: Random, known: { endpoint: string; page: string; push: string }): Asked {
  const [route, message] = random.pick(messages)
  const kind = random.next()
  if (kind < 0.06) {
    const path = random.chance(0.5)
      ? random.pick(paths)
      : `${random.pick([known.endpoint, known.page, known.push])}/${random.pick(paths)}`
    const asked = { method: random.pick(methods), path, headers: { 'content-type': random.pick(types) } }
    return { ...asked, body: random.chance(0.5) ? '{}' : undefined }
  }
  if (kind < 0.1) {
    const body = random.chance(0.5)
      ? `outcome=${random.pick(['again', '%', '%ff', 'x'.repeat(70_000)])}`
      : '__proto__=1&a[b]=2'
    const type = random.chance(0.8) ? 'application/x-www-form-urlencoded' : random.pick(types)
    const method = random.pick(['POST', 'POST', ...methods])
    return { method, path: known.page, headers: { 'content-type': type }, body }
  }
  if (kind < 0.13) {
    const text = JSON.stringify(mutated(random, { id: 'tr_1' })) ?? ''
    return postOf(known.push, text, { 'psp-signature': random.pick(['', 'zz', '00', 'f'.repeat(64)]) })
  }
  if (kind < 0.16) {
    const path = `${known.endpoint}/payment/${random.pick([...keys, ...paths, '1001', '%00', '1001 ', '01001'])}`
    return { method: random.pick(['GET', 'GET', ...methods]), path }
  }
  const large = random.chance(0.005) ? { pad: 'x'.repeat(300_000) } : undefined
  if (random.chance(0.01)) {
    const reaching = `"${random.pick(['__proto__', 'constructor', 'prototype'])}":{"polluted":true},"iban"`
    // An order of its own: a repeat of one that was started reaches no adapter.
    const order = { ...filledIn.order, id: `reaching-${random.between(0, 1e9)}` }
    const body = JSON.stringify({ ...filledIn, order }).replace('"iban"', reaching)
    return postOf(`${known.endpoint}/payment`, body)
  }
  const text = JSON.stringify(large ? { ...message, ...large } : mutated(random, message)) ?? ''
  const body = random.chance(0.15) ? garbled(random, text) : text
  const headers: Record<string, string> = {
    'content-type': random.chance(0.95) ? 'application/json' : random.pick(types),
  }
  if (random.chance(0.02)) headers['content-encoding'] = random.pick(encodings)
  if (random.chance(0.02)) headers['content-length'] = random.pick(['-1', '1e9', '999999999999', 'x', '0'])
  if (random.chance(0.02)) headers['x-shop-id'] = random.pick(['7', '8', '', 'x'.repeat(5000), '__proto__'])
  if (random.chance(0.02))
    headers['x-request-id'] = random.pick(['a\r\nb', 'x'.repeat(5000), '{{7*7}}', 'fine-id-1'])
  return postOf(`${known.endpoint}/${route}`, body, headers)
}

/** Paths of a shop with a payment on a page, for any hostile input. */
export async function knownPaths(target: Target, shop: string) {
  const endpoint = pathOf((await target.provider.shops.add(shop)).endpoint)
  const order = { ...payment({ id: 'on-page', method: 'page:page' }), ...liveUrls }
  return { endpoint, page: await pageOf(target, endpoint, order), push: '/n/psp/unknown' }
}

const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Number.prototype]
const shapeOfPrototypes = () => prototypes.map((one) => Reflect.ownKeys(one).length).join(' ')
const longest = 50
/** Orders that are kept: one has a page, and one as many attempts as may be. */
const lasting = new Set(['on-page', 'too-often'])

/**
 * Sends mutated messages into the router of one process, and every other time a field of another length: those of a million inputs go
 * through every length up to the limit of a body and a little beyond it. Behind it are a page, so many pickup points, and a tariff with five times as many lines.
 */
export async function attackWithInputs(inputs: number, seed: number, points = 20_000) {
  const tables = await largeTables(points)
  await using target = await openTarget({ moreRates: tables, weights: 'g' })
  const known = await knownPaths(target, 'attacked')
  const random = new Random(seed)
  const violations = [...(await askDirectly(tables)), ...(await startTooOften(target, known.endpoint))]
  /** How many inputs got each status. */
  const statuses: Record<number, number> = {}
  const before = shapeOfPrototypes()
  /** The longest that one input kept the thread busy, in milliseconds; one that did so is tried again. */
  let stall = 0
  let baseline = 0
  let longFields = 0
  for (let input = 0; input < inputs; input++) {
    const long = input % 2 === 0 ? longField(random, lengthOf(longFields++, seed), known) : undefined
    const asked = long?.asked ?? hostileInput(random, known)
    target.seen.length = 0
    const [ms, answered] = await timed(() => target.call(asked))
    if (ms > stall) stall = Math.max(stall, ms > longest ? await fastest(target, asked, ms) : ms)
    statuses[answered.status] = (statuses[answered.status] ?? 0) + 1
    const fault =
      long?.fault(answered, target.seen) ??
      faultOf(asked, answered.status, answered.body) ??
      reaching(target.seen)
    if (fault) violations.push(`input ${input} of seed ${seed}: ${fault}`)
    if (target.log.length > 2000) target.log.length = 0
    // The data of so many orders is in the store, and is not the growth; and a full order accepts no more inputs.
    if (input % 500 === 499)
      for (const { orderId } of await target.store.payments({ limit: 100_000 }))
        if (!lasting.has(orderId)) await target.store.erasePayment('attacked', orderId, 0)
    if (input === Math.min(20_000, Math.floor(inputs / 2))) baseline = heapUsed()
  }
  if (shapeOfPrototypes() !== before) violations.push('a prototype was changed')
  const memory = (heapUsed() - baseline) / 1024 / 1024
  if (stall > longest) violations.push(`an input held up the process for ${Math.round(stall)} ms`)
  if (memory > 64) violations.push(`memory has grown by ${Math.round(memory)} MB`)
  const most = { stall_ms: Math.round(stall), memory_mb: Math.round(memory) }
  return { inputs, long_fields: longFields, statuses, ...most, violations }
}

/** Batches have so many inputs, and a seed each: together they go through all lengths, in steps that share no factor with their number. */
const lengthOf = (field: number, seed: number): number =>
  (((seed - 1) * 50_000 + field) * 40_503) % (bodyLimit + 64 * 1024)

/** In milliseconds of this thread: what else the machine does is no fault of ours. */
async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const before = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(before)
  return [(user + system) / 1000, result]
}

/** Garbage may have been collected just then: what is slow by itself is slow again. */
async function fastest(target: Target, asked: Asked, first: number): Promise<number> {
  let least = first
  for (let time = 0; time < 5; time++) least = Math.min(least, (await timed(() => target.call(asked)))[0])
  return least
}

/** The adapters themselves are asked for zipcodes that no reader would let through. */
async function askDirectly(tables: readonly AnyRateAdapter[]): Promise<string[]> {
  const ctx = {
    explain() {},
    parcels: () => ({ each: '1', unit: 'kg', count: 1, list: [], unknown: [] }),
    now: () => 0,
  }
  for (const adapter of tables) {
    for (const text of ['- '.repeat(10_000), 'a'.repeat(240_000), '9'.repeat(240_000)]) {
      const shipping_address = { country: 'nl', zipcode: text }
      const request = { shop: checkout.shop, quote: checkout.quote, shipping_address }
      const ask = () => timed(async () => adapter.quote(request as never, ctx as never))
      let [least] = await ask()
      for (let time = 0; least > longest && least < 1_000 && time < 5; time++)
        least = Math.min(least, (await ask())[0])
      if (least > longest)
        return [`${adapter.name} takes ${Math.round(least)} ms for a zipcode of ${text.length} characters`]
    }
  }
  return []
}

/** An order takes 100 attempts; the newest one is answered again. */
async function startTooOften({ call }: Target, endpoint: string): Promise<string[]> {
  const start = async (cents: number) => {
    const order = { ...payment({ id: 'too-often', price_incl: cents, method: 'psp:card' }), ...liveUrls }
    return (await call(postOf(`${endpoint}/payment`, order))).status
  }
  const statuses: number[] = []
  for (let cents = 1; cents <= 101; cents++) statuses.push(await start(cents))
  const [last, again] = [statuses.pop(), await start(100)]
  if (statuses.every((status) => status === 201) && last === 409 && again === 201) return []
  const found = [...new Set(statuses)]
  return [`attempts of one order are answered ${found}, the 101st ${last}, a repeat ${again}`]
}

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** An adapter's input has no key that reaches into prototypes. */
function reaching(seen: unknown[]): string | undefined {
  const found = (value: unknown, depth: number): boolean =>
    typeof value === 'object' &&
    value !== null &&
    depth < 8 &&
    (['__proto__', 'constructor', 'prototype'].some((key) => Object.hasOwn(value, key)) ||
      Object.values(value).some((child) => found(child, depth + 1)))
  return found(seen.at(-1), 0) ? 'an adapter was given a key that reaches into prototypes' : undefined
}

function faultOf({ path, body: sent = '' }: Asked, status: number, body: string): string | undefined {
  if (status < 300 && path.startsWith('/e/')) {
    if (Buffer.byteLength(sent) > bodyLimit) return `${Buffer.byteLength(sent)} bytes are taken`
    if (typeof sent !== 'string' && !isUtf8(sent)) return 'what is not UTF-8 is taken'
  }
  if (status >= 500) return `answered ${status}: ${body.slice(0, 200)}`
  if (status < 200 || status >= 400) {
    if (path.startsWith('/p/') || body === '') return undefined
    try {
      const { code, request_id } = JSON.parse(body)
      return typeof code === 'string' && typeof request_id === 'string'
        ? undefined
        : 'an error without a code'
    } catch {
      return `an error that is not JSON: ${body.slice(0, 80)}`
    }
  }
  return undefined
}

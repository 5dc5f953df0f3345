import { isUtf8 } from 'node:buffer'
import { checkout, estimate, payment } from '../../http/messages.ts'
import { Random } from '../random.ts'
import { type Asked, json, openTarget, pathOf, type Target } from './target.ts'

export interface HostileReport {
  inputs: number
  /** How many inputs got each status. */
  statuses: Record<number, number>
  /** The longest that one input held up the process, in milliseconds; one that did so is tried again. */
  stall_ms: number
  memory_mb: number
  violations: string[]
}

const liveUrls = {
  redirect_url: 'https://shop.example/return?order=1001&a=b%20c',
  webhook_url: 'https://shop.example/webhook?order=1001',
}
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
  ...[
    null,
    true,
    false,
    0,
    -0,
    -1,
    1e21,
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    2 ** 53 + 2,
    0.1 + 0.2,
    999_999_999_999,
  ],
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e999',
    'NaN',
    'Infinity',
    '0x10',
    '1_000',
    '٣',
    '12,50',
    '9'.repeat(400),
    '1'.repeat(5000),
  ],
  ...[
    '\u0000',
    '\ud800',
    '\u202e',
    '\ufeff',
    '\u2028',
    '<script>alert(1)</script>',
    '{{7*7}}',
    "' or 1=1 --",
  ],
  ...[
    '__proto__',
    'constructor',
    'x'.repeat(70_000),
    '../../etc/passwd',
    'javascript:alert(1)',
    'https://[::1]/',
  ],
  ...[
    'http://a@b',
    'https://shop.example\\@evil',
    'https://shop.example/\r\nx: y',
    '2026-02-30',
    '0000-00-00',
    '-9999999999',
  ],
  [],
  {},
  [[]],
  [null],
  { length: 1e9 },
  { toString: 1, valueOf: 1, toJSON: 1 },
  JSON.parse('{"then":1}'),
  Array.from({ length: 2000 }, () => ({})),
  deep(31),
  deep(40),
  deep(2000),
]
const keys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '0',
  'then',
  'toJSON',
  'length',
  'ID',
  'a'.repeat(3000),
  '\u0000',
  'quote.products[0]',
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
  'application/json',
  'text/json',
  'text/html',
  '',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json;;;',
  'a'.repeat(3000),
]
const encodings = ['gzip', 'br', 'identity', 'deflate, gzip', 'x']
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND']
const paths = [
  '/',
  '/e',
  '/e/',
  '/p/',
  '/n/psp/',
  '/health/ready',
  '/e/%',
  '/p/%zz',
  '/n/%/%',
  '/p/%E0%A4%A',
  '/e/../../etc/passwd',
  '/e/..%2f',
  '//e//',
  '/E/x',
  '/__proto__',
  '/e/__proto__/payment',
  '/e/constructor',
  '/p/constructor/done',
  '/n/__proto__/x',
  `/${'a'.repeat(8000)}`,
  '/e/\u0000',
  '/p/x/done/../return',
  '/p/x?x=%',
  '/e/x#y',
  '*',
  'https://elsewhere.example/e/x',
  '/p//',
  '/n',
]

/** Changes the text below the message: cut, flipped, doubled, garbled. */
function garbled(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text)
  const at = random.between(0, Math.max(0, bytes.length - 1))
  const kind = random.between(0, 5)
  if (kind === 0) return bytes.subarray(0, at)
  if (kind === 1) {
    bytes[at] = random.between(0, 255)
    return bytes
  }
  if (kind === 2)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xc0, 0x80]), bytes.subarray(at)])
  if (kind === 3) return Buffer.concat([bytes, bytes])
  if (kind === 4) return Buffer.from('['.repeat(random.between(1, 100_000)))
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from(random.pick(['1e400', '-', '"\\u0000"', '{"__proto__":{"x":1}}', ','])),
    bytes.subarray(at),
  ])
}

/** One hostile input. `known` are paths that lead somewhere. */
export function hostileInput(random: Random, known: { endpoint: string; page: string; push: string }): Asked {
  const [route, message] = random.pick(messages)
  const kind = random.next()
  if (kind < 0.06) {
    const path = random.chance(0.5)
      ? random.pick(paths)
      : `${random.pick([known.endpoint, known.page, known.push])}/${random.pick(paths)}`
    return {
      method: random.pick(methods),
      path,
      headers: { 'content-type': random.pick(types) },
      body: random.chance(0.5) ? '{}' : undefined,
    }
  }
  if (kind < 0.1) {
    const body = random.chance(0.5)
      ? `outcome=${random.pick(['again', '%', '%ff', 'x'.repeat(70_000)])}`
      : '__proto__=1&a[b]=2'
    const type = random.chance(0.8) ? 'application/x-www-form-urlencoded' : random.pick(types)
    return {
      method: random.pick(['POST', 'POST', ...methods]),
      path: known.page,
      headers: { 'content-type': type },
      body,
    }
  }
  if (kind < 0.13) {
    const text = JSON.stringify(mutated(random, { id: 'tr_1' })) ?? ''
    return {
      method: 'POST',
      path: known.push,
      headers: { 'psp-signature': random.pick(['', 'zz', '00', 'f'.repeat(64)]) },
      body: text,
    }
  }
  if (kind < 0.16) {
    const path = `${known.endpoint}/payment/${random.pick([...keys, ...paths, '1001', '%00', '1001 ', '01001'])}`
    return { method: random.pick(['GET', 'GET', ...methods]), path }
  }
  const large = random.chance(0.005) ? { pad: 'x'.repeat(300_000) } : undefined
  if (random.chance(0.01)) {
    const reaching = `"${random.pick(['__proto__', 'constructor', 'prototype'])}":{"polluted":true},"iban"`
    const body = JSON.stringify(filledIn).replace('"iban"', reaching)
    return { method: 'POST', path: `${known.endpoint}/payment`, headers: json, body }
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
  return { method: 'POST', path: `${known.endpoint}/${route}`, headers, body }
}

/** Paths of a shop with a payment on a page, whatever the hostile inputs do to it. */
export async function knownPaths({ provider, call }: Target, shop: string) {
  const endpoint = pathOf((await provider.shops.add(shop)).endpoint)
  const order = { ...payment({ id: 'on-page', method: 'page:page' }), ...liveUrls }
  const { body } = await call({
    method: 'POST',
    path: `${endpoint}/payment`,
    headers: json,
    body: JSON.stringify(order),
  })
  return { endpoint, page: new URL(JSON.parse(body).payment_url).pathname, push: '/n/psp/unknown' }
}

const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Number.prototype]
const shapeOfPrototypes = () => prototypes.map((one) => Reflect.ownKeys(one).length).join(' ')
const longest = 50

/** Sends mutated messages into the router of one process. */
export async function attackWithInputs(inputs: number, seed: number): Promise<HostileReport> {
  const target = await openTarget()
  const known = await knownPaths(target, 'attacked')
  const random = new Random(seed)
  const violations: string[] = []
  const statuses: Record<number, number> = {}
  const before = shapeOfPrototypes()
  let stall = 0
  let baseline = 0
  for (let input = 0; input < inputs; input++) {
    const asked = hostileInput(random, known)
    const started = performance.now()
    const answered = await target.call(asked)
    const ms = performance.now() - started
    if (ms > stall) stall = Math.max(stall, ms > longest ? await fastest(target, asked, ms) : ms)
    statuses[answered.status] = (statuses[answered.status] ?? 0) + 1
    const fault = faultOf(asked, answered.status, answered.body) ?? reaching(target.seen)
    if (fault) violations.push(`input ${input} of seed ${seed}: ${fault}`)
    if (target.log.length > 2000) target.log.length = 0
    if (target.seen.length > 2000) target.seen.length = 0
    // What is kept of so many orders is the store's, and is not what grows.
    if (input % 20_000 === 19_999)
      for (const { orderId } of await target.store.payments({ limit: 100_000 }))
        if (orderId !== 'on-page') await target.store.erasePayment('attacked', orderId, 0)
    if (input === Math.min(20_000, Math.floor(inputs / 2))) baseline = heapUsed()
  }
  if (shapeOfPrototypes() !== before) violations.push('a prototype was changed')
  const memory = (heapUsed() - baseline) / 1024 / 1024
  if (stall > longest) violations.push(`an input held up the process for ${Math.round(stall)} ms`)
  if (memory > 64) violations.push(`memory has grown by ${Math.round(memory)} MB`)
  await target.provider.stop()
  return { inputs, statuses, stall_ms: Math.round(stall), memory_mb: Math.round(memory), violations }
}

/** The machine may have been busy elsewhere: what is slow by itself is slow again. */
async function fastest(target: Target, asked: Asked, first: number): Promise<number> {
  let least = first
  for (let time = 0; time < 5; time++) {
    const started = performance.now()
    await target.call(asked)
    least = Math.min(least, performance.now() - started)
  }
  return least
}

function heapUsed(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** What an adapter was given has no key that reaches into prototypes. */
function reaching(seen: unknown[]): string | undefined {
  const latest = seen.at(-1)
  const found = (value: unknown, depth: number): boolean =>
    typeof value === 'object' &&
    value !== null &&
    depth < 8 &&
    (['__proto__', 'constructor', 'prototype'].some((key) => Object.hasOwn(value, key)) ||
      Object.values(value).some((child) => found(child, depth + 1)))
  return found(latest, 0) ? 'an adapter was given a key that reaches into prototypes' : undefined
}

function faultOf({ path, body: sent = '' }: Asked, status: number, body: string): string | undefined {
  if (status < 300 && path.startsWith('/e/')) {
    if (Buffer.byteLength(sent) > 256 * 1024) return `${Buffer.byteLength(sent)} bytes are taken`
    if (typeof sent !== 'string' && !isUtf8(sent)) return 'what is no UTF-8 is taken'
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
      return `an error that is no JSON: ${body.slice(0, 80)}`
    }
  }
  return undefined
}

import { checkout, estimate, payment } from '../../http/messages.ts'
import type { Random } from '../random.ts'
import { type Answered, type Asked, getOf, json, postOf } from './target.ts'

export const bodyLimit = 1024 * 1024

/** One field of one request, of any length, and what has to become of it. */
export interface LongField {
  asked: Asked
  /** Says what is wrong with the answer, and with what the adapters have seen since. */
  fault(answered: Answered, seen: readonly unknown[]): string | undefined
}

/** Addresses of a shop, with a query. */
export const liveUrls = {
  redirect_url: 'https://shop.example/return?order=1001&a=b%20c',
  webhook_url: 'https://shop.example/webhook?order=1001',
}
const bodies: [string, object][] = [
  ['shipment_methods', checkout],
  ['shipment_methods', estimate],
  ['payment_methods', checkout],
  ['payment', { ...payment({ method: 'psp:card' }), ...liveUrls, shop: checkout.shop }],
]

/** Fields that answers do not depend on, and fields with their longest length; the others are known by their kind. */
const cut = /\.(title|fulltitle|variant|description|name|address[12]|city|region|phone|firstname|lastname)$/
const refused: [RegExp, number][] = [
  [/_address\.zipcode$/, 32],
  [/_address\.country$/, 64],
  [/^customer\.email$/, 320],
  [/^quote\.products\.0\.(sku|ean|article_code)$/, 256],
  [/^order\.number$/, 128],
  [/^(order|quote|shop|payment_method)\.(id|method)$|^checkout_id$|\.product_id$/, 128],
  [/_url$/, 2048],
  [/\.(price_incl|price_excl|price_tax|weight|colli|quantity)$/, 40],
]
/** Fields that no message of ours has by itself. */
const added: Record<string, string[]> = {
  shipment_methods: ['quote.products.0.description', 'quote.products.0.sku', 'shipping_address.city'],
  payment_methods: ['quote.products.0.fulltitle', 'customer.phone', 'customer.vatnumber'],
  payment: ['payment_method.data.token', 'customer.fullname', 'shipping_address.zipcode'],
}

const units = [
  ...['a', '9', 'A', ' ', '-', 'é', 'ß', '漢', '🚀', 'a🚀', '\u0301', '\ud800', '1012 ab ', '<', '"'],
  ...['\u0000', '1,'],
]

/** The path of every field below that is not an object. */
function fieldsOf(value: unknown, path: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')]
  return Object.entries(value).flatMap(([key, child]) => fieldsOf(child, [...path, key]))
}

function put(message: object, path: string, value: unknown): object {
  const body = structuredClone(message) as Record<string, unknown>
  const keys = path.split('.')
  let node = body
  for (const key of keys.slice(0, -1)) {
    node[key] ??= {}
    // "No data" may stand where an object belongs.
    if (Array.isArray(node[key]) && node[key].length === 0) node[key] = {}
    node = node[key] as Record<string, unknown>
  }
  node[keys.at(-1)!] = value
  return body
}

/** The text of so many bytes at most, made of one unit again and again. */
function textOf(unit: string, bytes: number): string {
  const each = Buffer.byteLength(JSON.stringify(unit)) - 2
  return unit.repeat(Math.ceil(bytes / each))
}

/** A request with one field of about so many bytes, in the body, a header or the path. */
export function longField(
  random: Random,
  bytes: number,
  known: { endpoint: string; page: string; push: string },
): LongField {
  const unit = random.pick(units)
  const kind = random.next()
  if (kind < 0.9) return inBody(random, textOf(unit, bytes), known.endpoint)
  if (kind < 0.94) return elsewhere(random, 'a'.repeat(bytes), known)
  if (kind < 0.97) {
    const body = `outcome=again&code=${'x'.repeat(bytes)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return { asked: postOf(known.page, body, headers), fault: notOurs }
  }
  const headers = { 'psp-signature': 'f'.repeat(64) }
  return { asked: postOf(known.push, textOf(unit, bytes), headers), fault: notOurs }
}

/** Through the limits of Node for a line and the headers: longer ones never reach a provider. */
const longestHead = 16_000

function elsewhere(
  random: Random,
  text: string,
  { endpoint, page }: { endpoint: string; page: string },
): LongField {
  const value = text.slice(0, longestHead)
  const body = JSON.stringify(checkout)
  const get = (path: string, headers = {}): LongField => ({ asked: getOf(path, headers), fault: notOurs })
  const post = (headers: object): LongField => ({
    asked: postOf(`${endpoint}/shipment_methods`, body, { ...json, ...headers }),
    fault: notOurs,
  })
  return random.pick([
    () => get(`${endpoint}/payment/${value}`),
    () => get(`${endpoint}/${value}`),
    () => get(`/e/${value}/payment/1`),
    () => get(`/p/${value}`),
    () => get(page, { 'accept-language': `${value},nl` }),
    () => get(page, { 'accept-language': 'xx,'.repeat(value.length / 3) }),
    () => post({ 'x-shop-id': value }),
    () => post({ authorization: `Basic ${value}` }),
    () => post({ 'content-type': `application/json;${' '.repeat(value.length)}` }),
    () => post({ 'x-forwarded-for': '1.1.1.1,'.repeat(value.length / 8) }),
  ])()
}

function inBody(random: Random, text: string, endpoint: string): LongField {
  const [route, message] = random.pick(bodies)
  const path = random.pick([...fieldsOf(message), ...added[route]!])
  const sent = put(message, path, text)
  const body = JSON.stringify(sent)
  const asked: Asked = postOf(`${endpoint}/${route}`, body)
  return {
    asked,
    fault(answered, seen) {
      if (Buffer.byteLength(body) > bodyLimit)
        return answered.status === 413
          ? undefined
          : `${Buffer.byteLength(body)} bytes are answered ${answered.status}`
      return notOurs(answered) ?? becameOf(path, text, answered) ?? cutInTwo(text, seen)
    },
  }
}

function becameOf(path: string, text: string, { status, body }: Answered): string | undefined {
  const about = `${path} of ${text.length} characters`
  // An earlier input may have made the order one of nothing, which is paid.
  if (cut.test(path))
    return status === 201 || body.includes('PAID_LESS')
      ? undefined
      : `${about} is answered ${status}: ${body.slice(0, 200)}`
  const [, most] = refused.find(([pattern]) => pattern.test(path)) ?? []
  if (most === undefined || [...text].length <= most) return undefined
  // A field that no adapter declares is not read at all.
  const isRead = path === 'customer.email' || !/^(customer|billing_address)\./.test(path)
  if (!isRead) return undefined
  const written = path.replace(/\.(\d+)\./, '[$1].')
  if (status !== 422 || !body.includes(`"path":"${written}"`))
    return `${about} is answered ${status}, not 422 with its path`
  return undefined
}

/** A text of whole characters is cut between two of them. */
function cutInTwo(text: string, seen: readonly unknown[]): string | undefined {
  if (!text.isWellFormed()) return undefined
  return JSON.stringify(seen.at(-1) ?? null).includes('\\ud')
    ? 'an adapter was given half a character'
    : undefined
}

const notOurs = ({ status, body }: Answered): string | undefined =>
  status >= 500 ? `answered ${status}: ${body.slice(0, 200)}` : undefined

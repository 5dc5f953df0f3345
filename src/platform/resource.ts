import { createHash } from 'node:crypto'
import { type ResourceCall, type ResourceEvent, readResourceEvent } from '../contract/resource-event.ts'
import { type ErrorCode, PurveyorError, wrongCall } from '../errors/errors.ts'
import { isSame, mustHave } from './callbacks.ts'
import type { Call, PlatformCalls } from './calls.ts'
import { PlatformError } from './errors.ts'

/** Whether the signature is over this body. */
export type BodyVerifier = (body: Buffer, signature: string) => boolean | Promise<boolean>

/** MD5 in hex over the body and the app's secret, as platforms of this family sign their resource events. */
export const md5OfBody = (body: Buffer | string, secret: string): Buffer =>
  createHash('md5').update(body).update(secret).digest()

/** MD5 in hex over the body and the app's secret. Throws `ARGUMENT_INVALID` without a secret. */
export const md5Body = (secret: string): BodyVerifier => {
  mustHave(secret)
  return (body, signature) => isSame(md5OfBody(body, secret), signature)
}

/** Rules for verifying the call of a resource event. */
export interface ResourceCallRules {
  /** Required: `md5Body(secret)`, or your own. */
  verifier: BodyVerifier
}

/**
 * Verifies the signature of a resource event (header `X-Signature`) and reads it. `body` is the received bytes, unchanged. Rejects with
 * `CALLBACK_PARAMETER_MISSING`, `CALLBACK_SIGNATURE_WRONG` or `CALLBACK_BODY_UNREADABLE`, and with `ARGUMENT_INVALID` without a verifier.
 */
export async function verifyResourceCall(
  call: ResourceCall,
  { verifier }: ResourceCallRules,
): Promise<ResourceEvent> {
  if (typeof verifier !== 'function')
    throw wrongCall('verifyResourceCall() needs a verifier, such as md5Body(secret)')
  const refused = (code: ErrorCode, place: string, what: string) => new PurveyorError(code, what, { place })
  const signature = call.headers['x-signature']
  if (typeof signature !== 'string' || signature === '')
    throw refused('CALLBACK_PARAMETER_MISSING', 'x-signature', 'the header X-Signature is missing')
  if ((await verifier(Buffer.from(call.body), signature)) !== true)
    throw refused('CALLBACK_SIGNATURE_WRONG', 'x-signature', "X-Signature is not the platform's")
  const event = readResourceEvent(call)
  if (typeof event === 'string')
    throw refused('CALLBACK_BODY_UNREADABLE', 'body', `the resource event: ${event}`)
  return event
}

/** The most records of one page (spec 8 limit). */
const mostOnPage = 250

/** The id of a record of the platform. */
export type ResourceId = string | number
/** One record of a resource. Fields that the spec does not name depend on the shop. */
export type ResourceRecord = { id: ResourceId } & Record<string, unknown>

/** Filters of a list (spec 4.1), such as `created_at_min` or `fields`, and how to walk it. */
export interface ListOptions {
  /** Records of one page, 1 to 250. Default 250. */
  limit?: number
  /** Only records with a higher id. Default 0. */
  sinceId?: number
  /** `since_id` misses nothing while records are added; `page` keeps the platform's own order. Default `since_id`. */
  by?: 'since_id' | 'page'
  /** More fields of the query, by name. Default: none. */
  filters?: Record<string, string | number>
}

/** Any resource of a shop (spec 4.1). Every member rejects with a `PlatformError`. */
export interface Resource<R extends ResourceRecord = ResourceRecord> {
  /** Iterates over the records, with one page in memory. Throws `ARGUMENT_INVALID` for an invalid limit. */
  list(options?: ListOptions): AsyncIterableIterator<R>
  count(filters?: Record<string, string | number>): Promise<number>
  get(id: ResourceId): Promise<R>
  create(fields: Record<string, unknown>): Promise<R>
  update(id: ResourceId, fields: Record<string, unknown>): Promise<R>
  remove(id: ResourceId): Promise<void>
}

export interface ResourceShape {
  /** The path, such as `nl/products` or `external_services`. */
  path: string
  /** The only key of a request body, such as `product` or `externalService`. */
  one: string
  /** Default `form`: `product[title]=...` (spec 4.1). */
  bodies: 'form' | 'json'
}

const unreadable = (what: string, call: { method: string; path: string }) =>
  new PlatformError('PLATFORM_UNREADABLE', what, call)

export function resourceOf<R extends ResourceRecord>(
  calls: PlatformCalls,
  { path, one, bodies }: ResourceShape,
  read: (record: unknown) => R | string,
): Resource<R> {
  const at = (id: ResourceId) => `${path}/${encodeURIComponent(String(id))}.json`

  const readAs = (what: string, call: Call, given: unknown): R => {
    const record = read(given)
    if (typeof record !== 'string') return record
    throw unreadable(`${what} ${one}: ${record}`, call)
  }
  const sendOne = async (call: Call): Promise<R> =>
    readAs('the answer is not a', call, enveloped(await calls.send(call)))

  async function page(query: Call['query']): Promise<R[]> {
    const call = { method: 'GET', path: `${path}.json`, query } as const
    const records = enveloped(await calls.send(call))
    if (!Array.isArray(records)) throw unreadable('the answer is not a list', call)
    return records.map((record) => readAs('the list has an invalid', call, record))
  }

  async function* list({ limit = mostOnPage, sinceId = 0, by = 'since_id', filters = {} }: ListOptions = {}) {
    if (!Number.isInteger(limit) || limit < 1 || limit > mostOnPage)
      throw wrongCall(`limit must be a whole number from 1 to ${mostOnPage}`)
    let since = sinceId
    for (let number = 1; ; number++) {
      const where = by === 'page' ? { page: number } : { since_id: since }
      const records = await page({ ...filters, limit, ...where })
      yield* records
      if (records.length < limit) return
      const last = Math.max(...records.map(({ id }) => Number(id)))
      if (by === 'since_id' && !(last > since)) {
        const call = { method: 'GET', path: `${path}.json` }
        throw unreadable("the platform ignores since_id; use `{ by: 'page' }`", call)
      }
      since = last
    }
  }

  const write = async (method: 'POST' | 'PUT', where: string, fields: Record<string, unknown>) =>
    sendOne({ method, path: where, body: written(one, fields, bodies) })

  return {
    list,
    async count(filters = {}) {
      const call = { method: 'GET', path: `${path}/count.json`, query: filters } as const
      const count = enveloped(await calls.send(call))
      if (typeof count === 'number' && Number.isInteger(count)) return count
      throw unreadable('the answer is not a count', call)
    },
    get: async (id) => sendOne({ method: 'GET', path: at(id) }),
    create: (fields) => write('POST', `${path}.json`, fields),
    update: (id, fields) => write('PUT', at(id), fields),
    async remove(id) {
      await calls.send({ method: 'DELETE', path: at(id) })
    },
  }
}

/** The content of the envelope, which is the first and only key. */
function enveloped(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  return Object.values(body)[0]
}

function written(one: string, fields: Record<string, unknown>, bodies: 'form' | 'json'): Call['body'] {
  if (bodies === 'json') return { type: 'application/json', text: JSON.stringify({ [one]: fields }) }
  const form = new URLSearchParams()
  const add = (name: string, value: unknown): void => {
    // The members of one object stay together by its place.
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) add(`${name}[${isObject(item) ? index : ''}]`, item)
    else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
    } else if (value !== undefined) form.append(name, value === null ? '' : String(value))
  }
  for (const [name, value] of Object.entries(fields)) add(`${one}[${name}]`, value)
  return { type: 'application/x-www-form-urlencoded', text: form.toString() }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * The envelope of one record at an address: `product` of `products`, `productMetafield` of `products/101/metafields` and of
 * `products/{id}/metafields`.
 */
export const envelopeOf = (path: string): string =>
  path
    .split('/')
    .filter((name) => !/^(\d+|\{id\})$/.test(name))
    .map(singularOf)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')

/** `product` of `products`, `category` of `categories`, `tax` of `taxes`; `shop` stays. */
export function singularOf(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y')
  if (/(x|ch|sh|ss)es$/.test(name)) return name.replace(/es$/, '')
  return name.replace(/s$/, '')
}

import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { callbackCodes } from '../errors/codes.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'

/** The signed fields of a callback by name. */
export type SignedFields = Readonly<Record<string, string>>
/** Whether the signature is over these fields. */
export type CallbackVerifier = (fields: SignedFields, signature: string) => boolean | Promise<boolean>

/** `key=value`, sorted by key, joined with nothing. */
const joined = (fields: SignedFields): string => {
  const names = Object.keys(fields).sort()
  return names.map((name) => `${name}=${fields[name]}`).join('')
}

/** Platforms of this family sign with MD5 over the sorted pairs and the app's secret (spec 5 names no algorithm). */
export const md5OfPairs = (fields: SignedFields, secret: string): Buffer =>
  hash('md5', `${joined(fields)}${secret}`, 'buffer')

/** MD5 in hex over the sorted pairs and the app's secret, as platforms of this family sign. */
export const md5SortedPairs = (secret: string): CallbackVerifier => {
  mustHave(secret)
  return (fields, signature) => isSame(md5OfPairs(fields, secret), signature)
}

/** HMAC with SHA-256 in hex over the sorted pairs. */
export const hmacSha256 = (secret: string): CallbackVerifier => {
  mustHave(secret)
  return (fields, signature) =>
    isSame(createHmac('sha256', secret).update(joined(fields)).digest(), signature)
}

export function mustHave(secret: string): void {
  if (typeof secret !== 'string' || secret === '') throw wrongCall("the app's secret is missing")
}

/** In constant time. `signature` is in hex. */
export function isSame(expected: Buffer, signature: string): boolean {
  if (!/^[0-9a-f]+$/i.test(signature) || signature.length !== expected.length * 2) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

/** The password of a shop's API, derived from the token of its install callback. The user is the app's key. */
export const installedSecret = (token: string, appSecret: string): string =>
  hash('md5', `${token}${appSecret}`)

/** The callbacks of a platform, with the fields that each signs (spec 5, 6). */
const signedFields = {
  charge: ['app_subscription_id', 'language', 'shop_id', 'timestamp'],
  install: ['language', 'shop_id', 'timestamp', 'token'],
  uninstall: ['language', 'shop_id', 'timestamp'],
} as const

/** The subject of a callback: it decides which parameters are signed. */
export type CallbackKind = keyof typeof signedFields

/** Rules for verifying a callback of the platform. */
export interface CallbackRules {
  kind: CallbackKind
  /** Required: `md5SortedPairs(secret)`, `hmacSha256(secret)`, or your own. */
  verifier: CallbackVerifier
  /** The largest difference from now, in milliseconds. Default 300,000. */
  tolerance?: number
  /** The API addresses of the platform's clusters by their id. The `cluster_id` is not signed, so it never becomes a host. */
  clusters?: Readonly<Record<string, string>>
  /** Detects repeats: returns whether the key is new, and remembers it until then. Without it a repeat is accepted. */
  onceStore?: { add(key: string, until: number): boolean | Promise<boolean> }
  /** The time, in milliseconds since 1970. Default `Date.now`. */
  now?: () => number
}

/** A callback signed by the platform. */
export interface VerifiedCallback {
  shopId: string
  language: string
  /** Milliseconds since 1970. */
  at: number
  /** Set for a charge. */
  appSubscriptionId: string | undefined
  /** Set for an install: the token for the shop's password. */
  token: string | undefined
  /** From the configured list. */
  clusterUrl: string | undefined
}

type CallbackCode = keyof typeof callbackCodes

/** Names the parameter, never its value. */
const refused = (code: CallbackCode, parameter: string, why: string): PurveyorError =>
  new PurveyorError(code, `${parameter} ${why}`, { place: parameter })

const tolerance = 300_000

/**
 * Verifies the query of a callback before it is used (spec 5). Rejects with a code that begins with `CALLBACK_`, and with
 * `ARGUMENT_INVALID` without a verifier.
 */
export async function verifyCallback(query: string, rules: CallbackRules): Promise<VerifiedCallback> {
  if (typeof rules?.verifier !== 'function')
    throw wrongCall('verifyCallback() needs a verifier, such as md5SortedPairs(secret)')
  const { kind, verifier, clusters, onceStore, now = Date.now } = rules
  if (!Object.hasOwn(signedFields, kind))
    throw wrongCall(`verifyCallback() needs a kind: ${Object.keys(signedFields).join(', ')}`)
  const given = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query.replace(/^[^?]*\?/, ''))) {
    if (given.has(name)) throw refused('CALLBACK_PARAMETER_DOUBLED', name, 'appears twice')
    given.set(name, value)
  }
  const must = (name: string): string => {
    const value = given.get(name)
    if (value === undefined || value === '') throw refused('CALLBACK_PARAMETER_MISSING', name, 'is missing')
    return value
  }
  const fields = Object.fromEntries(signedFields[kind].map((name) => [name, must(name)]))
  const signature = must('signature')
  if ((await verifier(fields, signature)) !== true)
    throw refused('CALLBACK_SIGNATURE_WRONG', 'signature', "is not the platform's")
  const at = readTimestamp(fields.timestamp!)
  const allowed = rules.tolerance ?? tolerance
  if (Math.abs(now() - at) > allowed)
    throw refused('CALLBACK_TOO_OLD', 'timestamp', `is further than ${allowed / 1000} s from now`)
  const clusterUrl = clusterOf(given.get('cluster_id'), clusters)
  if (onceStore && !(await onceStore.add(`${kind} ${signature.toLowerCase()}`, at + allowed)))
    throw refused('CALLBACK_REPEATED', 'signature', 'was accepted before')
  const { shop_id: shopId = '', language = '', app_subscription_id: appSubscriptionId, token } = fields
  return { shopId, language, at, appSubscriptionId, token, clusterUrl }
}

/** Seconds or milliseconds since 1970, or a date. */
function readTimestamp(text: string): number {
  const number = Number(text)
  const at = /^\d{1,10}$/.test(text) ? number * 1000 : /^\d{13}$/.test(text) ? number : Date.parse(text)
  if (Number.isNaN(at)) throw refused('CALLBACK_TIMESTAMP_INVALID', 'timestamp', 'is not a valid time')
  return at
}

function clusterOf(id: string | undefined, clusters: CallbackRules['clusters']): string | undefined {
  if (!clusters || id === undefined || id === '') return undefined
  if (Object.hasOwn(clusters, id)) return clusters[id]
  throw refused('CALLBACK_CLUSTER_UNKNOWN', 'cluster_id', 'is not on the configured list')
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { wrongCall } from '../errors.ts'

/** The signed fields of a callback by name. */
export type SignedFields = Readonly<Record<string, string>>
/** Whether the signature is over these fields. */
export type CallbackVerifier = (fields: SignedFields, signature: string) => boolean | Promise<boolean>

/** `key=value`, sorted by key, joined with nothing. */
const joined = (fields: SignedFields): string =>
  Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('')

/** Platforms of this family sign with MD5 over the sorted pairs and the app's secret (spec 5 names no algorithm). */
export const md5OfPairs = (fields: SignedFields, secret: string): Buffer =>
  createHash('md5')
    .update(`${joined(fields)}${secret}`)
    .digest()

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
  createHash('md5').update(`${token}${appSecret}`).digest('hex')

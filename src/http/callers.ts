import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { JWTVerifyOptions } from 'jose'
import { Problem } from '../contract/index.ts'
import type { ErrorFault } from '../errors/errors.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type AddressRange = [Address, number]

/** Reads `192.0.2.7` and `192.0.2.0/24`. Throws for an entry that is neither. */
function readRange(text: string): AddressRange {
  const [start = ''] = text.split('/')
  // ipaddr.js takes `10.1` for 10.0.0.1.
  if (isIP(start) === 0) throw new TypeError(`${start} is not an address`)
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const addressRanges = (texts: readonly string[]): AddressRange[] => texts.map(readRange)

/** The texts that are no ranges, each as a sentence. */
export const rangeFaults = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    try {
      readRange(text)
      return []
    } catch {
      return `${text} is not an address or a range such as 192.0.2.0/24`
    }
  })

function isIn(ranges: readonly AddressRange[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return ranges.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits),
  )
}

/** The trusted proxies in front: their number, or their addresses. Default: none. */
export type TrustProxy = number | readonly string[]

/** Creates the function that finds the origin of a call: the nearest address that is not a trusted proxy. */
function clientAddress(trust: TrustProxy | undefined): (req: IncomingMessage) => string {
  const ranges = Array.isArray(trust) ? addressRanges(trust) : []
  const isTrusted = (address: string, hop: number) =>
    typeof trust === 'number' ? hop < trust : isIn(ranges, address)
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    const chain = [socket.remoteAddress ?? '', ...forwarded.reverse().map((part) => part.trim())]
    let hop = 0
    while (hop < chain.length - 1 && chain[hop + 1] !== '' && isTrusted(chain[hop]!, hop)) hop++
    return chain[hop]!
  }
}

/** Checks of a caller besides its endpoint token (spec 5 is silent). A rejected caller gets the same 404 as an unknown endpoint. */
export interface CallerRules {
  /** The allowed addresses and ranges of callers, such as `['192.0.2.0/24']`. */
  from?: readonly string[]
  /** HTTP Basic. */
  basic?: { user: string; password: string }
  /** A signed token (JWT) with an expiry: by the keys at an address, or by a shared secret (HS256). */
  bearer?: ({ jwks: string } | { secret: string }) & {
    /** The `iss` that a token must have. Default: any. */
    issuer?: string
    /** The `aud` that a token must have. Default: any. */
    audience?: string
  }
  /** Requires an `X-Shop-Id` header. */
  shopId?: boolean
}

/** Each returns the reason to refuse a caller, or `undefined`. */
export interface CallerChecks {
  /** Checks the origin of the call. It is cheap, and an origin cannot be guessed. */
  place(req: IncomingMessage): string | undefined
  /** Checks the caller's secret. Guesses count against the limits of the shop. */
  credentials(req: IncomingMessage): string | undefined | Promise<string | undefined>
}

/** Every fault of a set of rules, each with its option. */
export function* callerFaults({ from, basic, bearer }: CallerRules): Generator<ErrorFault> {
  if (basic && bearer)
    yield { path: 'http.callers', message: 'has basic and bearer, which use the same header: give one' }
  if (from?.length === 0)
    yield { path: 'http.callers.from', message: 'is an empty list, which rejects every caller' }
  for (const fault of rangeFaults(from ?? [])) yield { message: `http.callers.from: ${fault}` }
  if (bearer && 'secret' in bearer && bearer.secret.length < 32)
    yield { path: 'http.callers.bearer.secret', message: 'needs at least 32 characters' }
  if (bearer && 'jwks' in bearer && !URL.canParse(bearer.jwks))
    yield { path: 'http.callers.bearer.jwks', message: 'needs an address' }
}

/** Creates the checks of a set of rules without faults. */
export function callerChecks(
  rules: CallerRules,
  { trustProxy, fetch }: { trustProxy: TrustProxy | undefined; fetch: typeof globalThis.fetch },
): CallerChecks {
  const { from, basic, bearer, shopId } = rules
  const ranges = from && addressRanges(from)
  const addressOf = clientAddress(trustProxy)
  const isUser = basic && sameAs(`${basic.user}:${basic.password}`)
  const verify = bearer && bearerCheck(bearer, fetch)

  return {
    place(req) {
      if (ranges && !isIn(ranges, addressOf(req))) return 'address'
      return shopId && !req.headers['x-shop-id'] ? 'no X-Shop-Id' : undefined
    },
    credentials(req) {
      const { authorization = '' } = req.headers
      const [scheme = '', given = ''] = authorization.split(' ', 2)
      const isScheme = (name: string) => scheme.toLowerCase() === name
      if (isUser) {
        const known = isScheme('basic') && isUser(Buffer.from(given, 'base64').toString())
        return known ? undefined : 'user or password'
      }
      if (!verify) return undefined
      return isScheme('bearer') ? verify(given) : 'no bearer token'
    },
  }
}

/** Compares in constant time, whatever the lengths. */
export function sameAs(expected: string): (given: string) => boolean {
  const digest = hash('sha256', expected, 'buffer')
  return (given) => timingSafeEqual(hash('sha256', given, 'buffer'), digest)
}

const asymmetric = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

function bearerCheck(
  { issuer, audience, ...by }: NonNullable<CallerRules['bearer']>,
  fetch: typeof globalThis.fetch,
): (token: string) => Promise<string | undefined> {
  const claims: JWTVerifyOptions = { issuer, audience, requiredClaims: ['exp'], clockTolerance: 30 }
  let verifying: Promise<(token: string) => Promise<unknown>> | undefined
  const loadVerifier = async () => {
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
    if ('secret' in by) {
      const key = new TextEncoder().encode(by.secret)
      return (token: string) => jwtVerify(token, key, { ...claims, algorithms: ['HS256'] })
    }
    const keys = createRemoteJWKSet(new URL(by.jwks), { [customFetch]: fetch, timeoutDuration: 2_000 })
    return (token: string) => jwtVerify(token, keys, { ...claims, algorithms: asymmetric })
  }
  return async (token) => {
    verifying ??= loadVerifier()
    const verify = await verifying
    try {
      await verify(token)
      return undefined
    } catch (error) {
      if (saysOfToken(error)) return 'bearer token'
      throw new Problem('KEYS_UNAVAILABLE', { cause: error })
    }
  }
}

/** Whether the token itself is wrong, rather than that its keys could not be fetched. */
function saysOfToken(error: unknown): boolean {
  const code = String((error as { code?: unknown } | undefined)?.code)
  const ofKeys = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC', 'ERR_JWK_INVALID']
  return code.startsWith('ERR_J') && !ofKeys.includes(code)
}

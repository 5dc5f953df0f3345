import { wrongCall } from '../errors/errors.ts'

type Credentialed = { baseUrl: string; key?: string | undefined; secret?: string | undefined }

/**
 * Takes key and secret out of an address such as `https://key:secret@api.platform.example` (spec 5), so that it can be shown. Throws
 * `ARGUMENT_INVALID`, without any value, if the address holds others than `key` and `secret`.
 */
export function withoutUserInfo<T extends Credentialed>(given: T): T {
  const url = typeof given?.baseUrl === 'string' ? URL.parse(given.baseUrl) : null
  if (!url || (url.username === '' && url.password === '')) return given
  const held = { key: decoded(url.username), secret: decoded(url.password) }
  const only = (name: 'key' | 'secret') => {
    if (given[name] && held[name] && given[name] !== held[name])
      throw wrongCall(`baseUrl and ${name} give two different values of ${name}: give it once`)
    return held[name] && { [name]: held[name] }
  }
  const baseUrl = `${url.origin}${withoutSlash(url.pathname)}`
  return { ...given, ...only('key'), ...only('secret'), baseUrl }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The hosts that `webhook_url` and `redirect_url` of a shop may name: the caller cannot be verified and chooses both. Until a person
 * confirms the list, every host is accepted, and noted the first time.
 */
export interface ShopHosts {
  /** In lower case. A port is one that `webhook_url` may name beside 443. */
  names: readonly string[]
  confirmed: boolean
}

/** The most hosts noted for a shop without a confirmed list. */
export const mostHosts = 100
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '')
/** The host of a validated address, without port and without the dot of a full name. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '')

/**
 * A host written by a person, normalised for comparison: in lower case, without the dot of a full name, other alphabets in ASCII.
 * `undefined` for anything else, such as an address or a pattern with `*`: each host is named by itself, `shop.example` or `shop.example:8443`.
 */
export function hostNamed(text: string): string | undefined {
  const given = text.trim().toLowerCase()
  const [, host = ''] = /^(\[[\da-f:.]{2,45}\]|[^\s/?#@\\%:[\]*]{1,253})(:[1-9]\d{0,4})?$/.exec(given) ?? []
  const url = host === '' || host.includes('..') ? null : URL.parse(`https://${given}/`)
  if (!url) return undefined
  const name = hostOf(url.href)
  // An IP address written as one number or in octal is not the one it looks like.
  const asWritten = name === host.replace(/\.$/, '') || /[^\0-\x7f]/.test(host)
  return asWritten && name !== '' && !name.endsWith('.') ? withPort(url.href) : undefined
}

/** As `hostOf`, with a port other than 443. */
const withPort = (url: string): string => [hostOf(url), new URL(url).port].filter(Boolean).join(':')

/** Whether an https address has port 443, or one that a listed host names. */
export const mayUsePort = ({ names }: ShopHosts, url: string): boolean =>
  new URL(url).port === '' || names.includes(withPort(url))

/** The address to use for an order: the newest one, if it is on the host of the first one and not less safe. */
export const onFirstHost = (first: string, newest: string): string =>
  first === newest || (hostOf(first) === hostOf(newest) && !isLessSafe(newest, first)) ? newest : first

const isLessSafe = (url: string, than: string): boolean =>
  new URL(than).protocol === 'https:' && new URL(url).protocol !== 'https:'

/** The hosts of these addresses that are not on the list. */
export function unlisted({ names }: ShopHosts, urls: readonly string[]): string[] {
  const hosts = names.map((name) => name.replace(/:\d+$/, ''))
  return [...new Set(urls.map(hostOf))].filter((host) => !hosts.includes(host))
}

/** A tenant: one shop that registered this provider. */
export interface Shop {
  /** This provider's own name for it, by default `default`. No two shops ever have one id: the next shop of a name is `default.2`. */
  id: string
  /** The platform's id of the shop, bound by the first valid POST that names one (spec 2.4 shop). */
  platformId: string | undefined
  /** Its endpoints answer 404. Open payments continue. */
  disabled: boolean
  hosts: ShopHosts
  /** Its settings and platform credentials, encrypted. */
  sealedSettings: string | undefined
  /** Changes with every change of the settings, also for a new shop with the name of a removed one. */
  settingsVersion: number
}

/** An address of a shop. Two can be live at a time, so that a token changes without a gap. */
export interface Endpoint {
  tokenHash: string
  sealedToken: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** Its end; without one it never ends. */
  expiresAt: number | undefined
}

/** A shop found by one of its endpoints. */
export interface ShopAtEndpoint extends Shop {
  /** The end of the endpoint, in milliseconds since 1970; without one it never ends. */
  endpointEndsAt?: number
}

export const defaultShopId = 'default'

export const newShop = (id: string): Shop => ({
  id,
  platformId: undefined,
  disabled: false,
  hosts: { names: [], confirmed: false },
  sealedSettings: undefined,
  settingsVersion: 0,
})

/** A provider's name for a shop: it becomes part of ids and of keys. */
export const isShopId = (text: string): boolean => /^[a-z0-9][a-z0-9_-]{0,62}$/.test(text)
/** The name of a shop: shops that followed each other have the same. */
export const nameOf = (id: string): string => id.split('.', 1)[0]!

/** Whether this is a platform's id of a shop: a whole number without leading zeros (spec 2.4 shop.id). */
export const isPlatformId = (text: string): boolean =>
  /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))

/** The `urlEndpoint` to register with a platform. */
export const endpointUrl = (publicUrl: string, token: string): string => `${publicUrl}/e/${token}`

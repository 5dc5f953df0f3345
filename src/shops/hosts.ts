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

/** A base address to join paths to. */
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
function withPort(url: string): string {
  const { port } = new URL(url)
  return port === '' ? hostOf(url) : `${hostOf(url)}:${port}`
}

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

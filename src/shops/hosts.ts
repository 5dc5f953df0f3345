/**
 * The hosts that `webhook_url` and `redirect_url` of a shop may name: the caller cannot be verified and chooses both. Until a person
 * confirms the list, every host is accepted, and noted the first time.
 */
export interface ShopHosts {
  /** In lower case, without port. */
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
 * `undefined` for anything else, such as an address, a host with a port or a pattern with `*`: each host is named by itself.
 */
export function hostNamed(text: string): string | undefined {
  const given = text.trim().toLowerCase()
  if (!/^(\[[\da-f:.]{2,45}\]|[^\s/?#@\\%:[\]*]{1,253})$/.test(given) || given.includes('..'))
    return undefined
  const url = URL.parse(`https://${given}/`)
  if (!url) return undefined
  const name = hostOf(url.href)
  // An IP address written as one number or in octal is not the one it looks like.
  const asWritten = name === given.replace(/\.$/, '') || /[^\0-\x7f]/.test(given)
  return asWritten && name !== '' && !name.endsWith('.') ? name : undefined
}

/** The address to use for an order: the newest one, if it is on the host of the first one and not less safe. */
export const onFirstHost = (first: string, newest: string): string =>
  first === newest || (hostOf(first) === hostOf(newest) && !isLessSafe(newest, first)) ? newest : first

const isLessSafe = (url: string, than: string): boolean =>
  new URL(than).protocol === 'https:' && new URL(url).protocol !== 'https:'

/** The hosts of these addresses that are not on the list. */
export function unlisted({ names }: ShopHosts, urls: readonly string[]): string[] {
  return [...new Set(urls.map(hostOf))].filter((host) => !names.includes(host))
}

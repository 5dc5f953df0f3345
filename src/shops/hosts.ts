/**
 * The hosts that `webhook_url` and `redirect_url` of a shop may name: whoever calls us cannot be verified, and chooses both.
 * Until somebody has confirmed the list every host is taken, and noted the first time.
 */
export interface ShopHosts {
  /** In lower case, without port. */
  names: readonly string[]
  confirmed: boolean
}

/** So many are noted of a shop without a confirmed list. */
export const mostHosts = 100

/** A base address that paths are joined to. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** The host of an address that was read before, without port and without the dot of a full name. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '')

/**
 * A host as people write it, in the form that addresses are compared in: in lower case, without the dot of a full name, other alphabets
 * in ASCII. `undefined` for what is no host, such as an address, a host with a port or a pattern with `*`: each host is named by itself.
 */
export function hostNamed(text: string): string | undefined {
  const given = text.trim().toLowerCase()
  if (!/^(\[[\da-f:.]{2,45}\]|[^\s/?#@\\%:[\]*]{1,253})$/.test(given) || given.includes('..'))
    return undefined
  const url = URL.parse(`https://${given}/`)
  if (!url) return undefined
  const name = hostOf(url.href)
  // An address that is written as one number, or in octal, is another one than it looks like.
  const asWritten = name === given.replace(/\.$/, '') || /[^\0-\x7f]/.test(given)
  return asWritten && name !== '' && !name.endsWith('.') ? name : undefined
}

/** An address that an order may lead to: the newest one, as long as it is on the host of the first and as safe on the way there. */
export const onFirstHost = (first: string, newest: string): string =>
  first === newest || (hostOf(first) === hostOf(newest) && !isLessSafe(newest, first)) ? newest : first

const isLessSafe = (url: string, than: string): boolean =>
  new URL(than).protocol === 'https:' && new URL(url).protocol !== 'https:'

/** Which of the addresses name a host that is not on the list, as hosts. */
export function unlisted({ names }: ShopHosts, urls: readonly string[]): string[] {
  return [...new Set(urls.map(hostOf))].filter((host) => !names.includes(host))
}

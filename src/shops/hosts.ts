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

/** The host of an address that was read before, without port and without the dot of a full name. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '')

export const isHostName = (text: string): boolean =>
  /^[a-z0-9.[\]:-]{1,253}$/.test(text) &&
  URL.parse(`https://${text}/`)?.hostname === text &&
  !text.endsWith('.')

/** Which of the addresses name a host that is not on the list, as hosts. */
export function unlisted({ names }: ShopHosts, urls: readonly string[]): string[] {
  return [...new Set(urls.map(hostOf))].filter((host) => !names.includes(host))
}

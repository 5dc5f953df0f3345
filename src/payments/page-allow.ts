/**
 * The foreign https origins of an adapter's pages, such as `https://js.psp.example`, by what a page may do with each. Without an origin
 * nothing of it loads: a page without `allow` runs no script but those of its `assets`.
 */
export interface PageAllow {
  /** Scripts that the page loads: hosted fields of a payment service. */
  script?: readonly string[]
  /** Pages that it shows in a frame: hosted fields, 3-D Secure. */
  frame?: readonly string[]
  /** Origins that its scripts call. */
  connect?: readonly string[]
  /** Images that it shows. Default: its own. */
  img?: readonly string[]
  /** Style sheets that it loads. Default: its own. */
  style?: readonly string[]
  /** Origins that its forms post to, beside its own. */
  form?: readonly string[]
  /** Windows that it opens may answer it: wallets and banks that come in a window. Default false. */
  popups?: boolean
  /** Origins in its frames that may ask the browser for a payment: wallets. */
  payment?: readonly string[]
}

const lists = ['script', 'frame', 'connect', 'img', 'style', 'form', 'payment'] as const

/** Why an `allow` is none, each with its place. In development an origin of this machine may be http. */
export function allowFaults(allow: unknown, development: boolean): string[] {
  if (allow === undefined) return []
  if (typeof allow !== 'object' || allow === null) return ['must be an object of lists of origins']
  return Object.entries(allow).flatMap(([name, value]) => {
    if (name === 'popups') return typeof value === 'boolean' ? [] : ['popups must be true or false']
    if (!lists.includes(name as (typeof lists)[number]))
      return [`has no member ${name}: it has ${lists.join(', ')} and popups`]
    if (!Array.isArray(value)) return [`${name} must be a list of origins`]
    return value.flatMap((origin: unknown) =>
      isOrigin(origin, development)
        ? []
        : [
            `${name} holds ${JSON.stringify(origin)}: it takes whole https origins such as "https://js.psp.example", without a path or a star`,
          ],
    )
  })
}

/** Exactly as the browser writes it: no path, no star, no port that is the default, no name in capitals. */
function isOrigin(text: unknown, development: boolean): boolean {
  if (typeof text !== 'string' || /[*;,'"\s]/.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.origin !== text) return false
  return url.protocol === 'https:' || (development && isLoopback(url))
}

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]')

import { isLoopbackHost } from '../../network/private-network.ts'
import type { PageAllow } from '../../payments/pages/page-form.ts'

/** The foreign origins of a page, and whose style and files it has. */
export interface PolicyInput {
  /** The source of the page's own style, such as `sha256-...`. */
  style: string
  allow?: PageAllow | undefined
  /** Whether the adapter has scripts or styles of its own, which we serve. */
  assets?: { script: boolean; style: boolean; font?: boolean } | undefined
}

/**
 * The headers that say what a page may load, run and open: nothing but its own style and our files, unless its adapter names the origin.
 * No other page may hold it in a frame.
 */
export function pagePolicy({ style, allow = {}, assets }: PolicyInput): Record<string, string> {
  const own = (has: boolean | undefined) => (has ? ["'self'"] : [])
  const scripts = [...own(assets?.script), ...(allow.script ?? [])]
  const directives: [string, readonly string[]][] = [
    ['default-src', ["'none'"]],
    ['style-src', [`'${style}'`, ...own(assets?.style), ...(allow.style ?? [])]],
    ['img-src', ["'self'", 'data:', ...(allow.img ?? [])]],
    ['font-src', own(assets?.font)],
    ['script-src', scripts],
    ['frame-src', allow.frame ?? []],
    ['connect-src', allow.connect ?? []],
    ['form-action', ["'self'", ...(allow.form ?? [])]],
    ['base-uri', ["'none'"]],
    ['frame-ancestors', ["'none'"]],
    // A foreign script brings its own ways to write into the page.
    ...(scripts.length > 0 && !allow.script?.length
      ? ([
          ['require-trusted-types-for', ["'script'"]],
          ['trusted-types', ["'none'"]],
        ] as [string, readonly string[]][])
      : []),
  ]
  return {
    'Content-Security-Policy': directives
      .filter(([, sources]) => sources.length > 0)
      .map(([name, sources]) => `${name} ${sources.join(' ')}`)
      .join('; '),
    'Cross-Origin-Opener-Policy': allow.popups ? 'same-origin-allow-popups' : 'same-origin',
    'Permissions-Policy': permissions(allow),
    // Chromium sends `Origin: null` with a form under `no-referrer`; `same-origin` keeps the page's token from other hosts too.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }
}

const closed = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'serial', 'usb'] as const

function permissions({ payment = [], frame = [] }: PageAllow): string {
  const to = (origins: readonly string[]) =>
    origins.length > 0 ? `(self ${origins.map((origin) => `"${origin}"`).join(' ')})` : '()'
  // A bank's page in a frame may ask for a passkey.
  const open = [`payment=${to(payment)}`, `publickey-credentials-get=${to(frame)}`]
  return [...closed.map((name) => `${name}=()`), ...open].join(', ')
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
    const wrong = value.filter((origin: unknown) => !isOrigin(origin, development))
    return wrong.map(
      (origin) =>
        `${name} holds ${JSON.stringify(origin)}: it takes whole https origins such as "https://js.psp.example", without a path or a star`,
    )
  })
}

/** Exactly as the browser writes it: no path, no star, no port that is the default, no name in capitals. */
function isOrigin(text: unknown, development: boolean): boolean {
  if (typeof text !== 'string' || /[*;,'"\s]/.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.origin !== text) return false
  return (
    url.protocol === 'https:' || (development && url.protocol === 'http:' && isLoopbackHost(url.hostname))
  )
}

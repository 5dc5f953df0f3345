import type { IncomingMessage, ServerResponse } from 'node:http'
import { loadHelmet } from './packages.ts'

/**
 * For answers of the provider's own server in production: browsers use only TLS for this host, for a year. Other hosts of the domain are
 * not affected. A router that is mounted in an app sends none, because host and certificate are the app's.
 */
export const transportSecurity = ['Strict-Transport-Security', 'max-age=31536000'] as const

/**
 * For JSON answers to platforms and payment services. No browser shows them as a page, so what only concerns documents is left out: it
 * would be half of the head of each answer. Without guessing at types a browser renders none of them either.
 */
export const answerHeaders = ['X-Content-Type-Options', 'nosniff'] as const

/** The headers of helmet for what a browser may show. A flat list of names and values, as for `writeHead`; the same for every answer. */
export function documentHeaders(): string[] {
  const headers: string[] = []
  const recorder = {
    setHeader: (name: string, value: string) => headers.push(name, value),
    removeHeader: () => {},
  } as unknown as ServerResponse
  loadHelmet()({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: false,
    // Pages override it: their forms need an Origin header.
    referrerPolicy: { policy: 'no-referrer' },
  })({} as IncomingMessage, recorder, () => {})
  return headers
}

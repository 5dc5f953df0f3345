import type { IncomingMessage, ServerResponse } from 'node:http'
import { loadHelmet } from './packages.ts'

/**
 * For answers of the provider's own server in production: browsers use only TLS for this host, for a year. Other hosts of the domain are
 * not affected. A router that is mounted in an app sends none, because host and certificate are the app's.
 */
export const transportSecurity = ['Strict-Transport-Security', 'max-age=31536000'] as const

/** The headers of helmet, computed once because they are the same for every answer. A flat list of names and values, as for `writeHead`. */
export function securityHeaders({ json }: { json: boolean }): string[] {
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
    // Headers that only concern documents are left out of JSON answers.
    ...(json && {
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
    // Pages override it: their forms need an Origin header.
    referrerPolicy: { policy: 'no-referrer' },
  })({} as IncomingMessage, recorder, () => {})
  return headers
}

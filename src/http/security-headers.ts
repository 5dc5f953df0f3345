import type { IncomingMessage, ServerResponse } from 'node:http'
import { loadHelmet } from './packages.ts'

/**
 * For answers of the provider's own server in production: browsers call this one host over TLS only, for a year. It leaves other hosts of
 * the domain alone. A router that is mounted in an app sends none, because host and certificate are the app's.
 */
export const transportSecurity = ['Strict-Transport-Security', 'max-age=31536000'] as const

/**
 * What helmet sets, worked out once: its headers are the same for every answer, so that the request path only writes
 * them. In a flat list of names and values, as `writeHead` takes it.
 */
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
    // What only concerns documents says nothing about a JSON answer: no browser opens a window or looks up a name for it.
    ...(json && {
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
    // Pages override it: their own forms need an Origin header that says where they came from.
    referrerPolicy: { policy: 'no-referrer' },
  })({} as IncomingMessage, recorder, () => {})
  return headers
}

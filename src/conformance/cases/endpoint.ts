import { isLoopbackHost } from '../../network/private-network.ts'
import { counted } from '../../printable.ts'
import { lists } from '../answers.ts'
import { casesOf } from '../case.ts'
import { call, type Exchange, NotMet, Skip } from '../exchange.ts'
import type { Target } from '../target.ts'

const ofHeaders = { topic: 'headers and TLS', about: 'either', section: 'spec 5' } as const
const ofTenancy = { ...ofHeaders, topic: 'tenancy' } as const

/** Checks the answer to a plain request for a service of the endpoint. */
const ofPlain = (check: (exchange: Exchange) => void) => async (target: Target) => {
  const rates = await target.plain('shipment_methods')
  check(rates.succeeded ? rates : await target.plain('payment_methods'))
}

const headers = `
tls | must, spec 2.2 | The endpoint is an https address
  | The platform does not register the service. | Serve the endpoint over https.
tls-version | must | It speaks TLS 1.2 or newer
  | The platform does not connect. | Turn TLS 1.0 and 1.1 off, and 1.2 and 1.3 on.
tls-certificate-lasts | should | Its certificate is valid for two weeks or more
  | When it expires, no customer can choose this provider. | Renew certificates automatically, and monitor their expiry.
no-redirect | must, spec 4.3 | The endpoint answers itself, without a redirect
  | The platform follows no redirect: a POST would lose its body. | Register the address that answers, with its final host and path.
methods-not-kept | should, spec 4.3 | No cache in between stores lists of methods
  | A proxy answers one customer with the rates of another. | Send Cache-Control: no-store.
`

export const headerCases = casesOf(ofHeaders, headers, {
  async tls(target) {
    const { protocol, hostname } = new URL(target.endpoint)
    if (isLoopbackHost(hostname)) throw new Skip('The endpoint is on this machine, where http is fine')
    if (protocol !== 'https:') throw new NotMet('https', protocol)
  },
  'tls-version': ofPlain((exchange) => {
    if (exchange.tlsVersion === undefined) throw new Skip('The endpoint has no TLS')
    exchange.must(/^TLSv1\.[23]$/.test(exchange.tlsVersion), 'TLS 1.2 or 1.3', exchange.tlsVersion)
  }),
  'tls-certificate-lasts': ofPlain((exchange) => {
    const { certificateDays: days } = exchange
    if (days === undefined) throw new Skip('The endpoint has no TLS')
    exchange.must(days >= 14, '14 days or more', counted(days, 'day'))
  }),
  'no-redirect': ofPlain((exchange) => {
    const { status = 0 } = exchange
    exchange.must(status < 300 || status >= 400, 'no redirect', `status ${status}`)
  }),
  'methods-not-kept': ofPlain((exchange) => exchange.mustNotBeKept()),
})

/** Another endpoint of the same length: the letters of its last part are reversed. Throws a `Skip` for one without a token. */
function beside(endpoint: string): string {
  const url = new URL(endpoint)
  const parts = url.pathname.split('/')
  const last = parts.pop() ?? ''
  if (last.length < 16) throw new Skip('The endpoint has no token in its path')
  const other = [...last].reverse().join('')
  url.pathname = [...parts, other === last ? `${last.slice(1)}x` : other].join('/')
  return url.href
}

const tenancy = `
endpoint-is-secret | should | The endpoint cannot be guessed
  | Calls carry no password. Anyone who knows or guesses the address can request rates and start payments.
  | Put a random token for each shop into urlEndpoint, or let only the addresses of the platform in.
endpoint-beside | should | A similar endpoint is not answered
  | One shop sees the rates and payments of another. | Look up the token, and answer 404 for unknown ones.
`

/** Access to the endpoint: the platform signs nothing, so the address is the key (spec 5). */
export const tenancyCases = casesOf(ofTenancy, tenancy, {
  async 'endpoint-is-secret'(target) {
    const { pathname, search } = new URL(target.endpoint)
    if (!/[\w-]{20,}/.test(pathname + search))
      throw new NotMet('a random part of 20 characters or more', 'an address that can be guessed')
  },
  async 'endpoint-beside'(target) {
    const other = beside(target.endpoint)
    for (const { path } of lists) {
      const exchange = await call(`${other}/${path}`, { json: target.checkoutMessage() })
      const { status = 0 } = exchange
      exchange.must(status >= 400 && status < 500, 'status 404', exchange.said)
    }
  },
})

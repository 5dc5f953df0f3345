import { casesOf } from '../case.ts'
import { call, expectThat, Skip, statusOf, succeeded } from '../exchange.ts'
import { faults } from '../target.ts'

const shared = { topic: 'tenancy', about: 'either', section: 'spec 5' } as const

/** Another endpoint of the same length: the letters of its last part are reversed. */
function beside(endpoint: string): string | undefined {
  const url = new URL(endpoint)
  const parts = url.pathname.split('/')
  const last = parts.pop() ?? ''
  if (last.length < 16) return undefined
  const other = [...last].reverse().join('')
  url.pathname = [...parts, other === last ? `${last.slice(1)}x` : other].join('/')
  return url.href
}

/** Access to the endpoint: the platform signs nothing, so the address is the key (spec 5). */
export const tenancyCases = casesOf(shared, {
  'endpoint-is-secret': {
    title: 'The endpoint cannot be guessed',
    level: 'should',
    platform: 'It does not authenticate: anyone who knows the address can request rates and start payments.',
    remedy:
      'Put a random token for each shop into urlEndpoint, or let only the addresses of the platform in.',
    async run(target) {
      const { pathname, search } = new URL(target.endpoint)
      const secret = /[\w-]{20,}/.test(pathname + search)
      expectThat(secret, 'a random part of 20 characters or more', 'an address that can be guessed')
    },
  },
  'endpoint-beside': {
    title: 'A similar endpoint is not answered',
    level: 'should',
    platform: 'One shop sees the rates and payments of another.',
    remedy: 'Look up the token, and answer 404 for unknown ones.',
    async run(target) {
      const other = beside(target.endpoint)
      if (other === undefined) throw new Skip('The endpoint has no token in its path')
      for (const path of ['shipment_methods', 'payment_methods']) {
        const exchange = await call(`${other}/${path}`, { json: target.checkoutMessage() })
        const { status = 0 } = exchange
        expectThat(status >= 400 && status < 500, 'status 404', statusOf(exchange), exchange)
      }
    },
  },
  'endpoint-beside-looks-unknown': {
    about: 'payments',
    title: 'An unknown endpoint and an unknown order look alike',
    level: 'note',
    platform: 'An attacker who guesses learns which half was right.',
    remedy: 'Answer both with the same status and the same body.',
    async run(target) {
      const other = beside(target.endpoint)
      if (other === undefined) throw new Skip('The endpoint has no token in its path')
      const orderId = target.newOrderId()
      const order = await target.statusCall(orderId)
      const endpoint = await call(`${other}/payment/${orderId}`, {})
      const fault = succeeded(order) ? faults.unknownOrder : undefined
      expectThat(order.status === endpoint.status, statusOf(order), statusOf(endpoint), endpoint, fault)
    },
  },
})

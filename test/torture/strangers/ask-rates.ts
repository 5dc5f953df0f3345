import { type Agent, request } from 'node:http'
import { checkout } from '../../http/messages.ts'

const checkoutText = JSON.stringify(checkout)

const products = Array.from({ length: 2_000 }, (_, at) => ({
  ...{ product_id: at + 1, title: 'Mug', price_incl: '29.3400', price_excl: 24.25, quantity: 1, weight: 1 },
}))
/** A cart at the limit of size. */
export const largestCart = JSON.stringify({ ...checkout, quote: { ...checkout.quote, products } }).padEnd(
  1024 * 1024,
)

/** One call of a checkout, with how many milliseconds it took. */
export const askRates = (port: number, path: string, agent: Agent, body = checkoutText) =>
  askFor(port, `${path}/shipment_methods`, agent, body)

/** Posts JSON, or gets an address, and resolves with how many milliseconds it took. */
export function askFor(
  port: number,
  path: string,
  agent: Agent,
  body?: string,
): Promise<{ status: number; ms: number; text: string }> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const headers =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const method = body === undefined ? 'GET' : 'POST'
    const where = { port, host: '127.0.0.1', path, method, agent, headers }
    const req = request(where, (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (part: string) => (text += part))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, ms: performance.now() - started, text }))
    })
    req.on('error', reject)
    req.end(body)
  })
}

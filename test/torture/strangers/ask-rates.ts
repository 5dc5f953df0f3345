import { type Agent, request } from 'node:http'
import { checkout } from '../../http/messages.ts'

const body = JSON.stringify(checkout)

/** One call of a checkout, with how many milliseconds it took. */
export function askRates(port: number, path: string, agent: Agent): Promise<{ status: number; ms: number }> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const where = {
      port,
      host: '127.0.0.1',
      path: `${path}/shipment_methods`,
      method: 'POST',
      agent,
      headers,
    }
    const req = request(where, (res) => {
      res.resume()
      res.on('end', () => resolve({ status: res.statusCode ?? 0, ms: performance.now() - started }))
    })
    req.on('error', reject)
    req.end(body)
  })
}

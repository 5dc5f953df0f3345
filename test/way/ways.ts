import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { createProvider, price } from '../../src/index.ts'
import { checkout, payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { lastingStore } from '../production-store.ts'

export const ways = ['quote', 'start', 'status', 'webhook'] as const
export type Way = (typeof ways)[number]

export interface WayReport {
  /** The files of `src` that run for one warm call, by their path below `src`, with the number of their functions that run. */
  files: Map<string, number>
  /** The functions between our router and the adapter's own function, innermost first. Empty where no adapter is called. */
  frames: string[]
}

const src = new URL('../../src/', import.meta.url).href
const calls = 20

/** What runs for one call of a kind, when such calls have been made before: between a request and its answer, or a report and its delivery. */
export async function followWay(way: Way): Promise<WayReport> {
  let stack: string[] = []
  const look = () => {
    Error.stackTraceLimit = 100
    stack = new Error('here').stack!.split('\n').filter((line) => line.includes(src))
  }
  let delivered = () => {}
  const shop = createServer((req, res) => {
    req.resume()
    res.end()
    delivered()
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const webhookUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhook`
  const provider = createProvider({
    development: true,
    logger: pino({ level: 'silent' }),
    store: lastingStore(),
    rates: {
      name: 'door',
      quote({ shop: { currency } }) {
        look()
        return [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency }) }]
      },
    },
    payments: {
      name: 'psp',
      methods: () => [{ id: 'card', title: 'Card' }],
      start(attempt) {
        look()
        return { redirect: `https://psp.example/${attempt.id}`, reference: attempt.id }
      },
      status() {
        look()
        return { status: 'pending' }
      },
    },
  })
  const { endpoint } = await provider.listen({ port: 0, host: '127.0.0.1' })
  const order = (id: number) => ({ ...payment({ id, method: 'psp:card' }), webhook_url: webhookUrl })
  const made: Record<Way, (id: number) => Promise<unknown>> = {
    quote: () => postJson(`${endpoint}/shipment_methods`, checkout),
    start: (id) => postJson(`${endpoint}/payment`, order(id)),
    status: (id) => fetch(`${endpoint}/payment/${id}`),
    async webhook(id) {
      const called = new Promise<void>((resolve) => {
        delivered = resolve
      })
      const one = { shopId: 'default', orderId: String(id) }
      await provider.payments.report(
        one as never,
        { status: 'paid', amount: '29.34', currency: 'eur' } as never,
      )
      await called
    },
  }
  const make = async (id: number) => {
    const answer = await made[way](id)
    if (answer instanceof Response) {
      if (!answer.ok) throw new Error(`${way} is answered ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  if (way === 'status' || way === 'webhook') for (let id = 1; id <= calls; id++) await made.start(id)
  for (let id = 1; id < calls; id++) await make(id)
  await new Promise((resolve) => setTimeout(resolve, 300))
  stack = []
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await make(calls)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  await provider.stop()
  shop.close()
  shop.closeAllConnections()
  const files = result
    .filter(({ url }) => url.startsWith(src))
    .map(
      ({ url, functions }) =>
        [url.slice(src.length), functions.filter(({ ranges: [all] }) => all!.count > 0).length] as const,
    )
  return { files: new Map(files.filter(([, functions]) => functions > 0)), frames: stack }
}

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

interface WayReport {
  /** The files that run, by their path below `src`, with the number of their functions that run, those first that were loaded first. */
  files: Map<string, number>
  /** The functions of `src` on the stack of the adapter's own function, innermost first. Empty where no adapter is called. */
  frames: string[]
}

const src = new URL('../../src/', import.meta.url).href
/** The calls made, the last of which is followed. */
const calls = 20
/** What a call leaves behind it, such as the noted read of a status, ends within so many milliseconds. */
const rest = 300

/** Follows one warm call: a request until its answer, or a report until the webhook is delivered. */
export async function followWay(way: Way): Promise<WayReport> {
  let frames: string[] = []
  const look = () => {
    Error.stackTraceLimit = 100
    const lines = new Error('here').stack!.split('\n').filter((line) => line.includes(src))
    frames = lines.map((line) => line.trim().replace(/^at /, '').replace(src, ''))
  }
  const listening = Promise.withResolvers<void>()
  let delivered = () => {}
  const receiver = createServer((req, res) => {
    req.resume()
    res.end()
    delivered()
  }).listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const provider = followed(look)
  const { endpoint } = await provider.listen({ port: 0, host: '127.0.0.1' })
  const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`
  const make: Record<Way, (id: number) => Promise<unknown>> = {
    quote: () => answered(postJson(`${endpoint}/shipment_methods`, checkout)),
    start: (id) =>
      answered(postJson(`${endpoint}/payment`, { ...payment({ id, method: 'psp:card' }), webhook_url })),
    status: (id) => answered(fetch(`${endpoint}/payment/${id}`)),
    async webhook(id) {
      const arrived = new Promise<void>((resolve) => {
        delivered = resolve
      })
      const ref = { shopId: 'default', orderId: String(id) }
      await provider.payments.report(ref, { status: 'paid', amount: '29.34', currency: 'eur' })
      await arrived
    },
  }
  try {
    if (way === 'status' || way === 'webhook') for (let id = 1; id <= calls; id++) await make.start(id)
    for (let id = 1; id < calls; id++) await make[way](id)
    await new Promise((resolve) => setTimeout(resolve, rest))
    frames = []
    return { files: await filesOf(() => make[way](calls)), frames }
  } finally {
    await provider.stop()
    receiver.close().closeAllConnections()
  }
}

const followed = (look: () => void) =>
  createProvider({
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

async function answered(call: Promise<Response>): Promise<void> {
  const answer = await call
  const text = await answer.text()
  if (!answer.ok) throw new Error(`answered ${answer.status}: ${text}`)
}

/** The functions of `src` that V8 counts during the work, by file. */
async function filesOf(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await work()
  await new Promise((resolve) => setTimeout(resolve, rest))
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const found = result.map(({ url, functions }) => {
    const run = functions.filter(({ ranges: [whole] }) => whole!.count > 0)
    return [url.slice(src.length), url.startsWith(src) ? run.length : 0] as const
  })
  return new Map(found.filter(([, functions]) => functions > 0))
}

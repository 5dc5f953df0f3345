import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import {
  createProvider,
  memoryStore,
  type ProviderOptions,
  price,
  type RateAdapter,
} from '../../src/index.ts'
import { payment } from '../http/messages.ts'

/** A provider that calls a payment service and a shop, which are one small server here that lists what reached it. */
export async function observedProvider(options: Partial<ProviderOptions> = {}) {
  const calls: { path: string; headers: IncomingMessage['headers'] }[] = []
  const answers = new Map<string, number>()
  const server = createServer((req, res) => {
    calls.push({ path: req.url!, headers: req.headers })
    res.writeHead(answers.get(req.url!) ?? 200).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  const door: RateAdapter = {
    name: 'door',
    cache: { ttl: 60_000 },
    quote: () => [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }],
  }
  const provider = createProvider({
    store: memoryStore(),
    development: true,
    logger: pino({ level: 'debug' }, { write }),
    rates: door,
    payments: {
      name: 'psp',
      methods: () => [],
      async start({ order }, { fetch, log }) {
        await fetch(`${url}/psp`, { method: 'POST', headers: { 'x-own': '1' }, body: '{}' })
        log.info({}, 'the adapter says so')
        return { redirect: 'https://psp.example/1', reference: `tr_${order.id}` }
      },
      status: () => ({ status: 'pending' }),
    },
    ...(options as object),
  })
  const { endpoint } = await provider.listen({ port: 0 })
  onTestFinished(async () => {
    await provider.stop()
    server.closeAllConnections()
    server.close()
  })
  return {
    provider,
    endpoint,
    origin: new URL(endpoint).origin,
    calls,
    answers,
    lines,
    order: (id: number) => ({ ...payment({ id }), webhook_url: `${url}/webhook` }),
  }
}

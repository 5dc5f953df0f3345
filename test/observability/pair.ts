import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type ProviderOptions, price, type RateAdapter } from '../../src/index.ts'
import { payment } from '../http/messages.ts'
import { keptLog, listening } from '../listening.ts'

/** A provider that calls a payment service and a shop, which are one small server here that lists what reached it. */
export async function observedProvider(options: Partial<ProviderOptions> = {}) {
  const calls: { path: string; headers: IncomingMessage['headers'] }[] = []
  const answers = new Map<string, number>()
  const server = createServer((req, res) => {
    calls.push({ path: req.url!, headers: req.headers })
    res.writeHead(answers.get(req.url!) ?? 200).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  // After the provider, which is stopped first.
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { lines, logger } = keptLog('debug')
  const door: RateAdapter = {
    name: 'door',
    cache: { ttl: 60_000 },
    quote: () => [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }],
  }
  const { provider, endpoint } = await listening({
    logger,
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

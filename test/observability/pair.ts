import type { IncomingMessage } from 'node:http'
import { type ProviderOptions, price, type RateAdapter } from '../../src/index.ts'
import { payment } from '../http/messages.ts'
import { keptLog, listening } from '../listening.ts'
import { serveOrigin } from '../serve-origin.ts'

/** A provider that calls a payment service and a shop, which are one small server here that lists what reached it. */
export async function observedProvider(options: Partial<ProviderOptions> = {}) {
  const calls: { path: string; headers: IncomingMessage['headers'] }[] = []
  const answers = new Map<string, number>()
  const url = await serveOrigin((req, res) => {
    calls.push({ path: req.url!, headers: req.headers })
    res.writeHead(answers.get(req.url!) ?? 200).end('{}')
  })
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

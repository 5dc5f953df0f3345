import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProvider, type PaymentAdapter, type RateAdapter } from '../../src/index.ts'
import type { StorePort } from '../../src/store-port.ts'
import { after } from '../../src/world.ts'

const named = (name: string): RateAdapter => ({ name, quote: () => [] })
const paying = (name: string): PaymentAdapter => ({
  name,
  methods: () => [],
  start: () => ({ redirect: 'https://psp.example/pay', reference: 'r' }),
})

/** The console of a provider in development at a moment. Without a start there is no background work: what the store holds stays as it is. */
export async function servedConsole(store: StorePort, now: number, name = 'Tarnbrook') {
  const provider = createProvider({
    ...{ development: true, store, clock: { now: () => now, after }, console: { name } },
    rates: [named('domestic'), named('express')],
    payments: [paying('cardpay'), paying('bankpay')],
  })
  const server = createServer(provider.router).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    provider,
    url: `http://127.0.0.1:${port}/console`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await provider.stop()
    },
  }
}

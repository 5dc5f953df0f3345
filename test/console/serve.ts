import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { hardenedServer, listenOn } from '../../src/http/server.ts'
import { createProvider, type PaymentAdapter, type RateAdapter } from '../../src/index.ts'
import { inspect } from '../../src/provider/inspection.ts'
import type { StorePort } from '../../src/store-port.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { production } from '../production-store.ts'
import { stillClock } from '../still-clock.ts'
import { temporaryFolder } from '../temporary.ts'
import { fillWith, House } from './house.ts'

const ratesOf = (name: string): RateAdapter => ({
  name,
  quote: () => [
    { id: 'point', title: 'Point relais', price_incl: '5.90', price_excl: '4.92', tax_rate: '0.2' },
  ],
})

/** What a payment service says of an attempt; it is asked by hand alone. */
const paymentsOf = (name: string): PaymentAdapter => ({
  name,
  methods: () => [{ id: 'card', title: 'Card' }],
  start: () => ({ redirect: 'https://psp.example/1', reference: 'tr_1' }),
  status: () => ({ status: 'pending' }),
  refund: () => ({ status: 'pending' }),
})

/**
 * The console of a provider in development, where nobody signs in, until `end` is called. Nothing goes on in the background. `stories` are
 * those of a `House`; `others` so many payments besides. The clock stands still.
 */
export async function serveHouse({ stories = true, others = 0, isProduction = false } = {}) {
  const folder = temporaryFolder()
  const file = folder.at('house.db')
  const store = sqliteStore({ file }) as StorePort
  const clock = stillClock()
  await store.open()
  const house = new House(store, clock.now())
  if (stories) await house.fill()
  if (others > 0) {
    const db = new DatabaseSync(file)
    for (const sql of fillWith(others, clock.now())) db.exec(sql)
    db.close()
  }
  const provider = createProvider({
    ...(isProduction ? production : { development: true }),
    ...{ logger: pino({ level: 'silent' }), store, clock },
    rates: [ratesOf('express'), ratesOf('domestic')],
    payments: [paymentsOf('cardpay'), paymentsOf('bankpay')],
  })
  const { listener, end } = inspect(provider).console()
  const server = hardenedServer(listener(), () => {})
  const url = `http://127.0.0.1:${await listenOn(server, 0, '127.0.0.1')}/console`
  return {
    ...{ url, store, house, clock, provider },
    async end() {
      await end()
      server.close()
      server.closeAllConnections()
      await provider.stop()
      folder[Symbol.dispose]()
    },
  }
}

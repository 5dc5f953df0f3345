// A node whose clock is set by its parent: `{ ahead: ms }` sets it that far ahead of the true time. Says its port, and each look for what is due.
import { pino } from 'pino'
import { createProvider } from '../../../src/index.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'

const { now } = Date
process.on('message', ({ ahead }: { ahead: number }) => {
  Date.now = () => now() + ahead
})
process.on('disconnect', () => process.exit())

const store = postgresStore({ url: process.argv[2] ?? '' })
const { claimChecks } = store
const provider = createProvider({
  store: {
    ...store,
    async claimChecks(claim) {
      const claimed = await claimChecks(claim)
      process.send?.({ checked: true })
      return claimed
    },
  } as StorePort,
  port: 0,
  development: true,
  logger: pino({ level: 'silent' }),
  payments: {
    name: 'psp',
    methods: () => [],
    start: ({ id }) => ({ redirect: `http://127.0.0.1/${id}`, reference: id }),
    status: () => ({ status: 'pending' }),
  },
})
const { port } = await provider.listen({ host: '127.0.0.1' })
process.send?.({ port })

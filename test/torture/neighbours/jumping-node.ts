// A node whose clock is set by its parent: `{ ahead: ms }` sets it that far ahead of the true time. Says its port, each look for what is due, and
// each question to the payment service.
import type { StorePort } from '../../../src/store-port.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { quietProvider, redirecting } from './shops.ts'

const { now } = Date
process.on('message', ({ ahead }: { ahead: number }) => {
  Date.now = () => now() + ahead
})
process.on('disconnect', () => process.exit())

const store = postgresStore({ url: process.argv[2] ?? '' })
const { claimChecks } = store
const provider = quietProvider({
  store: {
    ...store,
    async claimChecks(claim) {
      const claimed = await claimChecks(claim)
      process.send?.({ checked: true })
      return claimed
    },
  } as StorePort,
  payments: {
    ...redirecting('psp'),
    status() {
      process.send?.({ asked: true })
      return { status: 'pending' }
    },
  },
})
const { port } = await provider.listen({ host: '127.0.0.1' })
process.send?.({ port })

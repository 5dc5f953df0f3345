// A provider that is killed: its store is a file, its payment service lives in the process that kills it.
import { pino } from 'pino'
import { createProvider } from '../../src/index.ts'

const [file, psp] = process.argv.slice(2) as [string, string]

const provider = createProvider({
  development: true,
  logger: pino({ level: 'silent' }),
  databaseUrl: `sqlite:${file}`,
  payments: {
    name: 'psp',
    methods: () => [],
    idempotency: { ttl: 24 * 3_600_000 },
    async start({ idempotencyKey, amount, currency, orderId }, { fetch }) {
      const body = JSON.stringify({ key: idempotencyKey, amount, currency, orderId })
      const answer = await fetch(`${psp}/sessions`, { method: 'POST', body })
      const { reference } = (await answer.json()) as { reference: string }
      return { redirect: `${psp}/pay/${reference}`, reference }
    },
    async status({ reference }, { fetch }) {
      const answer = await fetch(`${psp}/sessions/${reference}`)
      return (await answer.json()) as { status: 'pending' }
    },
  },
})
process.on('disconnect', () => process.exit())
process.send?.(await provider.listen({ port: 0 }))

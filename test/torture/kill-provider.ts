// A provider that is killed, or kills itself at a named point: its store outlives it, its payment service lives in the process
// that started it.
import { pino } from 'pino'
import { createProvider } from '../../src/index.ts'
import type { PushedReport } from '../../src/payments/adapter-context.ts'
import { storeOf } from '../../src/stores/open.ts'
import { aroundCommands } from './around-commands.ts'

const [databaseUrl, psp, failpoint] = process.argv.slice(2) as [string, string, string?]

/** `before learn` and `after learn`: the command at which this process ends, without another instruction. */
const [when, where] = failpoint?.split(' ') ?? []
const dieAt = (point: string, moment: string) => {
  if (point === where && moment === when) process.kill(process.pid, 'SIGKILL')
}

const provider = createProvider({
  development: true,
  logger: pino({ level: 'silent' }),
  store: aroundCommands(storeOf(databaseUrl), async (command, name) => {
    dieAt(name, 'before')
    const result = await command()
    dieAt(name, 'after')
    return result
  }),
  payments: {
    name: 'psp',
    methods: () => [],
    idempotency: { ttl: 24 * 3_600_000 },
    async start({ idempotencyKey, amount, currency, orderId }, { fetch, pushUrl }) {
      const body = JSON.stringify({ key: idempotencyKey, amount, currency, orderId, pushUrl })
      dieAt('start', 'before')
      const answer = await fetch(`${psp}/sessions`, { method: 'POST', body })
      const { reference } = (await answer.json()) as { reference: string }
      dieAt('start', 'after')
      return { redirect: `${psp}/pay/${reference}`, reference }
    },
    async status({ reference }, { fetch }) {
      dieAt('status', 'before')
      const answer = await fetch(`${psp}/sessions/${reference}`)
      dieAt('status', 'after')
      return (await answer.json()) as { status: 'pending' }
    },
    push: { verify: () => true, read: ({ body }) => JSON.parse(body.toString()) as PushedReport },
  },
})
/** What is on record of the money of an order. */
process.on('message', async (orderId: string) => {
  const payment = await provider.payments.get({ orderId })
  process.send?.(payment?.ledger ?? {})
})
process.on('disconnect', () => process.exit())
process.send?.(await provider.listen({ port: 0 }))

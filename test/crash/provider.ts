// A provider that a test kills: its payment service answers at once.
import { writeSync } from 'node:fs'
import { createProvider } from 'purveyor'

const provider = createProvider({
  development: true,
  payments: {
    name: 'psp',
    methods: () => [],
    start: ({ idempotencyKey }) => ({ redirect: `https://psp.example/${idempotencyKey}` }),
  },
  store: process.argv[2],
})

process.on('message', async (orderId: string) => {
  const status = await provider.payments.report(
    { orderId },
    { status: 'paid', amount: '29.34', currency: 'eur' },
  )
  // Acknowledged, and gone before anything else can happen.
  writeSync(1, `${status}\n`)
  process.kill(process.pid, 'SIGKILL')
})
process.on('disconnect', () => process.exit())
process.send?.(await provider.listen({ port: 0 }))

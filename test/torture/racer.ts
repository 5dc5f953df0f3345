// One of two processes that race for the same orders on one store. It starts them, or learns their money, and answers what came of each.

import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import { systemWorld } from '../../src/network/system-world.ts'
import { reportPayment } from '../../src/payments/learn-payment.ts'
import { ledgerOf } from '../../src/payments/ledger/movements.ts'
import { storeOf } from '../../src/stores/open.ts'
import { payment } from '../http/messages.ts'
import { noLog } from '../quiet-world.ts'
import { startBy } from '../start-by.ts'
import { testWorkings } from '../workings.ts'

const store = storeOf(process.argv[2]!)
await store.open()
const psp: AnyPaymentAdapter = {
  name: 'psp',
  methods: () => [],
  // One session for one key, in any process.
  idempotency: { ttl: 3_600_000 },
  start: ({ idempotencyKey: key }) => ({ redirect: `https://psp.example/${key}`, reference: key }),
}
const world = systemWorld(noLog, { loopback: true })
const workings = testWorkings({ world, store, payments: [psp], development: true })

const movements = [
  { status: 'paid', amount: '29.34', event: 'p1' },
  { status: 'refunded', amount: '5.00', event: 'r1' },
  { status: 'refunded', amount: '5.00', event: 'r2' },
  { status: 'charged_back', amount: '9.00', event: 'c1' },
] as const

async function start(id: number) {
  const { payment_url } = await startBy(workings, payment({ id }))
  const attempts = (await store.payment('default', String(id)))!.attempts.length
  return { url: payment_url, attempts }
}

async function learn(id: number) {
  const reports = movements.map((movement) => ({ ...movement, currency: 'eur' }))
  await Promise.all(reports.map((report) => reportPayment(workings, { orderId: id }, report)))
  const [attempt] = (await store.payment('default', String(id)))!.attempts
  const { received, refunded, chargedBack } = ledgerOf(attempt!)
  return { money: `${received} ${refunded} ${chargedBack}` }
}

const steps: Record<'start' | 'learn', (id: number) => Promise<object>> = { start, learn }

process.on('message', async ({ step, orders }: { step: 'start' | 'learn'; orders: number[] }) => {
  process.send!(await Promise.all(orders.map(steps[step])))
})
process.on('disconnect', () => process.exit())
process.send!('ready')

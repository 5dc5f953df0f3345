// One of two processes that race for the same orders on one store. It starts them, or learns their money, and answers what came of each.

import { type PaymentStartRequest, paymentStartReader, readMessage } from '../../src/contract/index.ts'
import { systemWorld } from '../../src/network/system-world.ts'
import { ledgerOf } from '../../src/payments/totals.ts'
import { newShop } from '../../src/shops/shop.ts'
import { storeOf } from '../../src/stores/open.ts'
import { reportPayment } from '../../src/use-cases/payments/learn-payment.ts'
import { startPayment } from '../../src/use-cases/payments/start-payment.ts'
import { payment } from '../http/messages.ts'
import { testWorkings } from '../workings.ts'

const nothing = () => {}
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const store = storeOf(process.argv[2]!)
await store.open()
const workings = testWorkings({
  world: systemWorld(log, { loopback: true }),
  store,
  payments: [
    {
      name: 'psp',
      methods: () => [],
      // One session for one key, in any process.
      idempotency: { ttl: 3_600_000 },
      start: ({ idempotencyKey }) => ({
        redirect: `https://psp.example/${idempotencyKey}`,
        reference: idempotencyKey,
      }),
    },
  ],
  development: true,
})
const reader = paymentStartReader()
const shop = { ...newShop('default'), language: 'nl' }

const movements = [
  { status: 'paid', amount: '29.34', event: 'p1' },
  { status: 'refunded', amount: '5.00', event: 'r1' },
  { status: 'refunded', amount: '5.00', event: 'r2' },
  { status: 'charged_back', amount: '9.00', event: 'c1' },
] as const

async function start(id: number) {
  const request = readMessage(reader, payment({ id })) as PaymentStartRequest
  const { payment_url } = await startPayment(workings, shop, request)
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

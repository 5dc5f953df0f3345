// One of two processes that race for the same orders on one store. It answers each order with what it was given.

import { type PaymentStartRequest, paymentStartReader, readMessage } from '../../src/contract/index.ts'
import { systemWorld } from '../../src/network/system-world.ts'
import { newShop } from '../../src/shops/shop.ts'
import { storeOf } from '../../src/stores/open.ts'
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
const reader = paymentStartReader('Europe/Amsterdam')
const shop = { ...newShop('default'), language: 'nl' }

process.on('message', async (orders: number[]) => {
  const answers = await Promise.all(
    orders.map(async (id) => {
      const request = readMessage(reader, payment({ id })) as PaymentStartRequest
      const { payment_url } = await startPayment(workings, shop, request)
      const attempts = (await store.payment('default', String(id)))!.attempts.length
      return { id, url: payment_url, attempts }
    }),
  )
  process.send!(answers)
})
process.on('disconnect', () => process.exit())
process.send!('ready')

import { PageTokens } from '../../src/payments/page-tokens.ts'
import { seal } from '../../src/stores/seal.ts'
// One of two processes that race for the same orders on one store. It answers each order with what it was given.

import { type PaymentStartRequest, paymentStartReader, readMessage } from '../../src/contract/index.ts'
import { systemWorld } from '../../src/network/system-world.ts'
import { newShop } from '../../src/shops/shop.ts'
import { storeOf } from '../../src/stores/open.ts'
import { ServiceCalls } from '../../src/use-cases/payments/service-calls.ts'
import { startPayment } from '../../src/use-cases/payments/start-payment.ts'
import {
  defaultDeadlines,
  defaultRating,
  defaultRetention,
  type Workings,
} from '../../src/use-cases/workings.ts'
import { payment } from '../http/messages.ts'

const nothing = () => {}
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const store = storeOf(process.argv[2]!)
await store.open()
const workings: Workings = {
  world: systemWorld(log, { loopback: true }),
  store,
  rates: [],
  rating: defaultRating,
  payments: [
    {
      name: 'psp',
      methods: () => [],
      // One session for one key, in whichever process.
      idempotency: { ttl: 3_600_000 },
      start: ({ idempotencyKey }) => ({
        redirect: `https://psp.example/${idempotencyKey}`,
        reference: idempotencyKey,
      }),
    },
  ],
  publicUrl: 'https://provider.example',
  deadlines: defaultDeadlines,
  development: true,
  wake: nothing,
  seal: seal('a secret of tests'),
  pages: new PageTokens('a key of tests'),
  retention: defaultRetention,
  serviceCalls: new ServiceCalls(),
  pushUrl: async () => '',
}
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

import { type PaymentStartRequest, paymentStartReader, readMessage } from '../../../src/contract/index.ts'
import { systemWorld } from '../../../src/network/system-world.ts'
import { PageTokens } from '../../../src/payments/page-tokens.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { storeOf } from '../../../src/stores/open.ts'
import { seal } from '../../../src/stores/seal.ts'
import { ServiceCalls } from '../../../src/use-cases/payments/service-calls.ts'
import { startPayment } from '../../../src/use-cases/payments/start-payment.ts'
import {
  defaultDeadlines,
  defaultRating,
  defaultRetention,
  type Workings,
} from '../../../src/use-cases/workings.ts'
import { payment } from '../../http/messages.ts'

const nothing = () => {}
const shop = { ...newShop('default'), language: 'nl' }

/** Starts payments on a store, with a payment service that answers at once. `first` is the order before its first one. */
export async function starter(databaseUrl: string, first = 0) {
  const store = storeOf(databaseUrl)
  await store.open()
  let order = first
  let reference = 0
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
  const workings: Workings = {
    world: systemWorld(log, { loopback: true }),
    store,
    rates: [],
    rating: defaultRating,
    payments: [
      {
        name: 'psp',
        methods: () => [],
        start: () => ({ redirect: 'https://psp.example/1', reference: `tr_${++reference}` }),
      },
    ],
    publicUrl: 'https://provider.example',
    deadlines: defaultDeadlines,
    development: false,
    wake: nothing,
    seal: seal('a secret of tests'),
    pages: new PageTokens('a key of tests'),
    retention: defaultRetention,
    serviceCalls: new ServiceCalls(),
    pushUrl: async () => '',
  }
  const reader = paymentStartReader('Europe/Amsterdam')
  const request = () => readMessage(reader, payment({ id: ++order })) as PaymentStartRequest

  return {
    async start(starts: number, callers: number): Promise<void> {
      let left = starts
      await Promise.all(
        Array.from({ length: callers }, async () => {
          while (left-- > 0) await startPayment(workings, shop, request())
        }),
      )
    },
    close: () => store.close(),
  }
}

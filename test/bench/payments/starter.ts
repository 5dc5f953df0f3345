import { type PaymentStartRequest, paymentStartReader, readMessage } from '../../../src/contract/index.ts'
import { systemWorld } from '../../../src/network/system-world.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { storeOf } from '../../../src/stores/open.ts'
import { startPayment } from '../../../src/use-cases/payments/start-payment.ts'
import { payment } from '../../http/messages.ts'
import { testWorkings } from '../../workings.ts'

const nothing = () => {}
const shop = { ...newShop('default'), language: 'nl' }

/** Starts payments on a store, with a payment service that answers at once. `first` is the order before its first one. */
export async function starter(databaseUrl: string, first = 0) {
  const store = storeOf(databaseUrl)
  await store.open()
  let order = first
  let reference = 0
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
  const workings = testWorkings({
    world: systemWorld(log, { loopback: true }),
    store,
    payments: [
      {
        name: 'psp',
        methods: () => [],
        start: () => ({ redirect: 'https://psp.example/1', reference: `tr_${++reference}` }),
      },
    ],
  })
  const reader = paymentStartReader()
  const webhook_url = 'https://127.0.0.1/webhook'
  const request = () =>
    readMessage(reader, { ...payment({ id: ++order }), webhook_url }) as PaymentStartRequest

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

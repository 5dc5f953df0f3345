import { expect, test } from 'vitest'
import { paymentStartReader, readMessage } from '../../../../src/contract/index.ts'
import { newShop } from '../../../../src/shops/shop.ts'
import { PushProcessing } from '../../../../src/use-cases/payments/pushes/process-pushes.ts'
import { startPayment } from '../../../../src/use-cases/payments/start-payment.ts'
import type { AnyPaymentAdapter } from '../../../../src/use-cases/workings.ts'
import { payment } from '../../../http/messages.ts'
import { push } from '../../push.ts'
import { movableWorld, providerIn } from '../../world.ts'

/** A payment service that answers when the test says so, and the claims of pushes about it. */
async function serviceWith(pushes: Record<string, number>) {
  const { world, settle } = movableWorld()
  const open: { shop: string; answer: () => void }[] = []
  const psp: AnyPaymentAdapter = {
    name: 'psp',
    methods: () => [{ id: 'psp', title: 'psp' }],
    start: ({ shopId, orderId }) => ({
      redirect: 'https://psp.example/1',
      reference: `${shopId}-${orderId}`,
    }),
    status: (_attempt, { shop }) =>
      new Promise((resolve) => {
        open.push({ shop: shop.id, answer: () => resolve({ status: 'pending' }) })
      }),
    push: { confirm: 'status', read: ({ body }) => ({ reference: body.toString() }) },
  }
  const workings = providerIn(world, { payments: [psp] })
  for (const [shop, count] of Object.entries(pushes)) {
    for (let order = 1; order <= count; order++) {
      const body = readMessage(paymentStartReader(), payment({ id: order, method: 'psp:psp' }))
      await startPayment(workings, newShop(shop), body)
      await push(workings, `${shop}-${order}`, { shop })
    }
  }
  const claimed: number[] = []
  const { claimPushes } = workings.store
  workings.store.claimPushes = async (claim) => {
    const found = await claimPushes(claim)
    claimed.push(found.length)
    return found
  }
  const processing = new PushProcessing(workings)
  await processing.processDue()
  await settle()
  return {
    processing,
    /** The sizes of the claims so far. */
    claimed,
    open,
    async answer(shop?: string) {
      const at = open.findIndex((one) => shop === undefined || one.shop === shop)
      open.splice(at, 1)[0]?.answer()
      await settle()
    },
  }
}

test('a shop with more pushes than places gets new ones once half of its places are free', async () => {
  const { claimed, open, answer } = await serviceWith({ one: 7 })
  expect([claimed, open.length]).toEqual([[4], 4])
  await answer()
  expect([claimed, open.length]).toEqual([[4], 3])
  await answer()
  expect([claimed, open.length]).toEqual([[4, 2], 4])
  await answer()
  await answer()
  expect([claimed, open.length]).toEqual([[4, 2, 1], 3])
  // Nothing waits, so nothing is claimed.
  for (let left = 3; left > 0; left--) await answer()
  expect([claimed, open.length]).toEqual([[4, 2, 1], 0])
})

test('where no place of the adapter is free, each that ends is taken by a push of any shop', async () => {
  const shops = Array.from({ length: 17 }, (_, shop) => [`shop-${shop}`, 4] as const)
  const { claimed, open, answer } = await serviceWith(Object.fromEntries(shops))
  expect([claimed, open.length]).toEqual([[64], 64])
  await answer()
  expect([claimed, open.length]).toEqual([[64, 1], 64])
})

test('a place that is free after the stop is not taken', async () => {
  const { claimed, open, answer, processing } = await serviceWith({ one: 7 })
  const stopping = processing.stop()
  for (let left = 4; left > 0; left--) await answer()
  await stopping
  expect([claimed, open.length]).toEqual([[4], 0])
})

import { expect, test } from 'vitest'
import { PushProcessing } from '../../../src/payments/pushes/process-pushes.ts'
import { paymentsWith } from '../../helpers/provider.ts'
import { push } from '../../helpers/push.ts'

/** A payment service that answers when the test says so, and the claims of pushes about it. */
async function serviceWith(pushes: Record<string, number>) {
  const open: (() => void)[] = []
  const { workings, settle, start } = paymentsWith({
    start: ({ shopId, orderId }) => ({
      redirect: 'https://psp.example/1',
      reference: `${shopId}-${orderId}`,
    }),
    status: () => new Promise((resolve) => open.push(() => resolve({ status: 'pending' }))),
    push: { confirm: 'status', read: ({ body }) => ({ reference: body.toString() }) },
  })
  for (const [shop, count] of Object.entries(pushes)) {
    for (let id = 1; id <= count; id++) {
      await start({ id, shop })
      await push(workings, `${shop}-${id}`, { shop })
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
    async answer() {
      open.shift()?.()
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

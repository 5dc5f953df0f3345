import { expect, test, vi } from 'vitest'
import { flatRate } from '../../src/adapters/index.ts'
import { listening } from '../listening.ts'
import { openShop } from '../platform/sandbox.ts'

test('a carrier learns which order chose which of its methods, and what became of it', async () => {
  const handled: string[] = []
  const { provider, endpoint } = await listening({
    rates: flatRate({ id: 'next-day', title: 'Next day', excl: '6.50', taxRate: '0.21' }),
    resourceEvents: {
      async orders({ number }, { action, shippingMethod, event, platform }) {
        const client = await platform()
        handled.push(`${action} ${number}: ${shippingMethod?.id}`)
        if (action === 'paid')
          await client.resource('orders').update(Number(event.record.id), { memo: 'label printed' })
      },
    },
  })
  const sandbox = await openShop({ endpoint, services: ['rates'] })
  const { baseUrl, key, secret } = sandbox.api
  await provider.shops.connect('default', { baseUrl, key, secret, language: 'nl' })
  const { resourceAddress = '' } = await provider.shops.show('default', { reveal: true })
  const { webhooks, resource } = await provider.platform('default')
  await webhooks.create({ itemGroup: 'orders', itemAction: '*', address: resourceAddress })

  const { id, number } = await sandbox.checkout().placeOrder()
  await vi.waitFor(() => expect(handled).toContain(`created ${number}: next-day`))
  await resource('orders').update(id, { paymentStatus: 'paid' })
  await vi.waitFor(() => expect(handled).toContain(`paid ${number}: next-day`))
  await vi.waitFor(async () =>
    expect(await resource('orders').get(id)).toMatchObject({ memo: 'label printed', paymentStatus: 'paid' }),
  )
  expect(handled.filter((line) => line.startsWith('paid'))).toHaveLength(1)
  expect(
    sandbox.calls.filter(({ meaning }) => /^Resource event orders\/paid: taken\.$/.test(meaning)),
  ).toHaveLength(1)
})

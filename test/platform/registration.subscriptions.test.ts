import { expect, test } from 'vitest'
import { carryOut as carryOutPlan, planSubscriptions } from '../../src/platform/registration.ts'
import { clientOf, openShop } from './sandbox.ts'

const address = 'https://provider.example/w/token'

async function subscribed() {
  const shop = await openShop({ resources: { webhooks: [] } })
  const { client } = clientOf(shop)
  const all = () => Array.fromAsync(client.webhooks.list())
  const carryOut = async (groups: string[], at = address) => {
    const plans = await planSubscriptions(client, { groups, address: at })
    for (const plan of plans) await carryOutPlan(client.webhooks, plan)
    return plans.map(({ what }) => what)
  }
  return { client, all, carryOut }
}

test('each resource is subscribed once, follows the address, and ends with its handler', async () => {
  const { client, all, carryOut } = await subscribed()
  const other = 'https://other.example/w/x'
  await client.webhooks.create({ itemGroup: 'orders', itemAction: 'created', address: other })
  expect(await carryOut(['orders', 'shipments'])).toEqual(['create', 'create'])
  expect(await carryOut(['orders', 'shipments'])).toEqual(['nothing', 'nothing'])
  const made = { itemGroup: 'orders', itemAction: '*', format: 'json', isActive: true, address }
  expect((await all())[1]).toMatchObject(made)
  const moved = 'https://new.example/w/token'
  expect(await carryOut(['orders', 'shipments'], moved)).toEqual(['update', 'update'])
  expect((await all()).map((one) => one.address)).toEqual([other, moved, moved])
  expect(await carryOut(['orders'], moved)).toEqual(['nothing', 'remove'])
  expect(await all()).toHaveLength(2)
})

test('a doubled, stopped or narrower subscription of ours is put right', async () => {
  const { client, all, carryOut } = await subscribed()
  const ours = { itemGroup: 'orders', itemAction: 'created', address, isActive: false }
  const first = await client.webhooks.create(ours)
  await client.webhooks.create(ours)
  expect(await carryOut(['orders'])).toEqual(['update', 'remove'])
  expect(await all()).toMatchObject([{ id: first.id, itemAction: '*', isActive: true }])
})

test('wrong fields are refused before anything is sent', async () => {
  const { client, all } = await subscribed()
  const wrong = { itemGroup: 'Orders', itemAction: 'created', address: 'no address' }
  const message = expect.stringMatching(/itemGroup .*address /)
  await expect(client.webhooks.create(wrong)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', message })
  expect(await all()).toEqual([])
})

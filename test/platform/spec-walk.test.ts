import { expect, test } from 'vitest'
import { createCharges, createPlatformClient, md5SortedPairs } from '../../src/platform/index.ts'
import { appSecret, localPlatform } from './local-platform.ts'

test('the client walks the spec: resources, services, charges, credentials and the callback', async () => {
  const platform = await localPlatform()
  const { baseUrl } = platform
  const client = createPlatformClient({
    baseUrl,
    language: 'nl',
    key: 'key',
    secret: 'secret',
    allowLoopback: true,
  })

  // 2.1, 4.1: a resource behaves like products. The answer to a create has the id, to an update the changed record.
  const products = client.resource('products')
  const mug = await products.create({ title: 'Mug', fulltitle: 'Blue mug' })
  expect(mug).toMatchObject({ id: expect.any(Number), title: 'Mug', fulltitle: 'Blue mug' })
  expect((await products.update(mug.id, { title: 'Cup' })).title).toBe('Cup')
  expect(await products.count()).toBe(1)
  const titles: unknown[] = []
  for await (const { title } of products.list({ limit: 250, sinceId: 0 })) titles.push(title)
  expect(titles).toEqual(['Cup'])
  await products.remove(mug.id)

  // 2.2, 4.2: an external service of each type.
  const { externalServices } = client
  for (const type of ['shipment', 'payment'] as const) {
    const urlEndpoint = 'https://provider.example/e/token'
    const service = { type, name: 'Provider', urlEndpoint, isActive: true }
    const made = await externalServices.create(service)
    expect(made).toMatchObject({ ...service, createdAt: expect.any(String), updatedAt: expect.any(String) })
    expect((await externalServices.update(made.id, { isActive: false })).isActive).toBe(false)
    await externalServices.remove(made.id)
  }

  // 2.3, 3.2, 4.2: a charge from its creation to its approval, an upgrade, and one that is taken back.
  const charges = createCharges({
    client,
    callbackUrl: 'https://app.example/charged',
    callbacks: { verifier: md5SortedPairs(appSecret), clusters: { eu1: baseUrl } },
  })
  const plus = await charges.create({ type: 'recurring', title: 'Plus', price: 9.95 })
  expect(plus.approvalUrl).toMatch(/^https:/)
  // 5, 6: the callback is signed over its four fields, and the charge is read again.
  const approved = await charges.callback(platform.end(plus.id, 'active'))
  expect(approved).toMatchObject({ shopId: '7', charge: { id: plus.id, state: 'active' } })
  const pro = await charges.create({ type: 'recurring', title: 'Pro', price: 19.95, upgradeFrom: plus.id })
  expect((await charges.active()).map(({ id }) => id)).toEqual([plus.id])
  await charges.remove(pro.id)
  const setup = await charges.create({ type: 'onetime', title: 'Setup', price: '49.00' })
  expect((await charges.callback(platform.end(setup.id, 'declined'))).charge.state).toBe('declined')

  // 5: HTTP Basic in the header of every call, and nothing of it in an address.
  const basic = `Basic ${Buffer.from('key:secret').toString('base64')}`
  expect(platform.asked.every(({ authorization }) => authorization === basic)).toBe(true)
  expect(platform.asked.some(({ path }) => /secret|key/.test(path))).toBe(false)
})

import { expect, test } from 'vitest'
import { postForm } from '../../http/post.ts'
import { openShop } from '../../platform/sandbox.ts'

test('a service is registered for one shop of several, and every other shop leaves it alone', async () => {
  const shops = [{ title: 'Bikes' }, { title: 'Boats' }] as never
  const sandbox = await openShop({ resources: { shop: shops } })
  const page = async () => (await fetch(`${sandbox.url}/services`)).text()
  const [, boats] = /<option value="(\d+)">Boats/.exec(await page())!
  const service = { type: 'shipment', name: 'Courier', urlEndpoint: 'http://127.0.0.1:9/e/t' }
  const register = (shop: string) => postForm(`${sandbox.url}/services`, { ...service, shop })
  expect((await register('99')).status).toBe(422)
  expect(sandbox.services).toEqual([])
  expect((await register(boats!)).status).toBe(303)
  expect((await register('')).status).toBe(303)
  expect(sandbox.services.map(({ shop }) => shop)).toEqual([Number(boats), undefined])
  expect(await page()).toContain('data-label="Shop">Boats</td>')
})

test('a platform of one shop asks for none', async () => {
  const sandbox = await openShop()
  expect(await (await fetch(`${sandbox.url}/services`)).text()).not.toContain('name="shop"')
})

import supertest from 'supertest'
import { expect, test } from 'vitest'
import { observedProvider } from './pair.ts'

test('metrics name what waits, which code runs, and no shop, however many there are', async () => {
  const { provider, origin, endpoint, answers, order } = await observedProvider()
  const text = async () => (await supertest(origin).get('/metrics').expect(200)).text
  const series = (all: string) =>
    all
      .split('\n')
      .filter((line) => line.startsWith('purveyor_') && !/_(?:bucket|sum|count)\{/.test(line))
      .map((line) => line.slice(0, line.lastIndexOf(' ')))
  const before = series(await text())
  const named = ['webhook', 'push', 'check'].flatMap((kind) => [
    `purveyor_waiting{kind="${kind}",lane="open"}`,
    `purveyor_lag_seconds{kind="${kind}"}`,
  ])
  named.push(...['webhook', 'push'].map((kind) => `purveyor_lanes_closed{kind="${kind}"}`))
  named.push('purveyor_waiting{kind="webhook",lane="closed"}')
  expect(before).toEqual(expect.arrayContaining(named))
  expect(before.some((one) => one.startsWith('purveyor_build_info{version="'))).toBe(true)

  for (let shop = 0; shop < 50; shop++) await provider.shops.add(`shop-${shop}`)
  // A lane of a shop that fails is closed, and is counted apart from what is late.
  answers.set('/webhook', 500)
  for (const id of [1, 2, 3, 4]) {
    await supertest(endpoint).post('/payment').send(order(id)).expect(201)
    await provider.payments.report({ orderId: id }, { status: 'cancelled' })
  }
  await expect.poll(text).toContain('purveyor_lanes_closed{kind="webhook"} 1')
  const after = await text()
  expect(after).toContain('purveyor_waiting{kind="webhook",lane="closed"} 4')
  expect(after).toContain('purveyor_lag_seconds{kind="webhook"} 0')
  expect(after).not.toMatch(/shop-\d|default/)
  const grown = series(after).filter((one) => !before.includes(one))
  expect(grown.filter((one) => !/^purveyor_(?:refused|unavailable|name_lookups)_total\{/.test(one))).toEqual(
    [],
  )
})

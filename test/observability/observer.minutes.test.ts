import { expect, test } from 'vitest'
import { Minutes } from '../../src/observability/observer.ts'

const noted = (times: readonly number[]) => {
  const minutes = new Minutes()
  for (const ms of times) minutes.note('request', 'GET /x', ms, false)
  return minutes.take().rows[0]!
}

test('what happened in a minute is counted by its kind and label, once', () => {
  const minutes = new Minutes()
  const label = 'POST /e/:token/payment'
  minutes.note('request', label, 12.4, false)
  minutes.note('request', label, 40.6, true)
  minutes.note('adapter', label, 7, false)
  minutes.note('delivery', 'wren hooks.wren.example', 0, true)
  const { rows, called } = minutes.take()
  expect(rows).toEqual([
    { what: 'request', label, count: 2, failed: 1, p50: 12, p95: 41, p99: 41 },
    { what: 'adapter', label, count: 1, failed: 0, p50: 7, p95: 7, p99: 7 },
    { what: 'delivery', label: 'wren hooks.wren.example', count: 1, failed: 1, p50: 0, p95: 0, p99: 0 },
  ])
  expect(called).toEqual([])
  expect(minutes.take()).toEqual({ rows: [], called: [] })
})

test('percentiles are those of the durations, in whatever order they came', () => {
  const times = Array.from({ length: 100 }, (_, at) => at + 1)
  for (const order of [times, times.toReversed()])
    expect(noted(order)).toMatchObject({ count: 100, p50: 50, p95: 95, p99: 99 })
  expect(noted([5])).toMatchObject({ p50: 5, p95: 5, p99: 5 })
  expect(noted([1, 1_000])).toMatchObject({ p50: 1, p95: 1_000, p99: 1_000 })
})

test('of many durations a random choice stands for all', () => {
  const { count, p50, p95 } = noted([...Array.from({ length: 20_000 }, (_, at) => at % 1_000), 5_000])
  expect(count).toBe(20_001)
  expect(p50).toBeGreaterThan(300)
  expect(p50).toBeLessThan(700)
  expect(p95).toBeGreaterThan(850)
})

test('a minute has at most 200 rows: what comes later is not counted, and the next minute has room', () => {
  const minutes = new Minutes()
  const fill = (offset: number) => {
    for (let label = 0; label < 300; label++)
      minutes.note('delivery', `shop-${label + offset} host`, 1, false)
  }
  fill(0)
  minutes.note('delivery', 'shop-0 host', 1, false)
  const { rows } = minutes.take()
  expect([rows.length, rows[0]?.count, rows.at(-1)?.label]).toEqual([200, 2, 'shop-199 host'])
  fill(1_000)
  expect(minutes.take().rows[0]?.label).toBe('shop-1000 host')
})

test('shops whose platforms called are named once', () => {
  const minutes = new Minutes()
  for (const shop of ['wren', 'loom', 'wren']) minutes.called(shop)
  expect(minutes.take()).toEqual({ rows: [], called: ['wren', 'loom'] })
  expect(minutes.take().called).toEqual([])
})

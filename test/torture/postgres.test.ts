import { afterAll, beforeAll, expect, test } from 'vitest'
import { sized } from '../long.ts'
import { type SharedPostgres, sharedPostgres } from '../postgres.ts'
import { runOutage } from './outage.ts'
import { simulate } from './simulation.ts'
import { onServer } from './virtual-store.ts'

// The short forms of what runs in virtual time, on a real server; `npm run torture -- --store postgres` runs the long ones.

let server: SharedPostgres
let stores: Awaited<ReturnType<typeof onServer>>

beforeAll(async () => {
  server = await sharedPostgres()
  stores = await onServer(await server.database())
})
afterAll(async () => {
  await stores?.close()
})

test('schedules of crashes, lost calls and late money come to rest with nothing lost and nothing invented', async () => {
  const outcomes = []
  const schedules = sized(3, 40)
  for (let seed = 1; seed <= schedules; seed++) outcomes.push(await simulate(seed, [], stores.make))
  expect(outcomes.filter(({ violations }) => violations.length > 0)).toEqual([])
  expect(outcomes.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(2.5 * schedules)
})

test('a receiver that is down for hours gets everything within 15 min of its recovery, and delays nobody', async () => {
  const report = await runOutage(sized(60, 400), 3, stores.make)
  expect(report.undelivered).toBe(0)
  expect(report.minutes_to_deliver).toBeLessThan(15)
  expect(report.healthy_slowest_s).toBeLessThan(5)
  expect(report.calls_while_down).toBeLessThan(150)
})

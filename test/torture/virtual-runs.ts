import { expect } from 'vitest'
import { runOutage } from './outage.ts'
import { simulate } from './simulation.ts'
import type { MakeStore } from './virtual-store.ts'

/** So many schedules of crashes, lost calls and late money come to rest with nothing lost and nothing invented. */
export async function expectRest(schedules: number, make?: MakeStore): Promise<void> {
  const outcomes = []
  for (let seed = 1; seed <= schedules; seed++) outcomes.push(await simulate(seed, [], make))
  expect(outcomes.filter(({ violations }) => violations.length > 0)).toEqual([])
  expect(outcomes.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(2.5 * schedules)
}

/** A receiver that is down for hours gets everything within 15 min of its recovery, and delays nobody. */
export async function expectRecovery(owed: number, hours: number, make?: MakeStore): Promise<void> {
  const report = await runOutage(owed, hours, make)
  expect(report.undelivered).toBe(0)
  expect(report.minutes_to_deliver).toBeLessThan(15)
  expect(report.healthy_slowest_s).toBeLessThan(5)
  expect(report.calls_while_down).toBeLessThan(150)
}

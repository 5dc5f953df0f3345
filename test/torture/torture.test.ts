import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { isLong, sized } from '../long.ts'
import { carrierBugs } from './carriers/seeded-bugs.ts'
import { simulateCarriers } from './carriers/simulation.ts'
import { checkEventStrings, checkLedgerStrings } from './event-strings.ts'
import { neighbourBugs } from './neighbours/seeded-bugs.ts'
import { runOutage } from './outage.ts'
import { postgresBugs } from './postgres-bugs.ts'
import { declarationsOf, sourcesWith } from './seed-bug.ts'
import { seededBugs } from './seeded-bugs.ts'
import { simulate } from './simulation.ts'
import { strangerBugs } from './strangers/seeded-bugs.ts'
import { testedBugs } from './tested-bugs.ts'
import { expectRecovery, expectRest } from './virtual-runs.ts'

// `npm run torture` runs many times as much.

test('every string of events leaves the status that the money says', () => {
  const { tries, violations } = checkEventStrings(sized(6, 7))
  expect(tries).toBeGreaterThan(sized(10_000, 100_000))
  expect(violations).toEqual([])
})

test('every order and repetition of reports comes to one ledger, which never has more than was received', () => {
  const { tries, violations } = checkLedgerStrings(sized(4, 7))
  expect(tries).toBeGreaterThan(sized(4_000, 2_000_000))
  expect(violations).toEqual([])
})

test('schedules of crashes, lost calls and late money come to rest with nothing lost and nothing invented', () =>
  expectRest(sized(12, 200)))

test('a carrier in trouble costs no shop the price of another, no refusal a fallback, and no token a second login', async () => {
  const report = await simulateCarriers(1, sized(1_000, 10_000), sized(20, 200))
  expect(report.violations).toEqual([])
  expect(report.refusals).toBeGreaterThan(200)
  expect(report.rejected_tokens).toBeGreaterThan(20)
  expect(report.fallbacks).toBeGreaterThan(20)
  expect(report.p99_ms).toBeLessThanOrEqual(2_510)
})

test('the same seed gives the same schedule', async () => {
  expect(await simulate(7)).toEqual(await simulate(7))
})

test('a receiver that is down for hours gets everything within 15 min of its recovery, and delays nobody', () =>
  expectRecovery(sized(200, 2_000), 6))

test.each([1, 4])(
  '%i webhooks alone are delivered within 5 min of the repair of their receiver, at any length of its outage',
  async (owed) => {
    for (const hours of isLong ? [0.1, 0.5, 1, 2, 5, 11, 24, 48, 72] : [0.1, 2, 5]) {
      const { minutes_to_deliver: minutes, undelivered } = await runOutage(owed, hours)
      expect([hours, undelivered, Math.max(minutes, 5)]).toEqual([hours, 0, 5])
    }
  },
)

const src = new URL('../../src', import.meta.url).pathname
const declarations = declarationsOf(src)

const bugs = [seededBugs, testedBugs, strangerBugs, postgresBugs, neighbourBugs, carrierBugs].flat()

test.each(bugs)('the bug "$name" still fits the source, which stays code', (bug) => {
  for (const [file, source] of sourcesWith(bug, src, declarations))
    expect(parseSync(file, source).errors).toEqual([])
})

test.each([...new Set(testedBugs.map(({ by }) => by))])('%s, which must catch bugs, is a test file', (by) =>
  expect(existsSync(new URL(`../${by}.test.ts`, import.meta.url))).toBe(true),
)

test('a run that fails ends as failed, although it used PostgreSQL', () => {
  const postgres = new URL('../postgres.ts', import.meta.url).href
  const code = `import '${postgres}'; process.exitCode = 1`
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', code]).status).toBe(1)
})

import { describe, expect, test } from 'vitest'
import { main } from '../cli/command.ts'
import { isLong, sized } from '../long.ts'
import { tryAddresses } from './strangers/addresses.ts'
import { tryAtRest } from './strangers/at-rest.ts'
import { attackInProcesses } from './strangers/attack-in-processes.ts'
import { tryAudit } from './strangers/audit.ts'
import { tryBombs } from './strangers/bombs.ts'
import { plantCanaries } from './strangers/canaries.ts'
import { tryDeveloper } from './strangers/developer.ts'
import { tryDevelopment } from './strangers/development.ts'
import { tryGuesses } from './strangers/guesses.ts'
import { tryPageContent } from './strangers/page-content.ts'
import { tryPages } from './strangers/pages.ts'
import { attackWithSockets } from './strangers/raw-sockets.ts'
import { tryReturns } from './strangers/returns.ts'
import { trySignatures } from './strangers/signatures.ts'
import { trySlowSockets } from './strangers/slow-sockets.ts'
import { tryTenants } from './strangers/tenants.ts'
import { isSlow, tryIdleSockets, tryUnreadSockets } from './strangers/unread-sockets.ts'
import { tryVisitors } from './strangers/visitors.ts'

// `npm run torture` tries many times as much.

/** What strangers may not reach, how it is tried, and of what at least so much is tried. */
const attempts: [string, () => Promise<object>, Record<string, number>?][] = [
  ['a provider that strangers reach is never as open as in development', tryDevelopment, { requests: 71 }],
  [
    'bytes that are hardly HTTP get no answer of ours that blames us',
    () => attackWithSockets(sized(120, 500), 1),
  ],
  [
    "no token opens another shop's order, and every wrong one is answered alike",
    () => tryTenants(sized(100, 500), main),
    { pairs: sized(201, 601) },
  ],
  [
    'no writing of an address and no name server leads where nobody may call',
    tryAddresses,
    { urls: 301, dns_tricks: 20 },
  ],
  [
    'nothing of a message is found in logs, answers or the store, whatever fails',
    plantCanaries,
    { canaries: 3001 },
  ],
  [
    'every change has its entry in the audit trail, every entry its change, and none a secret',
    tryAudit,
    { changes: 17, refused: 12, canaries: 21 },
  ],
  [
    'a copy of the store opens nothing, and what is written into it moves no secret',
    tryAtRest,
    { values: 51, moved: 16 },
  ],
  [
    'websites in the browser of a developer drive no sandbox, and no answer steers a terminal',
    () => tryDeveloper(main),
    { calls: 80, printed: 501 },
  ],
  ['a hosted page takes its own forms only, once, and leads to the stored address', () => tryPages(3)],
  [
    'no policy, origin or brand lets scripts and strangers into a page',
    tryPageContent,
    { policies: 16, refused: 170 },
  ],
  ['a forged return, a guessed address and a page that is over pay nothing', tryReturns, { requests: 45 }],
  ['guessed tokens leave the store to the shops', () => tryGuesses(sized(2_200, 3_000))],
  [
    'calls of shops come before visits, health checks and large carts of others',
    () => tryVisitors(sized(300, 1_000)),
    { requests: 1_801 },
  ],
]

describe.concurrent('strangers', () => {
  test.each(attempts)('%s', async (_name, run, atLeast = {}) => {
    const report = (await run()) as Record<string, unknown>
    expect(report.violations).toEqual([])
    for (const [what, number] of Object.entries(atLeast))
      expect(report[what], what).toBeGreaterThanOrEqual(number)
  })

  test('hostile inputs get an answer that blames them, and change nothing of the process', async () => {
    const tries = sized(400, 2_000)
    const { inputs, statuses, violations } = await attackInProcesses(tries, 1, sized(4_000, 20_000))
    expect(violations.filter((one) => !one.includes('held up the process'))).toEqual([])
    expect(inputs).toBe(tries)
    // Some of them are fine, and most are not.
    expect(statuses[201]).toBeGreaterThan(tries / 40)
    expect(statuses[422]).toBeGreaterThan(tries / 4)
  })

  test('sockets that ask again and again and read nothing are cut', async () => {
    const { still_open, violations } = await tryUnreadSockets(20, sized(1, 3), sized(30, 100))
    expect(still_open).toBe(0)
    expect(violations.filter((one) => !isSlow(one))).toEqual([])
  })

  test('idle sockets lock nobody out', async () => {
    const { violations } = await tryIdleSockets(400, 400, sized(1, 3))
    expect(violations.filter((one) => !isSlow(one))).toEqual([])
  })

  test('sockets that never come to an end are closed', async () => {
    expect((await trySlowSockets(40, sized(20, 400))).still_open).toBe(0)
  })
})

// Its calls have a deadline, so it never waits longer.
test('an answer that is small on the way and large behind it is cut, however it is read', {
  timeout: 180_000,
}, async () => {
  // test/network/limited-answer.test.ts reads every coding in every way.
  const { bombs, violations } = await tryBombs(sized(12, 96), isLong)
  expect(violations.filter((one) => !one.startsWith('bombs take'))).toEqual([])
  expect(bombs).toBe(sized(6, 30))
})

test('a webhook that is signed verifies by its specification, also while secrets are changed', async () => {
  const { webhooks, violations } = await trySignatures()
  expect(violations).toEqual([])
  expect(webhooks).toBeGreaterThanOrEqual(8)
})

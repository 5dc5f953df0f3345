import { expect, test } from 'vitest'
import { clocksFound } from '../../../src/cli/doctor/network.ts'
import { thisMachine } from '../../../src/observability/this-machine.ts'
import type { NodeView } from '../../../src/use-cases/list-nodes.ts'

const [second, hour] = [1_000, 3_600_000]
const now = 1_800_000_000_000
const right = { agreedAt: now, serverAt: now }

const node = (host: string, clockOffMs: number): NodeView => ({
  ...{ node: host, host, pid: 71, version: '0.1.0', build: '', workers: 1, silent: 0, died: false },
  ...{ since: now - hour, seenAt: now, runs: true, processes: [], clockOffMs },
})

test('the clock of another machine is found, beside that of this one', () => {
  const nodes = [node('web-1', 0), node('web-2', 2 * hour)]
  expect(clocksFound(right, nodes, now)).toMatchObject({
    verdict: 'warn',
    says: "The clock of web-2 (process id 71) is 2 h ahead of the providers' time",
    remedy: expect.stringMatching(/^Set the clock of that machine with NTP/),
  })
  expect(clocksFound(right, nodes, now - 7 * second)).toMatchObject({
    says: expect.stringMatching(
      / 2 h ahead of .*\. The clock of this machine is 7 s behind the providers' time$/,
    ),
    remedy: expect.stringMatching(/NTP.*\. Turn on NTP: callbacks/),
  })
  expect(clocksFound(right, nodes.slice(0, 1), now)).toMatchObject({
    verdict: 'ok',
    says: 'The clocks of this machine and of 1 more are that of the providers',
  })
})

test('a node of this machine is not named twice', () => {
  const here = [node(thisMachine.host, 2 * hour)]
  expect(clocksFound(right, here, now + 2 * hour).says).toBe(
    `The clock of ${thisMachine.host} (process id 71) is 2 h ahead of the providers' time`,
  )
  expect(clocksFound(right, [node(thisMachine.host, 0)], now)).toEqual({
    verdict: 'ok',
    says: 'The clock of this machine is that of the providers',
  })
})

test('the clock that the providers follow comes first, and a node that differs from it second', () => {
  const set = { agreedAt: now, serverAt: now + 2 * hour }
  const says = "A clock was set: it is 2 h ahead of the providers' time"
  expect(clocksFound(set, [node('web-1', 2 * hour)], now + 2 * hour)).toMatchObject({ verdict: 'warn', says })
  expect(clocksFound(set, [node('web-2', -hour)], now)).toMatchObject({
    says: `${says}. The clock of web-2 (process id 71) is 1 h behind the providers' time`,
    remedy: expect.stringContaining('purveyor clock show'),
  })
})

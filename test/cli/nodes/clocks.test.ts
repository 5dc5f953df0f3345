import { describe, expect, test } from 'vitest'
import { clocksOff, clockWords, nodeClocks } from '../../../src/cli/nodes/clocks.ts'
import type { NodeView } from '../../../src/use-cases/list-nodes.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const now = 1_800_000_000_000

function node(host: string, clockOffMs: number | undefined, of: Partial<NodeView> = {}): NodeView {
  return {
    ...{ node: `node of ${host}`, host, pid: 71, version: '0.1.0', build: '', workers: 1, silent: 0 },
    ...{ died: false, since: now - hour, seenAt: now, runs: true, processes: [], clockOffMs, ...of },
  }
}
/** The providers follow a clock that is ahead of their time by this. */
const state = (ms = 0) => ({ agreedAt: now, serverAt: now + ms })

test('a clock is right up to two seconds, as for the alert', () => {
  expect([undefined, 0, 2_000, -2_000].map(clockWords)).toEqual(['', 'right', 'right', 'right'])
  expect([2 * hour, -3 * second, -61 * second].map(clockWords)).toEqual([
    '2 h ahead',
    '3 s behind',
    '1 min 1 s behind',
  ])
})

describe('nodes whose clocks are off', () => {
  const nodes = [node('web-1', 3), node('web-2', 2 * hour)]

  test('one of them is named with its process, and is to be set', () => {
    expect(clocksOff(nodes, state())).toMatchObject({
      hosts: ['web-2'],
      says: "The clock of web-2 (process id 71) is 2 h ahead of the providers' time",
      remedy: expect.stringMatching(/^Set the clock of that machine with NTP\. /),
    })
    expect(nodeClocks(nodes)).toEqual([
      { node: 'node of web-1', host: 'web-1', pid: 71, offSeconds: 0 },
      { node: 'node of web-2', host: 'web-2', pid: 71, offSeconds: 7_200 },
    ])
  })

  test('several are named by how far they are off, five at most', () => {
    const many = [...nodes, node('web-3', -3 * second), node('web-4', -3 * hour)]
    expect(clocksOff(many, undefined)).toMatchObject({
      says: "The clocks of 3 nodes differ from the providers' time: that of web-4 (process id 71) is 3 h behind; that of web-2 (process id 71) is 2 h ahead; that of web-3 (process id 71) is 3 s behind",
      remedy: expect.stringMatching(/^Set the clock of each of these machines with NTP\. /),
    })
    const seven = Array.from({ length: 7 }, (_, at) => node(`web-${at}`, at * hour + 10 * second))
    expect(clocksOff(seven, state())?.says).toMatch(/ 7 nodes .*; and 2 more$/)
  })

  test('none is where they agree, have noted nothing, have died or were not seen for a minute', () => {
    const others = [
      node('older', undefined),
      node('died', hour, { died: true, runs: false }),
      node('silent', hour, { runs: false }),
      node('right', -2_000),
    ]
    expect(clocksOff(others, state())).toBeUndefined()
    expect(nodeClocks(others).map(({ host }) => host)).toEqual(['right'])
  })

  test("where all machines differ alike, the server's clock is looked at first", () => {
    const alike = [node('web-1', -2 * hour), node('web-2', -2 * hour + 3 * second)]
    expect(clocksOff(alike, state())?.remedy).toMatch(/^All differ by the same, so look at .* server first/)
    // Workers of one machine have one clock.
    const oneMachine = [node('web-1', -2 * hour), node('web-1', -2 * hour, { pid: 72 })]
    expect(clocksOff(oneMachine, state())?.remedy).toMatch(/^Set the clock of that machine/)
  })

  test('while the providers follow a clock that was set, that one comes first', () => {
    expect(clocksOff(nodes, state(2 * hour))).toMatchObject({
      hosts: ['web-2'],
      remedy: expect.stringMatching(/look at it first: purveyor clock show$/),
    })
    // Beside what `clock show` says of that clock, a node that shows the same is no news.
    expect(clocksOff(nodes, state(2 * hour), { besides: true })).toBeUndefined()
    expect(clocksOff(nodes, state(hour + minute), { besides: true })?.hosts).toEqual(['web-2'])
  })
})

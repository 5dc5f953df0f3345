import { expect, test } from 'vitest'
import { laneLines } from '../../../src/cli/lanes/lanes.ts'
import type { LaneView } from '../../../src/use-cases/lane-view.ts'

const lane: LaneView = {
  ...{ kind: 'webhook', shopId: 'red', to: 'hooks.red.example', state: 'closed', waiting: 2, refused: 0 },
  ...{ since: 0, closedAt: 0, nextTryAt: undefined, failures: 2, lastFailure: 'status 503', outages: [] },
}

test('a failure that is a sentence goes on with the order without a full stop', () => {
  const failure = 'The name server is silent.'
  const lines = laneLines(lane, [{ failure, calls: 2, orderId: '1001' }], 0)
  expect(lines).toContain('  2 webhooks: The name server is silent, such as order 1001')
})

test('an outage of starts says how many failed, and that of one shop is of this shop', () => {
  const outages = [{ beganAt: 0, endedAt: 60_000, failure: 'Error', calls: 3 }]
  const starts = { ...lane, kind: 'starts', state: 'open', to: 'psp', waiting: 0, outages } as const
  const none = { failures: undefined, since: undefined, closedAt: undefined, lastFailure: undefined }
  expect(laneLines({ ...starts, ...none }, [], 0).filter((line) => line !== false)).toEqual([
    'Lane of starts of shop red by psp: open',
    '  outage    1970-01-01 00:00:00 to 1970-01-01 00:01:00, last: Error; 3 starts failed',
  ])
})

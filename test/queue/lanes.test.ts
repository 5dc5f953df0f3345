import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { alerts } from '../../src/cli/explain/explain.ts'
import { afterFailure, freshLane, type ProbePace, pushPace, webhookPace } from '../../src/queue/lanes.ts'

const second = 1_000
const minute = 60 * second
const failure = 'status 500'

/** The pauses before the probes of a lane whose other side fails until `until`, with the time since it closed. */
function pauses(pace: ProbePace, until: number): { closedFor: number; pause: number }[] {
  let lane = freshLane
  for (let call = 0; call < 4; call++) lane = afterFailure(lane, { now: 0, failure, pace })
  const found = [{ closedFor: 0, pause: lane.probeAt! }]
  for (let now = lane.probeAt!; now < until; now = lane.probeAt!) {
    lane = afterFailure(lane, { now, failure, pace })
    found.push({ closedFor: now, pause: lane.probeAt! - now })
  }
  return found
}

const page = (name: string) =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8').replace(/\s+/g, ' ')

test('a closed lane of webhooks is probed 30 s apart at first, and 5 min apart after more than an hour, as the pages say', () => {
  const found = pauses(webhookPace, 3 * 60 * minute)
  expect([found[0]!.pause, found.at(-1)!.pause]).toEqual([30 * second, 5 * minute])
  expect(found.find(({ pause }) => pause === 5 * minute)!.closedFor).toBeGreaterThan(60 * minute)
  expect(found.map(({ pause }) => pause)).toEqual(found.map(({ pause }) => pause).sort((a, b) => a - b))
  expect(page('docs/webhooks.md')).toContain('30 s apart at first, and 5 min at most after more than an hour')
  expect(alerts.PurveyorWebhookLanesClosed!.why).toContain('30 s to 5 min apart')
})

test('a closed lane of pushes is probed 5 to 30 s apart, as the pages say', () => {
  const found = pauses(pushPace, 60 * minute)
  expect([found[0]!.pause, found.at(-1)!.pause]).toEqual([5 * second, 30 * second])
  expect(page('docs/pushes.md')).toContain('probes the service every 5 to 30 s')
  expect(alerts.PurveyorPushLanesClosed!.why).toContain('5 to 30 s apart')
})

test('Retry-After delays a probe, by 15 min at most, and never brings it forward', () => {
  const closed = { ...freshLane, failures: 4, failingSince: 0, closedAt: 0, probeAt: 0 }
  const probe = (retryAfter: number) =>
    afterFailure(closed, { now: 0, failure, pace: webhookPace, pause: retryAfter }).probeAt
  expect([probe(second), probe(2 * minute), probe(60 * minute)]).toEqual([
    30 * second,
    2 * minute,
    15 * minute,
  ])
  expect(page('docs/webhooks.md')).toContain('`Retry-After` delays a probe by 15 min at most')
})

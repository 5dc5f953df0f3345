// Notifications of one shop to one host form a lane. A lane whose receiver fails is only probed, so that a dead shop costs
// little however much is owed to it, and never stands in the way of another.

const minute = 60_000
const failuresThatStop = 4
const probeEvery = 5 * minute
const longestProbeDelay = 15 * minute

export interface Lane {
  /** Failed calls since the last success. */
  failures: number
  /** While the receiver fails: when the next single call may be made, in milliseconds since 1970. */
  probeAt: number | undefined
}

export const freshLane: Lane = { failures: 0, probeAt: undefined }

export const laneName = (shopId: string, webhookUrl: string): string =>
  `${shopId} ${URL.parse(webhookUrl)?.host ?? ''}`

/** How many calls may be open at a time. */
export const openAtOnce = (lane: Lane, most: number): number => (lane.probeAt === undefined ? most : 1)

/** After a call that failed. `retryAfter`: milliseconds the receiver asked for, of which a probe waits 15 min at most. */
export function afterFailure(lane: Lane, now: number, retryAfter = 0): Lane {
  const failures = lane.failures + 1
  if (failures < failuresThatStop) return { failures, probeAt: undefined }
  return { failures, probeAt: now + Math.max(probeEvery, Math.min(retryAfter, longestProbeDelay)) }
}

/** When the lane is looked at next, given when its earliest notification is due. */
export const laneDue = (lane: Lane, earliest: number | undefined): number | undefined =>
  earliest === undefined ? undefined : Math.max(earliest, lane.probeAt ?? 0)

// Calls that share one other side form a lane: the webhooks of a shop to one host, the pushes of a shop through one adapter. A lane
// whose other side fails is closed: single calls probe it, so that a dead neighbour costs little and never delays another lane.

const second = 1000
const minute = 60 * second
const failuresThatClose = 4
const longestProbeDelay = 15 * minute

export interface Lane {
  /** Failed calls since the last success. */
  failures: number
  /** When the first of them failed, in milliseconds since 1970. Stays while the lane closes. */
  failingSince: number | undefined
  /** When it closed, in milliseconds since 1970. */
  closedAt: number | undefined
  /** When the next single call may be made, in milliseconds since 1970. Set while the lane is closed. */
  probeAt: number | undefined
  /** The reason of the last failure, in words. */
  lastFailure: string | undefined
}

export const freshLane: Lane = {
  failures: 0,
  failingSince: undefined,
  closedAt: undefined,
  probeAt: undefined,
  lastFailure: undefined,
}

/** The pause between two probes of a closed lane, in milliseconds: a fifteenth of the time since it closed, within these limits. */
export interface ProbePace {
  shortest: number
  longest: number
}

export const webhookPace: ProbePace = { shortest: 30 * second, longest: 5 * minute }
/** Shorter, because customers wait for their payment service. */
export const pushPace: ProbePace = { shortest: 5 * second, longest: 30 * second }

export const laneName = (shopId: string, webhookUrl: string): string =>
  `${shopId} ${URL.parse(webhookUrl)?.host ?? ''}`

export const isClosed = (lane: Lane): boolean => lane.probeAt !== undefined

/** The most open calls at a time. */
export const openAtOnce = (lane: Lane, most: number): number => (isClosed(lane) ? 1 : most)

/**
 * How many places of an open lane are reserved for calls that were refused themselves, and their maximum: a quarter. So many of them delay
 * no other call of their lane, and they continue beside a steady stream of others.
 */
export function refusedPlaces(most: number): { kept: number; atMost: number } {
  const kept = Math.floor(most / 4)
  return { kept, atMost: Math.max(1, kept) }
}

/**
 * Whether an answer of a receiver is about a single order: 4xx except 408 and 429, which are about the receiver. Such an order waits alone,
 * and the answer proves that the receiver works.
 */
export const isAboutOrder = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429

/** The lane after a call that the other side failed. `retryAfter`: the requested pause in milliseconds; a probe waits 15 min at most. */
export function afterFailure(
  lane: Lane,
  {
    now,
    failure,
    pace,
    retryAfter = 0,
  }: { now: number; failure: string | undefined; pace: ProbePace; retryAfter?: number | undefined },
): Lane {
  const failures = lane.failures + 1
  const failingSince = lane.failingSince ?? now
  if (failures < failuresThatClose) return { ...freshLane, failures, failingSince, lastFailure: failure }
  const closedAt = lane.closedAt ?? now
  const wait = Math.min(Math.max((now - closedAt) / 15, pace.shortest), pace.longest)
  const probeAt = now + Math.max(Math.round(wait), Math.min(retryAfter, longestProbeDelay))
  return { failures, failingSince, closedAt, probeAt, lastFailure: failure }
}

/** The next time to check the lane, given the due time of its earliest call. */
export const laneDue = (lane: Lane, earliest: number | undefined): number | undefined =>
  earliest === undefined ? undefined : Math.max(earliest, lane.probeAt ?? 0)

import { members, type Row } from '../store/columns.ts'

// Calls that share one other side form a lane: the webhooks of a shop to one host, the pushes of a shop through one adapter. A lane
// whose other side fails is closed: single calls probe it, so that a dead neighbour costs little and never delays another lane.

export type LaneKind = 'webhook' | 'push'

/** Webhooks of a shop to one host, or pushes of a shop through one payment adapter. */
export interface LaneKey {
  kind: LaneKind
  shopId: string
  /** The receiver's host with its port, or the adapter. */
  to: string
}

/** A lane: its name, and what it is of. `adapter` is empty for webhooks. */
export type LaneNames = Record<'lane' | 'adapter' | 'shopId' | 'receiver', string>

export const pushLane = (shopId: string, adapter: string): LaneNames => ({
  lane: `${shopId} push ${adapter}`,
  ...{ adapter, shopId, receiver: adapter },
})

export function webhookLane(shopId: string, webhookUrl: string): LaneNames {
  const receiver = URL.parse(webhookUrl)?.host ?? ''
  return { lane: `${shopId} ${receiver}`, adapter: '', shopId, receiver }
}

export const laneOfKey = ({ kind, shopId, to }: LaneKey): string =>
  kind === 'push' ? pushLane(shopId, to).lane : `${shopId} ${to}`

/** Leases that a pool asks for: until `leaseUntil` of at most `limit` items, at most `perLane` of them in one lane. */
export interface PoolClaim {
  /** Milliseconds since 1970, as `leaseUntil`. */
  now: number
  leaseUntil: number
  limit: number
  perLane: number
}

/** A time in which a lane was closed, or rates were slow. Times are milliseconds since 1970. */
export interface Outage {
  /** When the first call failed. */
  beganAt: number
  endedAt: number
  failure: string | undefined
  /** The number of calls that waited when it ended. Rates have no waiting calls. */
  calls: number
}

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
  lastFailure: string | undefined
}

export const freshLane: Lane = {
  failures: 0,
  failingSince: undefined,
  closedAt: undefined,
  probeAt: undefined,
  lastFailure: undefined,
}

export const laneFrom = (row: Row<'lanes'>): Lane => ({
  ...members(row, 'failures', 'closed_at', 'probe_at', 'last_failure'),
  failingSince: row.failures > 0 ? (row.failing_since ?? undefined) : undefined,
})

export const isClosed = (lane: Lane): boolean => lane.probeAt !== undefined

/** The pause between two probes of a closed lane, in milliseconds: a fifteenth of the time since it closed, within these limits. */
export interface ProbePace {
  shortest: number
  longest: number
}

export const webhookPace: ProbePace = { shortest: 30 * second, longest: 5 * minute }
/** Shorter, because customers wait for their payment service. */
export const pushPace: ProbePace = { shortest: 5 * second, longest: 30 * second }

/** The lane after a call that the other side failed. `pause`: what it asked for, in milliseconds; a probe waits 15 min at most. */
export function afterFailure(
  lane: Lane,
  {
    now,
    failure,
    pace,
    pause = 0,
  }: { now: number; failure: string | undefined; pace: ProbePace; pause?: number | undefined },
): Lane {
  const failures = lane.failures + 1
  const failingSince = lane.failingSince ?? now
  if (failures < failuresThatClose) return { ...freshLane, failures, failingSince, lastFailure: failure }
  const closedAt = lane.closedAt ?? now
  const wait = Math.min(Math.max((now - closedAt) / 15, pace.shortest), pace.longest)
  const probeAt = now + Math.max(Math.round(wait), Math.min(pause, longestProbeDelay))
  return { failures, failingSince, closedAt, probeAt, lastFailure: failure }
}

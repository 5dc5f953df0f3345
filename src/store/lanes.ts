import type { Lane } from '../payments/lane.ts'

export type LaneKind = 'webhook' | 'push'

/** Webhooks of a shop to one host, or pushes of a shop through one payment adapter. */
export interface LaneKey {
  kind: LaneKind
  shopId: string
  /** The receiver's host with its port, or the adapter. */
  to: string
}

export interface LaneFilter {
  shopId?: string | undefined
  kind?: LaneKind | undefined
  /** Only the lane to this host or adapter, even if it is open and empty. */
  to?: string | undefined
  /** Also open and empty lanes whose last outage ended at or after this time. */
  endedSince?: number | undefined
  now: number
  limit: number
}

export interface LaneRecord extends LaneKey, Lane {
  /** The number of waiting and open calls in it, and of open ones. */
  waiting: number
  open: number
  /** How many of the waiting ones were refused on their own, so that each has a schedule of its own and the lane stays open. */
  refused: number
  /** The due time of the earliest call, and the time since which the oldest waits. */
  dueAt: number | undefined
  waitingSince: number | undefined
  /** The last outage that ended. Kept for 30 days. */
  lastOutage: Outage | undefined
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

export interface LaneFailure {
  failure: string
  calls: number
  /** One of these orders. Not set for pushes. */
  orderId: string | undefined
}

/** Waiting calls of one kind. Checks read a status at a payment service, and have no lanes. */
export interface Waiting {
  kind: LaneKind | 'check'
  /** The number in open lanes, and in closed lanes; of checks, the due ones. */
  open: number
  closed: number
  /** The due time of the earliest call in an open lane that is not being made. Not set if none is due. */
  dueSince: number | undefined
  lanesClosed: number
}

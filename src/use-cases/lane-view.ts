import type { LaneKind, Outage } from '../store-port.ts'

/** Stands for the id of a shop in a lane of every shop: rates or starts of an adapter. No shop can have it. */
export const allShops = '@all'

/**
 * Webhooks of a shop to a host, pushes of a shop through a payment adapter, rates of an adapter whose breaker is open, or starts of a payment
 * adapter that fail.
 */
export interface LaneName {
  kind: LaneKind | 'rates' | 'starts'
  shopId: string
  /** The host of the receiver, or the adapter. */
  to: string
}

/** A lane with waiting or skipped calls, for people. Times are milliseconds since 1970. */
export interface LaneView extends LaneName {
  /**
   * Closed: the other side fails, and single calls probe it. Probing: such a call is open now. Slow: most calls of a rate adapter fail or
   * take over 1 s. Idle: it was slow, and nobody has asked it for a minute. Failing: starts of a payment adapter fail; nothing holds them
   * back.
   */
  state: 'open' | 'closed' | 'probing' | 'slow' | 'idle' | 'failing'
  /** When its calls began to fail, also before it closed; if none failed, the time since which the oldest call waits. */
  since: number | undefined
  /** When it closed. Not set for rates, which are left alone from `since` on. */
  closedAt: number | undefined
  /** The time of the next try, never in the past. Not set if nothing waits. */
  nextTryAt: number | undefined
  /** If that is now: since when it is due. Longer than a call takes, no node makes it. */
  dueSince?: number | undefined
  waiting: number
  /** How many of them were refused on their own, so that the lane stays open and each has a schedule of its own. */
  refused: number
  /** Failed calls since the last success, or since starts began to fail. Not counted for rates. */
  failures: number | undefined
  /** In an open lane whose calls fail beside others that go well: the most frequent reason of those that wait. */
  lastFailure: string | undefined
  /** For starts: when the last one failed, and for which shops some did, those with the most first; also where the lane is that of one shop. */
  lastFailedAt?: number | undefined
  shops?: readonly string[] | undefined
  /** For rates that are slow or idle: when the adapter was called last, as far as it is known. */
  lastCallAt?: number
  /** For rates: the number of nodes that skip the adapter or find it slow. */
  nodes?: number | undefined
  /** The times in which it was closed or slow before, the last one first. Of webhooks and pushes only the last one is kept. */
  outages: readonly PastOutage[]
}

export interface PastOutage extends Outage {
  /** For starts: the shops whose starts failed in it, those with the most first; also where the lane is that of one shop. */
  shops?: readonly string[]
}

import type { Outage } from './lanes.ts'

/** The nodes that run on a store, and the rate adapters that they skip or find slow. */
export interface NodeStore {
  /** Marks a node as running, and removes nodes not seen since the given time. Resolves with all that are left. */
  noteNode(node: Node, seen: { now: number; since: number }): Promise<NodeSeen[]>
  /** The nodes that were seen since a moment, by their ids. */
  nodes(since: number): Promise<NodeSeen[]>
  /** The node has stopped. */
  forgetNode(id: string): Promise<void>

  /**
   * Replaces a node's list of rate adapters that it skips or finds slow. An adapter that is no longer in the list is kept as an outage for 30 days,
   * which ended now or at the time in `ended`. One in `ended` may never have been in the list, because the store was away.
   * Resolves with those that a person released since: the node closes these, and they are not stored.
   */
  noteBreakers(
    node: string,
    open: readonly OpenedBreaker[],
    now: number,
    ended?: readonly EndedBreaker[],
  ): Promise<BreakerKey[]>
  /** Those of the running nodes, oldest first: all, or those of one shop. */
  breakers(filter: { shopId?: string | undefined; now: number }): Promise<BreakerRecord[]>
  /** Their outages that ended at or after a moment, in milliseconds since 1970. */
  rateOutages(filter: {
    shopId?: string | undefined
    adapter?: string | undefined
    since: number
  }): Promise<(BreakerKey & Outage)[]>
  /** Releases the breakers of an adapter for one shop, or for every shop. Resolves with the number of nodes that have one. */
  releaseBreakers(breaker: BreakerKey, now: number, by?: string): Promise<number>
}

/** A running process of the provider. */
export interface Node {
  id: string
  /** The ids of the secrets whose texts it opens, the one that it has as its own first. */
  opens: readonly string[]
  /** Where and what it is. */
  runs: NodeRuns
}

export interface NodeSeen extends Node {
  /** When it was noted last, in milliseconds since 1970. */
  seenAt: number
}

/** A process, as `nodes list` shows it. */
export interface NodeRuns {
  /** The name of its machine or container. */
  host: string
  pid: number
  /** Of the process that started it as one of its workers; its own where it is alone. */
  mainPid: number
  /** Of Purveyor. */
  version: string
  /** `PURVEYOR_BUILD`, or an empty text. */
  build: string
  /** When it started, in milliseconds since 1970. */
  since: number
  /** The address that shops call. Not set before it listens. */
  url?: string | undefined
}

export interface BreakerKey {
  adapter: string
  /** Not set for all shops. */
  shopId: string | undefined
}

/** A rate adapter that a node skips after failures, or finds slow. Times are in milliseconds since 1970. */
export interface OpenedBreaker extends BreakerKey {
  since: number
  /** The earliest time of the next call. Not set if it is slow and not skipped. */
  nextTry: number | undefined
  lastFailure: string
  /** When it was called last, where it is slow and not skipped. */
  lastCallAt?: number | undefined
}

/** A rate adapter that a node skipped or found slow. */
export interface EndedBreaker extends OpenedBreaker {
  /** When it was well again, in milliseconds since 1970. */
  endedAt: number
}

export interface BreakerRecord extends OpenedBreaker {
  nodes: number
}

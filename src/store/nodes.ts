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

interface PushKey {
  shopId: string
  adapter: string
  /** A repeated push has the same key. */
  key: string
}

/** A push whose content the store cannot read. */
export interface KeptPush extends PushKey {
  sealed: string
}

export interface Push extends KeptPush {
  /** When it first arrived, in milliseconds since 1970. */
  receivedAt: number
}

export interface LeasedPush extends PushKey {
  /** The process that has claimed it. */
  owner: string
}

export interface ClaimedPush extends Push, LeasedPush {
  /** How often it arrived. */
  times: number
  /** Failed tries so far. */
  tries: number
  /** More may be due in its lane than may be processed at a time. */
  full: boolean
}

/** A push that a person may have to look at: it names a payment that is not here, its last try failed, or it was given up. */
export type PushTrouble = 'unmatched' | 'failed' | 'given_up'

/** How a push stands. `waiting`: it was not tried yet. `ignored`: its adapter says that it is about no payment here. */
export type PushState = 'waiting' | 'processed' | 'ignored' | PushTrouble

/** The outcome of a push that is not tried again. */
export interface SettledPush {
  outcome: Exclude<PushState, 'waiting' | 'failed'>
  /** In words. */
  detail: string
  /** Its names for payments that are not here: references or ids of attempts. */
  names?: readonly string[]
  /** Those of them that an attempt may get later. */
  references?: readonly string[]
}

/** A push about payments that are not here. */
export interface UnmatchedPush extends SettledPush {
  outcome: 'unmatched'
  references: readonly string[]
}

export interface PushFilter {
  shopId?: string | undefined
  adapter?: string | undefined
  outcome?: PushState | undefined
  /** The beginning of its key. */
  key?: string | undefined
  /** Only pushes that are `unmatched` and call a payment so. */
  name?: string | undefined
  limit: number
}

export interface PushRecord extends PushKey {
  /** When it came first, or came again after it was settled. */
  receivedAt: number
  times: number
  outcome: PushState
  /** The outcome of it or of its last try, in words. Not set while it waits for its first one. */
  detail: string | undefined
  names: readonly string[]
  tries: number
  /** When it is tried next. Not set once it is settled. */
  dueAt: number | undefined
  processedAt: number | undefined
}

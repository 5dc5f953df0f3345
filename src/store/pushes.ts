import type { Claim } from './webhooks.ts'

/** Pushes of payment services, until they are processed. */
export interface PushStore {
  /** Stores a push until it is processed. A repeated one is processed again. */
  keepPush(push: Push, now: number): Promise<void>
  /** Stores a push that is processed once. A repeated one changes nothing. Resolves with whether it is new. */
  keepPushOnce(push: Push, now: number): Promise<boolean>
  adaptersWithPushes(now: number): Promise<string[]>
  /**
   * Claims up to `limit` due pushes of an adapter, at most `perLane` of each shop, each until `leaseUntil`. A lane whose payment service
   * fails gives one. Pushes that failed by themselves have a quarter of the places of a lane.
   */
  claimPushes(claim: Claim & { adapter: string }): Promise<ClaimedPush[]>
  /** Renews claims of pushes. A push that another process has taken over stays with it. */
  renewPushes(leased: readonly LeasedPush[], leaseUntil: number): Promise<void>
  /** It is done: its body is forgotten, its outcome stays, its lane opens unless it was given up. One that came again stays due. */
  settlePush(push: LeasedPush & { times: number }, became: SettledPush, now: number): Promise<void>
  /**
   * It names references that no attempt has: due again at `until`, or at once when an attempt gets one of them, also where it got it
   * meanwhile. Its outcome is `unmatched` until then.
   */
  parkPush(
    push: LeasedPush & { times: number },
    unmatched: UnmatchedPush,
    until: number,
    now: number,
  ): Promise<void>
  /**
   * It failed: due again at `dueAt`, unless another process has taken it over. The lane counts it, unless it is `aboutPush`. If the lane is
   * closed then, the push is due with the next probe. `pause`: the service asked for so many milliseconds without a call. Resolves with the
   * time when it is due.
   */
  postponePush(
    push: LeasedPush,
    again: { dueAt: number; failure: string; aboutPush: boolean; pause?: number },
    now: number,
  ): Promise<number>
  /** A payment service failed while a push was verified, which is not kept: its lane counts it. `pause` as in `postponePush`. */
  failPushLane(
    lane: { adapter: string; shopId: string },
    failed: { message: string; pause: number },
    now: number,
  ): Promise<void>
  /** Up to `limit` pushes of a shop through an adapter that are not processed yet, newest first. */
  waitingPushes(of: { adapter: string; shopId: string }, limit: number): Promise<KeptPush[]>
  /** Pushes of the last 30 days, with what became of them, newest first. */
  pushes(filter: PushFilter): Promise<PushRecord[]>
  /** How many pushes since a moment are of each kind of trouble. */
  countPushTroubles(since: number): Promise<Partial<Record<PushTrouble, number>>>
}

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

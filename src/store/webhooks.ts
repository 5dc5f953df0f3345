import type { PaymentStatus } from '../contract/index.ts'
import type { OrderKey } from './payments.ts'

export interface WebhookStore {
  /**
   * Claims up to `limit` due webhooks, at most `perLane` of each lane, each until `leaseUntil`. A lane whose receiver fails gives one.
   * Orders that were refused themselves have a quarter of the places of a lane.
   */
  claimWebhooks(claim: Claim): Promise<OwedWebhook[]>
  /** Renews claims. A webhook that another process has taken over stays with it. */
  renewLeases(leased: readonly LeasedOrder[], leaseUntil: number): Promise<void>
  /** Gives up a claim: the webhook is due again as it was. */
  releaseWebhook(claimed: Pick<OwedWebhook, 'shopId' | 'orderId' | 'owner' | 'lane'>): Promise<void>
  /** The delivery succeeded for every status up to `owed.version`. The lane opens; what waited for it is due at once. */
  settleWebhook(owed: OwedWebhook, call: DeliveryCall): Promise<void>
  /**
   * As `settleWebhook` for many deliveries, by one commit, and claims more with it. `left` are those that it could not settle beside the
   * others: their rows are locked, another process has taken them over, or their success opens a lane. Settle each of them alone.
   */
  settleWebhooks(
    batch: readonly Delivered[],
    claim?: Claim,
  ): Promise<{ left: Delivered[]; claimed: OwedWebhook[] }>
  /**
   * The call failed: due again at `dueAt`, or a dead letter without it. An answer about a single order (4xx except 408 and 429) never
   * closes the lane, and opens a closed one; every other failure counts against the lane.
   */
  postponeWebhook(
    owed: OwedWebhook,
    call: DeliveryCall,
    again: { dueAt: number | undefined; retryAfter: number | undefined },
  ): Promise<void>
  /** Makes an owed or dead webhook due at once, or owes a new one, and opens its lane. Resolves with whether there is such a payment. */
  replayWebhook(shopId: string, orderId: string, now: number, by?: string): Promise<boolean>
  /** Payments whose webhook is owed, or that changed since a given time, oldest first. */
  webhooks(filter: WebhookFilter): Promise<WebhookState[]>
  /** The deliveries of the last 30 days: the first, the last and the count for each status version, oldest first. */
  deliveries(shopId: string, orderId: string): Promise<Deliveries[]>
  /** The due time of the next owed webhook, in milliseconds since 1970. */
  nextWebhookDue(): Promise<number | undefined>
  /** The numbers of owed and dead webhooks, and the time since which the oldest is owed, in milliseconds since 1970. */
  countWebhooks(): Promise<{ owed: number; dead: number; owedSince: number | undefined }>
  /** Owes up to `limit` webhooks again that a shop accepted without reading the status, if they are due for that. */
  remindUnread(due: { now: number; limit: number }): Promise<Reminded>
  /** The number of webhooks that were accepted 15 minutes to 30 days ago without a read of the status since. */
  countUnread(now: number): Promise<number>
  /** The same by shop, the shop that waits longest first, or only those of one shop or order. */
  unread(filter: UnreadFilter): Promise<Unread[]>
}

/** Takes due calls for one process. */
export interface Claim {
  now: number
  leaseUntil: number
  /** The most calls of the claim, and of one lane among them. */
  limit: number
  perLane: number
  owner: string
}

export interface LeasedOrder extends OrderKey {
  /** The process that has claimed it: only that one settles or postpones it. */
  owner: string
}

export interface OwedWebhook extends LeasedOrder {
  webhookUrl: string
  lane: string
  /** The status version of this call. */
  version: number
  /** Failed calls so far. */
  tries: number
  /** Milliseconds since 1970. */
  owedSince: number
  /** Whether another process claimed it before and its lease ended. */
  takenOver: boolean
  /** Whether it is the single call of a closed lane. */
  probe: boolean
  /** More may be due in its lane than may be called at a time. */
  full: boolean
}

export interface DeliveryCall {
  /** Milliseconds since 1970. */
  at: number
  ms: number
  version: number
  /** Not set without an answer. */
  status: number | undefined
  failure: string | undefined
  /** The answer's first 10 KB. */
  answer: string
}

/** A delivery that succeeded. */
export interface Delivered {
  owed: OwedWebhook
  call: DeliveryCall
}

export interface Deliveries {
  version: number
  calls: number
  first: DeliveryCall
  /** Not set after a single delivery. */
  last: DeliveryCall | undefined
}

export interface WebhookFilter {
  shopId?: string
  /** Only the one of this order, whatever `since` is. Needs `shopId`. */
  orderId?: string
  /** Includes delivered webhooks of payments whose status changed at or after this time. */
  since?: number
  limit: number
}

export interface WebhookState extends OrderKey {
  status: PaymentStatus
  state: 'owed' | 'dead' | 'delivered'
  webhookUrl: string
  tries: number
  /** The time of the next delivery; in a closed lane the next probe, which calls one of its orders. A past time means now. */
  dueAt: number | undefined
  laneClosed: boolean
  /** Whether it is tried as soon as its closed lane opens. A webhook that was refused on its own keeps its own time. */
  waitsForLane: boolean
  /** Why the last call for its status failed. Not set if it succeeded, or none was made. */
  lastFailure: string | undefined
  changedAt: number
  /** The platform has read the status after a webhook. */
  confirmed: boolean
}

export interface UnreadFilter {
  shopId?: string | undefined
  /** Needs `shopId`. */
  orderId?: string | undefined
  /** The most shops. */
  limit: number
}

/** Webhooks that a shop accepted at least 15 minutes ago without reading the status since. Times are milliseconds since 1970. */
export interface Unread {
  shopId: string
  /** How many orders have such a webhook, and one of them. */
  orders: number
  orderId: string
  /** When the shop accepted the first of them. */
  acceptedAt: number
  /** The time of the next reminder. Not set after the last one, a week later. */
  remindAt: number | undefined
}

interface Reminded {
  /** The webhooks that are owed again. */
  reminded: OrderKey[]
  /** The webhooks whose status was not read for 30 days: they are no longer counted. */
  neverRead: OrderKey[]
  /** Whether more may be due. */
  more: boolean
}

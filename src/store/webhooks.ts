import type { PaymentStatus } from '../contract/index.ts'
import type { OrderKey } from './payments.ts'

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

export interface Reminded {
  /** The webhooks that are owed again. */
  reminded: OrderKey[]
  /** The webhooks whose status was not read for 30 days: they are no longer counted. */
  neverRead: OrderKey[]
  /** Whether more may be due. */
  more: boolean
}

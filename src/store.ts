import type { Fact } from './payments/facts.ts'
import type { Learned, OpenAttempt, Opened } from './payments/ledger.ts'
import type { Attempt, AttemptStart, Payment } from './payments/payment.ts'
import type { Shop } from './shops/shop.ts'

/**
 * Where shops, attempts, facts and owed notifications live. Every member is one whole command: it happens completely or
 * not at all, and what it returns is on disk. All but the two look-ups by token name the shop first.
 *
 * Every member rejects with a `StoreUnavailable` when the store cannot be reached.
 */
export interface Store {
  /** Opens the store and brings its tables up to date. */
  open(): Promise<void>
  close(): Promise<void>
  /** Rejects when the store cannot be reached. */
  check(): Promise<void>

  /** Adds a shop with its endpoint, or returns what is there already. */
  ensureShop(shopId: string, endpoint: NewEndpoint): Promise<{ shop: Shop; sealedToken: string }>
  shopByEndpoint(tokenHash: string): Promise<Shop | undefined>
  /** Notes what the platform says of itself. A platform id, once noted, stays. */
  noteShop(shopId: string, seen: { platformId?: string; language?: string }): Promise<Shop>

  openAttempt(open: OpenAttempt): Promise<Opened>
  noteStart(
    shopId: string,
    orderId: string,
    attemptId: string,
    started: AttemptStart,
    expiresAt: number,
  ): Promise<Attempt>
  /** Adds facts; a change of status and the notification it owes are one commit with them. */
  learn(shopId: string, orderId: string, attemptId: string, facts: Fact[], now: number): Promise<Learned>
  payment(shopId: string, orderId: string): Promise<Payment | undefined>
  attempt(shopId: string, attemptId: string): Promise<Attempt | undefined>
  attemptByReference(shopId: string, adapter: string, reference: string): Promise<Attempt | undefined>
  attemptByPageToken(pageToken: string): Promise<{ attempt: Attempt; payment: Payment } | undefined>

  /** Takes up to `limit` owed notifications that are due, and holds each until `leaseUntil`. */
  claimNotifications(claim: {
    now: number
    leaseUntil: number
    limit: number
    owner: string
  }): Promise<OwedNotification[]>
  /** The platform heard of every status up to `version`. */
  settleNotification(owed: NotificationKey, version: number, now: number): Promise<void>
  /** The call failed: due again at `dueAt`, or a dead letter without it. */
  postponeNotification(owed: NotificationKey, dueAt: number | undefined): Promise<void>
  /** When the next owed notification is due, in milliseconds since 1970. */
  nextNotificationDue(): Promise<number | undefined>
  /** Owed and dead notifications, for readiness and metrics. */
  countNotifications(): Promise<{ owed: number; dead: number }>

  /** Takes up to `limit` open attempts that are past their expiry, and holds each until `leaseUntil`. */
  claimExpired(claim: { now: number; leaseUntil: number; limit: number }): Promise<Attempt[]>
}

export interface NewEndpoint {
  tokenHash: string
  /** The token, encrypted, so that a command can print the address again. */
  sealedToken: string
  now: number
}

export interface NotificationKey {
  shopId: string
  orderId: string
  /** Who holds it: only the holder settles or postpones. */
  owner: string
}

export interface OwedNotification extends NotificationKey {
  webhookUrl: string
  /** The status version that this call tells of. */
  version: number
  /** Failed calls so far. */
  tries: number
  /** Milliseconds since 1970. */
  owedSince: number
}

/** The store cannot be reached, is locked for too long or is full. Nothing was changed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly code = 'STORE_UNAVAILABLE'
}

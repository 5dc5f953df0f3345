import type { AuditEntry } from './audit.ts'
import type { PaymentStatus } from './contract/index.ts'
import type { OpenedAnomaly } from './payments/anomalies.ts'
import type { AnomalyKind } from './payments/anomaly-kinds.ts'
import type { Fact, PaymentReport } from './payments/facts.ts'
import type { Learned, OpenAttempt, Opened } from './payments/ledger.ts'
import type { Attempt, AttemptStart, Payment } from './payments/payment.ts'
import type { Anomaly } from './payments/status.ts'
import type { SealedRow } from './shops/seal.ts'
import type { Endpoint, Shop, ShopAtEndpoint } from './shops/shop.ts'

declare const opaque: unique symbol

/**
 * Where shops, payments and owed webhooks live: `sqliteStore()`, `postgresStore()` or `memoryStore()`. Purveyor and its stores may change
 * what they ask of each other in any release, so a store shows no members.
 */
export interface Store {
  readonly [opaque]?: never
}

/**
 * What Purveyor asks of a store. Every member is one whole command: it happens completely or
 * not at all, and what it returns is on disk. All but the two look-ups by token name the shop first.
 *
 * Commands that change a shop, or a payment by hand, write the entry of the audit trail in the commit of the change: `by` says who makes
 * it, by default `provider`. A command that changes nothing writes none.
 *
 * Every member rejects with a `StoreUnavailable` when the store cannot be reached.
 */
export interface StorePort extends Store {
  /** Nothing outlives this process: for tests. */
  readonly volatile?: boolean
  /** What is wrong with where it stands although it works, each with a remedy. Logged at the start, and shown by `doctor`. */
  readonly warnings?: readonly string[]
  /** The clock that all processes on this store share, in milliseconds since 1970. Without it the machine's own counts. */
  now?(): number
  /** What `now()` is compared with. Set where there is `now`, as `releaseClock` is. */
  clockState?(): Promise<ClockState>
  /**
   * Makes the time of the server, or of the machine on SQLite, the one that all processes go by, which running ones do within a minute.
   * Resolves with it, in milliseconds since 1970.
   */
  releaseClock?(): Promise<number>
  /** Opens the store and brings its tables up to date. */
  open(): Promise<void>
  close(): Promise<void>
  /** Rejects when the store cannot be reached, or takes no writes. It writes once a second at most, and only where that is in doubt. */
  check(): Promise<void>
  /** Names who is given what is wrong around the store: it becomes log lines and metrics. */
  watch?(report: (trouble: StoreTrouble) => void): void

  /** Adds a shop with its endpoint and what it has from the start, or returns what is there already. */
  ensureShop(
    shopId: string,
    endpoint: NewEndpoint,
    start?: ShopStart,
  ): Promise<{ shop: Shop; tokenHash: string; sealedToken: string; added: boolean }>
  /** Adds many shops, all or none. Rejects with a `ShopsExist` where one is there already. */
  addShops(shops: readonly AddedShop[]): Promise<void>
  /** Which of these shops there are. */
  shopsAmong(shopIds: readonly string[]): Promise<string[]>
  shop(shopId: string): Promise<Shop | undefined>
  /** All shops, by id. */
  shops(): Promise<Shop[]>
  /** Removes a shop with everything that is kept of it but its audit trail. Resolves with whether it was there. */
  removeShop(shopId: string, now: number, by?: string): Promise<boolean>
  /** A disabled shop is not found by its endpoints. Resolves with `undefined` when there is no such shop. */
  setDisabled(shopId: string, disabled: boolean, now: number, by?: string): Promise<Shop | undefined>
  /**
   * Replaces the sealed settings of a shop that are of this version. `changed` are the paths that differ, for the audit trail. Resolves
   * with `undefined` when the settings have changed since, or there is no such shop.
   */
  saveSettings(
    shopId: string,
    settings: { sealed: string | undefined; changed: readonly string[]; version: number },
    now: number,
    by?: string,
  ): Promise<Shop | undefined>
  /** The shop of an endpoint that is live, with the moment it ends where it does, unless the shop is disabled. */
  shopByEndpoint(tokenHash: string, now: number): Promise<ShopAtEndpoint | undefined>
  /** The live endpoints of a shop, the newest first. */
  endpoints(shopId: string, now: number): Promise<Endpoint[]>
  /** Adds an endpoint. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
  rotateEndpoint(shopId: string, endpoint: NewEndpoint, oldEndsAt: number, by?: string): Promise<void>
  /** The live keys that sign the calls of a shop's `webhook_url`, the newest first. */
  webhookKeys(shopId: string, now: number): Promise<WebhookKey[]>
  /** Adds a key where the shop has none. Resolves with the live ones; none where there is no such shop. */
  ensureWebhookKey(shopId: string, key: NewWebhookKey, by?: string): Promise<WebhookKey[]>
  /** Adds a key. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
  rotateWebhookKey(shopId: string, key: NewWebhookKey, oldEndsAt: number, by?: string): Promise<void>
  /** Notes what the platform says of itself. A platform id, once noted, stays. */
  noteShop(
    shopId: string,
    seen: { platformId?: string | undefined; language?: string | undefined },
    now: number,
  ): Promise<Shop>
  /** Replaces the platform id of a shop; without one the next that is noted stays. Resolves with `undefined` when there is no such shop. */
  bindShop(
    shopId: string,
    platformId: string | undefined,
    now: number,
    by?: string,
  ): Promise<Shop | undefined>
  /** Changes the list of hosts of a shop. More than a hundred are noted only of a list that is `confirmed`. */
  changeHosts(shopId: string, change: HostsChange, now: number, by?: string): Promise<Shop | undefined>

  /** The newest entries of a shop's audit trail, newest last. A shop that was removed has its trail still. */
  auditTrail(filter: AuditFilter): Promise<AuditEntry[]>
  /** Forgets up to `limit` entries from before the moment. Resolves with how many. */
  pruneAuditTrail(prune: { before: number; limit: number }): Promise<number>

  /** Everything that is stored encrypted, to be encrypted anew. */
  sealed(): Promise<Sealed[]>
  /** Up to `limit` texts that begin otherwise, behind one of them or from the first on. */
  sealedOtherwise(page: { beginning: string; after: SealedRow | undefined; limit: number }): Promise<Sealed[]>
  /** How many texts begin otherwise. */
  countSealedOtherwise(beginning: string): Promise<number>
  /** Replaces sealed texts, but those that have changed meanwhile. */
  reseal(anew: readonly SealedAnew[]): Promise<void>
  /** A key of the provider, sealed. */
  key(name: string): Promise<string | undefined>
  /** Adds a key and, in the same commit, seals texts anew with it; or returns the key that is there, and changes nothing. */
  ensureKey(name: string, key: { sealed: string; now: number }, anew: readonly SealedAnew[]): Promise<string>

  /** Notes that a node runs, and forgets those that were not seen since a moment. Resolves with all that run. */
  noteNode(node: Node, seen: { now: number; since: number }): Promise<NodeSeen[]>
  /** The nodes that were seen since a moment, by their ids. */
  nodes(since: number): Promise<NodeSeen[]>
  /** The node has stopped. */
  forgetNode(id: string): Promise<void>

  openAttempt(open: OpenAttempt): Promise<Opened>
  noteStart(
    shopId: string,
    orderId: string,
    attemptId: string,
    started: AttemptStart,
    times: { expiresAt: number; checkAt: number },
  ): Promise<Attempt>
  /** Adds facts; a change of status, the webhook it owes and the anomalies it opens are one commit with them. */
  learn(
    shopId: string,
    orderId: string,
    attemptId: string,
    facts: Fact[],
    now: number,
    byHand?: HandReport,
  ): Promise<Learned>
  payment(shopId: string, orderId: string): Promise<Payment | undefined>
  attempt(shopId: string, attemptId: string): Promise<Attempt | undefined>
  attemptByReference(shopId: string, adapter: string, reference: string): Promise<Attempt | undefined>
  attemptByPage(pageHash: string): Promise<{ attempt: Attempt; payment: Payment } | undefined>
  /** Gives the page of an attempt another address. The one that it had goes on beside it. */
  movePage(shopId: string, attemptId: string, pageHash: string): Promise<void>

  /** Lets one caller handle a form of the attempt's page, until it lets go or `until`. Resolves with whether it is the one. */
  leasePage(shopId: string, attemptId: string, lease: { now: number; until: number }): Promise<boolean>
  releasePage(shopId: string, attemptId: string): Promise<void>

  /** Payments, the one whose status changed last first. */
  payments(filter: PaymentFilter): Promise<Payment[]>
  /** Orders of all shops that have one of these names: at most a hundred for each kind of name, the newest first. */
  findOrders(names: PaymentNames): Promise<FoundOrder[]>
  /** Up to `limit` shops that have a payment for an order of this id, by their ids. */
  shopsOfOrder(orderId: string, limit: number): Promise<string[]>
  /** The orders of all shops whose status changed last, with the version of that status. */
  statusVersions(limit: number): Promise<StatusVersion[]>
  /** The platform has read the status up to `version`. */
  noteRead(shopId: string, orderId: string, version: number, now: number): Promise<void>

  /**
   * Takes up to `limit` attempts that are due for a look at their payment service, and holds each until `leaseUntil`. Those of the
   * adapters in `without` are left out.
   */
  claimChecks(claim: {
    now: number
    leaseUntil: number
    limit: number
    without?: readonly string[]
  }): Promise<Attempt[]>
  /** When the attempt is looked at next; never again without `checkAt`. */
  setCheck(shopId: string, attemptId: string, checkAt: number | undefined): Promise<void>

  /** Opens an anomaly, or one that a person has closed again. Resolves with whether it was not open before. */
  openAnomaly(shopId: string, orderId: string, anomaly: Anomaly, now: number): Promise<boolean>
  /** Resolves with `undefined` when there is no such anomaly. */
  closeAnomaly(id: string, note: string, now: number, by?: string): Promise<OpenedAnomaly | undefined>
  /** Open anomalies by their cause, the oldest first. */
  anomalyCauses(filter: CauseFilter): Promise<AnomalyCause[]>
  /** Up to `limit` open anomalies that a choice fits, the oldest first. */
  chooseAnomalies(choice: AnomalyChoice): Promise<OpenedAnomaly[]>
  /** Closes up to `limit` open anomalies that a choice fits, with an entry of the audit trail for each. Resolves with how many. */
  closeAnomalies(choice: AnomalyChoice, note: string, now: number, by?: string): Promise<number>
  /** How many anomalies of each kind are open. */
  countAnomalies(): Promise<Partial<Record<AnomalyKind, number>>>
  /** Anomalies, oldest first. */
  anomalies(filter: AnomalyFilter): Promise<OpenedAnomaly[]>

  /**
   * Takes up to `limit` owed webhooks that are due, `perLane` of each lane at most, and holds each until `leaseUntil`.
   * A lane whose receiver fails gives one. Orders that were refused themselves have a quarter of the places of a lane.
   */
  claimWebhooks(claim: {
    now: number
    leaseUntil: number
    limit: number
    perLane: number
    owner: string
  }): Promise<OwedWebhook[]>
  /** Holds what was claimed for longer. What somebody else has taken over stays theirs. */
  renewLeases(held: readonly LeasedOrder[], leaseUntil: number): Promise<void>
  /**
   * The call succeeded: the platform heard of every status up to `owed.version`. The lane is open; what failed while it was closed is
   * due at once.
   */
  settleWebhook(owed: OwedWebhook, call: DeliveryCall): Promise<void>
  /**
   * The call failed: due again at `dueAt`, or a dead letter without it. An answer that is about the one order (4xx but 408 and 429)
   * never closes the lane, and opens a closed one; every other failure counts against the lane.
   */
  postponeWebhook(
    owed: OwedWebhook,
    call: DeliveryCall,
    again: { dueAt: number | undefined; retryAfter: number | undefined },
  ): Promise<void>
  /**
   * Makes an owed or dead webhook due at once, or owes one anew, and opens its lane. Resolves with whether there is such a payment.
   */
  replayWebhook(shopId: string, orderId: string, now: number, by?: string): Promise<boolean>
  /** Payments whose webhook is owed, or that changed since a moment, oldest first. */
  webhooks(filter: WebhookFilter): Promise<WebhookState[]>
  /** The calls of the last 30 days: the first, the last and the count for each status version, oldest first. */
  deliveries(shopId: string, orderId: string): Promise<Deliveries[]>
  /** When the next owed webhook is due, in milliseconds since 1970. */
  nextWebhookDue(): Promise<number | undefined>
  /** Owed and dead webhooks, and since when the oldest is owed, in milliseconds since 1970. */
  countWebhooks(): Promise<{ owed: number; dead: number; owedSince: number | undefined }>
  /** Owes again up to `limit` webhooks that a shop accepted without reading the status, of those that are due for it. */
  remindUnread(due: { now: number; limit: number }): Promise<Reminded>
  /** How many webhooks were accepted 15 minutes to 30 days ago, without a read of the status since. */
  countUnread(now: number): Promise<number>

  /** What waits of each kind, in a constant number of queries. */
  countWaiting(now: number): Promise<Waiting[]>

  /** Lanes that are closed or in which something waits, the one that waits longest first. */
  lanes(filter: LaneFilter): Promise<LaneRecord[]>
  /**
   * Opens a lane, closed or not: every call is due at once that failed in a way that its other side may be to blame for. Resolves with
   * how many calls are due now; with `undefined` where there is no such lane.
   */
  openLane(lane: LaneKey, now: number, by?: string): Promise<number | undefined>

  /**
   * Replaces what a node has noted of its open breakers of rate adapters. Resolves with those of them that were released since: the node
   * closes these, and they are not noted.
   */
  noteBreakers(node: string, open: readonly OpenedBreaker[], now: number): Promise<BreakerKey[]>
  /** Open breakers of the nodes that run, the oldest first: all, or those that concern one shop. */
  breakers(filter: { shopId?: string | undefined; now: number }): Promise<BreakerRecord[]>
  /** Releases the breakers of an adapter for one shop, or for every shop. Resolves with the number of nodes that have one. */
  releaseBreakers(breaker: BreakerKey, now: number, by?: string): Promise<number>

  /** Adds the address a payment service pushes to, or returns what is there already. */
  ensurePushAddress(
    shopId: string,
    adapter: string,
    address: NewEndpoint,
    by?: string,
  ): Promise<{ tokenHash: string; sealedToken: string }>
  shopByPushToken(adapter: string, tokenHash: string): Promise<Shop | undefined>
  /** Keeps a push until it is processed. A repeated one is processed again. */
  keepPush(push: Push, now: number): Promise<void>
  /**
   * Gives pushes a lane that a node of an older version has kept without one: they are claimed then. Resolves with the number of lanes.
   */
  adoptPushes(now: number): Promise<number>
  /** Adapters with pushes that are due. */
  adaptersWithPushes(now: number): Promise<string[]>
  /**
   * Takes up to `limit` pushes of an adapter that are due, `perLane` of each shop at most, and holds each until `leaseUntil`. A lane
   * whose payment service fails gives one. Pushes that failed by themselves have a quarter of the places of a lane.
   */
  claimPushes(claim: {
    adapter: string
    now: number
    leaseUntil: number
    limit: number
    perLane: number
    owner: string
  }): Promise<ClaimedPush[]>
  /** Holds pushes for longer. One that somebody else has taken over stays theirs. */
  renewPushes(leased: readonly LeasedPush[], leaseUntil: number): Promise<void>
  /**
   * Nothing is left to do for the push: its body is forgotten, what became of it stays. One that came again meanwhile stays due. Its lane
   * is open then, unless it was given up.
   */
  settlePush(push: LeasedPush & { times: number }, became: SettledPush, now: number): Promise<void>
  /**
   * The push could not be processed: due again at `dueAt`, unless somebody else has taken it over. A failure that is not about this one
   * push counts against its lane.
   */
  postponePush(
    push: LeasedPush,
    again: { dueAt: number; failure: string; aboutPush: boolean },
    now: number,
  ): Promise<void>
  /** Pushes of the last 30 days, with what became of them, newest first. */
  pushes(filter: PushFilter): Promise<PushRecord[]>
  /** How many pushes since a moment are of each kind of trouble. */
  countPushTroubles(since: number): Promise<Partial<Record<PushTrouble, number>>>

  /** Forgets calls and pushes from before the moment, and lanes in which nothing waits. */
  forget(before: number): Promise<void>
  /** Erases all that is kept of an order's payment. Resolves with whether there was one. */
  erasePayment(shopId: string, orderId: string, now: number, by?: string): Promise<boolean>
  /**
   * Erases up to `limit` payments that have come to rest: their status changed last before the moment and is not pending,
   * nothing is owed, and no anomaly is open. Resolves with how many; with `dryRun` it only counts. The audit trail lists what is pruned
   * `byHand` only.
   */
  prunePayments(prune: PrunePayments): Promise<number>
}

/** Something around the store that is nobody's call, for the log. */
export type StoreTrouble =
  /** Somebody else has locked a row: commands about it wait, and fail alone. */
  | { code: 'ROW_LOCKED'; shop?: string; order?: string }
  /** The clock of the database server, or of this machine while no process ran, was set forward or back. */
  | { code: 'SERVER_CLOCK_JUMPED' | 'CLOCK_JUMPED'; seconds: number }
  /** A page of a SQLite file cannot be read: what needs it fails, and all else goes on. */
  | { code: 'STORE_DAMAGED' }

/** In milliseconds since 1970. */
export interface ClockState {
  /** What the clock of the server says, or on SQLite that of the machine. */
  serverAt: number
  /** What time it is for all processes. */
  agreedAt: number
}

export interface AuditFilter {
  shopId: string
  /** Only entries from this moment on. */
  since?: number | undefined
  limit: number
}

/** A report that a person made, for the audit trail. */
export interface HandReport {
  by: string
  status: PaymentReport['status'] | 'unknown'
}

export interface PrunePayments {
  before: number
  limit: number
  dryRun: boolean
  byHand?: { by: string; now: number } | undefined
}

export interface PaymentFilter {
  shopId?: string
  status?: PaymentStatus
  /** Only payments whose status changed last before this moment. */
  before?: number
  limit: number
}

export interface AnomalyFilter {
  shopId?: string
  orderId?: string
  /** Also those that a person has closed. */
  closed?: boolean
  limit: number
}

/** Open anomalies of one kind and adapter, each opened `within` milliseconds of the one before, have one cause. */
export interface CauseFilter {
  shopId?: string | undefined
  within: number
  limit: number
}

export interface AnomalyCause {
  kind: AnomalyKind
  /** Not set where the attempt is not there any more. */
  adapter: string | undefined
  count: number
  /** How many shops it is in. */
  shops: number
  /** Where it is in one shop, and of one order. */
  shopId: string | undefined
  orderId: string | undefined
  /** Where it is one anomaly. */
  id: string | undefined
  /** When the first and the last of them were opened, in milliseconds since 1970. */
  openedAt: number
  lastOpenedAt: number
}

export interface AnomalyChoice {
  kind: AnomalyKind
  adapter?: string | undefined
  shopId?: string | undefined
  /** Only those opened before this moment. */
  before: number
  limit: number
}

/** What somebody has of a payment. */
export interface PaymentNames {
  /** The id or the number of the order, the id of the attempt or of an anomaly, a reference, an idempotency key. */
  name: string
  /** Of the token of a hosted page. */
  pageHash: string
}

export type NamedBy =
  | 'order'
  | 'attempt'
  | 'order number'
  | 'reference'
  | 'idempotency key'
  | 'page'
  | 'anomaly'

export interface FoundOrder extends OrderKey {
  by: NamedBy
}

export interface StatusVersion extends OrderKey {
  version: number
}

export interface WebhookFilter {
  shopId?: string
  /** Only the one of this order, whatever `since` is. Needs `shopId`. */
  orderId?: string
  /** Also what was delivered, of payments whose status changed at or after this moment. */
  since?: number
  limit: number
}

/** How the webhook of a payment stands. */
export interface WebhookState {
  shopId: string
  orderId: string
  status: PaymentStatus
  state: 'owed' | 'dead' | 'delivered'
  webhookUrl: string
  tries: number
  /** When it is called next; not before the next probe where its lane is closed. A moment that has passed is now. */
  dueAt: number | undefined
  laneClosed: boolean
  changedAt: number
  /** The platform has read the status after a webhook. */
  confirmed: boolean
}

/** One call of `webhook_url`. */
export interface DeliveryCall {
  /** Milliseconds since 1970. */
  at: number
  ms: number
  /** The status version of the webhook. */
  version: number
  /** Not set when no answer came. */
  status: number | undefined
  /** Why it failed. */
  failure: string | undefined
  /** The answer's first 10 KB. */
  answer: string
}

/** The calls of `webhook_url` for one status version. */
export interface Deliveries {
  version: number
  /** How many calls were made. */
  calls: number
  first: DeliveryCall
  /** Not set while there was one call. */
  last: DeliveryCall | undefined
}

export interface OrderKey {
  shopId: string
  orderId: string
}

export interface Reminded {
  /** What is owed again. */
  reminded: OrderKey[]
  /** What nobody has read for 30 days: it is no longer counted. */
  neverRead: OrderKey[]
  /** More may be due. */
  more: boolean
}

/** Calls of one kind that wait. Checks ask a payment service how a payment stands, and have no lanes. */
export interface Waiting {
  kind: LaneKind | 'check'
  /** How many wait in lanes that are open, and in lanes that are closed; of checks those that are due. */
  open: number
  closed: number
  /** Since when the earliest call in an open lane is due that nobody makes at the moment. Not set where none is due. */
  dueSince: number | undefined
  lanesClosed: number
}

/** Webhooks of a shop to one host, or pushes of a shop through one payment adapter. */
export interface LaneKey {
  kind: LaneKind
  shopId: string
  /** The receiver's host with its port, or the adapter. */
  to: string
}

export type LaneKind = 'webhook' | 'push'

export interface LaneFilter {
  shopId?: string | undefined
  kind?: LaneKind | undefined
  now: number
  limit: number
}

export interface LaneRecord extends LaneKey {
  /** Failed calls since the last success. */
  failures: number
  /** Since when it is closed, and when it is probed next, in milliseconds since 1970; not set while it is open. */
  closedAt: number | undefined
  probeAt: number | undefined
  lastFailure: string | undefined
  /** How many calls wait or are open in it, and how many of them are open. */
  waiting: number
  open: number
  /** When the earliest of them is due, and since when the oldest waits. */
  dueAt: number | undefined
  waitingSince: number | undefined
}

export interface BreakerKey {
  adapter: string
  /** Not set where it is for all shops. */
  shopId: string | undefined
}

/** A rate adapter that a node leaves alone after failures. Times are in milliseconds since 1970. */
export interface OpenedBreaker extends BreakerKey {
  since: number
  /** When a call tries again, at the earliest. */
  nextTry: number
  lastFailure: string
}

export interface BreakerRecord extends OpenedBreaker {
  /** How many nodes have it. */
  nodes: number
}

export interface PushKey {
  shopId: string
  adapter: string
  /** A push that arrives twice has the same key. */
  key: string
}

/** What a payment service sent, as it came. */
export interface Push extends PushKey {
  /** Base64: its signature is over these very bytes. */
  body: string
  headers: Record<string, string>
  query: string
  /** When it came first, in milliseconds since 1970. */
  receivedAt: number
}

export interface LeasedPush extends PushKey {
  /** Who processes it. */
  owner: string
}

/** A push that is held to be processed. */
export interface ClaimedPush extends Push, LeasedPush {
  /** How often it came. */
  times: number
  /** Failed tries so far. */
  tries: number
  /** More may be due in its lane than may be processed at a time. */
  full: boolean
}

/** A push that a person may have to look at: it names a payment that is not here, its last try failed, or it was given up. */
export type PushTrouble = 'unmatched' | 'failed' | 'given_up'

/** How a push stands. `waiting`: it was not tried yet. */
export type PushState = 'waiting' | 'processed' | PushTrouble

/** What became of a push that is not tried again. */
export interface SettledPush {
  outcome: Exclude<PushState, 'waiting' | 'failed'>
  /** In words. */
  detail: string
  /** What it calls the payments that are not here: references or ids of attempts. */
  names?: readonly string[]
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
  /** How often it came. */
  times: number
  outcome: PushState
  /** What became of it or of its last try, in words. Not set while it waits for its first one. */
  detail: string | undefined
  names: readonly string[]
  /** Failed tries so far. */
  tries: number
  /** When it is tried next. Not set once it is settled. */
  dueAt: number | undefined
  /** When it was settled. */
  processedAt: number | undefined
}

/** What a new shop has from the start. `hosts` are its confirmed list. */
export interface ShopStart {
  platformId?: string | undefined
  hosts?: readonly string[] | undefined
  sealedSettings?: string | undefined
  /** The paths of what is set, for the audit trail. */
  settings?: readonly string[] | undefined
  /** Who adds it. */
  by?: string | undefined
}

/** One of many shops that are added together. */
export interface AddedShop {
  id: string
  endpoint: NewEndpoint
  start: ShopStart
}

/** Shops of these names are there already, and nothing was added. */
export class ShopsExist extends Error {
  override readonly name = 'ShopsExist'
  readonly shopIds: readonly string[]
  constructor(shopIds: readonly string[]) {
    super(`There are shops of these names already: ${shopIds.join(', ')}`)
    this.shopIds = shopIds
  }
}

export interface HostsChange {
  add?: readonly string[]
  remove?: readonly string[]
  /** Removes every host that is not in `add`. */
  only?: boolean
  /** From now on no other host is taken. */
  confirm?: boolean
}

/** A text that is stored encrypted, and what it is of. */
export interface Sealed extends SealedRow {
  sealed: string
}

/** A process of the provider that runs. */
export interface Node {
  id: string
  /** The ids of the secrets whose texts it opens, the one that it has as its own first. */
  opens: readonly string[]
  /** Where and what it is. Not set for a node of a version that did not note it. */
  runs?: NodeRuns | undefined
}

export interface NodeSeen extends Node {
  /** When it was noted last, in milliseconds since 1970. */
  seenAt: number
}

/** What a process is, as `nodes list` shows it. */
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
}

export interface SealedAnew {
  was: Sealed
  sealed: string
}

/** A secret that signs the calls of a shop's `webhook_url`. */
export interface WebhookKey {
  id: string
  sealed: string
  createdAt: number
  /** When it ends; never without. */
  expiresAt: number | undefined
}

export interface NewWebhookKey {
  id: string
  sealed: string
  now: number
}

export interface NewEndpoint {
  tokenHash: string
  /** The token, encrypted, so that a command can print the address again. */
  sealedToken: string
  now: number
}

export interface LeasedOrder {
  shopId: string
  orderId: string
  /** Who holds it: only the holder settles or postpones. */
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
  /** Somebody else held it, and let the lease run out. */
  takenOver: boolean
  /** The single call of a closed lane. */
  probe: boolean
  /** More may be due in its lane than may be called at a time. */
  full: boolean
}

/** The store cannot be reached, is locked for too long or is full. Nothing was changed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly code = 'STORE_UNAVAILABLE'
}

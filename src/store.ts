import type { AuditEntry } from './audit.ts'
import type { PaymentStatus } from './contract/index.ts'
import { PurveyorError } from './errors.ts'
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
 * Stores shops, payments and owed webhooks: `sqliteStore()`, `postgresStore()` or `memoryStore()`. A store shows no members, because the
 * interface between Purveyor and its stores may change in any release.
 */
export interface Store {
  readonly [opaque]?: never
}

/**
 * The commands of a store. Each one happens completely or not at all, and its result is on disk. All but the two look-ups by token name the
 * shop first.
 *
 * Commands that change a shop, or a payment by hand, write the entry of the audit trail in the commit of the change: `by` is its author, by
 * default `provider`. A command without a change writes no entry.
 *
 * Every command rejects with a `StoreUnavailable` if the store cannot be reached.
 */
export interface StorePort extends Store {
  /** Nothing outlives this process; for tests. */
  readonly volatile?: boolean
  /** Faults of its place that do not stop it, each with a remedy. Logged at the start, and shown by `doctor`. */
  readonly warnings?: readonly string[]
  /** The clock that all processes of this store share, in milliseconds since 1970. Default: the machine's clock. */
  now?(): number
  /** The clock that `now()` is compared with. Set together with `now`, like `releaseClock`. */
  clockState?(): Promise<ClockState>
  /**
   * Makes all processes use the time of the server (on SQLite: of the machine). Running ones do within a minute. Resolves with that time,
   * in milliseconds since 1970.
   */
  releaseClock?(): Promise<number>
  /** Opens the store and brings its tables up to date. */
  open(): Promise<void>
  close(): Promise<void>
  /** Rejects if the store cannot be reached, or accepts no writes. It writes at most once a second, and only if that is in doubt. */
  check(): Promise<void>
  /** Sets the receiver of faults around the store, which become log lines and metrics. */
  watch?(report: (trouble: StoreTrouble) => void): void

  /** Adds a shop with its endpoint and initial data, or returns the existing one. */
  ensureShop(
    shopId: string,
    endpoint: NewEndpoint,
    start?: ShopStart,
  ): Promise<{ shop: Shop; tokenHash: string; sealedToken: string; added: boolean }>
  /** Adds many shops, all or none. Rejects with a `ShopsExist` if one exists already. */
  addShops(shops: readonly AddedShop[]): Promise<void>
  /** The shops of these that exist. */
  shopsAmong(shopIds: readonly string[]): Promise<string[]>
  shop(shopId: string): Promise<Shop | undefined>
  /** All shops, by id. */
  shops(): Promise<Shop[]>
  /** Removes a shop with all its data except the audit trail. Resolves with whether it existed. */
  removeShop(shopId: string, now: number, by?: string): Promise<boolean>
  /** A disabled shop is not found by its endpoints. Resolves with `undefined` if there is no such shop. */
  setDisabled(shopId: string, disabled: boolean, now: number, by?: string): Promise<Shop | undefined>
  /**
   * Replaces the sealed settings of a shop if they have this version. `changed` are the changed paths, for the audit trail. Resolves with
   * `undefined` if the settings have changed since, or there is no such shop.
   */
  saveSettings(
    shopId: string,
    settings: { sealed: string | undefined; changed: readonly string[]; version: number },
    now: number,
    by?: string,
  ): Promise<Shop | undefined>
  /** The shop of a live endpoint, with the endpoint's end if it has one. Never a disabled shop. */
  shopByEndpoint(tokenHash: string, now: number): Promise<ShopAtEndpoint | undefined>
  /** The live endpoints of a shop, newest first. */
  endpoints(shopId: string, now: number): Promise<Endpoint[]>
  /** Adds an endpoint. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
  rotateEndpoint(shopId: string, endpoint: NewEndpoint, oldEndsAt: number, by?: string): Promise<void>
  /** The live keys that sign a shop's webhooks, newest first. */
  webhookKeys(shopId: string, now: number): Promise<WebhookKey[]>
  /** Adds a key if the shop has none. Resolves with the live ones; with none if there is no such shop. */
  ensureWebhookKey(shopId: string, key: NewWebhookKey, by?: string): Promise<WebhookKey[]>
  /** Adds a key. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
  rotateWebhookKey(shopId: string, key: NewWebhookKey, oldEndsAt: number, by?: string): Promise<void>
  /** Stores the platform's id and language of a shop. A stored platform id stays. */
  noteShop(
    shopId: string,
    seen: { platformId?: string | undefined; language?: string | undefined },
    now: number,
  ): Promise<Shop>
  /** Replaces the platform id of a shop; without one the next call sets it. Resolves with `undefined` if there is no such shop. */
  bindShop(
    shopId: string,
    platformId: string | undefined,
    now: number,
    by?: string,
  ): Promise<Shop | undefined>
  /** Changes the list of hosts of a shop. Only a `confirmed` list holds more than a hundred. */
  changeHosts(shopId: string, change: HostsChange, now: number, by?: string): Promise<Shop | undefined>

  /** The newest entries of a shop's audit trail, newest last. The trail outlives its shop. */
  auditTrail(filter: AuditFilter): Promise<AuditEntry[]>
  /** Deletes up to `limit` entries from before the given time. Resolves with their number. */
  pruneAuditTrail(prune: { before: number; limit: number }): Promise<number>

  /** All sealed texts, to be sealed again. */
  sealed(): Promise<Sealed[]>
  /** Up to `limit` texts with another beginning, after the given one or from the first on. */
  sealedOtherwise(page: { beginning: string; after: SealedRow | undefined; limit: number }): Promise<Sealed[]>
  /** The number of texts with another beginning. */
  countSealedOtherwise(beginning: string): Promise<number>
  /** Replaces sealed texts, except those that have changed meanwhile. */
  reseal(anew: readonly SealedAnew[]): Promise<void>
  /** A key of the provider, sealed. */
  key(name: string): Promise<string | undefined>
  /** Adds a key and, in the same commit, replaces sealed texts; or returns the existing key and changes nothing. */
  ensureKey(name: string, key: { sealed: string; now: number }, anew: readonly SealedAnew[]): Promise<string>

  /** Marks a node as running, and removes nodes not seen since the given time. Resolves with all running nodes. */
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
  /** Gives the page of an attempt another address. The old one stays valid. */
  movePage(shopId: string, attemptId: string, pageHash: string): Promise<void>

  /** Reserves the attempt's page for the form of one caller, until it is released or `until`. Resolves with whether this caller has it. */
  leasePage(shopId: string, attemptId: string, lease: { now: number; until: number }): Promise<boolean>
  releasePage(shopId: string, attemptId: string): Promise<void>

  /** Payments, latest change of status first. */
  payments(filter: PaymentFilter): Promise<Payment[]>
  /** Orders of all shops with one of these ids: at most a hundred for each kind of id, newest first. */
  findOrders(names: PaymentNames): Promise<FoundOrder[]>
  /** Up to `limit` shops that have a payment for an order of this id, by their ids. */
  shopsOfOrder(orderId: string, limit: number): Promise<string[]>
  /** The latest changed orders of all shops, with the version of their status. */
  statusVersions(limit: number): Promise<StatusVersion[]>
  /** The platform has read the status up to `version`. */
  noteRead(shopId: string, orderId: string, version: number, now: number): Promise<void>

  /**
   * Claims up to `limit` attempts that are due for a check at their payment service, each until `leaseUntil`. Those of the adapters in
   * `without` are left out.
   */
  claimChecks(claim: {
    now: number
    leaseUntil: number
    limit: number
    without?: readonly string[]
  }): Promise<Attempt[]>
  /** Sets the next check of the attempt; without `checkAt` there is none. */
  setCheck(shopId: string, attemptId: string, checkAt: number | undefined): Promise<void>

  /** Opens an anomaly, or reopens a closed one. Resolves with whether it was not open before. */
  openAnomaly(shopId: string, orderId: string, anomaly: Anomaly, now: number): Promise<boolean>
  /** Resolves with `undefined` when there is no such anomaly. */
  closeAnomaly(id: string, note: string, now: number, by?: string): Promise<OpenedAnomaly | undefined>
  /** Open anomalies by cause, oldest first. */
  anomalyCauses(filter: CauseFilter): Promise<AnomalyCause[]>
  /** Up to `limit` matching open anomalies, oldest first. */
  chooseAnomalies(choice: AnomalyChoice): Promise<OpenedAnomaly[]>
  /** Closes up to `limit` matching open anomalies, each with an entry in the audit trail. Resolves with their number. */
  closeAnomalies(choice: AnomalyChoice, note: string, now: number, by?: string): Promise<number>
  /** The number of open anomalies by kind. */
  countAnomalies(): Promise<Partial<Record<AnomalyKind, number>>>
  /** Anomalies, oldest first. */
  anomalies(filter: AnomalyFilter): Promise<OpenedAnomaly[]>

  /**
   * Claims up to `limit` due webhooks, at most `perLane` of each lane, each until `leaseUntil`. A lane whose receiver fails gives one.
   * Orders that were refused themselves have a quarter of the places of a lane.
   */
  claimWebhooks(claim: {
    now: number
    leaseUntil: number
    limit: number
    perLane: number
    owner: string
  }): Promise<OwedWebhook[]>
  /** Renews claims. A webhook that another process has taken over stays with it. */
  renewLeases(held: readonly LeasedOrder[], leaseUntil: number): Promise<void>
  /**
   * The delivery succeeded for every status up to `owed.version`. The lane opens; webhooks that failed while it was closed are due at once.
   */
  settleWebhook(owed: OwedWebhook, call: DeliveryCall): Promise<void>
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

  /** The waiting work of each kind, in a constant number of queries. */
  countWaiting(now: number): Promise<Waiting[]>

  /** Lanes that are closed or have waiting calls, longest wait first. */
  lanes(filter: LaneFilter): Promise<LaneRecord[]>
  /**
   * Opens a lane, closed or not: every call whose failure may be the other side's fault is due at once. Resolves with the number of calls
   * due now, or with `undefined` if there is no such lane.
   */
  openLane(lane: LaneKey, now: number, by?: string): Promise<number | undefined>

  /**
   * Replaces a node's list of open breakers of rate adapters. Resolves with those that a person released since: the node closes these, and
   * they are not stored.
   */
  noteBreakers(node: string, open: readonly OpenedBreaker[], now: number): Promise<BreakerKey[]>
  /** Open breakers of the running nodes, oldest first: all, or those of one shop. */
  breakers(filter: { shopId?: string | undefined; now: number }): Promise<BreakerRecord[]>
  /** Releases the breakers of an adapter for one shop, or for every shop. Resolves with the number of nodes that have one. */
  releaseBreakers(breaker: BreakerKey, now: number, by?: string): Promise<number>

  /** Adds the push address of a payment service, or returns the existing one. */
  ensurePushAddress(
    shopId: string,
    adapter: string,
    address: NewEndpoint,
    by?: string,
  ): Promise<{ tokenHash: string; sealedToken: string }>
  shopByPushToken(adapter: string, tokenHash: string): Promise<Shop | undefined>
  /** Stores a push until it is processed. A repeated one is processed again. */
  keepPush(push: Push, now: number): Promise<void>
  /**
   * Adds lanes for pushes that a node of an older version stored without one, so that they are claimed. Resolves with the number of lanes.
   */
  adoptPushes(now: number): Promise<number>
  /** Adapters with due pushes. */
  adaptersWithPushes(now: number): Promise<string[]>
  /**
   * Claims up to `limit` due pushes of an adapter, at most `perLane` of each shop, each until `leaseUntil`. A lane whose payment service
   * fails gives one. Pushes that failed by themselves have a quarter of the places of a lane.
   */
  claimPushes(claim: {
    adapter: string
    now: number
    leaseUntil: number
    limit: number
    perLane: number
    owner: string
  }): Promise<ClaimedPush[]>
  /** Renews claims of pushes. A push that another process has taken over stays with it. */
  renewPushes(leased: readonly LeasedPush[], leaseUntil: number): Promise<void>
  /**
   * Nothing is left to do for the push: its body is forgotten, what became of it stays. One that came again meanwhile stays due. Its lane
   * is open then, unless it was given up.
   */
  settlePush(push: LeasedPush & { times: number }, became: SettledPush, now: number): Promise<void>
  /**
   * The push could not be processed: due again at `dueAt`, unless another process has taken it over. A failure that is not about this push
   * alone counts against its lane.
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

  /** Deletes deliveries and pushes from before the given time, and empty lanes. */
  forget(before: number): Promise<void>
  /** Erases all data of an order's payment. Resolves with whether there was one. */
  erasePayment(shopId: string, orderId: string, now: number, by?: string): Promise<boolean>
  /**
   * Erases up to `limit` ended payments: their status changed last before the given time and is not pending, nothing is owed, and no
   * anomaly is open. Resolves with their number; with `dryRun` it only counts. The audit trail lists only payments pruned `byHand`.
   */
  prunePayments(prune: PrunePayments): Promise<number>
}

/** An event around the store outside any call, for the log. */
export type StoreTrouble =
  /** Another client has locked a row: commands about it wait, and only they fail. */
  | { code: 'ROW_LOCKED'; shop?: string; order?: string }
  /** The clock of the database server, or of this machine while no process ran, was set forward or back. */
  | { code: 'SERVER_CLOCK_JUMPED' | 'CLOCK_JUMPED'; seconds: number }
  /** A page of a SQLite file cannot be read: commands that need it fail, all others continue. */
  | { code: 'STORE_DAMAGED' }

/** In milliseconds since 1970. */
export interface ClockState {
  /** The clock of the server, or on SQLite that of the machine. */
  serverAt: number
  /** The time that all processes use. */
  agreedAt: number
}

export interface AuditFilter {
  shopId: string
  /** Only entries from this moment on. */
  since?: number | undefined
  limit: number
}

/** A person's report, for the audit trail. */
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
  /** Includes closed anomalies. */
  closed?: boolean
  limit: number
}

/** Open anomalies of one kind and adapter share a cause if each opened within `within` milliseconds after the one before. */
export interface CauseFilter {
  shopId?: string | undefined
  within: number
  limit: number
}

export interface AnomalyCause {
  kind: AnomalyKind
  /** Not set if the attempt no longer exists. */
  adapter: string | undefined
  count: number
  /** The number of shops. */
  shops: number
  /** Set if it is in one shop, and of one order. */
  shopId: string | undefined
  orderId: string | undefined
  /** Set if it is one anomaly. */
  id: string | undefined
  /** When the first and the last of them opened, in milliseconds since 1970. */
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

/** The ids by which a payment can be found. */
export interface PaymentNames {
  /** The id or the number of the order, the id of the attempt or of an anomaly, a reference, an idempotency key. */
  name: string
  /** The hash of a page token. */
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
  /** Includes delivered webhooks of payments whose status changed at or after this time. */
  since?: number
  limit: number
}

/** The state of a payment's webhook. */
export interface WebhookState {
  shopId: string
  orderId: string
  status: PaymentStatus
  state: 'owed' | 'dead' | 'delivered'
  webhookUrl: string
  tries: number
  /** The time of the next delivery; in a closed lane not before the next probe. A past time means now. */
  dueAt: number | undefined
  laneClosed: boolean
  changedAt: number
  /** The platform has read the status after a webhook. */
  confirmed: boolean
}

/** One delivery of a webhook. */
export interface DeliveryCall {
  /** Milliseconds since 1970. */
  at: number
  ms: number
  /** The status version of the webhook. */
  version: number
  /** Not set without an answer. */
  status: number | undefined
  /** The reason of a failure. */
  failure: string | undefined
  /** The answer's first 10 KB. */
  answer: string
}

/** The deliveries for one status version. */
export interface Deliveries {
  version: number
  /** The number of deliveries. */
  calls: number
  first: DeliveryCall
  /** Not set after a single delivery. */
  last: DeliveryCall | undefined
}

export interface OrderKey {
  shopId: string
  orderId: string
}

export interface Reminded {
  /** The webhooks that are owed again. */
  reminded: OrderKey[]
  /** The webhooks whose status was not read for 30 days: they are no longer counted. */
  neverRead: OrderKey[]
  /** Whether more may be due. */
  more: boolean
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
  /** When it closed, and when it is probed next, in milliseconds since 1970; not set while it is open. */
  closedAt: number | undefined
  probeAt: number | undefined
  lastFailure: string | undefined
  /** The number of waiting and open calls in it, and of open ones. */
  waiting: number
  open: number
  /** The due time of the earliest call, and the time since which the oldest waits. */
  dueAt: number | undefined
  waitingSince: number | undefined
}

export interface BreakerKey {
  adapter: string
  /** Not set for all shops. */
  shopId: string | undefined
}

/** A rate adapter that a node skips after failures. Times are in milliseconds since 1970. */
export interface OpenedBreaker extends BreakerKey {
  since: number
  /** The earliest time of the next call. */
  nextTry: number
  lastFailure: string
}

export interface BreakerRecord extends OpenedBreaker {
  /** The number of nodes that have it. */
  nodes: number
}

interface PushKey {
  shopId: string
  adapter: string
  /** A repeated push has the same key. */
  key: string
}

/** A payment service's request, unchanged. */
export interface Push extends PushKey {
  /** In base64: its signature covers exactly these bytes. */
  body: string
  headers: Record<string, string>
  query: string
  /** When it first arrived, in milliseconds since 1970. */
  receivedAt: number
}

export interface LeasedPush extends PushKey {
  /** The process that has claimed it. */
  owner: string
}

/** A claimed push. */
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
  /** How often it arrived. */
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

/** The initial data of a new shop. `hosts` are its confirmed list. */
export interface ShopStart {
  platformId?: string | undefined
  hosts?: readonly string[] | undefined
  sealedSettings?: string | undefined
  /** The paths of its settings, for the audit trail. */
  settings?: readonly string[] | undefined
  /** The author, for the audit trail. */
  by?: string | undefined
}

/** One of many shops to add in one commit. */
export interface AddedShop {
  id: string
  endpoint: NewEndpoint
  start: ShopStart
}

/** Shops of these names exist already, and nothing was added. */
export class ShopsExist extends Error {
  override readonly name = 'ShopsExist'
  readonly shopIds: readonly string[]
  constructor(shopIds: readonly string[]) {
    super(`These shops exist already: ${shopIds.join(', ')}`)
    this.shopIds = shopIds
  }
}

export interface HostsChange {
  add?: readonly string[]
  remove?: readonly string[]
  /** Removes every host that is not in `add`. */
  only?: boolean
  /** From now on no other host is accepted. */
  confirm?: boolean
}

/** A sealed text with its row. */
export interface Sealed extends SealedRow {
  sealed: string
}

/** A running process of the provider. */
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

/** A secret that signs a shop's webhooks. */
export interface WebhookKey {
  id: string
  sealed: string
  createdAt: number
  /** Its end; without one it never ends. */
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

/** The store cannot be reached, is locked for too long or is full. Nothing was changed. */
export class StoreUnavailable extends PurveyorError {
  override readonly name = 'StoreUnavailable'
  constructor(message: string, options?: ErrorOptions) {
    super('STORE_UNAVAILABLE', message, options)
  }
}

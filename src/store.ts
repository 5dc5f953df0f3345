import type { AdministrationStore } from './store/administration.ts'
import type { AnomalyStore } from './store/anomalies.ts'
import type { ChangeStore } from './store/changes.ts'
import type { StoreConnection } from './store/connection.ts'
import type { CopyStore } from './store/copies.ts'
import type { CountStore } from './store/counts.ts'
import type { DriftStore } from './store/drifts.ts'
import type { ImageStore } from './store/images.ts'
import type { LaneStore } from './store/lanes.ts'
import type { NodeStore } from './store/nodes.ts'
import type { PaymentStore } from './store/payments.ts'
import type { PushStore } from './store/pushes.ts'
import type { ServiceFailureStore } from './store/service-failures.ts'
import type { ShopStore } from './store/shops.ts'
import type { WebhookStore } from './store/webhooks.ts'

export type * from './store/administration.ts'
export * from './store/anomalies.ts'
export type * from './store/changes.ts'
export * from './store/connection.ts'
export type * from './store/copies.ts'
export type * from './store/counts.ts'
export type * from './store/drifts.ts'
export type * from './store/images.ts'
export type * from './store/lanes.ts'
export type * from './store/nodes.ts'
export type * from './store/payments.ts'
export type * from './store/pushes.ts'
export type * from './store/service-failures.ts'
export * from './store/shops.ts'
export type * from './store/webhooks.ts'

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
export interface StorePort
  extends Store,
    StoreConnection,
    ShopStore,
    PaymentStore,
    AnomalyStore,
    ChangeStore,
    WebhookStore,
    PushStore,
    LaneStore,
    CountStore,
    NodeStore,
    ServiceFailureStore,
    ImageStore,
    DriftStore,
    CopyStore,
    AdministrationStore {}

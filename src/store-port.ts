import type { Store } from './store.ts'
import type { sqlCommands } from './stores/sql/commands.ts'
import type { PortOf } from './stores/sql/port.ts'
import type { ServiceFailures } from './stores/sql/service-failures.ts'

export type { NewWebhookKey } from './stores/sql/addresses.ts'
export type { AnomalyChoice } from './stores/sql/anomalies.ts'
export type { BreakerKey, BreakerRecord, EndedBreaker, OpenedBreaker } from './stores/sql/breakers.ts'
export type { DriftRecord } from './stores/sql/drifts.ts'
export type { PrunePayments } from './stores/sql/erasure.ts'
export type { FoundOrder, NamedBy, PaymentFilter } from './stores/sql/find.ts'
export type { StoredImage } from './stores/sql/images.ts'
export type { NewEndpoint, ShopStart } from './stores/sql/new-shops.ts'
export type { CopyMark } from './stores/sql/nodes.ts'
export type { AnomalyCause } from './stores/sql/payment-rows.ts'
export type { HandReport } from './stores/sql/payments.ts'
export type { NextCheck } from './stores/sql/queue/checks.ts'
export type {
  Delivered,
  Deliveries,
  DeliveryCall,
  OwedWebhook,
  WebhookState,
} from './stores/sql/queue/deliveries.ts'
export type { Claim } from './stores/sql/queue/lane-claims.ts'
export type { LaneFailure, LaneFilter } from './stores/sql/queue/lane-commands.ts'
export type { LaneKind, Outage } from './stores/sql/queue/lanes.ts'
export type { ClaimedPush, KeptPush, Push } from './stores/sql/queue/push-lanes.ts'
export type { PushRecord } from './stores/sql/queue/push-records.ts'
export type { SettledPush } from './stores/sql/queue/settle-pushes.ts'
export type { NodeRuns, NodeSeen } from './stores/sql/rows.ts'
export type { ServiceFailures } from './stores/sql/service-failures.ts'
export type { WebhookKey } from './stores/sql/shop-rows.ts'
export type { ServiceFailureKind } from './stores/sql/tables/schema.ts'

/**
 * The commands of a store. Each one happens completely or not at all, and its result is on disk. All but the two look-ups by token name the
 * shop first.
 *
 * Commands that change a shop, or a payment by hand, write the entry of the audit trail in the commit of the change: `by` is its author, by
 * default `provider`. A command without a change writes no entry.
 *
 * Every command rejects with a `StoreUnavailable` if the store cannot be reached.
 */
export type StorePort = Store & PortOf<ReturnType<typeof sqlCommands>>

type Result<Name extends 'countAll' | 'countWaiting' | 'lanes'> = Awaited<ReturnType<StorePort[Name]>>

export type Counts = Result<'countAll'>
export type Waiting = Result<'countWaiting'>[number]
export type LaneRecord = Result<'lanes'>[number]
export type ServiceFailureKey = Pick<ServiceFailures, 'kind' | 'adapter' | 'shopId'>

import type { ServiceFailures } from './payments/commands/checks.ts'
import type { PortOf } from './store/query.ts'
import type { Store } from './store.ts'
import type { sqlCommands } from './store-commands.ts'

export type { AnomalyCause, AnomalyChoice } from './payments/commands/anomalies.ts'
export type { ServiceFailures } from './payments/commands/checks.ts'
export type { PrunePayments } from './payments/commands/erasure.ts'
export type { NamedBy, PaymentFilter } from './payments/commands/find.ts'
export type { HandReport } from './payments/commands/payments.ts'
export type { ClaimedPush, Push, PushRecord } from './payments/commands/push-records.ts'
export type { SettledPush } from './payments/commands/pushes.ts'
export type { Claim } from './queue/lane-claims.ts'
export type { LaneKind, Outage } from './queue/lanes.ts'
export type { BreakerKey, BreakerRecord, EndedBreaker, OpenedBreaker } from './rates/commands/breakers.ts'
export type { AskedRates } from './rates/commands/questions.ts'
export type { NewWebhookKey, WebhookKey } from './shops/commands/addresses.ts'
export type { Minute, MinuteSum } from './shops/commands/console.ts'
export type { DriftRecord } from './shops/commands/drifts.ts'
export type { StoredImage } from './shops/commands/images.ts'
export type { ShopStart } from './shops/commands/new-shops.ts'
export type { ShopStanding, ShopState } from './shops/commands/standings.ts'
export type { NodeRuns, NodeSeen } from './store/columns.ts'
export type { CopyMark } from './store/nodes.ts'
export type {
  Delivered,
  Deliveries,
  DeliveryCall,
  OwedWebhook,
  WebhookState,
} from './webhooks/commands/deliveries.ts'
export type { LaneFailure, LaneFilter } from './webhooks/commands/lane-commands.ts'

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

type Result<Name extends 'countAll' | 'lanes'> = Awaited<ReturnType<StorePort[Name]>>

export type Counts = Result<'countAll'>
export type LaneRecord = Result<'lanes'>[number]
export type ServiceFailureKey = Pick<ServiceFailures, 'kind' | 'adapter' | 'shopId'>

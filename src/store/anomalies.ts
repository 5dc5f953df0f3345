import type { AnomalyKind } from '../payments/anomaly-kinds.ts'

/** Anomalies of one kind and adapter have one cause while no pause between them is longer than this, in milliseconds. */
export const sameCauseWithin = 30 * 60_000

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
  /** The money of one anomaly; not set where it has none, or there are several. */
  expected?: string | undefined
  received?: string | undefined
  stake?: string | undefined
  currency?: string | undefined
  /** The next step, for a person. */
  remedy: string
}

export interface AnomalyChoice {
  kind: AnomalyKind
  adapter?: string | undefined
  shopId?: string | undefined
  /** Only those opened before this moment. */
  before: number
  limit: number
}

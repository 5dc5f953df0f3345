import type { Anomaly, OpenedAnomaly } from '../payments/anomalies.ts'
import type { AnomalyKind } from '../payments/anomaly-kinds.ts'

/** Anomalies of one kind and adapter have one cause while no pause between them is longer than this, in milliseconds. */
export const sameCauseWithin = 30 * 60_000

/** Stores anomalies: events that need review until a person closes them. */
export interface AnomalyStore {
  /** Opens an anomaly of an event. Resolves with whether it is new: one that is open or closed stays as it is. */
  openAnomaly(shopId: string, orderId: string, anomaly: Anomaly, now: number): Promise<boolean>
  /** Resolves with `undefined` when there is no such anomaly. */
  closeAnomaly(id: string, note: string, now: number, by?: string): Promise<OpenedAnomaly | undefined>
  /** Open anomalies by cause, oldest first. */
  anomalyCauses(filter: CauseFilter): Promise<AnomalyCause[]>
  /** Up to `limit` matching open anomalies, oldest first. */
  chooseAnomalies(choice: AnomalyChoice): Promise<OpenedAnomaly[]>
  /** Closes up to `limit` matching open anomalies, each with an entry in the audit trail. Resolves with their number. */
  closeAnomalies(choice: AnomalyChoice, note: string, now: number, by?: string): Promise<number>
  /** The number of causes by kind, of the newest open anomalies, at most as many as `newest`. `within` as in `CauseFilter`. */
  countCauses(among: { within: number; newest: number }): Promise<Partial<Record<AnomalyKind, number>>>
  /** The number of open anomalies by kind. */
  countAnomalies(): Promise<Partial<Record<AnomalyKind, number>>>
  /** Anomalies, oldest first. */
  anomalies(filter: AnomalyFilter): Promise<OpenedAnomaly[]>
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

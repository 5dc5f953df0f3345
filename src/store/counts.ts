import type { AnomalyKind } from '../payments/anomalies.ts'
import type { Waiting } from './lanes.ts'

/** The number of owed and dead webhooks, and the time since which the oldest is owed, in milliseconds since 1970. */
export interface WebhookCounts {
  owed: number
  dead: number
  owedSince: number | undefined
}

export interface Counts {
  webhooks: WebhookCounts
  anomalies: Partial<Record<AnomalyKind, number>>
  /** The number of causes of these anomalies by kind. */
  causes: Partial<Record<AnomalyKind, number>>
  unread: number
  waiting: Waiting[]
}

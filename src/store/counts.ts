import type { AnomalyStore } from './anomalies.ts'
import type { LaneStore } from './lanes.ts'
import type { WebhookStore } from './webhooks.ts'

export interface CountStore {
  /** The results of `countWebhooks`, `countAnomalies`, `countCauses`, `countUnread` and `countWaiting`, read at one moment. */
  countAll(now: number): Promise<Counts>
}

export interface Counts {
  webhooks: Awaited<ReturnType<WebhookStore['countWebhooks']>>
  anomalies: Awaited<ReturnType<AnomalyStore['countAnomalies']>>
  /** The number of causes of these anomalies by kind. */
  causes: Awaited<ReturnType<AnomalyStore['countCauses']>>
  unread: number
  waiting: Awaited<ReturnType<LaneStore['countWaiting']>>
}

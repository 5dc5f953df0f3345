import { hash } from 'node:crypto'
import type { Anomaly } from './status.ts'

/** Something about a payment that needs review, until a person closes it. */
export interface OpenedAnomaly extends Anomaly {
  /** Short enough for people to type: ten letters and digits. */
  id: string
  shopId: string
  orderId: string
  /** Milliseconds since 1970. */
  openedAt: number
  closedAt: number | undefined
  /** The note of the person who closed it. */
  note: string | undefined
}

/** The same anomaly has the same id in every process. */
export const anomalyId = (shopId: string, orderId: string, { kind, attemptId }: Anomaly): string =>
  hash('sha256', JSON.stringify([shopId, orderId, attemptId, kind]), 'hex').slice(0, 10)

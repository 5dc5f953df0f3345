import { hash } from 'node:crypto'
import type { Anomaly } from './status.ts'

/** Something that contradicts itself, until a person has looked at it and closed it. */
export interface OpenedAnomaly extends Anomaly {
  /** For people to name it by: ten letters and digits. */
  id: string
  shopId: string
  orderId: string
  /** Milliseconds since 1970. */
  openedAt: number
  closedAt: number | undefined
  /** What the person who closed it wrote. */
  note: string | undefined
}

/** The same contradiction has the same id in every process. */
export const anomalyId = (shopId: string, orderId: string, { kind, attemptId }: Anomaly): string =>
  hash('sha256', JSON.stringify([shopId, orderId, attemptId, kind]), 'hex').slice(0, 10)

import { hash } from 'node:crypto'
import type { Decimal } from '../money/index.ts'
import { time } from '../printable.ts'
import type { AnomalyKind } from './anomaly-kinds.ts'

/** One event of a payment that needs review. */
export interface Anomaly {
  kind: AnomalyKind
  attemptId: string
  /**
   * The event: `charged_back #dp_1` is a movement with the service's own id, `paid =48.40 eur` a total, `received 10.00 eur` a figure
   * that was reached. Of one attempt and kind each event opens one anomaly, so closing one mutes no later one. Empty where there can be
   * one alone, such as a start of unknown outcome.
   */
  event: string
  /** The amount that the order owes, the amount that the attempt received, and the amount of the event. */
  expected?: Decimal
  received?: Decimal
  stake?: Decimal
  currency?: string
  /** Until when a dispute can be answered, in milliseconds since 1970. */
  answerBy?: number | undefined
}

type Named = Pick<Anomaly, 'kind' | 'attemptId' | 'event'>

export const isSame = (one: Named, other: Named): boolean =>
  one.kind === other.kind && one.attemptId === other.attemptId && one.event === other.event

/** An anomaly as it is kept, until a person closes it or its dispute ends. */
export interface OpenedAnomaly extends Anomaly {
  /** The next step for a person, in a sentence or two. */
  remedy: string
  /** For people to name it by: ten letters and digits. */
  id: string
  shopId: string
  orderId: string
  /** Milliseconds since 1970. */
  openedAt: number
  closedAt: number | undefined
  /** The note of the person who closed it, or the report that ended its dispute. */
  note: string | undefined
}

/** The same anomaly has the same id in every process. One without an event has the id that it had before there were events. */
export const anomalyId = (shopId: string, orderId: string, { kind, attemptId, event }: Named): string => {
  const names = [shopId, orderId, attemptId, kind, ...(event === '' ? [] : [event])]
  return hash('sha256', JSON.stringify(names), 'hex').slice(0, 10)
}

/** `48.40 eur of charged_back #dp_1, received 48.40, expected 48.40`: the money of an anomaly; empty where it has none. */
export function anomalyWords({ event, expected, received, stake, currency, answerBy }: Anomaly): string {
  if (stake === undefined) return event
  const until = answerBy === undefined ? '' : `, answer by ${time(answerBy)}`
  return `${stake} ${currency} of ${event}, received ${received}, expected ${expected}${until}`
}

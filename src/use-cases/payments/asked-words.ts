import type { Attempt, Payment } from '../../payments/payment.ts'
import { time } from '../../printable.ts'
import type { StorePort } from '../../store.ts'

/** When the payment service of an attempt was asked last, what it answered, and when it is asked next. */
export interface ServiceAsked {
  attempt: string
  adapter: string
  /** Milliseconds since 1970; not set where it was not asked yet. */
  askedAt: number | undefined
  answer: string | undefined
  /** Never in the past. Not set where nothing is left to wait for. */
  nextAt: number | undefined
}

/** Of the attempts that were asked about or will be, the newest first. */
export async function servicesAsked(
  store: StorePort,
  payment: Payment,
  now: number,
): Promise<ServiceAsked[]> {
  const next = await store.nextChecks(payment.shopId, payment.orderId)
  const isShown = ({ id, asked }: Attempt) => asked !== undefined || next[id] !== undefined
  return payment.attempts
    .toReversed()
    .filter(isShown)
    .map(({ id, adapter, asked }) => ({
      attempt: id,
      adapter,
      askedAt: asked?.at,
      answer: asked?.answer,
      nextAt: next[id] === undefined ? undefined : Math.max(next[id], now),
    }))
}

/** `asked 2026-03-02 10:00:05: pending; next 2026-03-02 10:05:00` */
export function askedWords({ askedAt, answer, nextAt }: ServiceAsked): string {
  const last = askedAt === undefined ? 'not asked yet' : `asked ${time(askedAt)}: ${answer}`
  return nextAt === undefined ? `${last}; not asked again` : `${last}; next ${time(nextAt)}`
}

import type { Attempt, Payment } from '../../payments/payment.ts'
import { checkLease } from '../../payments/schedule.ts'
import { time } from '../../printable.ts'
import type { NextCheck, StorePort } from '../../store-port.ts'

/** No check takes longer, in milliseconds: its process may have died. */
const longestCheck = 60_000

/** When the payment service of an attempt was asked last, what it answered, and when it is asked next. */
export interface ServiceAsked {
  attempt: string
  adapter: string
  /** Milliseconds since 1970; not set where it was not asked yet. */
  askedAt: number | undefined
  answer: string | undefined
  /** Since when a process asks it now. */
  underWaySince: number | undefined
  /** Never in the past. Not set where nothing is left to wait for, and while it is asked, unless that takes over a minute. */
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
      ...nextOf(next[id], now),
    }))
}

/** The time of a check that is under way is the end of its lease. */
function nextOf(next: NextCheck | undefined, now: number): Pick<ServiceAsked, 'underWaySince' | 'nextAt'> {
  if (!next) return { underWaySince: undefined, nextAt: undefined }
  const { at, beganAt } = next
  if (beganAt === undefined || at !== beganAt + checkLease || now >= at)
    return { underWaySince: undefined, nextAt: Math.max(at, now) }
  return { underWaySince: beganAt, nextAt: now - beganAt > longestCheck ? at : undefined }
}

/** `asked 2026-03-02 10:00:05: pending; next 2026-03-02 10:05:00`, or `...; check under way since 2026-03-02 10:05:00`. */
export function askedWords(asked: ServiceAsked): string {
  const { askedAt, answer } = asked
  return `${askedAt === undefined ? 'not asked yet' : `asked ${time(askedAt)}: ${answer}`}; ${nextWords(asked)}`
}

function nextWords({ underWaySince, nextAt }: ServiceAsked): string {
  if (underWaySince === undefined) return nextAt === undefined ? 'not asked again' : `next ${time(nextAt)}`
  const died = nextAt === undefined ? '' : `; if its process has died, another one asks ${time(nextAt)}`
  return `check under way since ${time(underWaySince)}${died}`
}

import type { Decimal } from '../money/index.ts'
import { isMoneyWord, type PaymentMode, type ReportWord, type Statement } from './report.ts'

/** Where a fact comes from: the adapter's start, page, return, status, cancel, refund or capture, a push, a report of the provider's own code, or the clock. */
export type FactSource =
  | 'start'
  | 'page'
  | 'return'
  | 'status'
  | 'cancel'
  | 'refund'
  | 'capture'
  | 'push'
  | 'report'
  | 'expiry'

/** One thing learned about an attempt. Facts are only ever added. Money with an event is a movement, without one a total. */
export interface Fact {
  kind: ReportWord
  /** The payment service's own id. */
  event?: string
  /** With words about money. */
  amount?: Decimal
  currency?: string
  /** Whether real money moved, where the payment service says so. */
  mode?: PaymentMode
  source: FactSource
  /** When it was learned, in milliseconds since 1970. */
  at: number
  /** When it happened, by the payment service. */
  happenedAt?: number
  /** Until when a dispute can be answered. */
  answerBy?: number
  detail?: string
  /** The event is on record with other money: this one counts as nothing. */
  conflicts?: true
}

export const factOf = (statement: Statement, source: FactSource, at: number): Fact => {
  const { word: kind, event, amount, currency, mode, happenedAt, answerBy, detail } = statement
  return { kind, event, amount, currency, mode, source, at, happenedAt, answerBy, detail }
}

/** Two facts of an attempt with the same key are one fact, reported twice. */
export function factKey(fact: Omit<Fact, 'source' | 'at'>): string {
  const { kind, event, amount, currency, mode, detail, conflicts } = fact
  const money = [amount, currency, mode].filter((part) => part !== undefined).join(' ')
  if (conflicts) return `${kind} ${money} #${event}`
  if (event !== undefined) return `${kind} #${event}`
  if (isMoneyWord(kind)) return `${kind} =${money}`
  return kind === 'unknown' && detail !== undefined ? `${kind} ${detail}` : kind
}

/** Those that are about money, and which of them count. */
export const isMoney = (fact: Fact): fact is Fact & { amount: Decimal; currency: string } =>
  isMoneyWord(fact.kind) && fact.conflicts === undefined

/** So many unknown words and names are kept of an attempt: a service that makes up another one each time fills no store. */
const limited: readonly ReportWord[] = ['unknown', 'named']
const most = 20

/**
 * Returns the part of a fact that is new, given those on record. An event that comes again with other money conflicts: the first one stands, and this
 * one is kept beside it. `undefined` when it is known.
 */
export function newFact(known: readonly Fact[], fact: Fact, attemptMode: PaymentMode): Fact | undefined {
  const key = factKey(fact)
  const same = known.find((one) => factKey(one) === key)
  if (!same) {
    const full = limited.includes(fact.kind) && known.filter(({ kind }) => kind === fact.kind).length >= most
    return full ? undefined : fact
  }
  if (!isMoneyWord(fact.kind) || fact.event === undefined) return undefined
  const mode = (one: Fact) => one.mode ?? attemptMode
  const agrees = same.amount === fact.amount && same.currency === fact.currency && mode(same) === mode(fact)
  if (agrees) return undefined
  const conflict: Fact = { ...fact, conflicts: true }
  const conflictKey = factKey(conflict)
  return known.some((one) => factKey(one) === conflictKey) ? undefined : conflict
}

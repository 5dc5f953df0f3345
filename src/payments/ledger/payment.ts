import type { PaymentStatus } from '../../contract/index.ts'
import type { Decimal } from '../../money/index.ts'
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

/**
 * One thing learned about an attempt: what a statement says, and when and from whom. Facts are only ever added. Money with an event is a
 * movement, without one a total.
 */
export interface Fact
  extends Pick<Statement, 'event' | 'amount' | 'currency' | 'mode' | 'happenedAt' | 'answerBy' | 'detail'> {
  kind: ReportWord
  source: FactSource
  /** When it was learned, in milliseconds since 1970. */
  at: number
  /** The event is on record with other money: this one counts as nothing. */
  conflicts?: true
  /** The process that learned it. */
  node?: string
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

/** The order of a shop. */
export interface OrderRef {
  /** The id of the shop. Default `default`. */
  shop?: string
  /** The platform's id of the order. */
  orderId: string | number
}

/** The payment of one shop's order. Its key is shop and order id; its status is derived from the facts of its attempts. */
export interface Payment {
  shopId: string
  orderId: string
  status: PaymentStatus
  /** Counts the changes of status that owe the platform a webhook. */
  statusVersion: number
  /** The version at the start of the last delivered webhook. If lower than `statusVersion`, a webhook is owed. */
  deliveredVersion: number
  /**
   * The version that the platform last read with GET payment/{order_id}, and when. If lower than `deliveredVersion`, the shop has not read
   * it yet.
   */
  readVersion: number
  readAt: number | undefined
  /** Milliseconds since 1970; `changedAt` is when the status last changed. */
  openedAt: number
  changedAt: number
  redirectUrl: string
  webhookUrl: string
  /** The attempt whose money made it paid. Set once, and never changed. */
  paidBy: string | undefined
  /** Oldest first. */
  attempts: Attempt[]
}

/** One POST /payment with its amount, currency, method and addresses. */
export interface Attempt {
  /** Begins with the shop: `default.4nF...`. */
  id: string
  shopId: string
  orderId: string
  orderNumber: string | undefined
  adapter: string
  methodId: string
  amount: Decimal
  currency: string
  /** Whether it moves real money. */
  mode: PaymentMode
  /** As its adapter declared when it was opened: an authorisation counts as money. */
  authorisedIsPaid: boolean
  /** So much less than the amount pays it as well. */
  underpaidBy: Decimal | undefined
  /** Of the order's call; empty where it names none. */
  language: string
  /** Sent to the payment service, so that starting twice opens one session: 30 characters of `A-Z`, `a-z`, `0-9`, `-` and `_`. */
  idempotencyKey: string
  pageHash: string
  /** The next step. Not set while the outcome of `start` is unknown. */
  started: AttemptStart | undefined
  /** Milliseconds since 1970. */
  openedAt: number
  expiresAt: number
  /** When it is checked next; while a process checks it, the end of its lease. Not set once nothing is left to wait for. */
  checkAt: number | undefined
  /** The last report of its payment service while the attempt goes on, and its time. */
  lastWord: LastWord | undefined
  facts: Fact[]
  /** The last answer of its payment service. Not set before it is asked. */
  asked: ServiceAnswer | undefined
  /** Where its customer is on the hosted page, sealed. */
  pageState?: string | undefined
}

export interface LastWord {
  /** `open`: the customer has not finished. `working`: the payment service is at it, or holds an authorisation. */
  is: 'open' | 'working'
  /** Milliseconds since 1970, by the payment service where it says so. */
  at: number
}

/** The answer of a payment service that was asked for the status of an attempt. */
export interface ServiceAnswer {
  /** Milliseconds since 1970. */
  at: number
  /** Such as `pending`, or `failed: no answer within 2000 ms`. */
  answer: string
}

export interface AttemptStart {
  /** `redirect`: the payment service's own page. `page`: ours. `later`: the customer pays without a page. */
  how: 'redirect' | 'page' | 'later'
  paymentUrl: string | undefined
  /** From this moment a repeated POST /payment opens a new attempt. */
  urlExpiresAt: number | undefined
  /** The payment service's reference. */
  reference: string | undefined
  /** The data that `start` kept with the attempt. */
  sealedData?: string | undefined
}

/** An attempt in a line of the log. */
export function aboutAttempt({ shopId: shop, orderId: order, id: attempt }: Attempt) {
  return { shop, order, attempt }
}

export const newestAttempt = (payment: Payment): Attempt | undefined => payment.attempts.at(-1)

/**
 * Random names begin with their time, so that the newest are adjacent in a store: in an index of a million random names each one touches
 * another page.
 */
export const inOrder = (now: number, random: string): string => `${now.toString(36)}${random}`

/** The moment of a name that `inOrder` made; some other number, or `undefined`, for other texts. */
export const momentOf = (name: string): number | undefined =>
  /^[\da-z]{8}/.test(name) ? Number.parseInt(name.slice(0, 8), 36) : undefined

/** Attempt ids are `{shop}.{moment}{random}`. The random part is base64url, which has `-` and `_`, but no dot. */
export const newAttemptId = (shopId: string, now: number, random: string): string =>
  `${shopId}.${inOrder(now, random)}`

/** The shop an attempt id belongs to. */
export const shopOfAttempt = (attemptId: string): string =>
  attemptId.slice(0, Math.max(0, attemptId.lastIndexOf('.')))

/** Characters that look or sound like another one, and what stands for them in a code. */
const [alike, apart] = ['ilou', 'wxyz']

/** The name of an attempt that a customer can read aloud, such as `1K4-M2P-7QZ`: its moment. Attempts of one millisecond share it. */
export function codeOf({ openedAt }: Pick<Attempt, 'openedAt'>): string {
  const digits = openedAt.toString(32).replaceAll(/[ilou]/g, (letter) => apart[alike.indexOf(letter)]!)
  return digits.toUpperCase().replaceAll(/...(?=.)/g, '$&-')
}

/** The moment of a code, however it was written down; `undefined` for other texts. */
export function momentOfCode(text: string): number | undefined {
  const digits = text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  if (!/^[\da-hjkmnp-tv-z]{9}$/.test(digits)) return undefined
  return Number.parseInt(
    digits.replaceAll(/[w-z]/g, (letter) => alike[apart.indexOf(letter)]!),
    32,
  )
}

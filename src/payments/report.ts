import type { Decimal } from '../money/index.ts'

/** Words that move, authorise or dispute money. They name amount and currency. */
export const moneyWords = [
  'authorised',
  'paid',
  'refunded',
  'refund_failed',
  'disputed',
  'charged_back',
  'chargeback_won',
] as const
/**
 * Words about where a payment stands. `open`: the customer has not finished, and it expires by its own time. `pending`: the payment
 * service works on it, and it never expires by our clock. `named` changes nothing: its `event` is a name by which people find the payment.
 */
export const stateWords = ['open', 'pending', 'failed', 'cancelled', 'expired', 'named', 'unknown'] as const

/** Words of reports about money: with an amount and a currency. */
export type MoneyWord = (typeof moneyWords)[number]
/** Words of reports that no money moves with. */
export type StateWord = (typeof stateWords)[number]
/** The word of a report about an attempt. */
export type ReportWord = MoneyWord | StateWord

/** Whether real money moves. */
export type PaymentMode = 'test' | 'live'

/** Details that every report may have. */
export interface ReportDetails {
  /** When it happened, by the payment service. */
  at?: Date
  /** From when on the attempt may expire, where the payment service says so. */
  expiresAt?: Date
  /** Until when the dispute can be answered, with `disputed` or `charged_back`. */
  answerBy?: Date
  /** The service's own word or reason. 200 characters of it are kept. */
  detail?: string
  /** Whether real money moved. Default: as the attempt. Money of the other mode counts as nothing. */
  mode?: PaymentMode
}

/** One movement of money, or a total of it. */
export interface MoneyReport extends ReportDetails {
  status: MoneyWord
  /** In `currency`: a number, or decimal text such as `'29.34'`. */
  amount: Decimal | number
  currency: string
  /**
   * The service's own id of the transfer, capture, refund or dispute: the report is a movement, which counts once however often it
   * is reported. Without it, `amount` is a total: at least this much in all. `disputed` needs it.
   */
  event?: string
}

/** Where a payment stands, without money. */
export interface StateReport extends ReportDetails {
  status: StateWord
  /** The service's own id of the event. Default: none. With `named` the name: 20 are kept of an attempt. */
  event?: string
}

/** The answer of a payment service that is asked: several totals at once, gross, so that none ever falls. */
export interface Snapshot extends ReportDetails {
  status: Exclude<ReportWord, 'refund_failed' | 'disputed' | 'named'>
  totals: Partial<Record<SnapshotTotal, Decimal | number>>
  currency: string
}

/** A statement of a payment service, or of the provider's own code, about a payment. */
export type PaymentReport = MoneyReport | StateReport | Snapshot

/** One report, or several of one payment. */
export type PaymentReports = PaymentReport | readonly PaymentReport[]

/** The names of a snapshot's totals, and the words that they are totals of. */
export const totalWords = {
  received: 'paid',
  refunded: 'refunded',
  chargedBack: 'charged_back',
  chargebackWon: 'chargeback_won',
  authorised: 'authorised',
} as const satisfies Record<string, MoneyWord>
/** The totals of a snapshot, gross. */
export type SnapshotTotal = keyof typeof totalWords

/** One thing that a report says, checked. Money without an event is a total. */
export interface Statement {
  word: ReportWord
  event?: string
  amount?: Decimal
  /** Three letters in lower case. */
  currency?: string
  mode?: PaymentMode
  /** Milliseconds since 1970. */
  happenedAt?: number
  expiresAt?: number
  answerBy?: number
  detail?: string
  /** The status of a report, where it is not on the list: its `word` is `unknown`. */
  unlisted?: string
  /** A total beside the status of a snapshot: it says nothing of what the attempt waits for. */
  beside?: true
}

export const isMoneyWord = (word: unknown): word is MoneyWord => moneyWords.some((one) => one === word)
export const isStateWord = (word: unknown): word is StateWord => stateWords.some((one) => one === word)

/** The word itself, or the payment service's own where the adapter does not know it. */
export const saidWord = ({ word, detail }: Statement): string => (word === 'unknown' && detail) || word

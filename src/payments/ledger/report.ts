import { didYouMean } from '../../checked-options.ts'
import { wrongCall } from '../../errors/errors.ts'
import {
  currencyDigits,
  type Decimal,
  decimal,
  isCurrency,
  readDecimal,
  roundToCurrency,
} from '../../money/index.ts'

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
const totalWords = {
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
  /** The payment service's own id. */
  event?: string
  /** With words about money. */
  amount?: Decimal
  /** Three letters in lower case. */
  currency?: string
  /** Whether real money moved, where the payment service says so. */
  mode?: PaymentMode
  /** When it happened, by the payment service, in milliseconds since 1970. */
  happenedAt?: number
  expiresAt?: number
  /** Until when a dispute can be answered. */
  answerBy?: number
  detail?: string
  /** The status of a report, where it is not on the list: its `word` is `unknown`. */
  unlisted?: string
  /** A total beside the status of a snapshot: it says nothing of what the attempt waits for. */
  beside?: true
}

export const isMoneyWord = (word: unknown): word is MoneyWord => moneyWords.some((one) => one === word)
const isStateWord = (word: unknown): word is StateWord => stateWords.some((one) => one === word)

/** The word itself, or the payment service's own where the adapter does not know it. */
export const saidWord = ({ word, detail }: Statement): string => (word === 'unknown' && detail) || word

/**
 * Reads what an adapter reports, one report or several, into what it says. A word that is not on the list is `unknown`. Throws
 * `ARGUMENT_INVALID` for an invalid amount, currency, event, time or mode, and then reads none of the reports. An amount is 0 or more, in a
 * currency that exists, with its digits.
 */
export function readReports(reports: PaymentReports): Statement[] {
  return (Array.isArray(reports) ? reports : [reports]).flatMap(readReport)
}

function readReport(report: unknown): Statement[] {
  if (typeof report !== 'object' || report === null) {
    throw wrongCall('A report must be an object such as { status: "paid", amount: "12.50", currency: "eur" }')
  }
  const { status, totals, amount, currency, event, mode } = report as Record<string, unknown>
  const details = detailsOf(report as Record<string, unknown>)
  if ((status === 'disputed' || status === 'named') && event === undefined)
    throw wrongCall(`A report of "${status}" needs the id of the dispute, or the name, as its \`event\``)
  if (totals !== undefined) {
    if (event !== undefined || amount !== undefined)
      throw wrongCall('A report takes either `totals`, or `amount` and `event`: give two reports')
    return readSnapshot(report, details)
  }
  if (!isMoneyWord(status)) return [{ ...readState(status, details), event: readEvent(event) }]
  const money = { ...readMoney(amount, currency, `amount of "${status}"`), mode: readMode(mode) }
  return [{ word: status, event: readEvent(event), ...money, ...details }]
}

type Details = Pick<Statement, 'happenedAt' | 'expiresAt' | 'answerBy' | 'detail'>

function readSnapshot(report: object, details: Details): Statement[] {
  const { status, totals, currency, mode } = report as Record<string, unknown>
  if (typeof totals !== 'object' || totals === null) {
    throw wrongCall('`totals` must be an object of amounts, such as { received: "12.50" }')
  }
  const statements: Statement[] = []
  for (const [name, amount] of Object.entries(totals)) {
    if (!Object.hasOwn(totalWords, name))
      throw wrongCall(`\`totals\` takes only ${Object.keys(totalWords).join(', ')}`)
    if (amount === undefined) continue
    const word = totalWords[name as SnapshotTotal]
    const money = { ...readMoney(amount, currency, `totals.${name}`), mode: readMode(mode) }
    const statement = { word, ...money, ...details }
    if (word === status) statements.push(statement)
    else if (decimal(money.amount).gt(0)) statements.push({ ...statement, beside: true })
  }
  if (!isMoneyWord(status)) return [...statements, readState(status, details)]
  if (statements.some(({ word }) => word === status)) return statements
  throw wrongCall(`A report of "${status}" with \`totals\` needs the total of it`)
}

function readState(status: unknown, details: Details): Statement {
  if (isStateWord(status)) return { word: status, ...details }
  if (typeof status !== 'string' || status === '') throw wrongCall('A report needs a `status`')
  const unlisted = readDetail(status)
  return { word: 'unknown', ...details, detail: details.detail ?? unlisted, unlisted }
}

function readMoney(amount: unknown, currency: unknown, what: string) {
  if (!isCurrency(currency)) throw wrongCall(`The ${what} needs a currency of ISO 4217, such as "eur"`)
  const read = readDecimal(amount)
  if (read === undefined || decimal(read).lt(0))
    throw wrongCall(`The ${what} must be a number of 0 or more, or a decimal string such as "12.50"`)
  const written = roundToCurrency(read, currency)
  // Never rounded into a match.
  if (!decimal(written).eq(read))
    throw wrongCall(`The ${what} has more than the ${currencyDigits(currency)} decimals of its currency`)
  return { amount: written, currency: currency.toLowerCase() }
}

function readEvent(event: unknown): string | undefined {
  if (event === undefined) return undefined
  if (typeof event === 'string' && /^\P{C}{1,255}$/u.test(event) && event.trim() !== '') return event
  throw wrongCall('`event` must be an id of the payment service: text of 1 to 255 printable characters')
}

function readMode(mode: unknown): PaymentMode | undefined {
  if (mode === undefined || mode === 'test' || mode === 'live') return mode
  throw wrongCall('`mode` must be "test" or "live"')
}

function detailsOf({ at, expiresAt, answerBy, detail }: Record<string, unknown>): Details {
  return {
    happenedAt: readTime('at', at),
    expiresAt: readTime('expiresAt', expiresAt),
    answerBy: readTime('answerBy', answerBy),
    detail: typeof detail === 'string' ? readDetail(detail) : undefined,
  }
}

/** So many characters of a detail are kept. */
export const longestDetail = 200

/** On one line, so that a log and a table can show it. */
export const readDetail = (text: string): string => text.slice(0, longestDetail).replaceAll(/\p{C}/gu, ' ')

function readTime(name: string, time: unknown): number | undefined {
  if (time === undefined) return undefined
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.getTime()
  throw wrongCall(`\`${name}\` is a Date`)
}

/** Whether it is about money that goes back. */
export const goesBack = ({ word, beside }: Statement): boolean =>
  !beside && isMoneyWord(word) && word !== 'authorised' && word !== 'paid'

/** Finds what looks wrong in a report of an attempt: a status that is not on the list, or an amount in cents. */
export function oddityOf(
  { unlisted, word, amount, currency }: Statement,
  attempt: { amount: Decimal; currency: string },
): string | undefined {
  if (unlisted !== undefined)
    return `its status "${unlisted}" is unknown and changes nothing: ${didYouMean(unlisted, [...moneyWords, ...stateWords])}`
  if (amount === undefined || currency === undefined || (word !== 'paid' && word !== 'authorised'))
    return undefined
  const units = 10 ** currencyDigits(currency)
  const isInUnits = currency === attempt.currency && units > 1 && Number(amount) !== 0
  if (!isInUnits || !decimal(amount).eq(decimal(attempt.amount).times(units))) return undefined
  return `its amount of ${decimal(amount).toFixed()} is ${units} times that of the order: did you mean ${attempt.amount}?`
}

import { wrongCall } from '../errors.ts'
import { currencyDigits, decimal, isCurrency, readDecimal, roundToCurrency } from '../money/index.ts'
import {
  isMoneyWord,
  isStateWord,
  type PaymentMode,
  type PaymentReports,
  type SnapshotTotal,
  type Statement,
  totalWords,
} from './report.ts'

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
    throw wrongCall('A report is an object such as { status: "paid", amount: "12.50", currency: "eur" }')
  }
  const { status, totals, amount, currency, event, mode } = report as Record<string, unknown>
  const details = detailsOf(report as Record<string, unknown>)
  if ((status === 'disputed' || status === 'named') && event === undefined)
    throw wrongCall(`A report of "${status}" has the id of the dispute, or the name, as its \`event\``)
  if (totals !== undefined) {
    if (event !== undefined || amount !== undefined)
      throw wrongCall('A report has either `totals` or `amount` and `event`: give two reports')
    return readSnapshot(status, totals, currency, mode, details)
  }
  if (!isMoneyWord(status)) return [{ ...readState(status, details), event: readEvent(event) }]
  const money = { ...readMoney(amount, currency, `amount of "${status}"`), mode: readMode(mode) }
  return [{ word: status, event: readEvent(event), ...money, ...details }]
}

type Details = Pick<Statement, 'happenedAt' | 'expiresAt' | 'answerBy' | 'detail'>

function readSnapshot(
  status: unknown,
  totals: unknown,
  currency: unknown,
  mode: unknown,
  details: Details,
): Statement[] {
  if (typeof totals !== 'object' || totals === null) {
    throw wrongCall('`totals` holds amounts, such as { received: "12.50" }')
  }
  const statements: Statement[] = []
  for (const [name, amount] of Object.entries(totals)) {
    if (!Object.hasOwn(totalWords, name))
      throw wrongCall(`\`totals\` holds ${Object.keys(totalWords).join(', ')} and nothing else`)
    if (amount === undefined) continue
    const word = totalWords[name as SnapshotTotal]
    const money = { ...readMoney(amount, currency, `totals.${name}`), mode: readMode(mode) }
    const statement = { word, ...money, ...details }
    if (word === status) statements.push(statement)
    else if (decimal(money.amount).gt(0)) statements.push({ ...statement, beside: true })
  }
  if (!isMoneyWord(status)) return [...statements, readState(status, details)]
  if (statements.some(({ word }) => word === status)) return statements
  throw wrongCall(`A snapshot with the status "${status}" gives the total of it`)
}

function readState(status: unknown, details: Details): Statement {
  if (isStateWord(status)) return { word: status, ...details }
  if (typeof status !== 'string' || status === '') throw wrongCall('A report names its `status`')
  const unlisted = readDetail(status)
  return { word: 'unknown', ...details, detail: details.detail ?? unlisted, unlisted }
}

function readMoney(
  amount: unknown,
  currency: unknown,
  what: string,
): Required<Pick<Statement, 'amount' | 'currency'>> {
  if (!isCurrency(currency)) throw wrongCall(`The ${what} needs a currency of ISO 4217, such as "eur"`)
  const read = readDecimal(amount)
  if (read === undefined || decimal(read).lt(0))
    throw wrongCall(`The ${what} is a number of 0 or more, or a decimal string such as "12.50"`)
  const written = roundToCurrency(read, currency)
  // Never rounded into a match.
  if (!decimal(written).eq(read))
    throw wrongCall(`The ${what} has more than the ${currencyDigits(currency)} digits of its currency`)
  return { amount: written, currency: currency.toLowerCase() }
}

function readEvent(event: unknown): string | undefined {
  if (event === undefined) return undefined
  if (typeof event === 'string' && /^\P{C}{1,255}$/u.test(event) && event.trim() !== '') return event
  throw wrongCall('`event` is an id of the payment service: a text of 1 to 255 printable characters')
}

function readMode(mode: unknown): PaymentMode | undefined {
  if (mode === undefined || mode === 'test' || mode === 'live') return mode
  throw wrongCall('`mode` is "test" or "live"')
}

function detailsOf({ at, expiresAt, answerBy, detail }: Record<string, unknown>): Details {
  return {
    happenedAt: readTime('at', at),
    expiresAt: readTime('expiresAt', expiresAt),
    answerBy: readTime('answerBy', answerBy),
    detail: typeof detail === 'string' ? readDetail(detail) : undefined,
  }
}

/** On one line, so that a log and a table can show it. */
export const readDetail = (text: string): string => text.slice(0, 200).replaceAll(/\p{C}/gu, ' ')

function readTime(name: string, time: unknown): number | undefined {
  if (time === undefined) return undefined
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.getTime()
  throw wrongCall(`\`${name}\` is a Date`)
}

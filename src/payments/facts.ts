import { wrongCall } from '../errors.ts'
import { type Decimal, readDecimal, roundToCurrency } from '../money/index.ts'

/** The kinds of fact about an attempt. Facts are only ever added, and their order never matters. */
const factKinds = ['pending', 'authorised', 'paid', 'cancelled', 'expired', 'reversed', 'unknown'] as const
export type FactKind = (typeof factKinds)[number]

/** Whether a payment moves real money. */
export type PaymentMode = 'test' | 'live'

export interface Fact {
  kind: FactKind
  /** The amount, with `paid`, `authorised` and `reversed`. */
  amount?: Decimal
  currency?: string
  /** Whether real money moved, if the payment service says so. */
  mode?: PaymentMode
  /** The source: the adapter's start, page, status or cancel, a payment service's push, a report, or the clock. */
  source: 'start' | 'page' | 'status' | 'cancel' | 'push' | 'report' | 'expiry'
  /** Milliseconds since 1970. */
  at: number
  /** The payment service's word or reason, at most 200 characters. */
  detail?: string
}

/**
 * A statement about a payment by a payment service or the provider's own code. `paid`, `authorised` and `refunded` name the amount, because
 * it is compared with the amount of the order before anything counts as paid.
 */
export type PaymentReport =
  | {
      status: 'paid' | 'authorised' | 'refunded' | 'charged_back'
      amount: Decimal | number
      currency: string
      /** Whether real money moved. A report of the other mode does not count. */
      mode?: PaymentMode
      detail?: string
    }
  | { status: 'pending' | 'cancelled' | 'failed' | 'declined' | 'expired'; detail?: string }

const kinds: Record<PaymentReport['status'], FactKind> = {
  paid: 'paid',
  authorised: 'authorised',
  refunded: 'reversed',
  charged_back: 'reversed',
  pending: 'pending',
  cancelled: 'cancelled',
  failed: 'cancelled',
  declined: 'cancelled',
  expired: 'expired',
}

export const isReportStatus = (word: unknown): word is PaymentReport['status'] =>
  typeof word === 'string' && Object.hasOwn(kinds, word)

/**
 * Maps every report to a fact: an unknown word becomes `unknown`, which leaves the payment pending. Throws `ARGUMENT_INVALID`
 * if a required amount is missing.
 */
export function factOf(report: PaymentReport, source: Fact['source'], at: number): Fact {
  const kind = isReportStatus(report.status) ? kinds[report.status] : 'unknown'
  const detail = (report.detail ?? (kind === 'unknown' ? String(report.status) : undefined))?.slice(0, 200)
  if (kind !== 'paid' && kind !== 'authorised' && kind !== 'reversed') return { kind, source, at, detail }

  const { amount, currency, mode } = report as { amount?: unknown; currency?: unknown; mode?: unknown }
  const read = readDecimal(amount)
  if (
    read === undefined ||
    read.startsWith('-') ||
    typeof currency !== 'string' ||
    !/^[a-z]{3}$/i.test(currency)
  ) {
    throw wrongCall(`A report of "${report.status}" needs amount (0 or more) and currency (three letters)`)
  }
  return {
    kind,
    amount: withCurrencyDigits(read, currency),
    currency: currency.toLowerCase(),
    mode: mode === 'test' || mode === 'live' ? mode : undefined,
    source,
    at,
    detail,
  }
}

/** Two facts with the same key are one fact, reported twice. */
export const factKey = ({ kind, amount, currency, mode }: Omit<Fact, 'source' | 'at'>): string =>
  [kind, amount, currency, mode].join(' ').trimEnd()

/** `5` becomes `5.00`, and `5.001` stays: a report is never rounded into a match. */
function withCurrencyDigits(amount: Decimal, currency: string): Decimal {
  const rounded = roundToCurrency(amount, currency)
  return readDecimal(rounded) === amount ? rounded : amount
}

import { ledgerOf } from '../../src/payments/ledger/movements.ts'
import { learn } from '../../src/payments/ledger/moves.ts'
import { openAttempt } from '../../src/payments/ledger/open.ts'
import type { Payment } from '../../src/payments/ledger/payment.ts'
import { type PaymentReport, readReports } from '../../src/payments/ledger/report.ts'
import { open as attemptOf } from '../stores/cases/store-case.ts'
import type { Found } from './found.ts'

const letters = [
  ...(['open 40', 'open 100', 'paid in full', 'paid 60', 'cancelled', 'expired'] as const),
  ...(['paid first in full', 'expired first'] as const),
]
type Letter = (typeof letters)[number]

/** What must be true, kept apart from the code under test. Cents of each attempt: what it owes and what came. */
interface Model {
  attempts: { owes: number; full: boolean; parts: number; ended: 'cancelled' | 'expired' | undefined }[]
  settled: boolean
}

const moves = new Set([
  ...['pending paid', 'pending expired', 'pending cancelled', 'expired paid', 'cancelled paid'],
  ...['expired pending', 'cancelled pending', 'expired cancelled', 'cancelled expired'],
])

/** Every string of events up to the length, over one order with as many attempts as it opens. */
export function checkEventStrings(length: number): Found {
  const report: Found = { tries: 0, violations: [] }
  walk(open(undefined, 40, 0), { attempts: [fresh(40)], settled: false }, 'open 40', 1)
  return report

  function walk(payment: Payment, model: Model, text: string, depth: number): void {
    report.tries++
    for (const fault of faults(payment, model)) note(`${text}: ${fault}`)
    if (depth === length) return
    for (const letter of letters) {
      const next = apply(payment, model, letter, depth)
      const [from, to] = [payment.status, next.payment.status]
      const string = `${text}, ${letter}`
      if (from !== to && !moves.has(`${from} ${to}`)) note(`${string}: ${from} became ${to}`)
      const owes = from !== to && to !== 'pending'
      if (next.payment.statusVersion - payment.statusVersion !== (owes ? 1 : 0))
        note(`${string}: ${from} to ${to} owes ${owes ? 'a webhook' : 'nothing'}`)
      walk(next.payment, next.model, string, depth + 1)
    }
  }

  function note(violation: string): void {
    if (report.violations.length < 20) report.violations.push(violation)
  }
}

const ledgerReports = [
  { status: 'paid', amount: 100, event: 'c1' },
  { status: 'refunded', amount: 30, event: 'r1' },
  { status: 'refund_failed', amount: 30, event: 'r1' },
  { status: 'disputed', amount: 60, event: 'd1' },
  { status: 'charged_back', amount: 40, event: 'd1' },
  { status: 'charged_back', amount: 60, event: 'd2' },
  { status: 'chargeback_won', amount: 60, event: 'd1' },
  { status: 'chargeback_won', amount: 60, event: 'evt_9' },
] as const

/**
 * Every string of reports about money up to the length, in every order and with every repetition: the same reports come to the same ledger, net
 * is never above what was received, and of a dispute no more is won than it took.
 */
export function checkLedgerStrings(length: number): Found {
  const report: Found = { tries: 0, violations: [] }
  const ledgers = new Map<number, string>()
  const statements = ledgerReports.map((one) => readReports({ ...one, currency: 'eur' }))
  const among = (said: number) => ledgerReports.filter((_, at) => (said >> at) % 2 === 1)
  const reports = (said: number, status: string, event?: string) =>
    among(said)
      .filter((one) => one.status === status && one.event === (event ?? one.event))
      .reduce((sum, { amount }) => sum + amount, 0)
  walk(open(undefined, 100, 0), 0, 0)
  return report

  function walk(payment: Payment, said: number, depth: number): void {
    report.tries++
    const { received, chargedBack, chargebackWon, net } = ledgerOf(payment.attempts[0]!)
    const ledger = [received, chargedBack, chargebackWon, net].join(' ')
    if ((ledgers.get(said) ?? ledger) !== ledger)
      note(said, `${ledger}, and ${ledgers.get(said)} in another order`)
    ledgers.set(said, ledger)
    if (Number(net) > Number(received)) note(said, `net ${net} of ${received}`)
    if (Number(chargebackWon) > reports(said, 'charged_back'))
      note(said, `won ${chargebackWon} of ${chargedBack}`)
    const knows = reports(said, 'charged_back', 'd1') + reports(said, 'disputed') > 0
    if (knows && reports(said, 'chargeback_won', 'd1') > 0 && Number(chargebackWon) > 40)
      note(said, `d1 took 40 at most, and ${chargebackWon} is won`)
    if (depth === length) return
    for (const [at, one] of statements.entries()) {
      const learned = learn(payment, payment.attempts[0]!.id, one, { source: 'push', now: depth })
      walk(learned.payment, said | (1 << at), depth + 1)
    }
  }

  function note(said: number, violation: string): void {
    const words = among(said).map(({ status, event }) => `${status} #${event}`)
    if (report.violations.length < 20) report.violations.push(`${words.join(', ')}: ${violation}`)
  }
}

const fresh = (owes: number): Model['attempts'][number] => ({ owes, full: false, parts: 0, ended: undefined })

function apply(payment: Payment, model: Model, letter: Letter, at: number) {
  if (letter === 'open 40' || letter === 'open 100') {
    const owes = letter === 'open 40' ? 40 : 100
    const next = open(payment, owes, at)
    const isNew = next.attempts.length > model.attempts.length
    const attempts = isNew ? [...model.attempts, fresh(owes)] : model.attempts
    return { payment: next, model: settledBy({ ...model, attempts }) }
  }
  const place = letter.includes('first') ? 0 : model.attempts.length - 1
  const attempt = { ...model.attempts[place]! }
  const report = reportOf(letter, attempt.owes, at)
  if (letter === 'paid 60') attempt.parts++
  else if (letter.startsWith('paid')) attempt.full = true
  else if (letter === 'cancelled') attempt.ended = 'cancelled'
  else attempt.ended ??= 'expired'
  const { id } = payment.attempts[place]!
  const learned = learn(payment, id, readReports(report), { source: 'push', now: at })
  const attempts = model.attempts.with(place, attempt)
  return { payment: learned.payment, model: settledBy({ ...model, attempts }) }
}

function reportOf(letter: Letter, owes: number, at: number): PaymentReport {
  if (letter === 'paid 60') return { status: 'paid', amount: 60, currency: 'eur', event: `t${at}` }
  if (letter.startsWith('paid')) return { status: 'paid', amount: owes, currency: 'eur' }
  return { status: letter === 'cancelled' ? 'cancelled' : 'expired' }
}

function settledBy(model: Model): Model {
  const newest = model.attempts.at(-1)!.owes
  const settles = ({ owes, full, parts }: Model['attempts'][number]) =>
    Math.max(full ? owes : 0, 60 * parts) >= Math.max(owes, newest)
  return { ...model, settled: model.settled || model.attempts.some(settles) }
}

function faults(payment: Payment, { attempts, settled }: Model): string[] {
  const isLive = attempts.some(({ ended }) => ended === undefined)
  const expected = settled ? 'paid' : isLive ? 'pending' : attempts.at(-1)!.ended
  return payment.status === expected ? [] : [`${expected} is expected, and it is ${payment.status}`]
}

function open(payment: Payment | undefined, amount: number, now: number): Payment {
  const attemptId = `default.${payment?.attempts.length ?? 0}`
  const times = { now, expiresAt: now + 1_000_000, checkAt: now }
  return openAttempt(payment, attemptOf({ amount: `${amount}.00`, attemptId, ...times })).payment
}

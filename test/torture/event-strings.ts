import { factOf, type PaymentReport } from '../../src/payments/facts.ts'
import { learn, openAttempt } from '../../src/payments/ledger.ts'
import type { Payment } from '../../src/payments/payment.ts'

export interface StringsReport {
  strings: number
  violations: string[]
}

const letters = [
  'open 10',
  'open 100',
  'paid',
  'cancelled',
  'expired',
  'paid first',
  'expired first',
] as const
type Letter = (typeof letters)[number]

/** The expected state, kept apart from the code under test: the amounts of the attempts, and which of them were paid. */
interface Model {
  amounts: number[]
  paid: boolean[]
  ended: boolean[]
  settled: boolean
}

const moves = new Set([
  'pending paid',
  'pending expired',
  'pending cancelled',
  'expired paid',
  'cancelled paid',
  'expired pending',
  'cancelled pending',
  'expired cancelled',
  'cancelled expired',
])

/** Every string of events up to the length, over one order with as many attempts as it opens. */
export function checkEventStrings(length: number): StringsReport {
  const report: StringsReport = { strings: 0, violations: [] }
  const first = open(undefined, 10, 0)
  walk(first, { amounts: [10], paid: [false], ended: [false], settled: false }, 'open 10', 1)
  return report

  function walk(payment: Payment, model: Model, text: string, depth: number): void {
    report.strings++
    for (const said of faults(payment, model)) {
      if (report.violations.length < 20) report.violations.push(`${text}: ${said}`)
    }
    if (depth === length) return
    for (const letter of letters) {
      const next = apply(payment, model, letter, depth)
      const from = payment.status
      const to = next.payment.status
      const string = `${text}, ${letter}`
      if (from !== to && !moves.has(`${from} ${to}`))
        report.violations.push(`${string}: ${from} became ${to}`)
      const owes = from !== to && to !== 'pending'
      if (next.payment.statusVersion - payment.statusVersion !== (owes ? 1 : 0)) {
        report.violations.push(`${string}: ${from} to ${to} owes ${owes ? 'a call' : 'nothing'}`)
      }
      walk(next.payment, next.model, string, depth + 1)
    }
  }
}

function apply(
  payment: Payment,
  model: Model,
  letter: Letter,
  at: number,
): { payment: Payment; model: Model } {
  const [what, where] = letter.split(' ') as [string, string?]
  if (what === 'open') return opened(payment, model, Number(where), at)
  const place = where === 'first' ? 0 : model.amounts.length - 1
  const amount = model.amounts[place]!
  const said = { status: what, amount, currency: 'eur' } as PaymentReport
  const learned = learn(payment, payment.attempts[place]!.id, [factOf(said, 'report', at)], at)
  const next = { ...model, paid: [...model.paid], ended: [...model.ended] }
  if (what === 'paid') next.paid[place] = true
  else next.ended[place] = true
  if (what === 'paid' && amount === model.amounts.at(-1)) next.settled = true
  return { payment: learned.payment, model: next }
}

function opened(
  payment: Payment,
  model: Model,
  amount: number,
  at: number,
): { payment: Payment; model: Model } {
  const next = open(payment, amount, at)
  if (next.attempts.length === model.amounts.length) return { payment: next, model }
  const amounts = [...model.amounts, amount]
  const settled = model.settled || model.amounts.some((one, place) => one === amount && model.paid[place])
  return {
    payment: next,
    model: { amounts, paid: [...model.paid, false], ended: [...model.ended, false], settled },
  }
}

function open(payment: Payment | undefined, amount: number, at: number): Payment {
  return openAttempt(payment, {
    shopId: 'default',
    orderId: '1',
    orderNumber: undefined,
    adapter: 'psp',
    methodId: 'card',
    amount: `${amount}.00`,
    currency: 'eur',
    mode: 'live',
    language: 'nl',
    redirectUrl: 'https://shop.example/return',
    webhookUrl: 'https://shop.example/webhook',
    now: at,
    attemptId: `default.${payment?.attempts.length ?? 0}`,
    idempotencyKey: '',
    pageHash: '',
    expiresAt: at,
    checkAt: at,
  }).payment
}

function faults(payment: Payment, model: Model): string[] {
  const said: string[] = []
  if (model.settled !== (payment.status === 'paid'))
    said.push(`settled ${model.settled}, but ${payment.status}`)
  if (!model.settled && model.ended.some((ended) => !ended) && payment.status !== 'pending') {
    said.push(`an attempt is live, but ${payment.status}`)
  }
  if (!model.settled && model.ended.every(Boolean) && payment.status === 'pending') {
    said.push('every attempt has ended, but pending')
  }
  return said
}

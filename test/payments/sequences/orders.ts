import { ledgerOf } from '../../../src/payments/ledger/movements.ts'
import { learn } from '../../../src/payments/ledger/moves.ts'
import type { Payment } from '../../../src/payments/ledger/payment.ts'
import { readReports } from '../../../src/payments/ledger/report.ts'
import { reportOf } from './play.ts'
import type { ReportStep } from './sequence.ts'

type Orders = (start: Payment, reports: readonly ReportStep[], end: (payment: Payment) => void) => void

/** Longer after the attempts have opened than any of them waits: the clock plays no part. */
const now = Date.UTC(2027, 0, 4, 10)

function say(payment: Payment, { attempt = 1, report }: ReportStep): Payment {
  const { id } = payment.attempts[attempt - 1]!
  return learn(payment, id, readReports(reportOf(report)), { source: 'push', now }).payment
}

/**
 * Where the reports lead in every order, each of them said twice, and all of them again at the end. Orders that begin alike share their
 * beginning.
 */
export const everyOrder: Orders = (start, reports, end) => {
  const go = (payment: Payment, rest: readonly ReportStep[]): void => {
    if (rest.length === 0) end(reports.reduce(say, payment))
    for (const [at, report] of rest.entries()) go(say(say(payment, report), report), rest.toSpliced(at, 1))
  }
  go(start, reports)
}

/** 200 orders of reports of which some come twice. */
export const sampledOrders: Orders = (start, reports, end) => {
  for (const order of someOrders(reports, 200)) end(order.reduce(say, start))
}

/** In order, reversed, and so many samples in which each comes once or twice. The same ones every time. */
function someOrders<T>(steps: readonly T[], samples: number): T[][] {
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const sample = () =>
    [...steps, ...steps.filter(() => random() < 0.5)]
      .map((step) => ({ step, place: random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ step }) => step)
  return [[...steps], steps.toReversed(), ...Array.from({ length: samples }, sample)]
}

/** The ledger of each attempt. */
export const ledgersOf = (payment: Payment) => payment.attempts.map((attempt) => ledgerOf(attempt))

import { isDeepStrictEqual } from 'node:util'
import type { PurveyorError } from '../../../src/errors/errors.ts'
import { paid, paymentsWith } from '../../helpers/provider.ts'
import { services } from '../../payments/sequences/all.ts'
import { expectedOf, outcomeOf } from '../../payments/sequences/outcome.ts'
import { checkEventStrings, checkLedgerStrings } from '../event-strings.ts'
import { type Found, joined } from '../found.ts'
import { tryAsking } from './asking.ts'
import { tryChoices } from './choices.ts'
import { tryPages } from './pages.ts'
import { tryParts } from './parts.ts'
import { tryPushes } from './pushes.ts'
import { tryRefunds } from './refunds.ts'

/** What must hold of money by rules of its own, each tried in one short story. */
export const moneyAttempts = {
  asking: tryAsking,
  choices: tryChoices,
  pages: tryPages,
  parts: tryParts,
  pushes: tryPushes,
  refunds: tryRefunds,
  reports: tryReports,
  sequences: trySequences,
  /** Every string of a few events. */
  strings: async () => joined([checkEventStrings(5), checkLedgerStrings(4)]),
}

export type MoneyAttempt = keyof typeof moneyAttempts

export async function runMoney(): Promise<Found> {
  const reports: Found[] = []
  for (const attempt of Object.values(moneyAttempts))
    reports.push(
      await attempt().catch((error: unknown) => ({ tries: 0, violations: [`it broke: ${error}`] })),
    )
  return joined(reports)
}

/** Every sequence of a payment service's documentation leads to its status, ledger, anomalies and webhooks. */
async function trySequences(): Promise<Found> {
  const all = Object.entries(services).flatMap(([service, sequences]) =>
    sequences.map((sequence) => ({ service, sequence })),
  )
  const violations = all.flatMap(({ service, sequence }) => {
    const [found, expected] = [outcomeOf(sequence), expectedOf(sequence)]
    if (isDeepStrictEqual(found, expected)) return []
    return [`${service}, ${sequence.name}: ${JSON.stringify(found)}, expected is ${JSON.stringify(expected)}`]
  })
  return { tries: all.length, violations }
}

/** Reports that no adapter may give. */
const wrong: Record<string, object> = {
  'a negative amount': { ...paid, amount: '-1.00' },
  'an amount with too many digits': { ...paid, amount: '29.345' },
  'yen with digits': { ...paid, amount: '29.50', currency: 'jpy' },
  'a currency that does not exist': { ...paid, currency: 'xqq' },
  'money without a currency': { status: 'refunded', amount: '1.00' },
  'money without an amount': { status: 'charged_back', currency: 'eur' },
  'not a number': { ...paid, amount: Number.NaN },
  'an empty event': { ...paid, event: '' },
  'a negative total': { status: 'pending', totals: { received: -1 }, currency: 'eur' },
  'a total that does not exist': { status: 'pending', totals: { recieved: '1.00' }, currency: 'eur' },
  'a wrong report behind a right one': [
    { ...paid, event: 'tr_1' },
    { ...paid, amount: '-1.00' },
  ],
}

/** What cannot be true is refused whole, with an error that says so, and leaves no trace. */
async function tryReports(): Promise<Found> {
  const { start, report, stored } = paymentsWith({})
  await start()
  const violations: string[] = []
  for (const [what, said] of Object.entries(wrong)) {
    const refused = await report(said as never).then(
      () => 'taken',
      ({ code }: PurveyorError) => code,
    )
    if (refused !== 'ARGUMENT_INVALID') violations.push(`${what} is ${refused}`)
  }
  const { attempts, status } = await stored()
  const { length } = attempts.flatMap(({ facts }) => facts)
  if (length > 0 || status !== 'pending') violations.push(`${length} facts of reports that were refused`)
  return { tries: Object.keys(wrong).length, violations }
}

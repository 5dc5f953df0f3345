import { checkEventStrings, checkLedgerStrings } from '../event-strings.ts'
import { type Found, joined } from '../found.ts'
import { tryAsking } from './asking.ts'
import { tryChoices } from './choices.ts'
import { tryPages } from './pages.ts'
import { tryParts } from './parts.ts'
import { tryPushes } from './pushes.ts'
import { tryRefunds } from './refunds.ts'
import { tryReports } from './reports.ts'
import { trySequences } from './sequences.ts'

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

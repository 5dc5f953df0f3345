import { checkEventStrings, checkLedgerStrings } from '../event-strings.ts'
import { tryAsking } from './asking.ts'
import { tryChoices } from './choices.ts'
import { tryPages } from './pages.ts'
import { tryParts } from './parts.ts'
import { tryPushes } from './pushes.ts'
import { tryRefunds } from './refunds.ts'
import type { MoneyReport } from './report.ts'
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
  strings: tryStrings,
}

/** Every string of a few events. */
async function tryStrings(): Promise<MoneyReport> {
  const reports = [checkEventStrings(5), checkLedgerStrings(4)]
  return {
    tries: reports.reduce((sum, { strings }) => sum + strings, 0),
    violations: reports.flatMap(({ violations }) => violations),
  }
}

export type MoneyAttempt = keyof typeof moneyAttempts

/** All of them, or the one that is named. */
export async function runMoney(named?: MoneyAttempt): Promise<MoneyReport> {
  const attempts = named ? [moneyAttempts[named]] : Object.values(moneyAttempts)
  const reports: MoneyReport[] = []
  for (const attempt of attempts)
    reports.push(
      await attempt().catch((error: unknown) => ({ tries: 0, violations: [`it broke: ${error}`] })),
    )
  return {
    tries: reports.reduce((sum, { tries }) => sum + tries, 0),
    violations: reports.flatMap(({ violations }) => violations),
  }
}

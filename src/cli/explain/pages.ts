import { type CodeText, errorCodes, logCodes, sandboxCodes, shopCodes } from '../../codes.ts'
import type { ErrorCode } from '../../errors.ts'
import { anomalyKinds } from '../../payments/anomaly-kinds.ts'
import { productionRules } from '../../provider/production-rules.ts'
import { refusals } from '../../refusals.ts'
import { fileFaults } from './file-faults.ts'

export interface Explanation extends CodeText {
  code: string
  /** Where the code appears. */
  where: string
}

export const pagesOf = (where: string, texts: Record<string, CodeText>): Explanation[] =>
  Object.entries(texts).map(([code, text]) => ({ code, where, ...text }))

/** The pages of all codes that are defined beside their topic. */
export const pages: readonly Explanation[] = [
  ...Object.entries(refusals).map(([code, page]) => ({ code, ...page })),
  ...pagesOf('a fault in a file of shops', fileFaults),
  ...pagesOf('an anomaly, in purveyor payments anomalies', anomalyKinds),
  ...pagesOf('an answer of the sandbox, 403', sandboxCodes),
  ...pagesOf('the code of a PurveyorError', errorCodes),
  ...Object.entries(productionRules).map(([code, { place, text, remedy }]) => ({
    code,
    where: 'a rule of production, in CONFIGURATION_INVALID and purveyor doctor',
    why: `${place} ${text}.`,
    remedy: `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`,
  })),
  ...pagesOf('a line of the log', logCodes),
]

/** Codes that say of a command that it was called wrongly. All others are the environment's. */
export const usageCodes: ReadonlySet<string> = new Set([
  ...Object.keys(shopCodes),
  ...([
    'COPY_REFUSED',
    'SETTINGS_INVALID',
    'RECORDING_UNUSABLE',
    'SEED_UNUSABLE',
    'ARGUMENT_INVALID',
  ] satisfies ErrorCode[]),
])

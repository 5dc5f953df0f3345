import { type CodeText, errorCodes, logCodes, sandboxCodes, shopCodes } from '../../errors/codes.ts'
import type { ErrorCode } from '../../errors/errors.ts'
import { refusals } from '../../errors/refusals.ts'
import { anomalyKinds } from '../../payments/ledger/anomalies.ts'
import { capitalised } from '../../printable.ts'
import { productionRules } from '../../provider/mode.ts'

export interface Explanation extends CodeText {
  code: string
  where: string
}

export const fileFaults = {
  CSV_UNREADABLE: {
    why: 'A double quote (") opens in the middle of a cell, or is never closed.',
    remedy:
      'Put double quotes around a cell with quotes, delimiters or line breaks, and double every quote in it.',
  },
  COLUMN_UNKNOWN: {
    why: 'The header names a column that `shop import` does not know.',
    remedy:
      'Remove the column, or give it one of these titles: shop, platform_id, hosts, settings, platform_url, platform_language, platform_key, platform_secret.',
  },
  COLUMN_TWICE: { why: 'Two columns have the same title.', remedy: 'Remove one column.' },
  COLUMN_MISSING: {
    why: 'The first line names no column `shop`.',
    remedy: 'Start the file with a header that has a column `shop`.',
  },
  CELLS_MISCOUNTED: {
    why: 'A line has more or fewer cells than the header.',
    remedy: 'Put double quotes around cells that hold a delimiter, and write every cell, also an empty one.',
  },
  ROWS_MISSING: { why: 'The file has no line below its header.', remedy: 'Write one line for each shop.' },
  ROWS_TOO_MANY: {
    why: 'The file has more shops than one import can add.',
    remedy: 'Split them into several files.',
  },
  CREDENTIALS_INCOMPLETE: {
    why: 'Some of the four credential columns of a shop are empty, or its settings have credentials too.',
    remedy: 'Fill platform_url, platform_language, platform_key and platform_secret, or none of them.',
  },
} satisfies Record<string, CodeText>

export type FileFault = keyof typeof fileFaults

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
    remedy: `${capitalised(remedy)}.`,
  })),
  ...pagesOf('a line of the log', logCodes),
]

/** Codes that say of a command that what it checked or asked for failed. */
export const failedCodes: ReadonlySet<string> = new Set([
  'COPY_UNEQUAL',
  'MONEY_UNAVAILABLE',
  'MONEY_UNKNOWN',
] satisfies ErrorCode[])

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

import { type CodeText, errorCodes, logCodes, sandboxCodes } from '../codes.ts'
import { anomalyKinds } from '../payments/anomaly-kinds.ts'
import { callbackRefusals } from '../platform/callbacks.ts'
import { platformErrors } from '../platform/errors.ts'
import { refusals } from '../refusals.ts'
import { shopProblems } from '../use-cases/shops/shop-problem.ts'
import { alerts } from './alerts.ts'
import { fileFaults } from './shop-file-faults.ts'

/** The page of a code. */
export interface Explanation extends CodeText {
  code: string
  /** Where the code appears. */
  where: string
}

const pagesOf = (where: string, texts: Record<string, CodeText>): Explanation[] =>
  Object.entries(texts).map(([code, text]) => ({ code, where, ...text }))

/** The pages of all codes that are defined beside their topic. */
export const pages: readonly Explanation[] = [
  ...Object.entries(refusals).map(([code, page]) => ({ code, ...page })),
  ...pagesOf('from the commands and provider.shops', shopProblems),
  ...pagesOf('a fault in a file of shops', fileFaults),
  ...pagesOf('a PlatformError of purveyor/platform', platformErrors),
  ...pagesOf('a CallbackRefused of purveyor/platform', callbackRefusals),
  ...pagesOf('an anomaly, in purveyor payments anomalies', anomalyKinds),
  ...pagesOf('an answer of the sandbox, 403', sandboxCodes),
  ...pagesOf('thrown', errorCodes),
  ...pagesOf('a line of the log', logCodes),
  ...pagesOf('an alert of monitoring/prometheus-rules.yml', alerts),
]

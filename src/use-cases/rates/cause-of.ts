import { hasCode } from '../../errors.ts'
import type { AdapterExplanation } from '../../rates/explanation.ts'
import { causeOfStatus, type FailureCause, failureCauses } from '../../rates/status-cause.ts'
import { DeadlinePassed } from '../deadline.ts'

/** The codes of settings that an adapter cannot use: of options, files and addresses that a shop's settings make. */
const ofSettings = [
  'SETTINGS_MISSING',
  'CONFIGURATION_INVALID',
  'RATE_TABLE_INVALID',
  'PICKUP_POINTS_INVALID',
  'PRODUCT_FACTS_INVALID',
  'OUTGOING_REFUSED',
] as const

/** The work of an adapter until it failed. */
export interface Tried {
  /** The status of its last call. */
  lastStatus: number | undefined
  /** Whether it has called anybody. */
  called: boolean
  /** Whether it reads files. */
  readsFiles: boolean
}

/**
 * The cause of an adapter's error. An error of `remoteRates` names it as `about`; otherwise the status decides: that of the error, or that of
 * the adapter's last call. Without a status it is the carrier's, except for a mistake in the adapter's code, and for an adapter that was
 * still reading a file of its own.
 */
export function causeOf(error: unknown, { lastStatus, called, readsFiles }: Tried): FailureCause {
  if (error instanceof DeadlinePassed) return readsFiles && !called ? 'settings' : 'carrier'
  if (hasCode(error, ...ofSettings)) return 'settings'
  const { status, about } = (error ?? {}) as { status?: unknown; about?: unknown }
  const named = failureCauses.find((cause) => cause === about)
  if (named) return named
  if (isConnection(error)) return 'carrier'
  const said = typeof status === 'string' || typeof status === 'number' ? Number(status) : 0
  if (said >= 400) return causeOfStatus(said)
  if (lastStatus !== undefined && lastStatus >= 400) return causeOfStatus(lastStatus)
  return isMistake(error) ? 'request' : 'carrier'
}

/** Whether an adapter did not answer. That it has no method is an answer. */
export const isFailure = ({ result }: Pick<AdapterExplanation, 'result'>): boolean =>
  result === 'failed' || result === 'skipped'

/** The names of the adapters that did not answer: this one, or those inside it. */
export const failedOf = ({ adapter, result, failed = [] }: AdapterExplanation): readonly string[] =>
  isFailure({ result }) ? [adapter] : failed

/** A call that had no answer, or an answer that was cut off, whatever the answers of others were. */
export const isConnection = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  ['fetch failed', 'terminated'].includes(error.message)

/** An error of the language. That of a failed `fetch` has a cause. */
const isMistake = (error: unknown): boolean =>
  (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) &&
  error.cause === undefined &&
  (error as { code?: unknown }).code === undefined

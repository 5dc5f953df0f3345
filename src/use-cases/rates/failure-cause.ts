import { hasCode } from '../../errors.ts'
import { causeOfStatus, type FailureCause, failureCauses } from '../../rates/failure-cause.ts'
import { DeadlinePassed } from '../deadline.ts'

/**
 * The cause of an adapter's error. An error of `remoteRates` names it as `about`; otherwise the status decides: that of the error, or that of
 * the adapter's last call. Without a status it is the carrier's, except for a mistake in the adapter's code.
 */
export function causeOf(error: unknown, lastStatus: number | undefined): FailureCause {
  if (error instanceof DeadlinePassed) return 'carrier'
  if (hasCode(error, 'SETTINGS_MISSING', 'RATE_TABLE_INVALID', 'PICKUP_POINTS_INVALID')) return 'settings'
  const { status, about } = (error ?? {}) as { status?: unknown; about?: unknown }
  const named = failureCauses.find((cause) => cause === about)
  if (named) return named
  const said = typeof status === 'string' || typeof status === 'number' ? Number(status) : 0
  if (said >= 400) return causeOfStatus(said)
  if (lastStatus !== undefined && lastStatus >= 400) return causeOfStatus(lastStatus)
  return isMistake(error) ? 'request' : 'carrier'
}

/** An error of the language. That of a failed `fetch` has a cause. */
const isMistake = (error: unknown): boolean =>
  (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) &&
  error.cause === undefined &&
  (error as { code?: unknown }).code === undefined

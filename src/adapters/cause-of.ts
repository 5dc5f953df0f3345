import { placeOf } from '../code-place.ts'
import { hasCode, hasOwnWords, kindOf } from '../errors/errors.ts'
import { DeadlinePassed } from './call-adapter.ts'

/** The request cannot be quoted, which is not a failure: the adapter answers none with this reason. */
export class NotQuotable extends Error {
  override readonly name = 'NotQuotable'
}

const failureCauses = ['carrier', 'account', 'request', 'settings'] as const
/**
 * The cause of a failure. `carrier`: it is slow, broken or out of reach. `account`: it refuses the key of this shop, or more calls with it.
 * `request`: it refused one request, or the adapter could not read it. `settings`: those of the shop are missing. Only the first two say
 * something about the next quote.
 */
export type FailureCause = (typeof failureCauses)[number]

/** The statuses of a carrier that is overloaded or down: 408, 425, 429 and 5xx. Another try may succeed. */
export const isPassing = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500

/** The carrier refuses the key, not the request. */
export const isOfAccount = (status: number): boolean => status === 401 || status === 403

/** The carrier refuses the request: an answer about this cart and address. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && !isPassing(status) && !isOfAccount(status)

export function causeOfStatus(status: number): FailureCause {
  if (isOfAccount(status) || status === 429) return 'account'
  return isRefusal(status) ? 'request' : 'carrier'
}

/** The codes of a failed connection, of the system and of TLS. Only these are repeated: a code of the adapter may be anything. */
const connectionCodes = `ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE EPROTO ETIMEDOUT
  UND_ERR_CONNECT_TIMEOUT UND_ERR_SOCKET CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID
  SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE`.split(/\s+/)

const word = /^[A-Za-z_$][\w$]{0,59}$/

/** Our own messages; of other errors the name and the code of a failed connection: their text may repeat what a customer typed. */
export function reasonOf(error: unknown): string {
  if (error instanceof DeadlinePassed || hasOwnWords(error)) return error.message
  if (!(error instanceof Error)) return 'a value other than an error was thrown'
  const codes = [error, error.cause].map((one) => (one as { code?: unknown } | undefined)?.code)
  const code = connectionCodes.find((one) => codes.includes(one))
  const named = String(error.name)
  // A name may be set to anything: one that is no word of code gives way to the class.
  const name = word.test(named) ? named : kindOf(error)
  return code === undefined ? name : `${name}, ${code}`
}

/** An error of an adapter, or another one in the place of an error whose members throw when they are read. */
export function readable(error: unknown): unknown {
  try {
    const { cause, retryAt, status } = Object(error)
    void [reasonOf(error), wordsOf(error), placeOf(error), placeOf(cause), Number(retryAt), Number(status)]
    return error
  } catch {
    return new Error('an error that cannot be read')
  }
}

const longest = 300

/** The words of the error that `reasonOf` does not repeat, with those of its cause. */
export function wordsOf(error: unknown): string | undefined {
  if (error instanceof DeadlinePassed || !(error instanceof Error)) return undefined
  const words = [error, error.cause].map((one) =>
    one instanceof Error && !hasOwnWords(one) ? String(one.message) : '',
  )
  return words.filter(Boolean).join(': ').slice(0, longest) || undefined
}

/** The codes of settings that an adapter cannot use: of options, files and addresses that a shop's settings make. */
const ofSettings = [
  ...(['SETTINGS_MISSING', 'CONFIGURATION_INVALID', 'OUTGOING_REFUSED'] as const),
  ...(['RATE_TABLE_INVALID', 'PICKUP_POINTS_INVALID', 'PRODUCT_FACTS_INVALID'] as const),
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

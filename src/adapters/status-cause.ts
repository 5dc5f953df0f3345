/** The request cannot be quoted, which is not a failure: the adapter answers none with this reason. */
export class NotQuotable extends Error {
  override readonly name = 'NotQuotable'
}

export const failureCauses = ['carrier', 'account', 'request', 'settings'] as const
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

import { PurveyorError } from '../../errors.ts'
import { causeOfStatus, type FailureCause } from '../../rates/status-cause.ts'

/** The carrier did not answer with rates. The message does not repeat its words: they may hold the customer's data. */
export class RemoteRatesError extends PurveyorError {
  override readonly name: string = 'RemoteRatesError'
  readonly status: number | undefined
  /** The cause: the carrier, or the account of the shop. */
  readonly about: FailureCause
  /** When the carrier wants to be asked again for this shop, in milliseconds since 1970. Until then the adapter is not asked. */
  readonly retryAt: number | undefined
  constructor(
    message: string,
    status: number | undefined,
    { cause, about, retryAt }: RemoteRatesErrorDetails = {},
  ) {
    super('CARRIER_FAILED', message, { cause })
    this.status = status
    this.retryAt = retryAt
    this.about = about ?? (status === undefined || status < 400 ? 'carrier' : causeOfStatus(status))
  }
}

/** The fields of a `RemoteRatesError` besides its message and status. */
export interface RemoteRatesErrorDetails {
  cause?: unknown
  /** Default: by the status. */
  about?: FailureCause
  /** Default: it did not say when. */
  retryAt?: number | undefined
}

/** A failure that another try may overcome. */
export class Passing extends RemoteRatesError {}

import { platformCodes } from '../errors/codes.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'

/** The code of a `PlatformError`. `purveyor explain` has a page for each. */
export type PlatformErrorCode = keyof typeof platformCodes

/** The fields of a `PlatformError` besides its code and message. */
export interface PlatformErrorDetails {
  method: string
  /** Without host and query. */
  path: string
  /** The HTTP status, if there was an answer. */
  status?: number | undefined
  /** The platform's own words. */
  said?: string | undefined
  /** When the platform accepts calls again, in milliseconds since 1970. */
  retryAt?: number | undefined
  cause?: unknown
}

/** A call to the platform failed. Names the call and the platform's own message, and never the credentials. */
export class PlatformError extends PurveyorError {
  override readonly name = 'PlatformError'
  declare readonly code: PlatformErrorCode
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly said: string | undefined
  readonly retryAt: number | undefined

  constructor(code: PlatformErrorCode, what: string, details: PlatformErrorDetails) {
    if (!Object.hasOwn(platformCodes, code))
      throw wrongCall(`new PlatformError(): the code must be one of ${Object.keys(platformCodes).join(', ')}`)
    const { method, path, status, said, retryAt, cause } = details
    const answered = status === undefined ? '' : ` (${status}${said === undefined ? '' : `: ${said}`})`
    const says = `${method} ${path}: ${what}${answered}. ${platformCodes[code].remedy}`
    super(code, says, { place: path, cause })
    this.method = method
    this.path = path
    this.status = status
    this.said = said
    this.retryAt = retryAt
  }
}

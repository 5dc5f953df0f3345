/**
 * What went wrong at the platform, by what is to be done about it: `UNAUTHORIZED` (check key and secret), `FORBIDDEN` (the key may
 * not do this), `NOT_FOUND`, `INVALID` (mend what was sent), `RATE_LIMITED` (come again at `retryAt`), `UNAVAILABLE` (come again:
 * no answer, or a 5xx), `UNREADABLE` (no JSON, half an answer, or not what was asked for), `REDIRECTED` (check `baseUrl`), and
 * `UNKNOWN_OUTCOME` (what may not be repeated was sent, and nobody knows what became of it).
 */
export type PlatformErrorCode =
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'INVALID'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'UNREADABLE'
  | 'REDIRECTED'
  | 'UNKNOWN_OUTCOME'

const remedies: Record<PlatformErrorCode, string> = {
  UNAUTHORIZED: 'Check key and secret.',
  FORBIDDEN: 'Ask the shop for the right to do this.',
  NOT_FOUND: 'Check the resource, the id and the language.',
  INVALID: 'Mend what was sent.',
  RATE_LIMITED: 'Come again later.',
  UNAVAILABLE: 'Come again later.',
  UNREADABLE: 'Check that baseUrl is the address of the API.',
  REDIRECTED: 'Check baseUrl: the credentials are sent nowhere else.',
  UNKNOWN_OUTCOME: 'Look what is there before it is sent again.',
}

export interface PlatformErrorDetails {
  method: string
  /** Without host and query. */
  path: string
  /** The HTTP status, where there was an answer. */
  status?: number | undefined
  /** The platform's own words. */
  said?: string | undefined
  /** When the platform takes calls again, in milliseconds since 1970. */
  retryAt?: number | undefined
  cause?: unknown
}

/** The platform did not do what was asked. Names the call and the platform's own words, and never the credentials. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly code: PlatformErrorCode
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly said: string | undefined
  readonly retryAt: number | undefined

  constructor(code: PlatformErrorCode, what: string, details: PlatformErrorDetails) {
    const { method, path, status, said, retryAt, cause } = details
    const answered = status === undefined ? '' : ` (${status}${said === undefined ? '' : `: ${said}`})`
    super(`${method} ${path}: ${what}${answered}. ${remedies[code]}`, { cause })
    this.code = code
    this.method = method
    this.path = path
    this.status = status
    this.said = said
    this.retryAt = retryAt
  }
}

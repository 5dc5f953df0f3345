import type { CodeText } from '../codes.ts'

/** What went wrong at the platform, by what is to be done about it. */
export const platformErrors = {
  UNAUTHORIZED: {
    why: 'The platform does not know this key and secret.',
    remedy: 'Check both, and the shop that they belong to.',
  },
  FORBIDDEN: {
    why: 'The key may not do this.',
    remedy: 'Ask the owner of the shop for the right to do it.',
  },
  NOT_FOUND: {
    why: 'The platform has no such record, resource or language.',
    remedy: 'Check the name, the id and the language.',
  },
  INVALID: {
    why: 'The platform refuses what was sent.',
    remedy: 'Correct what its message names.',
  },
  RATE_LIMITED: {
    why: 'The platform takes no more calls for now.',
    remedy: 'Come again at `retryAt`. The client waits by itself up to its `patience`.',
  },
  UNAVAILABLE: {
    why: 'The platform was not reached, or failed.',
    remedy: 'Come again later; what may be repeated was repeated already.',
  },
  UNREADABLE: {
    why: 'The answer is no JSON, half of it, or something else.',
    remedy: 'Check that `baseUrl` is the address of the API.',
  },
  REDIRECTED: {
    why: 'The platform answers from elsewhere, and credentials are sent nowhere else.',
    remedy: 'Set `baseUrl` to the final address.',
  },
  UNKNOWN_OUTCOME: {
    why: 'A POST was sent and its answer was lost: nobody knows whether it was carried out.',
    remedy: 'Look what is there before it is sent again.',
  },
} satisfies Record<string, CodeText>

export type PlatformErrorCode = keyof typeof platformErrors

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
    super(`${method} ${path}: ${what}${answered}. ${platformErrors[code].remedy}`, { cause })
    this.code = code
    this.method = method
    this.path = path
    this.status = status
    this.said = said
    this.retryAt = retryAt
  }
}

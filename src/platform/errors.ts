import type { CodeText } from '../codes.ts'

/** Failures of the platform, grouped by remedy. */
export const platformErrors = {
  UNAUTHORIZED: {
    why: 'The platform rejects this key and secret.',
    remedy: 'Check both, and the shop that they belong to.',
  },
  FORBIDDEN: {
    why: 'The key has no permission for this.',
    remedy: 'Ask the owner of the shop for the permission.',
  },
  NOT_FOUND: {
    why: 'The platform has no such record, resource or language.',
    remedy: 'Check the name, the id and the language.',
  },
  INVALID: {
    why: 'The platform rejects the data.',
    remedy: 'Correct the fields that its message names.',
  },
  RATE_LIMITED: {
    why: 'The platform accepts no more calls for now.',
    remedy: 'Try again at `retryAt`. The client waits by itself up to its `patience`.',
  },
  UNAVAILABLE: {
    why: 'The platform was not reached, or failed.',
    remedy: 'Try again later. Calls that may be repeated were repeated already.',
  },
  UNREADABLE: {
    why: 'The answer is not JSON, is incomplete, or has another shape.',
    remedy: 'Check that `baseUrl` is the address of the API.',
  },
  REDIRECTED: {
    why: 'The platform redirects to another address, and credentials are never sent there.',
    remedy: 'Set `baseUrl` to the final address.',
  },
  UNKNOWN_OUTCOME: {
    why: 'A POST was sent and its answer was lost: it is unknown whether it took effect.',
    remedy: 'Check the current records before you send it again.',
  },
} satisfies Record<string, CodeText>

export type PlatformErrorCode = keyof typeof platformErrors

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

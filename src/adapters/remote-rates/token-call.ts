import type { RateContext } from '../../rates/adapter.ts'
import { isPassing } from '../../rates/status-cause.ts'
import { RemoteRatesError } from './errors.ts'

/** An access token. Times are in milliseconds since 1970. */
export interface Token {
  value: string
  endsAt: number
  /** From then on it is renewed while it is still used. */
  renewAt: number
}

interface TokenCall {
  tokenUrl: string
  id: string
  secret: string
  scope: string | undefined
  audience: string | undefined
  send: 'basic' | 'body'
  timeout: number
}

/** A longer life is cut to this, in milliseconds: a day. */
const longestLife = 86_400_000
/** The token becomes a header. */
const tokenText = /^[\x21-\x7e]{1,8192}$/

/**
 * Asks a token endpoint (RFC 6749, section 4.4.2). `lasts` is the life of the token in milliseconds, where the service names one. Rejects with
 * a `RemoteRatesError`: about the account if the service refuses the credentials.
 */
export async function requestToken(
  call: TokenCall,
  { sharedFetch, after }: Pick<RateContext, 'sharedFetch' | 'after'>,
): Promise<{ value: string; lasts: number | undefined }> {
  const { tokenUrl, timeout } = call
  const limit = new AbortController()
  const cancel = after(timeout, () => limit.abort(new Error(`no answer within ${timeout} ms`)))
  try {
    const response = await sharedFetch(tokenUrl, { ...asRequest(call), signal: limit.signal })
    const text = await response.text()
    return read(response.status, text)
  } catch (error) {
    if (error instanceof RemoteRatesError || (error as { code?: string }).code === 'OUTGOING_REFUSED')
      throw error
    const why = limit.signal.aborted ? `did not answer within ${timeout} ms` : 'could not be reached'
    throw failed(why, undefined, { cause: error })
  } finally {
    cancel()
  }
}

function asRequest({ id, secret, scope, audience, send }: TokenCall): RequestInit {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (scope !== undefined) form.set('scope', scope)
  if (audience !== undefined) form.set('audience', audience)
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  if (send === 'body') {
    form.set('client_id', id)
    form.set('client_secret', secret)
  } else {
    // RFC 6749, section 2.3.1: each part is encoded as in a form.
    const [user, password] = [id, secret].map((part) => new URLSearchParams([['', part]]).toString().slice(1))
    headers.authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  }
  return { method: 'POST', headers, body: form.toString() }
}

const failed = (why: string, status: number | undefined, details = {}): RemoteRatesError =>
  new RemoteRatesError(`oauth: the token endpoint ${why}`, status, details)

function read(status: number, text: string): { value: string; lasts: number | undefined } {
  if (status >= 400) {
    // Each other 4xx is about the credentials, and never about the shopper.
    throw failed(`answered ${status}`, status, { about: isPassing(status) ? 'carrier' : 'account' })
  }
  if (status < 200 || status >= 300) throw failed(`answered ${status}`, status)
  let body: { access_token?: unknown; token_type?: unknown; expires_in?: unknown } | null
  try {
    body = JSON.parse(text)
  } catch {
    throw failed('answered no JSON', status)
  }
  const { access_token: value, token_type: type = 'bearer', expires_in: given } = body ?? {}
  if (typeof value !== 'string' || !tokenText.test(value)) throw failed('answered no access_token', status)
  if (String(type).toLowerCase() !== 'bearer')
    throw failed('answered a token that is no bearer token', status)
  const seconds = given === undefined || given === null || given === '' ? Number.NaN : Number(given)
  const lasts = seconds > 0 ? Math.min(seconds * 1_000, longestLife) : undefined
  return { value, lasts }
}

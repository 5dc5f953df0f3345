import { causeOfStatus } from '../../adapters/cause-of.ts'
import { jsonIn } from '../../contract/texts.ts'
import { answeredStatus } from '../../printable.ts'
import type { RateContext } from '../adapter.ts'
import { callOnce, RemoteRatesError } from './one-call.ts'

/** An access token. Times are in milliseconds since 1970. */
export interface Token {
  value: string
  endsAt: number
  /** From then on it is renewed while it is still used. */
  renewAt: number
}

/** The token that `read` finds in an answer, and its life in seconds where the service names one. */
interface ReadToken {
  token?: unknown
  seconds?: unknown
}

export interface TokenCall {
  tokenUrl: string
  id: string
  secret: string
  scope: string | undefined
  audience: string | undefined
  headers: Record<string, string | undefined> | undefined
  form: Record<string, string | undefined> | undefined
  json: unknown
  urlOfShop: boolean
  send: 'basic' | 'body'
  read: ((body: unknown) => ReadToken) | undefined
  timeout: number
}

/** A longer life is cut to this, in milliseconds: a day. */
const longestLife = 86_400_000
/** The token becomes a header. */
const tokenText = /^[\x21-\x7e]{1,8192}$/

/** The errors of RFC 6749, section 5.2, with what to do. */
const remedies = new Map([
  ['invalid_client', "check `credentials`; some services read them with send: 'body'"],
  ['invalid_grant', 'check `credentials`'],
  ['invalid_request', 'check `scope`, `audience`, `form` and `headers`'],
  ['invalid_scope', 'check `scope`'],
  ['unauthorized_client', 'the carrier has not opened this login for the account'],
  ['unsupported_grant_type', 'it has no client credentials; see `json`'],
])
const remedyOfStatus: Readonly<Record<number, string>> = {
  ...{ 401: 'check `credentials`', 403: 'check `credentials`' },
  ...{ 404: 'check `tokenUrl`', 405: 'check `tokenUrl`', 415: 'it reads no form; see `json`' },
}

/**
 * Asks a token endpoint (RFC 6749, section 4.4.2). `lasts` is the life of the token in milliseconds, where the service names one. Rejects with
 * a `RemoteRatesError`: about the account if the service refuses the credentials.
 */
export async function requestToken(
  call: TokenCall,
  { sharedFetch, after }: Pick<RateContext, 'sharedFetch' | 'after'>,
): Promise<{ value: string; lasts: number | undefined }> {
  const { tokenUrl: url, timeout, urlOfShop } = call
  const named = { adapter: 'oauth', other: 'the token endpoint', place: 'tokenUrl', urlOfShop }
  const { status, body } = await callOnce(
    { method: 'POST', url, timeout, ...asRequest(call), ...named, Unanswered: RemoteRatesError },
    { fetch: sharedFetch, after },
  )
  return tokenIn(status, body, call.read)
}

function asRequest(call: TokenCall): { headers: Record<string, string | undefined>; body: string } {
  const { id, secret, scope, audience, send, headers, form, json } = call
  const accept = 'application/json'
  if (json !== undefined)
    return { headers: { accept, 'content-type': accept, ...headers }, body: JSON.stringify(json) }
  const inBody = send === 'body' ? { client_id: id, client_secret: secret } : {}
  const fields = { grant_type: 'client_credentials', scope, audience, ...form, ...inBody }
  const body = new URLSearchParams()
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) body.set(field, value)
  // RFC 6749, section 2.3.1: each part is encoded as in a form.
  const [user, password] = [id, secret].map((part) => new URLSearchParams([['', part]]).toString().slice(1))
  const authorization =
    send === 'body' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const all = { accept, 'content-type': 'application/x-www-form-urlencoded', authorization, ...headers }
  return { headers: all, body: body.toString() }
}

const failed = (why: string, status: number | undefined, details = {}): RemoteRatesError =>
  new RemoteRatesError(`oauth: the token endpoint answered ${why}`, status, details)

function tokenIn(status: number, text: string, read: TokenCall['read']) {
  const body = jsonIn(text)
  const fields = (body ?? {}) as Record<string, unknown>
  const refusal = [...remedies].find(([code]) => code === fields.error)
  if (status >= 400 || (refusal && status < 300)) {
    const [code, remedy = remedyOfStatus[status]] = refusal ?? []
    const why = `${status}${code ? ` (${code})` : ''}${remedy ? `: ${remedy}` : ''}`
    // Each other 4xx is about the credentials, and never about the customer.
    throw failed(why, status, { about: causeOfStatus(status) === 'carrier' ? 'carrier' : 'account' })
  }
  if (status < 200 || status >= 300) throw failed(answeredStatus(status), status)
  if (body === undefined) throw failed('no JSON', status)
  const usual = { token: fields.access_token, seconds: fields.expires_in }
  const { token: value, seconds: given }: ReadToken = read ? readBy(read, body, status) : usual
  const unnamed = 'without an access_token: if the token has another name, read it with `read`'
  if (typeof value !== 'string' || !tokenText.test(value))
    throw failed(read ? 'without a token that read() finds' : unnamed, status)
  const seconds = Number(given ?? 0)
  return { value, lasts: seconds > 0 ? Math.min(seconds * 1_000, longestLife) : undefined }
}

function readBy(read: NonNullable<TokenCall['read']>, body: unknown, status: number): ReadToken {
  try {
    return read(body) ?? {}
  } catch (error) {
    throw failed('something that read() cannot read', status, { cause: error })
  }
}

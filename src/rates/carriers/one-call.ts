import { causeOfStatus, type FailureCause } from '../../adapters/cause-of.ts'
import { hasCode, PurveyorError } from '../../errors/errors.ts'
import type { RateContext } from '../adapter.ts'

/** The carrier did not answer with rates. The message does not repeat its words: they may hold the customer's data. */
export class RemoteRatesError extends PurveyorError {
  override readonly name: string = 'RemoteRatesError'
  readonly status: number | undefined
  /** The cause: the carrier, or the account of the shop. */
  readonly about: FailureCause
  /** When the carrier wants to be asked again for this shop, in milliseconds since 1970. Until then the adapter is not asked. */
  readonly retryAt: number | undefined
  constructor(message: string, status: number | undefined, details: RemoteRatesErrorDetails = {}) {
    const { cause, about, retryAt } = details
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

/** A call, and how errors name it. */
export interface OneCall {
  method: string
  url: string
  headers: Record<string, string | undefined>
  body: string | undefined
  /** In milliseconds. */
  timeout: number
  /** The adapter and the other side in errors, such as `carrier` and `the carrier`. */
  adapter: string
  other: string
  place: string
  /** Whether a function returns the address, which may read the settings of a shop. */
  urlOfShop: boolean
  /** The error of a call without an answer. */
  Unanswered: typeof RemoteRatesError
}

export type OneAnswer = Awaited<ReturnType<typeof callOnce>>

/** Calls once, within `timeout`. Rejects with `RemoteRatesError` without an answer, with `CONFIGURATION_INVALID` for a wrong address or header. */
export async function callOnce(
  { method, url, headers, body, timeout, adapter, other, place, urlOfShop, Unanswered }: OneCall,
  { fetch, after, signal }: Pick<RateContext, 'fetch' | 'after'> & { signal?: AbortSignal },
) {
  const sent = sendable(adapter, headers)
  if (!URL.canParse(url))
    throw unsendable(adapter, place, 'is not an address: write one such as https://api.carrier.example')
  const limit = new AbortController()
  const cancel = after(timeout, () => limit.abort(new Error(`no answer within ${timeout} ms`)))
  const call = async () => {
    const answer = await fetch(url, { method, body, headers: sent, signal: limit.signal })
    return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) }
  }
  const failed = (cause: unknown): never => {
    if (signal?.aborted || hasCode(cause, 'OUTGOING_REFUSED', 'ANSWER_TOO_LARGE', 'ANSWER_ENCODED_TWICE'))
      throw cause
    const about = { cause, about: 'account' } as const
    if (urlOfShop && hasCode(cause, 'NAME_NOT_FOUND'))
      throw new RemoteRatesError(`${adapter}: there is no host of this name`, undefined, about)
    const why = limit.signal.aborted ? `did not answer within ${timeout} ms` : unreached(cause)
    throw new Unanswered(`${adapter}: ${other} ${why}`, undefined, { cause })
  }
  const { answer, bytes } = await call().catch(failed).finally(cancel)
  const { status, headers: given } = answer
  const read = answerText(bytes, given.get('content-type'))
  // The words of a refusal are for people: what they lack is marked, and the refusal stays one.
  if ('fault' in read && status < 400)
    throw new RemoteRatesError(`${adapter}: the answer of ${other} ${read.fault}`, status)
  const text = 'text' in read ? read.text : new TextDecoder().decode(bytes)
  return { status, body: text, retryAfter: given.get('retry-after') }
}

/** A name server that fails is none of the carrier. */
const unreached = (error: unknown): string =>
  hasCode(error, 'NAME_NOT_FOUND', 'NAME_SERVER_FAILED', 'NAME_LOOKUPS_FULL')
    ? `was not called, because its host has no address (${error.code})`
    : 'could not be reached'

function sendable(adapter: string, given: OneCall['headers']): Headers {
  const headers = new Headers()
  for (const [header, value] of Object.entries(given)) {
    if (value === undefined) continue
    try {
      headers.set(header, value)
    } catch {
      throw unsendable(adapter, `the header ${header}`, 'has characters that a header cannot have')
    }
  }
  return headers
}

/** The error of a call that the options, or the settings of the shop, make impossible. Never the value: it may be a secret. */
const unsendable = (adapter: string, place: string, what: string): PurveyorError =>
  new PurveyorError('CONFIGURATION_INVALID', `${adapter}: ${place} ${what}`, { place })

const ofType = /charset\s*=\s*"?([^\s;"]+)/i
const ofXml = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)/

/**
 * The text of an answer in the charset that it names: in its `content-type`, or as XML in its first line. UTF-8 without one. Every byte of it
 * is read, or `fault` says why not: no customer sees a title with a letter that was lost.
 */
export function answerText(bytes: Uint8Array, contentType: string | null) {
  const utf8 = decoded(bytes, 'utf-8')
  const charset =
    ofType.exec(contentType ?? '')?.[1] ??
    ofXml.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))?.[1]
  if (charset === undefined) return utf8 ?? { fault: 'is not in UTF-8, and names no charset' }
  const named = /^[\w.:-]{1,40}$/.test(charset) ? charset : 'a charset'
  const own = decoded(bytes, charset)
  if (own === null) return { fault: `is in ${named}, which is unknown` }
  // Servers call UTF-8 so by default. No text in Latin 1 is UTF-8 by chance, unless both read the same.
  if (own?.encoding === 'windows-1252' && utf8) return utf8
  return own ?? { fault: `is not in ${named}, as it says` }
}

/** `null` for a charset that is unknown, `undefined` for bytes that are none of its text. */
function decoded(bytes: Uint8Array, charset: string) {
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return { text: decoder.decode(bytes), encoding: decoder.encoding }
  } catch (error) {
    return error instanceof RangeError ? null : undefined
  }
}

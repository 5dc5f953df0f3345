import { hasCode, PurveyorError } from '../../errors.ts'
import type { RateContext } from '../../rates/adapter.ts'
import { answerText } from './answer-text.ts'
import { RemoteRatesError } from './errors.ts'

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
  /** The option with the address. */
  place: string
  /** Whether a function returns the address, which may read the settings of a shop. */
  urlOfShop: boolean
  /** The error of a call without an answer. */
  Unanswered: typeof RemoteRatesError
}

export interface OneAnswer {
  status: number
  body: string
  /** The header `Retry-After`. */
  retryAfter: string | null
}

/**
 * Calls once, with a limit of its own. Rejects with a `RemoteRatesError` if there is no answer, and with `CONFIGURATION_INVALID` for an
 * address or a header that cannot be.
 */
export async function callOnce(
  { method, url, headers, body, timeout, adapter, other, place, urlOfShop, Unanswered }: OneCall,
  { fetch, after, signal }: Pick<RateContext, 'fetch' | 'after'> & { signal?: AbortSignal },
): Promise<OneAnswer> {
  const sent = sendable(adapter, headers)
  if (!URL.canParse(url))
    throw unsendable(adapter, place, 'is not an address: write one such as https://api.carrier.example')
  const limit = new AbortController()
  const cancel = after(timeout, () => limit.abort(new Error(`no answer within ${timeout} ms`)))
  let answer: Response
  let bytes: Uint8Array
  try {
    const response = await fetch(url, { method, body, headers: sent, signal: limit.signal })
    bytes = new Uint8Array(await response.arrayBuffer())
    answer = response
  } catch (error) {
    if (signal?.aborted || hasCode(error, 'OUTGOING_REFUSED', 'ANSWER_TOO_LARGE', 'ANSWER_ENCODED_TWICE'))
      throw error
    if (urlOfShop && hasCode(error, 'NAME_NOT_FOUND'))
      throw new RemoteRatesError(`${adapter}: there is no host of this name`, undefined, {
        cause: error,
        about: 'account',
      })
    const why = limit.signal.aborted ? `did not answer within ${timeout} ms` : unreached(error)
    throw new Unanswered(`${adapter}: ${other} ${why}`, undefined, { cause: error })
  } finally {
    cancel()
  }
  const { status, headers: given } = answer
  const read = answerText(bytes, given.get('content-type'))
  // The words of a refusal are for people: what they lack is marked, and the refusal stays one.
  const text = 'text' in read ? read.text : status < 400 ? undefined : new TextDecoder().decode(bytes)
  if (text === undefined)
    throw new RemoteRatesError(
      `${adapter}: the answer of ${other} ${(read as { fault: string }).fault}`,
      status,
    )
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

import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { jsonIn } from '../contract/texts.ts'
import { httpRequest } from '../http/server.ts'
import { answeredStatus, curlLine } from '../printable.ts'

/** One call to the provider with its outcome. */
export interface Exchange {
  method: string
  url: string
  headers: Record<string, string>
  /** As it was sent. */
  body: string | undefined
  /** Not set without an answer. */
  status?: number | undefined
  answerHeaders: IncomingMessage['headers']
  text: string
  /** The parsed answer; `undefined` if it is not JSON. */
  json: unknown
  ms: number
  /** Why no answer came. */
  failure?: string | undefined
  /** Days until the certificate of the endpoint expires. Not set without TLS. */
  certificateDays?: number
  tlsVersion?: string | undefined
}

/** A request of a case. Default: GET without a body. */
export interface Sent {
  method?: string
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  body?: string
  /** `null` leaves out a header. */
  headers?: Record<string, string | null>
  /** In milliseconds. Default 20,000. */
  timeout?: number
}

const maxAnswer = 4 * 1024 * 1024

/** Makes one call with exactly these headers and bytes, and follows no redirect. Never rejects. */
export async function call(url: string, request: Sent): Promise<Exchange> {
  const { json, headers = {}, timeout = 20_000 } = request
  const body = request.body ?? (json === undefined ? undefined : JSON.stringify(json))
  const method = request.method ?? (body === undefined ? 'GET' : 'POST')
  const all = Object.entries({
    'user-agent': 'WebshopappApi',
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  })
  const sent = Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null))
  const noAnswer = { answerHeaders: {}, text: '', json: undefined, ms: 0 }
  const exchange: Exchange = { method, url, headers: sent, body, ...noAnswer }
  const signal = AbortSignal.timeout(timeout)
  const since = performance.now()
  try {
    await send(exchange, signal)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const broken = exchange.status === undefined ? reasons[code] : code && 'the answer broke off'
    exchange.failure = signal.aborted ? `no answer within ${timeout / 1000} s` : broken || code || message
    exchange.status = undefined
  }
  exchange.ms = performance.now() - since
  exchange.json = jsonIn(exchange.text)
  return exchange
}

async function send(exchange: Exchange, signal: AbortSignal): Promise<void> {
  const { method, url, headers, body } = exchange
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const out = request(url, { method, headers: { ...length, ...headers }, signal }, resolve)
    // An answer that came before the whole body was sent is an answer.
    out.on('error', reject).end(body)
  })
  exchange.status = answer.statusCode
  exchange.answerHeaders = answer.headers
  const socket = answer.socket as Partial<TLSSocket>
  const expiry = socket.getPeerCertificate?.()?.valid_to
  if (expiry) {
    exchange.certificateDays = Math.floor((Date.parse(expiry) - Date.now()) / 86_400_000)
    exchange.tlsVersion = socket.getProtocol?.() ?? undefined
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswer) throw new Error('the answer is larger than 4 MB')
    chunks.push(chunk)
  }
  exchange.text = Buffer.concat(chunks).toString('utf8')
}

/** The reason where the name of a host has no address. */
export const unresolved = 'its host name does not resolve'

const reasons: Record<string, string> = {
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  EPROTO: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

export function curlOf({ method, url, headers, body }: Exchange): string {
  const isLong = body !== undefined && body.length > 20_000
  const shown = isLong ? `(${body.length} characters, see --json)` : body
  // Quoted, because an address from an endpoint may hold anything.
  return curlLine({ method, url: URL.parse(url)?.href ?? url, headers, body: shown }, '-i')
}

export class NotMet extends Error {
  override readonly name = 'NotMet'
  readonly expected: string
  readonly received: string
  /** The call that shows it. */
  readonly exchange: Exchange | undefined
  /** The fault behind it. A report has each fault once, however many cases run into it. */
  fault: string | undefined

  constructor(expected: string, received: string, exchange?: Exchange, fault?: string) {
    super(`expected ${expected}, received ${received}`)
    this.expected = expected
    this.received = received
    this.exchange = exchange
    this.fault = fault
  }
}

/** The case cannot be tried; the message is the reason. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/** Throws a `NotMet` unless the condition holds. */
export function expectThat(
  holds: boolean,
  expected: string,
  received: string,
  exchange?: Exchange,
  fault?: string,
): asserts holds {
  if (!holds) throw new NotMet(expected, received, exchange, fault)
}

/** Runs a check. A failure of it is the named fault, unless it is known to be another one. */
export async function asFault<T>(fault: string | undefined, check: () => Promise<T> | T): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof NotMet) error.fault ??= fault
    throw error
  }
}

export const statusOf = ({ status, failure }: Exchange): string =>
  status === undefined ? (failure ?? 'no answer') : `status ${answeredStatus(status)}`

export const succeeded = ({ status = 0 }: Exchange): boolean => status >= 200 && status < 300

/** Throws unless the answer has this status. Another status of success is the same fault in every answer. */
export function expectStatus(exchange: Exchange, expected: number, fault?: string): void {
  const found = succeeded(exchange) ? `another status than ${expected}` : fault
  expectThat(exchange.status === expected, `status ${expected}`, statusOf(exchange), exchange, found)
}

/** Throws unless the status is one of success. */
export function expectSuccess(exchange: Exchange, fault?: string): void {
  expectThat(succeeded(exchange), 'a status of 2xx', statusOf(exchange), exchange, fault)
}

/** Throws if the provider failed: an answer of 5xx, or none. */
export function expectNoFailure(exchange: Exchange): void {
  const { status } = exchange
  expectThat(status !== undefined && status < 500, 'an answer below 500', statusOf(exchange), exchange)
}

/** Throws unless the call was refused as the caller's fault. */
export function expectRefused(exchange: Exchange, fault?: string): void {
  const { status = 0 } = exchange
  const refused = status >= 400 && status < 500
  const found = succeeded(exchange) ? fault : undefined
  expectThat(refused, 'a status of 4xx', statusOf(exchange), exchange, found)
}

/** The first characters of a received value, for a report. */
export const shown = (value: unknown): string => {
  const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

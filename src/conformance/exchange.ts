import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { jsonIn } from '../contract/texts.ts'
import { httpRequest } from '../http/server.ts'
import type { Message } from '../messages/exact.ts'
import { answeredStatus, curlLine } from '../printable.ts'

/** One call to the provider with its outcome. Each `must...` throws a `NotMet` where that does not hold; `fault` is what is behind it then. */
export class Exchange {
  readonly method!: string
  readonly url!: string
  readonly headers!: Record<string, string>
  /** As it was sent. */
  readonly body: string | undefined
  /** Not set without an answer. */
  status?: number | undefined
  answerHeaders: IncomingMessage['headers'] = {}
  text = ''
  /** The parsed answer; `undefined` if it is not JSON. */
  json: unknown
  ms = 0
  failure?: string | undefined
  /** Days until the certificate of the endpoint expires. Not set without TLS. */
  certificateDays?: number
  tlsVersion?: string | undefined

  constructor(fields: Pick<Exchange, 'method' | 'url' | 'headers' | 'body'> & Partial<Exchange>) {
    Object.assign(this, fields)
  }

  get succeeded(): boolean {
    const { status = 0 } = this
    return status >= 200 && status < 300
  }

  /** The status in words, or why there is none. */
  get said(): string {
    if (this.status === undefined) return this.failure ?? 'no answer'
    return `status ${answeredStatus(this.status)}`
  }

  /** The fields of the answer; none of one that is no object. */
  get fields(): Message {
    return Object(this.json)
  }

  /** Whether the answer holds a list of methods, also one that PHP has written as an object. */
  hasList(key: string): boolean {
    return typeof this.fields[key] === 'object' && this.fields[key] !== null
  }

  /** Everything in such a list. */
  itemsIn(key: string): unknown[] {
    return this.hasList(key) ? Object.values(this.fields[key]) : []
  }

  /** The objects in such a list. */
  listIn(key: string): Message[] {
    return this.itemsIn(key).filter((one): one is Message => typeof one === 'object' && one !== null)
  }

  must(holds: boolean, expected: string, received: string, fault?: string): void {
    if (!holds) throw new NotMet(expected, received, this, fault)
  }

  /** Another status of success is the same fault in every answer. */
  mustBe(status: number, fault?: string): void {
    const found = this.succeeded ? `another status than ${status}` : fault
    this.must(this.status === status, `status ${status}`, this.said, found)
  }

  mustSucceed(fault?: string): void {
    this.must(this.succeeded, 'a status of 2xx', this.said, fault)
  }

  /** The provider fails with an answer of 5xx, or none. */
  mustNotFail(): void {
    const { status = 500 } = this
    this.must(status < 500, 'an answer below 500', this.said)
  }

  /** As the caller's fault. */
  mustBeRefused(fault?: string): void {
    const { status = 0, succeeded } = this
    this.must(status >= 400 && status < 500, 'a status of 4xx', this.said, succeeded ? fault : undefined)
  }

  /** Throws a `Skip` for what is not JSON. The label is one fault in all answers. */
  mustBeJson(): void {
    if (this.json === undefined) throw new Skip('The answer is not JSON')
    const type = this.answerHeaders['content-type'] ?? 'no Content-Type'
    const holds = /^application\/([\w.-]+\+)?json\b/i.test(type)
    this.must(holds, 'application/json', type, 'JSON with another label')
  }

  /** By a cache: the `Cache-Control` has to match, or at least not to allow it. */
  mustNotBeKept(isOff?: RegExp): void {
    const kept = this.answerHeaders['cache-control'] ?? 'no Cache-Control'
    const fault = /public|max-age=[1-9]/.test(kept) ? 'answers that a cache may store' : undefined
    this.must(isOff?.test(kept) ?? fault === undefined, 'no-store', kept, fault)
  }

  get curl(): string {
    const { method, url, headers, body } = this
    const isLong = body !== undefined && body.length > 20_000
    const shown = isLong ? `(${body.length} characters, see --json)` : body
    // Quoted, because an address from an endpoint may hold anything.
    return curlLine({ method, url: URL.parse(url)?.href ?? url, headers, body: shown }, '-i')
  }
}

export class NotMet extends Error {
  override readonly name = 'NotMet'
  readonly expected: string
  readonly received: string
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

/** Runs a check. A failure of it is the named fault, unless it is known to be another one. */
export async function asFault<T>(fault: string | undefined, check: () => Promise<T> | T): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof NotMet) error.fault ??= fault
    throw error
  }
}

/** The first characters of a received value, for a report. */
export const shown = (value: unknown): string => {
  const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

/** A request of a case. Default: GET without a body. */
export interface Sent {
  method?: string
  json?: unknown
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
  const exchange = new Exchange({ method, url, headers: sent, body })
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

import { answeredStatus } from '../printable.ts'
import type { Exchange } from './http.ts'

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
  received: string | (() => string),
  exchange?: Exchange,
  fault?: string,
): asserts holds {
  if (!holds)
    throw new NotMet(expected, typeof received === 'string' ? received : received(), exchange, fault)
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

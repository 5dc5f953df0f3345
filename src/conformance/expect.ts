import type { Exchange } from './http.ts'

/** The expectation was not met. */
export class NotMet extends Error {
  override readonly name = 'NotMet'
  readonly expected: string
  readonly received: string
  /** The call that shows it. */
  readonly exchange: Exchange | undefined

  constructor(expected: string, received: string, exchange?: Exchange) {
    super(`expected ${expected}, received ${received}`)
    this.expected = expected
    this.received = received
    this.exchange = exchange
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
): asserts holds {
  if (!holds) throw new NotMet(expected, typeof received === 'string' ? received : received(), exchange)
}

/** The status of an answer, in words. */
export const statusOf = ({ status, failure }: Exchange): string =>
  status === undefined ? (failure ?? 'no answer') : `status ${status}`

/** Throws unless the answer has this status. */
export function expectStatus(exchange: Exchange, expected: number): void {
  expectThat(exchange.status === expected, `status ${expected}`, statusOf(exchange), exchange)
}

/** Throws if the provider failed: an answer of 5xx, or none. */
export function expectNoFailure(exchange: Exchange): void {
  const { status } = exchange
  expectThat(status !== undefined && status < 500, 'an answer below 500', statusOf(exchange), exchange)
}

/** Throws unless the call was refused as the caller's fault. */
export function expectRefused(exchange: Exchange): void {
  const { status = 0 } = exchange
  expectThat(status >= 400 && status < 500, 'a status of 4xx', statusOf(exchange), exchange)
}

/** The first characters of a received value, for a report. */
export const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

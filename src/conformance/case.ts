import type { Exchange, Target } from './target.ts'

/** What a case looks into. One file of cases each. */
export type Topic =
  | 'shipment methods'
  | 'estimates'
  | 'payment methods'
  | 'payment start'
  | 'payment status'
  | 'return flow'
  | 'webhook'
  | 'repeats and races'
  | 'tolerance'
  | 'hostile input'
  | 'headers and TLS'
  | 'latency'
  | 'tenancy'

/** `must` is in the contract, `should` lets shops and customers live better, `note` is good to know. */
export type Level = 'must' | 'should' | 'note'

/** One check of the contract, as data. */
export interface ConformanceCase {
  /** Stable, such as `payment-start-status`. */
  name: string
  /** What holds, as a plain sentence. */
  title: string
  topic: Topic
  /** Such as `spec 4.3`. */
  section: string
  level: Level
  /** What the endpoint has to serve for it. */
  about: 'rates' | 'payments' | 'either'
  /** Whether it leaves test orders at the provider. */
  writes?: boolean
  /** What a platform does where it does not hold. */
  platform: string
  /** How to mend it. */
  remedy: string
  /** Resolves where it holds. Throws a `NotMet` where it does not, and a `Skip` where it cannot be tried. */
  run(target: Target): Promise<void>
}

/** What was expected did not come. */
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

/** It cannot be tried, and why. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/** Throws a `NotMet` unless it holds. */
export function expectThat(
  holds: boolean,
  expected: string,
  received: string | (() => string),
  exchange?: Exchange,
): asserts holds {
  if (!holds) throw new NotMet(expected, typeof received === 'string' ? received : received(), exchange)
}

/** A status that a call was answered with, in words. */
export const statusOf = ({ status, failure }: Exchange): string =>
  status === undefined ? (failure ?? 'no answer') : `status ${status}`

/** Throws unless the call was answered so. */
export function expectStatus(exchange: Exchange, expected: number): void {
  expectThat(exchange.status === expected, `status ${expected}`, statusOf(exchange), exchange)
}

/** Throws when the provider failed: an answer of 5xx, or none. */
export function expectNoFailure(exchange: Exchange): void {
  const { status } = exchange
  expectThat(status !== undefined && status < 500, 'an answer below 500', statusOf(exchange), exchange)
}

/** Throws unless the call was refused as the caller's fault. */
export function expectRefused(exchange: Exchange): void {
  const { status = 0 } = exchange
  expectThat(status >= 400 && status < 500, 'a status of 4xx', statusOf(exchange), exchange)
}

/** The beginning of what was received, for a report. */
export const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

import type { Target } from './target.ts'

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
  /** What to do about it. */
  remedy: string
  /** Resolves where it holds. Throws a `NotMet` where it does not, and a `Skip` where it cannot be tried. */
  run(target: Target): Promise<void>
}

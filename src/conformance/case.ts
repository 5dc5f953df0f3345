import type { Served } from '../contract/served.ts'
import type { Message } from '../messages/exact.ts'
import type { Target } from './target.ts'

/** The topics of the cases. Each has one file of cases. */
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

/** `must` is required by the contract, `should` helps shops and customers. */
export type Level = 'must' | 'should'

/** One check of the contract. */
export interface ConformanceCase {
  /** Stable, such as `payment-start-status`. */
  name: string
  /** The rule, as a plain sentence. */
  title: string
  topic: Topic
  /** Such as `spec 4.3`. */
  section: string
  level: Level
  /** The service that the endpoint must offer for it. */
  about: Served | 'either'
  /** Whether it creates test orders at the provider. */
  writes?: boolean
  /** The platform's reaction if the rule is broken. */
  platform: string
  /** The fix. */
  remedy: string
}

/** A case that runs against a target. */
export interface RunnableCase extends ConformanceCase {
  /** The faults for which it would wait in vain: once one of them is known, the case does not run. */
  waitsFor?: readonly string[]
  /** Resolves if the rule holds. Throws a `NotMet` if it does not, and a `Skip` if it cannot be tried. */
  run(target: Target): Promise<unknown>
}

export type ByLevel = Partial<Record<Level, string>>

type Shared = Pick<RunnableCase, 'topic' | 'section' | 'about' | 'writes' | 'waitsFor'>

/** A case under its name. Its rule stands under its level, as in `should: 'No cache stores the status'`. */
export type CaseByName = ByLevel &
  Pick<RunnableCase, 'platform' | 'remedy' | 'run'> &
  Partial<Omit<Shared, 'topic'>>

export const casesOf = (shared: Shared, cases: Record<string, CaseByName>): RunnableCase[] =>
  Object.entries(cases).map(([name, { must, should, ...rest }]) => {
    const level = must === undefined ? 'should' : 'must'
    return { ...shared, ...rest, name, level, title: (must ?? should)! }
  })

/** Sets fields in each of the named parts of a message, or in the message itself. */
export const set =
  (fields: object, ...parts: string[]) =>
  (message: Message): void => {
    if (parts.length === 0) Object.assign(message, fields)
    for (const part of parts) Object.assign(message[part], fields)
  }

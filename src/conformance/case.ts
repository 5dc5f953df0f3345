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

/** The fields that the cases of a table share. `platform` stands for rows without one of their own. */
type Shared = Pick<RunnableCase, 'topic' | 'section' | 'about' | 'writes' | 'waitsFor'> & {
  platform?: string
}

/**
 * The texts of cases in a table. A row begins at the left with the name, the level, with the section if that is its own, and the rule:
 * `tls | must, spec 2.2 | The endpoint is an https address`. Below stand what a platform does otherwise, and the remedy.
 */
export const textsIn = (table: string, usual = '') =>
  table
    .trim()
    .split(/\n(?! )/)
    .map((row) => {
      const [name = '', rank = '', title = '', ...others] = row.replaceAll(/\s+/g, ' ').split(' | ')
      const [level, section] = rank.split(', ')
      const [remedy = '', platform = usual] = others.reverse()
      return { name, level: level as Level, title, platform, remedy, ...(section && { section }) }
    })

/** The function of a case, with the fields that it does not share with the others. */
type Run = RunnableCase['run'] | (Partial<Shared> & Pick<RunnableCase, 'run'>)

/** The cases of a table. `runs` holds what runs for each, under its name. */
export function casesOf(shared: Shared, table: string, runs: Record<string, Run>): RunnableCase[] {
  const rows = textsIn(table, shared.platform)
  if (rows.length !== Object.keys(runs).length) throw new TypeError(`A case is not in the table:${table}`)
  return rows.map((texts) => {
    const run = runs[texts.name]
    if (!run) throw new TypeError(`Nothing runs for the case ${texts.name}`)
    return { ...shared, ...texts, ...(typeof run === 'function' ? { run } : run) }
  })
}

/** Sets fields in each of the named parts of a message, or in the message itself. */
export const set =
  (fields: object, ...parts: string[]) =>
  (message: Message): void => {
    if (parts.length === 0) Object.assign(message, fields)
    for (const part of parts) Object.assign(message[part], fields)
  }

import { type Deadline, deadlineFetch } from '../../adapters/call-adapter.ts'
import { reasonOf } from '../../adapters/cause-of.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import type { Parts } from '../../parts.ts'
import type { Shop } from '../../shops/shop.ts'
import type { OpenedSettings } from '../../shops/shop-settings.ts'
import type { Log, MaybePromise, OutgoingCaller } from '../../world.ts'
import {
  type InnerAdapter,
  type InnerQuestion,
  none,
  type RateAnswer,
  type RateContext,
  type RateQuestion,
} from '../adapter.ts'
import type { Audience } from '../check.ts'
import type { LeftOut, OutgoingTry, ReplacedAdapter } from '../explanation.ts'
import { type ParcelRules, type Parcels, parcelsOf } from '../parcels/parcels.ts'
import type { QuoteWithFacts } from '../parcels/product-facts.ts'
import type { Units } from '../parcels/units.ts'

/** An adapter that another one holds failed or was skipped: the message says which and why. It is logged and counted already. */
export class InnerFailed extends Error {
  override readonly name = 'InnerFailed'
}

export interface Part {
  adapter: AnyRateAdapter
  /** Its name in metrics, breakers and explanations: `carrier`, or `both/carrier` for one that `both` holds. */
  name: string
  shop: Shop
  opened: OpenedSettings
  /** Those of the adapter or its fallback. Throws if they do not match its schema. */
  settings: (adapter: AnyRateAdapter) => unknown
  audience: Audience
  /** How long it may take, in milliseconds. */
  ms: number
  /** That of the whole answer. Without it the part has one of its own. */
  deadline?: Deadline
  question: RateQuestion | InnerQuestion
  /** Whether the explanation repeats the adapter's own words, which may hold what a customer typed. */
  ownWords: boolean
  /** Whether another adapter holds it, which hands on its methods. They are checked there. */
  isInner: boolean
}

const most = 20
/** The most characters of a refused answer. */
const mostOfAnswer = 300

/** Records the calls of an adapter for one answer. */
export class OutgoingTries {
  readonly all: OutgoingTry[] = []
  readonly #now: () => number
  /** Whether paths and refused answers are recorded: they may hold what a customer typed. */
  readonly #ownWords: boolean

  constructor(now: () => number, ownWords: boolean) {
    this.#now = now
    this.#ownWords = ownWords
  }

  /** The status of the last call; `undefined` if it had no answer. */
  lastStatus: number | undefined

  /** The same `fetch`, recorded. */
  of(fetching: typeof fetch): typeof fetch {
    return async (input, init) => {
      const started = this.#now()
      const url = URL.parse(input instanceof Request ? input.url : String(input))
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
      const to = `${url?.host ?? ''}${this.#ownWords ? (url?.pathname ?? '') : ''}`
      const ended = (how: Partial<OutgoingTry>) => {
        this.lastStatus = how.status
        if (this.all.length < most) this.all.push({ method, to, ms: this.#now() - started, ...how })
      }
      try {
        const answer = await fetching(input, init)
        const ms = this.#now() - started
        ended({ status: answer.status, ms, ...(this.#ownWords && (await beginningOf(answer))) })
        return answer
      } catch (error) {
        ended({ failure: reasonOf(error) })
        throw error
      }
    }
  }
}

/** The beginning of a refused answer on one line. The adapter reads the answer itself as well. */
async function beginningOf(answer: Response): Promise<Pick<OutgoingTry, 'answer'>> {
  if (answer.status < 400) return {}
  const text = await answer
    .clone()
    .text()
    .catch(() => '')
  const line = text.replace(/\s+/g, ' ').trim().slice(0, mostOfAnswer)
  return line === '' ? {} : { answer: line }
}

const mostNotes = 100

/** Asks an adapter that another one holds, for the answer of that one. */
export type AskInner = (
  holder: Context,
  inner: InnerAdapter,
  question: InnerQuestion,
) => MaybePromise<RateAnswer>

/** Created for every request, so members that most adapters never use are created on first use. */
export class Context implements RateContext {
  readonly shop: { id: string }
  readonly now: () => number
  readonly log: Log
  readonly none = none
  readonly notes: string[] = []
  readonly counted: Parcels[] = []
  /** The adapters that it holds and that did not answer. */
  readonly failed: string[] = []
  readonly replaced: ReplacedAdapter[] = []
  /** Methods of adapters that it holds. */
  readonly leftOut: LeftOut[] = []
  readonly part: Part
  /** When it was created, in milliseconds since 1970. */
  readonly since: number
  /** Whether it asked an adapter that it holds. */
  asked = false
  readonly #workings: Parts<'world' | 'rates'>
  readonly #deadline: Deadline
  readonly #askInner: AskInner
  #tries: OutgoingTries | undefined

  constructor(workings: Parts<'world' | 'rates'>, part: Part, deadline: Deadline, askInner: AskInner) {
    this.shop = { id: part.shop.id }
    this.now = workings.world.now
    this.log = workings.world.log
    this.part = part
    this.since = workings.world.now()
    this.#workings = workings
    this.#deadline = deadline
    this.#askInner = askInner
  }

  get calls(): readonly OutgoingTry[] {
    return this.#tries?.all ?? []
  }

  get lastStatus(): number | undefined {
    return this.#tries?.lastStatus
  }

  addCalls(calls: readonly OutgoingTry[]): void {
    if (calls.length > 0) this.#recorded.all.push(...calls)
  }

  note(text: string): void {
    if (this.notes.length < mostNotes) this.notes.push(String(text).slice(0, 500))
  }

  // Bound, because adapters destructure the context; most use neither.
  get explain() {
    return (note: string): void => this.note(note)
  }

  get after() {
    const { world } = this.#workings
    return (ms: number, call: () => void) => world.after(ms, call)
  }

  get parcels() {
    return (quote: QuoteWithFacts, rules: ParcelRules): Parcels => {
      const parcels = parcelsOf(quote, this.units, rules)
      this.counted.push(parcels)
      if (parcels.unknown.length > 0) {
        const { unmeasured } = this.#workings.rates.memory
        unmeasured.note(this.part.name, this.shop.id, parcels, this.log)
      }
      return parcels
    }
  }

  get ask() {
    return (inner: InnerAdapter, question: InnerQuestion): MaybePromise<RateAnswer> => {
      this.asked = true
      return this.#askInner(this, inner, question)
    }
  }

  get settings(): unknown {
    return this.part.settings(this.part.adapter)
  }

  get units(): Units {
    return this.part.opened.units ?? this.#workings.rates.rating.units(this.shop)
  }

  get signal() {
    return this.#deadline.signal
  }

  get fetch() {
    return this.#recorded.of(deadlineFetch(this.#workings.world, this.#deadline, this.#caller))
  }

  get sharedFetch(): typeof fetch {
    const { outgoing } = this.#workings.world
    return this.#recorded.of((input, init) => outgoing.fetch(input, init, this.#caller))
  }

  get #recorded(): OutgoingTries {
    this.#tries ??= new OutgoingTries(this.now, this.part.ownWords)
    return this.#tries
  }

  get #caller(): OutgoingCaller {
    const { name, network } = this.part.adapter
    return { name, network, shop: this.shop.id, kind: 'rates' }
  }
}

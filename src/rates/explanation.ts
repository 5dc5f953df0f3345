import { reasonOf } from '../adapters/cause-of.ts'
import type { LeftOut } from '../adapters/offered-methods.ts'
import type { WireShipmentMethod } from '../contract/index.ts'
import type { Parcels } from './parcels/packing.ts'

/** The source of an adapter's answer. `off`: it does not cache. `joined`: an equal request was already running. */
export type CacheState = 'off' | 'miss' | 'hit' | 'joined' | 'stale'

/** A call of an adapter to its carrier. */
export interface OutgoingTry {
  method: string
  /** Host and port; in development and in `rates explain` the path too. */
  to: string
  /** Until the head of the answer. */
  ms: number
  /** Not set if there was no answer. */
  status?: number
  /** Why there was no answer. */
  failure?: string
  /** In development and in `rates explain`: the beginning of an answer of 400 or above, at most 300 characters. */
  answer?: string
}

/** An adapter that failed or was skipped, with the reason and the fallback that answered. */
export interface ReplacedAdapter {
  adapter: string
  reason: string
  fallback: string
}

/** One adapter's part of an answer. Never holds a value that a customer typed. */
export interface AdapterExplanation {
  adapter: string
  /** Its duration, in milliseconds. */
  ms: number
  cache: CacheState
  /** `skipped`: not called after repeated failures, for this shop or for several. */
  result: 'methods' | 'none' | 'failed' | 'skipped'
  /** The reason for no methods, a failure or a skip. */
  reason?: string
  /** In development and in `rates explain`: the words of the error that it threw. They may repeat what a customer typed. */
  words?: string
  /** The line of its code that threw: `rates.ts:16`. */
  place?: string
  /** The adapter that answered instead, because this one failed. */
  fallback?: string
  /** The adapters inside it that failed or were skipped, and that no fallback of their own with methods replaced. */
  failed?: readonly string[]
  /** The adapters that failed and whose fallback answered: this one, or those inside it. */
  replaced?: readonly ReplacedAdapter[]
  /** Its calls to the carrier for this answer. */
  calls: readonly OutgoingTry[]
  /** Its methods in the answer. `goodUntil`: from then on the method is no longer true, in milliseconds since 1970. */
  methods: readonly (WireShipmentMethod & { goodUntil?: number })[]
  leftOut: readonly LeftOut[]
  /** The adapter's own notes. */
  notes: readonly string[]
  /** The instant from which this answer is no longer true, in milliseconds since 1970. */
  goodUntil?: number
  /** Its weights and parcels. */
  parcels: readonly Parcels[]
}

/** An adapter's checked answer. The cache keeps it unchanged. */
export type Outcome = Omit<AdapterExplanation, 'ms' | 'cache'>

/** Explains why each rate is, or is not, in one answer. */
export interface RatesExplanation {
  asked: 'checkout' | 'estimate'
  ms: number
  /** The time that all adapters together had, in milliseconds. */
  deadline: number
  adapters: AdapterExplanation[]
  /** In `rates explain`: the fields of the body that came in a form that cannot be read, such as `shipping_address.country`. They count as missing. */
  lost?: readonly string[]
  /** Whether the answer is the shop's fallback rates, because there was nothing else. */
  fallback: boolean
  /** The answer. */
  methods: WireShipmentMethod[]
}

/** Whether an adapter did not answer. That it has no method is an answer. */
export const isFailure = ({ result }: Pick<AdapterExplanation, 'result'>): boolean =>
  result === 'failed' || result === 'skipped'

/** The names of the adapters that did not answer: this one, or those inside it. */
export const failedOf = ({ adapter, result, failed = [] }: AdapterExplanation): readonly string[] =>
  isFailure({ result }) ? [adapter] : failed

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
  const body = answer.clone()
  const text = await body.text().catch(() => '')
  const line = text.replace(/\s+/g, ' ').trim().slice(0, mostOfAnswer)
  return line === '' ? {} : { answer: line }
}

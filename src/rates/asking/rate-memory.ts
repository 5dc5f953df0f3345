import { LRUCache } from 'lru-cache'
import { nodeLives } from '../../shops/rotate-secret.ts'
import type { AskedRates, StorePort } from '../../store-port.ts'
import { upTo, type World } from '../../world.ts'
import type { RateCaching, RateQuestion } from '../adapter.ts'
import { failedOf, type Outcome, type RatesExplanation } from '../explanation.ts'
import { RateBreakers } from './rate-breakers.ts'

/** The most cached methods, of all adapters together. */
const mostMethods = 200_000

/** How long an answer is fresh, and how much longer it may be used, in milliseconds. */
export const lasting =
  ({ cache }: { cache?: Pick<RateCaching, 'ttl' | 'staleFor' | 'noneTtl'> | undefined }) =>
  ({ result, failed }: Outcome): [number, number] => {
    // A failure inside is none to keep: the next answer may have methods.
    if (result === 'none' && failed) return [0, 0]
    const { ttl, staleFor = 0, noneTtl = Math.min(ttl, 60_000) } = cache!
    if (result === 'methods') return [ttl, staleFor]
    return [result === 'none' ? noneTtl : 0, 0]
  }

export class RateMemory {
  readonly cache = new RateCache<Outcome>(mostMethods, ({ methods }) => 1 + methods.length)
  readonly caching = new Counts(cacheKinds)
  readonly answers = new Counts(answerKinds)
  readonly breakers: RateBreakers
  readonly slow = new SlowAdapters()
  readonly questions = new Questions()
  /** Adapter, shop and figure of carts that are not known in full, so that rules about them miss a part, which was logged. */
  readonly unmeasured = new LRUCache<string, true>(upTo(10_000))
  /** The adapters whose methods without an id were logged. In development only. */
  readonly unnamed = new Set<string>()
  /** The adapters whose prices looked like cents, which was logged. In development only. */
  readonly inCents = new Set<string>()
  /** The HMAC key of this process's cache keys. */
  readonly secret: string

  constructor(world: World) {
    this.breakers = new RateBreakers(world)
    this.secret = world.token(32)
  }
}

interface Kept {
  /** The instant from which the answer is not fresh. A stale one is used without what has passed. */
  goodUntil?: number
}

interface Entry<T> {
  answer: T
  askedAt: number
  freshUntil: number
  /** While the adapter fails, it may be used until then. */
  staleUntil: number
}

/** Answers by key, with one call at a time for each. Ages are counted from when the adapter was asked. */
export class RateCache<T extends Kept> {
  readonly #entries: LRUCache<string, Entry<T>>
  readonly #underWay = new Map<string, Promise<T>>()

  /** `most` is the sum of all sizes; what was used last stays. */
  constructor(most: number, sizeOf: (answer: T) => number) {
    this.#entries = new LRUCache({ maxSize: most, sizeCalculation: ({ answer }) => sizeOf(answer) })
  }

  fresh(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key)
    return entry && now < entry.freshUntil ? entry.answer : undefined
  }

  stale(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key)
    return entry && now < entry.staleUntil ? entry.answer : undefined
  }

  joined(key: string): Promise<T> | undefined {
    return this.#underWay.get(key)
  }

  /** Calls, and caches the answer. `lasts`: how long it is fresh, then stale, in milliseconds. A failed call may still `keep` a late answer. */
  ask(
    key: string,
    now: number,
    lasts: (answer: T) => [number, number],
    call: (keep: (answer: T) => void) => Promise<T>,
  ): Promise<T> {
    const keep = (answer: T) => {
      const [fresh, stale] = lasts(answer)
      const end = answer.goodUntil ?? Number.POSITIVE_INFINITY
      const [freshUntil, staleUntil] = [Math.min(now + fresh, end), now + fresh + stale]
      const isNewest = (this.#entries.get(key)?.askedAt ?? now) <= now
      if (fresh > 0 && isNewest) this.#entries.set(key, { answer, askedAt: now, freshUntil, staleUntil })
    }
    const flight = call(keep)
      .then((answer) => {
        keep(answer)
        return answer
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, flight)
    return flight
  }
}

/** How one question to an adapter ended. `fallback`: it failed, and its fallback answered. */
export const answerKinds = ['methods', 'none', 'failed', 'skipped', 'fallback'] as const
/** How one question to an adapter with a cache was answered. `joined`: by a call that was already running. */
const cacheKinds = ['hits', 'joined', 'misses', 'stale'] as const

class Counts<Kind extends string> {
  readonly #kinds: readonly Kind[]
  readonly #counts = new Map<string, Record<Kind, number>>()

  constructor(kinds: readonly Kind[]) {
    this.#kinds = kinds
  }

  count(adapter: string, kind: Kind): void {
    const none = () => Object.fromEntries(this.#kinds.map((one) => [one, 0])) as Record<Kind, number>
    const counts = this.#counts.get(adapter) ?? none()
    counts[kind]++
    this.#counts.set(adapter, counts)
  }

  counts(): Record<string, Record<Kind, number>> {
    return Object.fromEntries(this.#counts)
  }
}

/** A call that takes longer is slow, in milliseconds. */
const slowAfter = 1_000
/** So many more bad calls than good ones make an adapter slow, and so many more good ones end it. */
const enough = 10
/** It ends too when no call was bad for this long, in milliseconds. */
const overAfter = 600_000
/** Nor is one slow that nobody asked for this long, in milliseconds. */
const quietAfter = 60_000

/** A rate adapter most of whose calls fail or take over 1 s. Times are in milliseconds since 1970. */
interface SlowAdapter {
  adapter: string
  since: number
  lastFailure: string
}

/** `score`: bad calls less good ones, from 1 to `enough`. `lastCallAt`: when its last call ended, bad or good. */
type Counted = SlowAdapter & { score: number; isSlow: boolean; lastBadAt: number; lastCallAt: number }

/** Finds the rate adapters of this process that are slow or fail, whether or not a breaker opens. Good calls of good adapters cost nothing. */
export class SlowAdapters {
  readonly #adapters = new Map<string, Counted>()

  /** `failure`: why the call failed; not set if it was answered. */
  called(adapter: string, call: { started: number; now: number; failure?: string | undefined }): void {
    const { started, now, failure } = call
    const ms = now - started
    const known = this.#adapters.get(adapter)
    if (failure === undefined && ms <= slowAfter) {
      if (!known) return
      known.lastCallAt = now
      if (--known.score <= 0) this.#adapters.delete(adapter)
      return
    }
    const lastFailure = failure ?? `answered after ${(ms / 1_000).toFixed(1)} s`
    const isRecent = known && now - known.lastBadAt < overAfter
    const before = isRecent ? known : { since: started, score: 0, isSlow: false }
    const score = Math.min(before.score + 1, enough)
    const isSlow = before.isSlow || score === enough
    const times = { since: before.since, lastBadAt: now, lastCallAt: now }
    this.#adapters.set(adapter, { adapter, lastFailure, score, isSlow, ...times })
  }

  slow(now: number): SlowAdapter[] {
    return [...this.#adapters.values()]
      .filter((one) => one.isSlow && now - one.lastBadAt < overAfter && now - one.lastCallAt <= quietAfter)
      .map(({ adapter, since, lastFailure }) => ({ adapter, since, lastFailure }))
  }
}

/** Of those with nothing missing one in so many is kept. */
const oneIn = 100
const workEvery = 5_000
/** Kept by all nodes together between two times: 50 a second. */
const mostKept = 250
const keptFor = 7 * 24 * 3_600_000

/** Whether an adapter failed, a method was left out, or there is none at all. */
const isMissing = ({ adapters, methods }: RatesExplanation): boolean =>
  methods.length === 0 || adapters.some((one) => failedOf(one).length > 0 || one.leftOut.length > 0)

/** Words of errors, paths and answers of carriers may repeat what a customer typed. */
const withoutWords = ({ words: _, calls, ...one }: RatesExplanation['adapters'][number]) => ({
  ...one,
  calls: calls.map(({ answer: _answer, to, ...call }) => ({ ...call, to: to.split('/')[0]! })),
})

interface Storing {
  store: StorePort
  world: World
}

/** Keeps a sample of the questions for rates, and every one with something missing, until they are stored. Quotes never wait for it. */
export class Questions {
  #kept: AskedRates[] = []
  #count = 0

  note(world: World, shopId: string, question: RateQuestion, explanation: RatesExplanation): void {
    const missing = isMissing(explanation)
    if (!missing && this.#count++ % oneIn !== 0) return
    if (this.#kept.length >= mostKept) return
    const { adapters, fallback, deadline, asked: kind, ms, methods } = explanation
    const request = 'request' in question ? question.request : question.estimate
    const { quote, shop } = request
    const country = (request.shipping_address as { country?: string }).country
    const [parcels] = adapters.flatMap((one) => one.parcels)
    this.#kept.push({
      ...{ id: `q-${world.token(9)}`, shopId, at: world.now(), kind, country: country ?? '' },
      weight: parcels && `${parcels.actual} ${parcels.unit}`,
      ...{ lines: quote.products.length, value: String(quote.price_incl), currency: shop.currency ?? '' },
      ...{ ms: Math.round(ms), methods: methods.length, missing },
      explanation: { fallback, deadline, adapters: adapters.map(withoutWords) },
    })
  }

  /** Stores what was kept. Resolves with the milliseconds until the next time. */
  async work({ store, world }: Storing): Promise<number> {
    const kept = this.#kept
    if (kept.length === 0) return workEvery
    this.#kept = []
    const nodes = (await store.nodes(world.now() - nodeLives)).length
    await store.noteQuestions(kept.slice(0, Math.ceil(mostKept / Math.max(1, nodes))))
    return workEvery
  }

  forget = ({ store, world }: Storing) => store.forgetQuestions(world.now() - keptFor)
}

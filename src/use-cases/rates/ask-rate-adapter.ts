import type { Quote } from '../../contract/index.ts'
import { hasCode, hasOwnWords, wrongAnswer } from '../../errors.ts'
import type { RateAnswer, RateContext } from '../../rates/adapter.ts'
import { type Audience, checkShipmentMethods } from '../../rates/check.ts'
import type { AdapterExplanation, CacheState } from '../../rates/explanation.ts'
import { NotQuotable, type ParcelRules, type Parcels, parcelsOf } from '../../rates/parcels.ts'
import type { Units } from '../../rates/units.ts'
import type { Shop } from '../../shops/shop.ts'
import { isPromise, type Log, type MaybePromise } from '../../world.ts'
import { callAdapter } from '../call-adapter.ts'
import { Deadline, DeadlinePassed, deadlineFetch } from '../deadline.ts'
import type { OpenedSettings } from '../shops/opened-settings.ts'
import type { AnyRateAdapter, Workings } from '../workings.ts'
import { LeftAlone } from './rate-breakers.ts'
import type { Outcome, RateMemory } from './rate-memory.ts'

export interface Part {
  adapter: AnyRateAdapter
  shop: Shop
  settings: OpenedSettings
  audience: Audience
  deadline: Deadline
  /** The same for equal requests. Without it the adapter is called every time. */
  key: (() => string) | undefined
  call: 'quote' | 'estimate'
  ask: (ctx: RateContext) => MaybePromise<RateAnswer>
}

/** Calls the rate adapters of one provider, with the memory of their answers. */
export class RateAdapters {
  readonly #workings: Workings
  readonly #memory: RateMemory

  constructor(workings: Workings) {
    this.#workings = workings
    this.#memory = workings.memory.rates
  }

  /** Asks one adapter, until the deadline. Never throws and never rejects. */
  ask(part: Part): MaybePromise<AdapterExplanation> {
    const { now } = this.#workings.world
    const started = now()
    const explained = (outcome: Outcome, cache: CacheState): AdapterExplanation => ({
      ...outcome,
      ms: now() - started,
      cache,
    })
    if (part.key) {
      try {
        return this.#askCached(part, part.key(), explained)
      } catch (error) {
        return explained(this.#failure(part, error), 'miss')
      }
    }
    const outcome = this.#askNow(part, part.deadline)
    return isPromise(outcome)
      ? outcome.then((settled) => explained(settled, 'off'))
      : explained(outcome, 'off')
  }

  #askCached(
    part: Part,
    key: string,
    explained: (outcome: Outcome, cache: CacheState) => AdapterExplanation,
  ): MaybePromise<AdapterExplanation> {
    const { cache } = this.#memory
    const { world, deadlines } = this.#workings
    const { name } = part.adapter
    const now = world.now()
    const fresh = cache.fresh(key, now)
    if (fresh) {
      cache.count(name, 'hits')
      return explained(fresh, 'hit')
    }
    const joined = cache.joined(key)
    cache.count(name, joined ? 'joined' : 'misses')
    // A shared call ends at the deadline of the caller that began it, which is before the others'.
    const flight =
      joined ??
      cache.ask(key, now, lasting(part.adapter), async () =>
        this.#askNow(part, new Deadline(world, deadlines.rates)),
      )
    return flight.then((outcome) => {
      const stale = isFailure(outcome) ? cache.stale(key, world.now()) : undefined
      if (!stale) return explained(outcome, joined ? 'joined' : 'miss')
      cache.count(name, 'stale')
      const notes = [...stale.notes, `an older answer, because it ${outcome.result}: ${outcome.reason}`]
      return explained({ ...stale, notes }, 'stale')
    })
  }

  /** Synchronous if the adapter answers synchronously, as most table look-ups do: without a timer and a promise. */
  #askNow(part: Part, deadline: Deadline): MaybePromise<Outcome> {
    const { adapter, shop } = part
    const { now } = this.#workings.world
    const ctx = new Context(this.#workings, part, deadline)
    const answered = (answer: RateAnswer) => {
      const outcome = this.#answered(part, ctx, answer)
      this.#memory.breakers.answered(adapter.name, shop.id, outcome.result === 'methods')
      ended()
      return outcome
    }
    const leftAlone = this.#memory.breakers.refusal(adapter.name, shop.id)
    if (leftAlone) return this.#failure(part, leftAlone, ctx.notes)
    const started = now()
    const ended = (failure?: string) => {
      const at = now()
      this.#memory.slow.called(adapter.name, { ms: at - started, failure, now: at })
    }
    const failed = (error: unknown): Outcome => {
      if (error instanceof NotQuotable) {
        this.#memory.breakers.answered(adapter.name, shop.id, false)
        ended()
        return none(part, ctx, error.message)
      }
      const reason = reasonOf(error)
      const ofCarrier = isOfCarrier(error)
      this.#memory.breakers.failed(adapter.name, shop.id, { reason, ofCarrier })
      if (ofCarrier) ended(reason)
      return this.#failure(part, error, ctx.notes)
    }
    try {
      const how = { adapter, call: part.call, shop: shop.id, deadline }
      const answer = callAdapter(this.#workings, how, () => part.ask(ctx))
      return isPromise(answer) ? answer.then(answered).catch(failed) : answered(answer)
    } catch (error) {
      return failed(error)
    }
  }

  #answered(part: Part, ctx: Context, answer: RateAnswer): Outcome {
    const { name } = part.adapter
    if (!Array.isArray(answer)) {
      const why = (answer as { none?: unknown } | undefined)?.none
      if (typeof why === 'string') return none(part, ctx, why)
      throw wrongAnswer(`Rate adapter "${name}" must answer with a list of methods or none('why')`)
    }
    const { methods, leftOut } = checkShipmentMethods(name, answer, part.audience)
    const { notes, counted: parcels } = ctx
    if (methods.length > 0) return { adapter: name, result: 'methods', methods, leftOut, notes, parcels }
    const reason = leftOut.length > 0 ? 'every method was left out' : 'it offered nothing'
    return { adapter: name, result: 'none', reason, methods, leftOut, notes, parcels }
  }

  #failure({ adapter, shop }: Part, error: unknown, notes: readonly string[] = []): Outcome {
    const about = { adapter: adapter.name, shop: shop.id }
    const rest = { adapter: adapter.name, methods: [], leftOut: [], notes, parcels: [] }
    if (error instanceof LeftAlone) return { ...rest, result: 'skipped', reason: error.message }
    this.#workings.world.log.warn({ ...about, err: error }, 'rate adapter failed')
    return { ...rest, result: 'failed', reason: reasonOf(error) }
  }
}

export const isFailure = ({ result }: Pick<Outcome, 'result'>): boolean =>
  result === 'failed' || result === 'skipped'

/** How long an answer is fresh, and how much longer it may be used, in milliseconds. */
const lasting =
  ({ cache }: AnyRateAdapter) =>
  ({ result }: Outcome): [number, number] => {
    const { ttl, staleFor = 0, noneTtl = Math.min(ttl, 60_000) } = cache!
    if (result === 'methods') return [ttl, staleFor]
    return [result === 'none' ? noneTtl : 0, 0]
  }

function none({ adapter }: Part, { notes, counted: parcels }: Context, reason: string): Outcome {
  return { adapter: adapter.name, result: 'none', reason, methods: [], leftOut: [], notes, parcels }
}

/** A missing setting of the shop, and a 4xx to its key or cart, is not a failure of the carrier. */
function isOfCarrier(error: unknown): boolean {
  if (hasCode(error, 'SETTINGS_MISSING')) return false
  const status = Number((error as { status?: unknown } | undefined)?.status)
  return !(status >= 400 && status < 500 && status !== 408 && status !== 429)
}

/** The codes of a failed connection, of the system and of TLS. Only these are repeated: a code of the adapter may be anything. */
const connectionCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/**
 * Our own messages in full. Of other errors only the name and the code of a failed connection, such as `TypeError, ECONNREFUSED`, because
 * their text may repeat what a shopper typed.
 */
function reasonOf(error: unknown): string {
  if (error instanceof DeadlinePassed || hasOwnWords(error)) return error.message
  if (!(error instanceof Error)) return 'a value other than an error was thrown'
  const codes = [error, error.cause].map((one) => (one as { code?: unknown } | undefined)?.code)
  const code = connectionCodes.find((one) => codes.includes(one))
  return code === undefined ? error.name : `${error.name}, ${code}`
}

/** Created for every request, so members that most adapters never use are created on first use. */
class Context implements RateContext {
  readonly shop: { id: string }
  readonly now: () => number
  readonly log: Log
  readonly notes: string[] = []
  readonly counted: Parcels[] = []
  readonly #workings: Workings
  readonly #part: Part
  readonly #deadline: Deadline

  constructor(workings: Workings, part: Part, deadline: Deadline) {
    this.shop = { id: part.shop.id }
    this.now = workings.world.now
    this.log = workings.world.log
    this.#workings = workings
    this.#part = part
    this.#deadline = deadline
  }

  // Bound, because adapters destructure the context; most use neither.
  get explain() {
    return (note: string): void => {
      if (this.notes.length < 100) this.notes.push(String(note).slice(0, 500))
    }
  }

  get parcels() {
    return (quote: Quote, rules: ParcelRules): Parcels => {
      const parcels = parcelsOf(quote, this.units, rules)
      this.counted.push(parcels)
      return parcels
    }
  }

  get settings(): unknown {
    return this.#part.settings.of(this.#part.adapter)
  }

  get units(): Units {
    return this.#part.settings.units ?? this.#workings.rating.units(this.shop)
  }

  get signal() {
    return this.#deadline.signal
  }

  get fetch() {
    const { name, network } = this.#part.adapter
    const caller = { name, network, shop: this.shop.id, kind: 'rates' } as const
    return deadlineFetch(this.#workings.world, this.#deadline, caller)
  }
}

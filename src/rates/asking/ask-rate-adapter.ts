import { callAdapter, Deadline, DeadlinePassed } from '../../adapters/call-adapter.ts'
import { causeOf, lookable, readOfError, reasonOf, wordsOf } from '../../adapters/cause-of.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import { placeOf } from '../../code-place.ts'
import { wrongAnswer } from '../../errors/errors.ts'
import type { Parts } from '../../parts.ts'
import { isPromise, type MaybePromise, next } from '../../world.ts'
import type { EstimateRequest, InnerAdapter, InnerQuestion, NoMethods, RateAnswer } from '../adapter.ts'
import { type Checked, checkInnerMethods, checkShipmentMethods, earlier, looksLikeCents } from '../check.ts'
import type { AdapterExplanation, CacheState, LeftOut } from '../explanation.ts'
import { failedOf, isFailure } from '../explanation.ts'
import { promisedMethods } from '../method-promises.ts'
import { NotQuotable } from '../parcels/parcels.ts'
import { type AdapterQuestion, questionFor } from './question-for.ts'
import { LeftAlone } from './rate-breakers.ts'
import { Context, InnerFailed, type Part } from './rate-context.ts'
import { lasting, type Outcome, type RateMemory } from './rate-memory.ts'
import { noteDisagreements, placesOf, withoutPassed } from './still-true.ts'

/** The part of its time after which an adapter with a fallback has failed. */
const beforeFallback = 0.9
/** The part of the time left that an inner adapter may take. */
const ofTimeLeft = 0.95

/** Calls the rate adapters of one provider, with the memory of their answers. */
export class RateAdapters {
  readonly #workings: Parts<'world' | 'rates'>
  readonly #memory: RateMemory

  constructor(workings: Parts<'world' | 'rates'>) {
    this.#workings = workings
    this.#memory = workings.rates.memory
  }

  /** Asks one adapter, and its fallback if it fails, until the deadline. Never throws and never rejects. */
  ask(part: Part): MaybePromise<AdapterExplanation> {
    const question = questionFor(this.#workings, part, part.question, part.shop)
    if (!question) return notEstimating(part.name)
    const { fallback, promises } = part.adapter
    const started = this.#workings.world.now()
    const main = fallback ? { ...part, ms: part.ms * beforeFallback, deadline: undefined } : part
    const asked = question.key
      ? this.#askCached(main, question, question.key)
      : next(this.#askNow(main, question, this.#deadlineOf(main)), (outcome) =>
          this.#explained(outcome, 'off', started),
        )
    // Its promises are written into the answer, which may be an older one.
    const promised = promises ? next(asked, (answer) => this.#promising(main, question, answer)) : asked
    const answered = fallback
      ? next(promised, (answer) =>
          isFailure(answer) ? this.#askFallback(part, fallback, started, answer) : answer,
        )
      : promised
    return next(answered, (answer) => {
      const { result, fallback: instead } = answer
      this.#memory.answers.count(part.name, instead === undefined ? result : 'fallback')
      return answer
    })
  }

  async #askFallback(
    part: Part,
    fallback: AnyRateAdapter,
    started: number,
    failed: AdapterExplanation,
  ): Promise<AdapterExplanation> {
    const name = `${part.name}/${fallback.name}`
    const left = started + part.ms - this.#workings.world.now()
    const answer = await this.ask({
      ...part,
      adapter: fallback,
      name,
      ms: Math.max(left, (1 - beforeFallback) * part.ms),
      deadline: undefined,
    })
    const notes = [...failed.notes, `it ${failed.result}: ${failed.reason}`]
    const about = {
      adapter: failed.adapter,
      ms: failed.ms + answer.ms,
      calls: [...failed.calls, ...answer.calls],
    }
    if (!isFailure(answer) && takesPart(answer)) {
      const lost = answer.result === 'none' && [failed.adapter, ...failedOf(answer)]
      return {
        ...answer,
        ...about,
        fallback: fallback.name,
        replaced: [
          ...(answer.replaced ?? []),
          { adapter: failed.adapter, reason: `${failed.reason}`, fallback: fallback.name },
        ],
        notes: [...notes, ...answer.notes],
        ...(lost && { failed: lost }),
      }
    }
    return {
      ...failed,
      ...about,
      notes: [...failed.notes, `its fallback ${fallback.name}: ${answer.reason}`],
    }
  }

  /** For an adapter that holds others: with the notes, parcels and calls of the inner one. Rejects if that fails or is skipped. */
  readonly #askInner = (
    holder: Context,
    { adapter, name = adapter.name, share = ofTimeLeft, settings }: InnerAdapter,
    question: InnerQuestion,
  ): MaybePromise<RateAnswer> => {
    const { part, since } = holder
    const left = since + part.ms - this.#workings.world.now()
    const asked = this.ask({
      ...part,
      adapter,
      name: `${part.name}/${name}`,
      settings: settings ?? ((one) => part.opened.of(one)),
      ms: Math.max(1, left * share),
      deadline: undefined,
      question,
      isInner: true,
    })
    const answered = (answer: AdapterExplanation): RateAnswer => {
      for (const note of answer.notes) holder.note(`${name}: ${note}`)
      for (const one of answer.leftOut)
        holder.leftOut.push({ ...one, inside: name, reason: `${name}: ${one.reason}` })
      holder.failed.push(...failedOf(answer))
      holder.replaced.push(...(answer.replaced ?? []))
      holder.counted.push(...answer.parcels)
      holder.addCalls(answer.calls)
      if (answer.cache !== 'off' && answer.cache !== 'miss') holder.note(`${name}: cache ${answer.cache}`)
      if (answer.result === 'methods') return answer.methods as unknown as RateAnswer
      if (answer.result === 'none') return { none: answer.reason ?? '', goodUntil: answer.goodUntil }
      const { result, reason, words, place } = answer
      const why = [reason, words].filter(Boolean).join(': ')
      throw new InnerFailed(`${result}: ${why}${place === undefined ? '' : ` at ${place}`}`)
    }
    return next(asked, answered)
  }

  async #promising(
    part: Part,
    { country }: AdapterQuestion,
    answer: AdapterExplanation,
  ): Promise<AdapterExplanation> {
    const { adapter, name, shop, isInner, audience } = part
    if (answer.result !== 'methods') return answer
    const { world } = this.#workings
    const deadline = new Deadline(world, Math.max(1, part.ms - answer.ms))
    const ctx = new Context(this.#workings, part, deadline, this.#askInner)
    try {
      const how = { adapter: { name }, call: 'promises', shop: shop.id, deadline }
      const promises = await callAdapter(this.#workings.world, how, () => adapter.promises!({ country }, ctx))
      const methods = promisedMethods(answer.methods, promises, isInner ? undefined : audience.language)
      const goodUntil = promises.reduce((end, one) => earlier(end, one.goodUntil), answer.goodUntil)
      return { ...answer, methods, goodUntil, notes: [...answer.notes, ...ctx.notes] }
    } catch (error) {
      return { ...answer, ...this.#failure(part, error, ctx), calls: answer.calls }
    }
  }

  #explained(outcome: Outcome, cache: CacheState, started: number): AdapterExplanation {
    const calls = cache === 'hit' || cache === 'joined' ? [] : outcome.calls
    return { ...outcome, calls, ms: this.#workings.world.now() - started, cache }
  }

  #deadlineOf({ deadline, ms }: Part): Deadline {
    return deadline ?? new Deadline(this.#workings.world, ms)
  }

  #askCached(
    part: Part,
    question: AdapterQuestion,
    keyOf: NonNullable<AdapterQuestion['key']>,
  ): MaybePromise<AdapterExplanation> {
    const { cache } = this.#memory
    const { world } = this.#workings
    const { name } = part
    const now = world.now()
    const explained = (outcome: Outcome, state: CacheState) => this.#explained(outcome, state, now)
    let key: string
    try {
      key = keyOf(() => new Context(this.#workings, part, this.#deadlineOf(part), this.#askInner))
    } catch (error) {
      return explained(this.#failure(part, error), 'miss')
    }
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
      cache.ask(key, now, lasting(part.adapter), async (keep) =>
        this.#askNow(part, question, new Deadline(world, part.ms), keep),
      )
    return flight.then((outcome) => {
      const older = isFailure(outcome) ? cache.stale(key, world.now()) : undefined
      const stale = older && withoutPassed(older, world.now())
      if (stale?.result !== 'methods') return explained(outcome, joined ? 'joined' : 'miss')
      cache.count(name, 'stale')
      const notes = [...stale.notes, `an older answer, because it ${outcome.result}: ${outcome.reason}`]
      return explained({ ...stale, notes, calls: outcome.calls }, 'stale')
    })
  }

  /** Synchronous if the adapter answers synchronously, as most table look-ups do: without a timer and a promise. */
  #askNow(
    part: Part,
    question: AdapterQuestion,
    deadline: Deadline,
    keep?: (late: Outcome) => void,
  ): MaybePromise<Outcome> {
    const { name, shop } = part
    const { breakers, slow } = this.#memory
    const { now } = this.#workings.world
    const ctx = new Context(this.#workings, part, deadline, this.#askInner)
    const answered = (answer: RateAnswer) => {
      const outcome = this.#answered(part, ctx, answer)
      breakers.answered(name, shop.id, outcome.result === 'methods')
      ended()
      return outcome
    }
    const leftAlone = breakers.leavesAlone(name, shop.id)
    if (leftAlone) return this.#failure(part, leftAlone, ctx)
    const started = now()
    let asked: MaybePromise<RateAnswer> | undefined
    const ended = (failure?: string) => {
      const at = now()
      slow.called(name, { shop: shop.id, ms: at - started, failure, now: at })
    }
    const failed = (thrown: unknown): Outcome => {
      const error = lookable(thrown)
      if (error instanceof NotQuotable) {
        breakers.answered(name, shop.id, false)
        ended()
        return none(part, ctx, error.message)
      }
      const { lastStatus, calls } = ctx
      const tried = { lastStatus, called: calls.length > 0, readsFiles: part.adapter.files !== undefined }
      const cause = readOfError(() => causeOf(error, tried), 'carrier')
      const reason = reasonOf(error)
      // A failure of an inner adapter counts there, and one about a single request says nothing about the next.
      if (ctx.asked || cause === 'request' || cause === 'settings') breakers.answered(name, shop.id, false)
      else {
        const retryAt = readOfError(() => Number((error as { retryAt?: unknown } | null)?.retryAt), 0)
        breakers.failed(name, shop.id, { reason, ofCarrier: cause === 'carrier', retryAt })
      }
      if (cause === 'carrier') ended(reason)
      if (keep && error instanceof DeadlinePassed)
        // An answer that comes too late for this quote is there for the next one.
        Promise.resolve(asked)
          .then((late) => late && keep(this.#answered(part, ctx, late)))
          .catch(() => {})
      return this.#failure(part, error, ctx)
    }
    try {
      const { adapter } = part
      const { call, request } = question
      const how = { adapter: { name }, call, shop: shop.id, deadline }
      const answer = callAdapter(
        this.#workings.world,
        how,
        () => (asked = adapter[call as 'quote'](request as never, ctx)),
      )
      return isPromise(answer) ? answer.then(answered).catch(failed) : answered(answer)
    } catch (error) {
      return failed(error)
    }
  }

  #answered(part: Part, ctx: Context, answer: RateAnswer): Outcome {
    const { name, adapter } = part
    if (!Array.isArray(answer)) {
      const why = (answer as { none?: unknown } | undefined)?.none
      if (typeof why === 'string') return { ...none(part, ctx, why), goodUntil: endOf(answer, ctx.since) }
      throw wrongAnswer(`Rate adapter "${name}" must answer with a list of methods or none('why')`)
    }
    const audience = { ...part.audience, allowNegative: adapter.allowNegative }
    const check = part.isInner ? checkInnerMethods : checkShipmentMethods
    const { methods, leftOut, goodUntil } = check(adapter.name, answer, audience, ctx.since) as Checked
    const out = [...ctx.leftOut, ...leftOut]
    if (!part.isInner) {
      this.#noteUnnamed(part, answer, out)
      this.#noteCents(part, methods, out)
      noteDisagreements(this.#workings, ctx, methods, out)
    }
    const { notes, counted: parcels, calls } = ctx
    const failed = failedIn(ctx)
    const rest = { adapter: name, methods, leftOut: out, goodUntil, notes, parcels, calls, ...failed }
    if (methods.length > 0) return { ...rest, result: 'methods' }
    const reason = out.length > 0 ? 'every method was left out' : 'it offered nothing'
    return { ...rest, result: 'none', reason }
  }

  /** In development the first method of an adapter without an id is logged: what it got instead changes with its title. */
  #noteUnnamed(part: Part, answer: readonly unknown[], leftOut: readonly LeftOut[]): void {
    const { name: adapter } = part
    const { unnamed } = this.#memory
    if (!this.#workings.rates.development || unnamed.has(adapter)) return
    const index = answer.findIndex(
      (one, at) => isNoId((one as { id?: unknown } | null)?.id) && !isLeftOut(leftOut, at),
    )
    if (index < 0) return
    unnamed.add(adapter)
    const fault = 'it has no id and got one of its title: give it an id that stays the same'
    this.#warnOf(part, index + 1, fault, 'a method was given an id')
  }

  /** In development the first prices of an adapter that look like cents are logged. */
  #noteCents(part: Part, methods: Checked['methods'], leftOut: LeftOut[]): void {
    const { name: adapter, question, audience } = part
    const { inCents } = this.#memory
    if (!this.#workings.rates.development || inCents.has(adapter)) return
    const { quote } =
      'request' in question ? question.request : (question as { estimate: EstimateRequest }).estimate
    const found = looksLikeCents(methods, quote, audience.currency)
    if (!found) return
    inCents.add(adapter)
    const { at, written, meant } = found
    const fault = `its price of ${written} looks like cents: did you mean ${meant}?`
    this.#warnOf(part, placesOf({ methods, leftOut })[at]!, fault, 'a price looks wrong')
  }

  #warnOf(part: Part, method: number, fault: string, what: string): void {
    this.#workings.world.log.warn({ adapter: part.name, method, fault }, what)
  }

  #failure(part: Part, error: unknown, ctx?: Context): Outcome {
    const { name, shop, ownWords } = part
    const about = { adapter: name, shop: shop.id }
    const { notes = [], leftOut = [], calls = [] } = ctx ?? {}
    const rest = { adapter: name, methods: [], leftOut, notes, parcels: [], calls }
    if (error instanceof LeftAlone) return { ...rest, result: 'skipped', reason: error.message }
    const reason = reasonOf(error)
    if (error instanceof InnerFailed)
      return { ...rest, result: 'failed', reason: 'all adapters inside it failed' }
    const place = readOfError(
      () => placeOf(error) ?? placeOf((error as Partial<Error> | null)?.cause),
      undefined,
    )
    const words = ownWords ? readOfError(() => wordsOf(error), undefined) : undefined
    this.#workings.world.log.warn(
      { ...about, err: error, ...(ownWords && { place, calls }) },
      'rate adapter failed',
    )
    return { ...rest, result: 'failed', reason, ...(place && { place }), ...(words && { words }) }
  }
}

const isLeftOut = (leftOut: readonly LeftOut[], at: number): boolean =>
  leftOut.some(({ place }) => place === at + 1)

const isNoId = (id: unknown): boolean => id === undefined || id === null || id === ''

/** The end of an answer without methods. One that is no instant, or had passed before, is left away: the answer then has that of its cache. */
const endOf = ({ goodUntil }: NoMethods, since: number): number | undefined =>
  Number.isFinite(goodUntil) && goodUntil! > since ? goodUntil : undefined

const noEstimates = 'it answers no estimates'
const takesPart = ({ reason }: AdapterExplanation): boolean => reason !== noEstimates

const notEstimating = (adapter: string): AdapterExplanation => ({
  ...{ adapter, ms: 0, cache: 'off', result: 'none', reason: noEstimates },
  ...{ methods: [], leftOut: [], notes: [], parcels: [], calls: [] },
})

const none = ({ name }: Part, ctx: Context, reason: string): Outcome => {
  const { notes, leftOut, counted: parcels, calls } = ctx
  const rest = { leftOut, notes, parcels, calls, ...failedIn(ctx) }
  return { ...{ adapter: name, result: 'none', reason, methods: [] }, ...rest }
}

const failedIn = ({ failed, replaced }: Context): Pick<Outcome, 'failed' | 'replaced'> => ({
  ...(failed.length > 0 && { failed }),
  ...(replaced.length > 0 && { replaced }),
})

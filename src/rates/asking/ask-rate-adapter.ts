import { callAdapter, Deadline, DeadlinePassed } from '../../adapters/call-adapter.ts'
import { causeOf, NotQuotable, readable, reasonOf } from '../../adapters/cause-of.ts'
import { earlier } from '../../adapters/offered-methods.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import type { Parts } from '../../parts.ts'
import { isPromise, type MaybePromise, next } from '../../world.ts'
import { type InnerAdapter, type InnerQuestion, promisedMethods, type RateAnswer } from '../adapter.ts'
import {
  type AdapterExplanation,
  type CacheState,
  failedOf,
  isFailure,
  type Outcome,
} from '../explanation.ts'
import { outcomeOf, outcomeOfFailure, outcomeOfNone, withoutPassed } from './outcome.ts'
import { type AdapterQuestion, Context, InnerFailed, type Part, questionFor } from './rate-context.ts'
import { lasting } from './rate-memory.ts'

/** The part of its time after which an adapter with a fallback has failed. */
const beforeFallback = 0.9
/** The part of the time left that an inner adapter may take. */
const ofTimeLeft = 0.95

/** Calls the rate adapters of one provider, with the memory of their answers. */
export class RateAdapters {
  readonly #workings: Parts<'world' | 'rates'>

  constructor(workings: Parts<'world' | 'rates'>) {
    this.#workings = workings
  }

  /** Asks one adapter, and its fallback if it fails, until the deadline. Never throws and never rejects. */
  ask(part: Part): MaybePromise<AdapterExplanation> {
    const question = questionFor(this.#workings, part)
    if (!question) return { ...notEstimating, adapter: part.name }
    const { fallback, promises } = part.adapter
    const { world, rates } = this.#workings
    const started = world.now()
    const main = fallback ? { ...part, ms: part.ms * beforeFallback, deadline: undefined } : part
    const asked = question.key
      ? this.#askCached(main, question, question.key)
      : next(this.#askNow(question, this.#contextOf(main)), (one) => this.#explained(one, 'off', started))
    // Its promises are written into the answer, which may be an older one.
    const promised = promises ? next(asked, (answer) => this.#promising(main, question, answer)) : asked
    const replaced = (answer: AdapterExplanation) =>
      fallback && isFailure(answer) ? this.#askFallback(part, fallback, started, answer) : answer
    return next(fallback ? next(promised, replaced) : promised, (answer) => {
      rates.memory.answers.count(part.name, answer.fallback === undefined ? answer.result : 'fallback')
      return answer
    })
  }

  async #askFallback(
    part: Part,
    adapter: AnyRateAdapter,
    started: number,
    failed: AdapterExplanation,
  ): Promise<AdapterExplanation> {
    const { name: fallback } = adapter
    const left = started + part.ms - this.#workings.world.now()
    const answer = await this.ask({
      ...part,
      adapter,
      name: `${part.name}/${fallback}`,
      ms: Math.max(left, (1 - beforeFallback) * part.ms),
      deadline: undefined,
    })
    const { adapter: name, notes, reason = '' } = failed
    const both = { ms: failed.ms + answer.ms, calls: [...failed.calls, ...answer.calls] }
    if (isFailure(answer) || answer.reason === noEstimates)
      return { ...failed, ...both, notes: [...notes, `its fallback ${fallback}: ${answer.reason}`] }
    return {
      ...answer,
      ...both,
      ...{ adapter: name, fallback },
      replaced: [...(answer.replaced ?? []), { adapter: name, reason, fallback }],
      notes: [...notes, `adapter ${failed.result}: ${reason}`, ...answer.notes],
      ...(answer.result === 'none' && { failed: [name, ...failedOf(answer)] }),
    }
  }

  /** For an adapter that holds others: with the notes, parcels and calls of the inner one. Rejects if that fails or is skipped. */
  #askInner(
    holder: Context,
    { adapter, name = adapter.name, share = ofTimeLeft, settings }: InnerAdapter,
    question: InnerQuestion,
  ): MaybePromise<RateAnswer> {
    holder.asked = true
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
    return next(asked, (answer): RateAnswer => {
      for (const note of answer.notes) holder.explain(`${name}: ${note}`)
      for (const one of answer.leftOut)
        holder.leftOut.push({ ...one, inside: name, reason: `${name}: ${one.reason}` })
      holder.failed.push(...failedOf(answer))
      holder.replaced.push(...(answer.replaced ?? []))
      holder.counted.push(...answer.parcels)
      holder.addCalls(answer.calls)
      if (answer.cache !== 'off' && answer.cache !== 'miss') holder.explain(`${name}: cache ${answer.cache}`)
      if (answer.result === 'methods') return answer.methods as unknown as RateAnswer
      if (answer.result === 'none') return { none: answer.reason ?? '', goodUntil: answer.goodUntil }
      const { result, reason, words, place } = answer
      const why = [reason, words].filter(Boolean).join(': ')
      throw new InnerFailed(`${result}: ${why}${place === undefined ? '' : ` at ${place}`}`)
    })
  }

  async #promising(
    part: Part,
    { country }: AdapterQuestion,
    answer: AdapterExplanation,
  ): Promise<AdapterExplanation> {
    if (answer.result !== 'methods') return answer
    const { adapter, name, shop, isInner, audience } = part
    const { world } = this.#workings
    const deadline = new Deadline(world, Math.max(1, part.ms - answer.ms))
    const ctx = this.#contextOf(part, deadline)
    try {
      const how = { adapter: { name }, call: 'promises', shop: shop.id, deadline }
      const promises = await callAdapter(world, how, () => adapter.promises!({ country }, ctx))
      const methods = promisedMethods(answer.methods, promises, isInner ? undefined : audience.language)
      const goodUntil = promises.reduce((end, one) => earlier(end, one.goodUntil), answer.goodUntil)
      return { ...answer, methods, goodUntil, notes: [...answer.notes, ...ctx.notes] }
    } catch (error) {
      return { ...answer, ...outcomeOfFailure(this.#workings, part, error, ctx), calls: answer.calls }
    }
  }

  #explained(outcome: Outcome, cache: CacheState, started: number): AdapterExplanation {
    const calls = cache === 'hit' || cache === 'joined' ? [] : outcome.calls
    return { ...outcome, calls, ms: this.#workings.world.now() - started, cache }
  }

  #contextOf(part: Part, deadline = part.deadline ?? new Deadline(this.#workings.world, part.ms)): Context {
    return new Context(this.#workings, part, deadline, (holder) => this.#askInner.bind(this, holder))
  }

  #askCached(
    part: Part,
    question: AdapterQuestion,
    keyOf: NonNullable<AdapterQuestion['key']>,
  ): MaybePromise<AdapterExplanation> {
    const { world, rates } = this.#workings
    const { cache, caching } = rates.memory
    const { name } = part
    const now = world.now()
    const explained = (outcome: Outcome, state: CacheState) => this.#explained(outcome, state, now)
    let key: string
    try {
      key = keyOf(() => this.#contextOf(part))
    } catch (error) {
      return explained(outcomeOfFailure(this.#workings, part, error), 'miss')
    }
    const fresh = cache.fresh(key, now)
    if (fresh) {
      caching.count(name, 'hits')
      return explained(fresh, 'hit')
    }
    const joined = cache.joined(key)
    caching.count(name, joined ? 'joined' : 'misses')
    // A shared call ends at the deadline of the caller that began it, which is before the others'.
    const flight =
      joined ??
      cache.ask(key, now, lasting(part.adapter), async (keep) =>
        this.#askNow(question, this.#contextOf(part, new Deadline(world, part.ms)), keep),
      )
    return flight.then((outcome) => {
      const older = isFailure(outcome) ? cache.stale(key, world.now()) : undefined
      const stale = older && withoutPassed(older, world.now())
      if (stale?.result !== 'methods') return explained(outcome, joined ? 'joined' : 'miss')
      caching.count(name, 'stale')
      const notes = [...stale.notes, `an older answer (${outcome.result}: ${outcome.reason})`]
      return explained({ ...stale, notes, calls: outcome.calls }, 'stale')
    })
  }

  /** Synchronous if the adapter answers synchronously, as most table look-ups do: without a timer and a promise. */
  #askNow(
    { call, request }: AdapterQuestion,
    ctx: Context,
    keep?: (late: Outcome) => void,
  ): MaybePromise<Outcome> {
    const { part, deadline } = ctx
    const { adapter, name, shop } = part
    const { world, rates } = this.#workings
    const { breakers, slow } = rates.memory
    const leftAlone = breakers.leavesAlone(name, shop.id)
    if (leftAlone) return outcomeOfFailure(this.#workings, part, leftAlone, ctx)
    const started = world.now()
    let asked: MaybePromise<RateAnswer> | undefined
    const ended = (failure?: string) => slow.called(name, { started, failure, now: world.now() })
    const answered = (answer: RateAnswer) => {
      const outcome = outcomeOf(this.#workings, ctx, answer)
      breakers.answered(name, shop.id, outcome.result === 'methods')
      ended()
      return outcome
    }
    const failed = (thrown: unknown): Outcome => {
      const error = readable(thrown)
      if (error instanceof NotQuotable) {
        breakers.answered(name, shop.id, false)
        ended()
        return outcomeOfNone(ctx, error.message)
      }
      const cause = causeOf(error, ctx.tried)
      const reason = reasonOf(error)
      // A failure of an inner adapter counts there, and one about a single request says nothing about the next.
      if (ctx.asked || cause === 'request' || cause === 'settings') breakers.answered(name, shop.id, false)
      else {
        const retryAt = Number((error as { retryAt?: unknown } | null)?.retryAt)
        breakers.failed(name, shop.id, { reason, ofCarrier: cause === 'carrier', retryAt })
      }
      if (cause === 'carrier') ended(reason)
      if (keep && error instanceof DeadlinePassed)
        // An answer that comes too late for this quote is there for the next one.
        Promise.resolve(asked)
          .then((late) => late && keep(outcomeOf(this.#workings, ctx, late)))
          .catch(() => {})
      return outcomeOfFailure(this.#workings, part, error, ctx)
    }
    try {
      const how = { adapter: { name }, call, shop: shop.id, deadline }
      const answer = callAdapter(world, how, () => (asked = adapter[call as 'quote'](request as never, ctx)))
      return isPromise(answer) ? answer.then(answered).catch(failed) : answered(answer)
    } catch (error) {
      return failed(error)
    }
  }
}

const noEstimates = 'it answers no estimates'

const notEstimating: Omit<AdapterExplanation, 'adapter'> = {
  ...{ ms: 0, cache: 'off', result: 'none', reason: noEstimates },
  ...{ methods: [], leftOut: [], notes: [], parcels: [], calls: [] },
}

import type { z } from 'zod'
import { defaultNeeds, type Need, neededFields, onlyNeeded } from '../../adapters/call-adapter.ts'
import { methodFaults, type OfferedShipmentMethod } from '../../adapters/offered-methods.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import { wrongOptions } from '../../errors/errors.ts'
import { readDecimal } from '../../money/index.ts'
import { type MaybePromise, next } from '../../world.ts'
import { none, type QuoteRequest, type RateAdapter, type RateAnswer, type RateContext } from '../adapter.ts'
import { isAdapter } from '../options.ts'

/** The adapter inside, whose settings the functions around it get. */
// biome-ignore lint/suspicious/noExplicitAny: any set of needs
export type WrappedAdapter<S> = RateAdapter<any, S>

type Asked = Pick<QuoteRequest<never>, 'shop' | 'quote'> & {
  customer?: { type?: string }
  shipping_address: { country?: string; zipcode?: string; region?: string }
}
type Change = (answer: RateAnswer, asked: Asked, ctx: RateContext) => MaybePromise<RateAnswer>

interface Around {
  before?: ((asked: Asked, ctx: RateContext) => string | undefined) | undefined
  after?: Change
  /** A part of the cache key: the parts of the cart that `after` reads beside the fields of every key. */
  reads?: ((asked: Asked, ctx: RateContext) => unknown) | undefined
  /** Promises for its methods, beside those that it has. */
  promises?: AnyRateAdapter['promises']
  /** The schema of the settings that `before` and `after` read, where the adapter has none. */
  settings?: z.ZodType | undefined
  settingsName?: string | undefined
}

/** Wraps an adapter and its fallback: adds needs, changes answers, or skips it when `before` returns a reason. */
export function around(inner: AnyRateAdapter, needs: readonly Need[], how: Around): AnyRateAdapter {
  if (!isAdapter(inner))
    throw wrongOptions('The adapter to change has no quote(): write the options first, then the adapter')
  const { before, after = (answer) => answer, reads = () => undefined } = how
  const all = [...new Set([...(inner.needs ?? defaultNeeds), ...needs])] as Need[]
  const cut = onlyNeeded(inner, neededFields([{ needs: all }]))
  const asking = (asked: Asked, ctx: RateContext, ask: () => MaybePromise<RateAnswer>) => {
    const reason = before?.(asked, ctx)
    return reason === undefined ? next(ask(), (answer) => after(answer, asked, ctx)) : none(reason)
  }
  const { estimate, cache, fallback } = inner
  const both: AnyRateAdapter['promises'] = async (to, ctx) => [
    ...(await inner.promises!(to, ctx)),
    ...((await how.promises?.(to, ctx)) ?? []),
  ]
  const key = (request: QuoteRequest<Need>, ctx: RateContext) =>
    ownKey(cache!.key!(cut(request), ctx), request as Asked, reads(request as Asked, ctx))
  return withMembers(inner, {
    ...settingsAround(inner, how),
    needs: all,
    quote: (request: QuoteRequest<Need>, ctx) =>
      asking(request as Asked, ctx, () => inner.quote(cut(request), ctx)),
    ...(typeof estimate === 'function' && {
      estimate: (request, ctx) => asking(request, ctx, () => estimate.call(inner, request, ctx)),
    }),
    cache: cache?.key ? { ...cache, key } : cache,
    promises: inner.promises ? both : how.promises,
    fallback: fallback && around(fallback, needs, how),
  })
}

/** An adapter has one schema of settings: its own, or that of the functions around it. */
function settingsAround({ name, settings }: AnyRateAdapter, given: Around) {
  if (!given.settings || given.settings === settings) return {}
  if (!settings) return { settings: given.settings, settingsName: given.settingsName ?? name }
  const remedy = 'Add the fields to that one: its settings reach the functions around it'
  throw wrongOptions(`settings: "${name}" has a schema of its own. ${remedy}`)
}

/** The cache key of the inner adapter, with the fields that decide around it. */
function ownKey(key: string, { shipping_address, customer, quote }: Asked, more: unknown): string {
  const { country, zipcode, region } = shipping_address
  const { weight, price_incl, vat_shifted } = quote
  const place = [country, zipcode, region]
  return JSON.stringify([key, ...place, customer?.type, weight, price_incl, vat_shifted, more])
}

/**
 * Changes every method with a price. A wrong one stays as it is, so that it is left out with its place and reason. One that is right and
 * cannot be changed, such as for a price of over 15 digits, is left out: it is never sold unchanged.
 */
export function eachMethod(
  answer: RateAnswer,
  { explain }: Pick<RateContext, 'explain'>,
  change: (method: OfferedShipmentMethod) => OfferedShipmentMethod,
): RateAnswer {
  if (!Array.isArray(answer)) return answer
  return answer.flatMap((method, index) => {
    try {
      return hasPrice(method) ? change(method) : method
    } catch {
      if (methodFaults(method).length > 0) return method
      explain(`method ${index + 1} is left out: its price cannot be changed`)
      return []
    }
  })
}

/** Below 0 an amount that is added would make a price of it. */
const hasPrice = (method: OfferedShipmentMethod | null): boolean =>
  readDecimal(method?.price_excl)?.startsWith('-') === false

/**
 * The adapter with a fallback: an adapter that answers when this one failed or is skipped, and never when it refused. Nothing else of the
 * adapter changes. It has nine tenths of the deadline. A fallback without settings gets those of the adapter.
 *
 * Throws `CONFIGURATION_INVALID` if one of them is no adapter, or if only the fallback is for development.
 */
export function onFailure<A extends AnyRateAdapter>(adapter: A, fallback: AnyRateAdapter): A {
  for (const [place, one] of Object.entries({ adapter, fallback }))
    if (!isAdapter(one)) throw wrongOptions(`onFailure(): the ${place} has no quote()`)
  const both = `the fallback "${fallback.name}" is developmentOnly, and "${adapter.name}" is not`
  if (fallback.developmentOnly && !adapter.developmentOnly) throw wrongOptions(`onFailure(): ${both}`)
  if (adapter.fallback) return withMembers(adapter, { fallback: onFailure(adapter.fallback, fallback) })
  const { settings, settingsName = adapter.name } = adapter
  const own = fallback.settings || !settings ? fallback : withMembers(fallback, { settings, settingsName })
  return withMembers(adapter, { fallback: own })
}

/** A copy with other members. Methods of a class are called on the adapter itself. */
function withMembers<A extends AnyRateAdapter>(adapter: A, members: Partial<AnyRateAdapter>): A {
  const { estimate, cache, promises } = adapter
  return {
    ...adapter,
    promises: promises && ((to, ctx) => promises.call(adapter, to, ctx)),
    prepare: adapter.prepare && (async (ctx) => adapter.prepare?.(ctx)),
    quote: (request, ctx) => adapter.quote(request, ctx),
    estimate:
      typeof estimate === 'function' ? (request, ctx) => estimate.call(adapter, request, ctx) : estimate,
    cache: cache?.key ? { ...cache, key: (request, ctx) => cache.key!(request, ctx) } : cache,
    ...members,
  }
}

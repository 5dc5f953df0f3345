import { z } from 'zod'
import { wrongOptions } from '../errors.ts'
import { decimal } from '../money/index.ts'
import { defaultNeeds, type Need, neededFields, onlyNeeded } from '../privacy/needs.ts'
import { none, type OfferedShipmentMethod, type RateAnswer, type RateContext } from '../rates/adapter.ts'
import { asQuoteRequest } from '../rates/estimate.ts'
import type { AnyRateAdapter } from '../use-cases/workings.ts'
import type { MaybePromise } from '../world.ts'
import { adapterName, optionsOf } from './options.ts'

const options = z.strictObject({
  name: adapterName,
  adapters: z.array(z.unknown()).min(1),
  how: z.enum(['all', 'cheapest', 'first']),
})

/** `all` of them side by side, the `cheapest` offer for each method id, or the `first` adapter that has any. */
export type Combination = 'all' | 'cheapest' | 'first'

/**
 * Combines several adapters into one. A failing adapter is explained and left out; when all fail, the combination fails. It caches when all
 * of them do, for the shortest of their times.
 */
export function combine(
  name: string,
  adapters: readonly AnyRateAdapter[],
  how: Combination = 'all',
): AnyRateAdapter {
  optionsOf('combine', options, { name, adapters, how })
  const forDevelopment = adapters.find(({ developmentOnly }) => developmentOnly)
  if (forDevelopment) {
    throw wrongOptions(
      `combine: "${forDevelopment.name}" is developmentOnly, and production leaves out whole adapters: hand it to the provider by itself`,
    )
  }
  const needs = [...new Set(adapters.flatMap((one) => one.needs ?? defaultNeeds))] as Need[]
  const cuts = new Map(adapters.map((one) => [one, onlyNeeded(one, neededFields([{ needs }]))]))
  const settings = commonSettings(adapters)
  const estimating = adapters.filter(({ estimate }) => estimate)

  async function ask(
    asked: readonly AnyRateAdapter[],
    ctx: RateContext,
    call: (one: AnyRateAdapter, ctx: RateContext) => MaybePromise<RateAnswer>,
  ): Promise<RateAnswer> {
    const failures: unknown[] = []
    const askOne = async (one: AnyRateAdapter): Promise<OfferedShipmentMethod[]> => {
      try {
        const answer = await call(one, settings ? settingsOfInner(ctx, one) : ctx)
        if (Array.isArray(answer)) return answer
        ctx.explain(`${one.name}: ${answer.none}`)
      } catch (error) {
        failures.push(error)
        ctx.explain(`${one.name} failed`)
        ctx.log.warn({ adapter: name, inner: one.name, err: error }, 'a combined rate adapter failed')
      }
      return []
    }
    let methods: OfferedShipmentMethod[] = []
    if (how === 'first') {
      for (const one of asked) {
        methods = await askOne(one)
        if (methods.length > 0) break
      }
    } else {
      methods = (await Promise.all(asked.map(askOne))).flat()
      if (how === 'cheapest') methods = cheapest(methods)
    }
    if (methods.length === 0 && failures.length === asked.length && asked.length > 0) throw failures[0]
    return methods.length > 0 ? methods : none('none of the combined adapters has a method')
  }

  return {
    name,
    needs,
    quote: (request, ctx) => ask(adapters, ctx, (one, own) => one.quote(cuts.get(one)!(request), own)),
    estimate:
      estimating.length === 0
        ? undefined
        : (request, ctx) =>
            ask(estimating, ctx, (one, own) =>
              typeof one.estimate === 'function'
                ? one.estimate(request, own)
                : one.quote(asQuoteRequest(one, request), own),
            ),
    settings,
    cache: commonCache(adapters),
    network: commonNetwork(adapters),
    prepare: async () => void (await Promise.all(adapters.map(async (one) => one.prepare?.()))),
  }
}

function cheapest(methods: OfferedShipmentMethod[]): OfferedShipmentMethod[] {
  const byId = new Map<string, OfferedShipmentMethod>()
  for (const method of methods) {
    const key = `${method.id ?? JSON.stringify(method.title)} ${currencyOf(method)}`
    const known = byId.get(key)
    if (!known || decimal(method.price_excl).lt(known.price_excl)) byId.set(key, method)
  }
  return [...byId.values()]
}

/** Prices in two currencies cannot be compared: both stay. */
const currencyOf = ({ currency = '' }: OfferedShipmentMethod) => currency.toLowerCase()

/** The settings of each adapter, under its name. */
function commonSettings(adapters: readonly AnyRateAdapter[]): AnyRateAdapter['settings'] {
  const set = adapters.filter((one) => one.settings)
  if (set.length === 0) return undefined
  return z.object(Object.fromEntries(set.map((one) => [one.name, one.settings!.prefault({})])))
}

const settingsOfInner = (ctx: RateContext, { name }: AnyRateAdapter): RateContext => ({
  shop: ctx.shop,
  now: ctx.now,
  log: ctx.log,
  get settings() {
    return (ctx.settings as Record<string, unknown>)[name]
  },
  get signal() {
    return ctx.signal
  },
  get fetch() {
    return ctx.fetch
  },
  get explain() {
    return ctx.explain
  },
  get units() {
    return ctx.units
  },
  get parcels() {
    return ctx.parcels
  },
})

/** The combination may do whatever any of its adapters may do. */
function commonNetwork(adapters: readonly AnyRateAdapter[]): AnyRateAdapter['network'] {
  const networks = adapters.flatMap(({ network }) => network ?? [])
  if (networks.length === 0) return undefined
  const sizes = networks.flatMap(({ maxAnswer }) => maxAnswer ?? [])
  return {
    allow: [...new Set(networks.flatMap(({ allow = [] }) => allow))],
    ...(sizes.length > 0 && { maxAnswer: Math.max(...sizes) }),
  }
}

function commonCache(adapters: readonly AnyRateAdapter[]): AnyRateAdapter['cache'] {
  const caches = adapters.map(({ cache }) => cache)
  if (caches.some((cache) => !cache || cache.key)) return undefined
  const shortest = (time: (cache: NonNullable<AnyRateAdapter['cache']>) => number) =>
    Math.min(...caches.map((cache) => time(cache!)))
  return { ttl: shortest(({ ttl }) => ttl), staleFor: shortest(({ staleFor = 0 }) => staleFor) }
}

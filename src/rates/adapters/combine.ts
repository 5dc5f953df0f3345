import { z } from 'zod'
import { defaultNeeds, type Need } from '../../adapters/call-adapter.ts'
import { earlier, type OfferedShipmentMethod } from '../../adapters/offered-methods.ts'
import { type AnyRateAdapter, withFallbacks } from '../../any-adapter.ts'
import { wrongOptions } from '../../errors/errors.ts'
import { decimal } from '../../money/index.ts'
import { type InnerQuestion, none, type RateAnswer, type RateContext } from '../adapter.ts'
import { InnerFailed } from '../asking/rate-context.ts'
import { adapterName, isAdapter, optionsOf } from '../options.ts'

const options = z.strictObject({
  name: adapterName,
  adapters: z
    .array(z.unknown().refine(isAdapter, 'is not an adapter: it has no quote()'))
    .min(1, 'must have one adapter at least'),
  how: z.enum(['all', 'cheapest', 'first'], "must be 'all', 'cheapest' or 'first'"),
})

/** `all` of them side by side, the `cheapest` offer for each method id, or the `first` adapter that has any. */
export type Combination = 'all' | 'cheapest' | 'first'
/** The part of the time left that an adapter may take while others wait for their turn. */
const shareOfTurn = 0.6

/**
 * Combines several adapters into one. Each keeps its own cache, breaker and fallback. A failing adapter is explained and left out; when all
 * fail, the combination fails. Throws `CONFIGURATION_INVALID` if two of them have different schemas for settings of one name.
 */
export function combine(
  name: string,
  adapters: readonly AnyRateAdapter[],
  how: Combination = 'all',
): AnyRateAdapter {
  optionsOf('combine', options, { name, adapters, how })
  const forDevelopment = adapters.find(({ developmentOnly }) => developmentOnly)
  const alone =
    'is developmentOnly, which production can only leave out whole: give it to the provider by itself'
  if (forDevelopment) throw wrongOptions(`combine: "${forDevelopment.name}" ${alone}`)
  const settings = commonSettings(adapters)
  const every = withFallbacks(adapters)
  const inner = namedOnce(adapters)
  const estimating = inner.filter(({ adapter }) => adapter.estimate)

  async function ask(asked: Named[], ctx: RateContext, question: InnerQuestion): Promise<RateAnswer> {
    const failures: unknown[] = []
    const ends: (number | undefined)[] = []
    const askOne = async (one: Named, share?: number): Promise<OfferedShipmentMethod[]> => {
      try {
        const answer = await ctx.ask({ ...one, settings: settings.of(ctx), share }, question)
        if (Array.isArray(answer)) return answer
        ends.push(answer.goodUntil)
        ctx.explain(`${one.name}: ${answer.none}`)
      } catch (error) {
        failures.push(error)
        ctx.explain(`${one.name} ${error instanceof InnerFailed ? error.message : 'failed'}`)
      }
      return []
    }
    let methods: OfferedShipmentMethod[] = []
    if (how === 'first') {
      for (const [index, one] of asked.entries()) {
        methods = await askOne(one, index < asked.length - 1 ? shareOfTurn : undefined)
        if (methods.length > 0) break
      }
    } else {
      methods = (await Promise.all(asked.map((one) => askOne(one)))).flat()
      if (how === 'cheapest') methods = cheapest(methods)
    }
    if (methods.length === 0 && failures.length === asked.length && asked.length > 0) throw failures[0]
    const end = ends.reduce(earlier, undefined)
    if (methods.length === 0) return { ...none('none of the combined adapters has a method'), goodUntil: end }
    // Where one has no method until then, the combination has others afterwards.
    return end === undefined
      ? methods
      : methods.map((method) => ({ ...method, goodUntil: earlier(method.goodUntil, end) }))
  }

  return {
    name,
    needs: [...new Set(every.flatMap((one) => one.needs ?? defaultNeeds))] as Need[],
    quote: (quote, ctx) => ask(inner, ctx, { quote }),
    estimate: estimating.length === 0 ? undefined : (estimate, ctx) => ask(estimating, ctx, { estimate }),
    ...settings.members,
    ...commonRecipients(every),
    allowNegative: every.some((one) => one.allowNegative),
    network: commonNetwork(every),
    files: commonFiles(every),
    measures: [...new Set(every.flatMap(({ measures = [] }) => measures))],
    prepare: async (ctx) => void (await Promise.all(every.map(async (one) => one.prepare?.(ctx)))),
  }
}

type Named = ReturnType<typeof namedOnce>[number]

/** Two adapters of one name, such as one tariff under two conditions, have two names here. */
function namedOnce(adapters: readonly AnyRateAdapter[]) {
  const counts = new Map<string, number>()
  return adapters.map((adapter) => {
    const count = (counts.get(adapter.name) ?? 0) + 1
    counts.set(adapter.name, count)
    return { adapter, name: count === 1 ? adapter.name : `${adapter.name}-${count}` }
  })
}

function commonRecipients(adapters: readonly AnyRateAdapter[]): Pick<AnyRateAdapter, 'privacy' | 'sendsTo'> {
  const all = adapters.flatMap(({ privacy, sendsTo = [] }) => privacy?.recipient ?? sendsTo)
  const areNamed = all.length > 0 && adapters.every(({ privacy, sendsTo }) => privacy ?? !sendsTo)
  const sendsTo = [...new Set(all)]
  return { sendsTo, ...(areNamed && { privacy: { recipient: sendsTo.join(', ') } }) }
}

function commonFiles(adapters: readonly AnyRateAdapter[]): AnyRateAdapter['files'] {
  const all = adapters.flatMap(({ files }) => files ?? [])
  if (all.length === 0) return undefined
  return {
    look: async (ctx) => void (await Promise.all(all.map((files) => files.look(ctx)))),
    list: () => all.flatMap((files) => files.list()),
  }
}

function cheapest(methods: OfferedShipmentMethod[]): OfferedShipmentMethod[] {
  const byId = new Map<string, OfferedShipmentMethod>()
  for (const method of methods) {
    // Prices in two currencies cannot be compared: both stay.
    const key = `${method.id ?? JSON.stringify(method.title)} ${(method.currency ?? '').toLowerCase()}`
    const known = byId.get(key)
    if (!known || decimal(method.price_excl).lt(known.price_excl)) byId.set(key, method)
  }
  return [...byId.values()]
}

const settingsNameOf = ({ name, settingsName = name }: AnyRateAdapter) => settingsName

/**
 * The settings of each adapter, under its name. If all that have settings share one name, those are the settings of the combination. `of`
 * are those of one of the adapters, read when it reads them.
 */
function commonSettings(adapters: readonly AnyRateAdapter[]) {
  const whole = (ctx: RateContext) => (_: AnyRateAdapter) => ctx.settings
  const set = withFallbacks(adapters).filter((one) => one.settings)
  const [first] = set
  if (!first) return { members: {}, of: whole }
  const shape: Record<string, z.ZodType> = {}
  for (const one of set) {
    const name = settingsNameOf(one)
    const known = set.find((other) => settingsNameOf(other) === name)!
    const both = `"${known.name}" and "${one.name}" share the settings "${name}"`
    if (known.settings !== one.settings)
      throw wrongOptions(`combine: ${both}, so both must have the same schema`)
    shape[name] = one.settings!.prefault({})
  }
  const { settings, settingsName } = first
  if (settingsName !== undefined && set.every((one) => one.settingsName === settingsName))
    return { members: { settings, settingsName }, of: whole }
  const of = (ctx: RateContext) => (one: AnyRateAdapter) =>
    (ctx.settings as Record<string, unknown>)[settingsNameOf(one)]
  return { members: { settings: z.object(shape) }, of }
}

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

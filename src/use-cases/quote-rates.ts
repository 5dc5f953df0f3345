import type {
  ShipmentEstimateRequest,
  ShipmentMethodsRequest,
  WireShipmentMethod,
} from '../contract/index.ts'
import type { NoMethods, OfferedShipmentMethod, RateContext } from '../rates/adapter.ts'
import { checkShipmentMethod } from '../rates/check.ts'
import type { Shop } from '../shops/shop.ts'
import type { Log, MaybePromise } from '../world.ts'
import { call, Deadline, deadlineFetch } from './deadline.ts'
import { cutFor } from './personal-data.ts'
import type { AnyRateAdapter, Provider } from './provider.ts'

type Answer = OfferedShipmentMethod[] | NoMethods

/** A checkout's full question, or a cart's quick one. */
export type RateQuestion = { request: ShipmentMethodsRequest } | { estimate: ShipmentEstimateRequest }

/** What became of one adapter's answer. */
export interface RateOutcome {
  adapter: string
  ms: number
  methods: WireShipmentMethod[]
  /** Why there are no methods, or fewer than offered. Never a value that a shopper typed. */
  reasons: string[]
  failed: boolean
}

/**
 * Asks all rate adapters side by side and answers with what has come by the deadline (spec 4.3 shipment_methods). An adapter
 * that fails is left out and never removes another's methods.
 */
export async function quoteRates(
  provider: Provider,
  shop: Shop,
  ask: RateQuestion,
  log: Log,
): Promise<WireShipmentMethod[]> {
  const deadline = new Deadline(provider.world, provider.deadlines.rates)
  const outcomes: MaybePromise<RateOutcome>[] = []
  for (const adapter of provider.rates) {
    if ('request' in ask) {
      const request = cutFor(provider, 'rates', adapter)(ask.request)
      outcomes.push(askAdapter(provider, shop, adapter, deadline, log, (ctx) => adapter.quote(request, ctx)))
    } else if (adapter.estimate) {
      const { estimate } = adapter
      outcomes.push(
        askAdapter(provider, shop, adapter, deadline, log, (ctx) =>
          estimate.call(adapter, ask.estimate, ctx),
        ),
      )
    }
  }
  const waiting = outcomes.some(isPromise)
  return merge(
    waiting ? await Promise.all(outcomes.map(async (outcome) => outcome)) : (outcomes as RateOutcome[]),
    log,
  )
}

/** Built for every question, so what most adapters never touch is made when it is asked for. */
class Context implements RateContext {
  readonly shop: { id: string }
  readonly now: () => number
  readonly log: Log
  readonly explain: (note: string) => void
  readonly #world: Provider['world']
  readonly #deadline: Deadline

  constructor(world: Provider['world'], shop: Shop, deadline: Deadline, notes: string[], log: Log) {
    this.shop = { id: shop.id }
    this.now = world.now
    this.log = log
    this.explain = (note) => void notes.push(note)
    this.#world = world
    this.#deadline = deadline
  }

  get signal() {
    return this.#deadline.signal
  }

  get fetch() {
    return deadlineFetch(this.#world, this.#deadline)
  }
}

function askAdapter(
  { world }: Provider,
  shop: Shop,
  adapter: AnyRateAdapter,
  deadline: Deadline,
  log: Log,
  ask: (ctx: RateContext) => MaybePromise<Answer>,
): MaybePromise<RateOutcome> {
  const started = world.now()
  const notes: string[] = []
  const ctx = new Context(world, shop, deadline, notes, log)
  const failed = (error: unknown): RateOutcome => {
    log.warn({ adapter: adapter.name, err: error }, 'rate adapter failed')
    const reason = error instanceof Error ? error.name : 'thrown value'
    return {
      adapter: adapter.name,
      ms: world.now() - started,
      methods: [],
      reasons: [...notes, reason],
      failed: true,
    }
  }
  const answered = (answer: Answer): RateOutcome => ({
    adapter: adapter.name,
    ms: world.now() - started,
    ...checkAnswer(adapter.name, answer, notes),
    failed: false,
  })
  try {
    // Most adapters that look up a table answer at once: no timer and no promise for them.
    const answer = ask(ctx)
    if (!isPromise(answer)) return answered(answer)
    return deadline
      .wait(call(() => answer))
      .then(answered)
      .catch(failed)
  } catch (error) {
    return failed(error)
  }
}

function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function'
}

function checkAnswer(
  adapter: string,
  answer: Answer,
  notes: string[],
): Pick<RateOutcome, 'methods' | 'reasons'> {
  if (!Array.isArray(answer)) {
    const why = (answer as NoMethods | undefined)?.none
    if (typeof why === 'string') return { methods: [], reasons: [...notes, why] }
    throw new TypeError(`Rate adapter "${adapter}" answers with a list of methods or none('why')`)
  }
  const methods: WireShipmentMethod[] = []
  const reasons = notes
  for (let place = 0; place < answer.length; place++) {
    const checked = checkShipmentMethod(adapter, answer[place])
    if ('method' in checked) methods.push(checked.method)
    else
      for (const { path, message } of checked.faults)
        reasons.push(`method ${place + 1} left out: ${path} ${message}`)
  }
  return { methods, reasons }
}

/** Keeps the first of two methods with one id: the platform could not tell them apart. */
function merge(outcomes: RateOutcome[], log: Log): WireShipmentMethod[] {
  const byId = new Map<WireShipmentMethod['id'], WireShipmentMethod>()
  for (const { adapter, ms, methods, reasons, failed } of outcomes) {
    for (const method of methods) {
      if (byId.has(method.id)) reasons.push(`method left out: another one has its id`)
      else byId.set(method.id, method)
    }
    if (reasons.length > 0 && !failed)
      log.info({ adapter, ms, methods: methods.length, reasons }, 'rates explained')
  }
  return [...byId.values()]
}

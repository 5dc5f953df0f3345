import { nodeLives } from '../../shops/rotate-secret.ts'
import type { AskedRates, StorePort } from '../../store-port.ts'
import type { World } from '../../world.ts'
import type { RateQuestion } from '../adapter.ts'
import { failedOf, type RatesExplanation } from '../explanation.ts'

/** Of those with nothing missing one in so many is kept. */
const oneIn = 100
/** So many a second are kept by all nodes together. */
const mostPerSecond = 50
const workEvery = 5_000
const keptFor = 7 * 24 * 3_600_000

interface Asking {
  store: StorePort
  world: World
}

/** Whether an adapter failed, a method was left out, or there is none at all. */
const isMissing = ({ adapters, methods }: RatesExplanation): boolean =>
  methods.length === 0 || adapters.some((one) => failedOf(one).length > 0 || one.leftOut.length > 0)

/** Words of errors, paths and answers of carriers may repeat what a customer typed. */
const withoutWords = ({ words: _, calls, ...one }: RatesExplanation['adapters'][number]) => ({
  ...one,
  calls: calls.map(({ answer: _answer, to, ...call }) => ({ ...call, to: to.split('/')[0]! })),
})

/** Keeps a sample of the questions for rates, and every one with something missing, until they are stored. Quotes never wait for it. */
export class Questions {
  #kept: AskedRates[] = []
  #count = 0

  note(
    { token, now }: Pick<World, 'token' | 'now'>,
    shopId: string,
    question: RateQuestion,
    explanation: RatesExplanation,
  ): void {
    const missing = isMissing(explanation)
    if (!missing && this.#count++ % oneIn !== 0) return
    if (this.#kept.length >= (mostPerSecond * workEvery) / 1_000) return
    const { adapters, fallback, deadline, asked: kind, ms, methods } = explanation
    const request = 'request' in question ? question.request : question.estimate
    const { quote, shop } = request
    const country = (request.shipping_address as { country?: string }).country
    const [parcels] = adapters.flatMap((one) => one.parcels)
    this.#kept.push({
      ...{ id: `q-${token(9)}`, shopId, at: now(), kind, country: country ?? '' },
      weight: parcels && `${parcels.actual} ${parcels.unit}`,
      ...{ lines: quote.products.length, value: String(quote.price_incl), currency: shop.currency ?? '' },
      ...{ ms: Math.round(ms), methods: methods.length, missing },
      explanation: { fallback, deadline, adapters: adapters.map(withoutWords) },
    })
  }

  /** Stores what was kept. Resolves with the milliseconds until the next time. */
  async work({ store, world }: Asking): Promise<number> {
    const kept = this.#kept
    if (kept.length === 0) return workEvery
    this.#kept = []
    const nodes = (await store.nodes(world.now() - nodeLives)).length
    const most = Math.ceil((mostPerSecond * workEvery) / 1_000 / Math.max(1, nodes))
    await store.noteQuestions(kept.slice(0, most))
    return workEvery
  }

  forget = ({ store, world }: Asking): Promise<void> => store.forgetQuestions(world.now() - keptFor)
}

import { neededFields } from '../../src/adapters/call-adapter.ts'
import type { AnyRateAdapter, Rating } from '../../src/any-adapter.ts'
import {
  cleanBody,
  readMessage,
  shipmentEstimateReader,
  shipmentMethodsReader,
} from '../../src/contract/index.ts'
import { price } from '../../src/index.ts'
import { quoteRates } from '../../src/rates/asking/quote-rates.ts'
import { checkout, estimate } from '../http/messages.ts'
import { movableWorld, providerIn, shop } from './world.ts'

export const door = { id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }

/** A provider with rate adapters only, in a world whose clock the test moves. */
export function ratesWith(rates: AnyRateAdapter[], rating: Partial<Rating> = {}) {
  const moved = movableWorld()
  const workings = providerIn(moved.world, { rates })
  workings.rates.rating = { ...workings.rates.rating, ...rating }
  const read = shipmentMethodsReader(neededFields(rates))
  const ask = (change: (body: typeof checkout) => void = () => {}, shopId = shop.id) => {
    const body = structuredClone(checkout)
    change(body)
    cleanBody(body)
    return quoteRates(workings, { ...shop, id: shopId }, { request: readMessage(read, body) })
  }
  const askEstimate = (change: (body: typeof estimate) => void = () => {}) => {
    const body = structuredClone(estimate)
    change(body)
    return quoteRates(workings, shop, { estimate: readMessage(shipmentEstimateReader, body) })
  }
  return {
    ...moved,
    workings,
    answers: () => workings.rates.memory.answers.counts(),
    ask,
    askEstimate,
    breakers: workings.rates.memory.breakers,
    slow: () => workings.rates.memory.slow.slow(moved.world.now()),
    counts: () => workings.rates.memory.caching.counts(),
    ids: async (...args: Parameters<typeof ask>) => (await ask(...args)).methods.map(({ id }) => id),
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { price } from '../../../src/index.ts'
import { defaultDeadlines } from '../../../src/provider/workings.ts'
import { quoteRates } from '../../../src/rates/asking/quote-rates.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { sorted } from '../measure.ts'
import { providerOf, questions, worldAt } from './provider.ts'

const perSecond = 50
const deadline = defaultDeadlines.rates
const priced = price({ excl: '5', taxRate: '0.21', currency: 'eur' })

const healthy = (place: number): AnyRateAdapter => ({
  name: `healthy-${place}`,
  quote: async () => {
    await delay(5 + place * 20)
    return [{ id: `healthy-${place}`, title: `Healthy ${place}`, ...priced }]
  },
})

const adapters: AnyRateAdapter[] = [
  ...[1, 2, 3, 4, 5].map(healthy),
  { name: 'hangs', quote: () => new Promise(() => {}) },
  { name: 'fails', quote: () => delay(20).then(() => Promise.reject(new Error('refused'))) },
  { name: 'slow', quote: () => delay(deadline * 0.9).then(() => [{ id: 'slow', title: 'Slow', ...priced }]) },
]

export async function measureDeadline(quotes: number) {
  const workings = providerOf(worldAt(Date.now), adapters)
  const ask = questions(adapters)
  const times: number[] = []
  let incomplete = 0
  const one = async (place: number): Promise<void> => {
    const started = performance.now()
    const { methods } = await quoteRates(workings, newShop(`shop-${place}`), ask())
    times.push(performance.now() - started)
    if (methods.length !== 6) incomplete++
  }
  const started = performance.now()
  const all: Promise<void>[] = []
  for (let place = 0; place < quotes; place++) {
    await delay(Math.max(0, started + (place * 1000) / perSecond - performance.now()))
    all.push(one(place))
  }
  await Promise.all(all)
  const at = (part: number) => sorted(times)[Math.min(times.length - 1, Math.floor(times.length * part))]!
  return { quotes, perSecond, deadline, p50: at(0.5), p99: at(0.99), slowest: at(1), incomplete }
}

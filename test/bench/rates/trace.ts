import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { price } from '../../../src/index.ts'
import { quoteRates } from '../../../src/rates/asking/quote-rates.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { Random } from '../../torture/random.ts'
import { providerOf, questions, worldAt } from './provider.ts'

const minute = 60_000
const ttl = 15 * minute
const staleFor = 5 * minute
const shops = ['north', 'south']
const zipcodes = 1_500
const products = 40
const priced = price({ excl: '5', taxRate: '0.21', currency: 'eur' })

interface Question {
  at: number
  shop: string
  cart: boolean
  zipcode: string
  product: number
  quantity: number
}

const shape = (sessions: number) =>
  `${sessions} sessions in 8 hours at ${shops.length} shops: 1 to 4 views of the cart and, for 8 of 10, 1 to 5 of the checkout (a step back, an address corrected, the payment step), up to 90 s apart, every tenth call doubled; one of ${products} products in 1 to 3 pieces and one of ${zipcodes} zipcodes, both a few of them much more often than the rest; the carrier is down for 2 minutes of every 30; kept for 15 min, 5 min longer while it is down`

/** Small numbers much more often than large ones. */
const skewed = (random: Random, most: number) => Math.floor(most ** random.next()) - 1

function traceOf(sessions: number): Question[] {
  const random = new Random(1)
  const trace: Question[] = []
  for (let session = 0; session < sessions; session++) {
    const about = {
      shop: random.pick(shops),
      zipcode: String(1000 + skewed(random, zipcodes)),
      product: skewed(random, products),
      quantity: random.between(1, 3),
    }
    let at = random.between(0, 8 * 60 * minute)
    const views = (cart: boolean, most: number) => {
      for (let view = random.between(1, most); view > 0; view--) {
        trace.push({ ...about, cart, at })
        if (random.chance(0.1)) trace.push({ ...about, cart, at })
        at += random.between(1_000, 90_000)
      }
    }
    views(true, 4)
    if (random.chance(0.8)) views(false, 5)
  }
  return trace.sort((one, other) => one.at - other.at)
}

export async function measureTrace(sessions: number) {
  const trace = traceOf(sessions)
  const clock = Date.now
  const callsOf = async (cached: boolean) => {
    let now = 0
    // The breaker's library has no clock of its own to be given.
    Date.now = () => now
    let [calls, tooOld, crossed] = [0, 0, 0]
    const carrier: AnyRateAdapter = {
      name: 'carrier',
      needs: ['shipping_address.country', 'shipping_address.zipcode'],
      estimate: 'quote',
      cache: cached ? { ttl, staleFor } : undefined,
      async quote(_request, ctx) {
        calls++
        await Promise.resolve()
        if (now % (30 * minute) < 2 * minute) throw new Error('down')
        return [{ id: 'door', title: `${ctx.shop.id} ${now}`, ...priced }]
      },
    }
    const world = worldAt(() => now)
    const workings = providerOf(world, [carrier])
    const ask = questions([carrier])
    const answer = async ({ shop, cart, zipcode, product, quantity }: Question) => {
      const { request } = ask((body) => {
        Object.assign(body.shipping_address, { zipcode })
        Object.assign(body.quote.products[0]!, { product_id: product, quantity })
        Object.assign(body.quote, { price_incl: String(10 + product * quantity), weight: 100 * quantity })
      })
      const { quote, shipping_address, shop: details } = request
      const { country, zipcode: zip } = shipping_address
      const question = cart
        ? { estimate: { shop: details, quote, shipping_address: { country, zipcode: zip } } }
        : { request }
      const { methods } = await quoteRates(workings, newShop(shop), question)
      for (const { title } of methods) {
        const [of, at] = title.split(' ')
        if (of !== shop) crossed++
        if (now - Number(at) > ttl + staleFor) tooOld++
      }
    }
    for (let place = 0; place < trace.length; ) {
      now = trace[place]!.at
      const moment: Promise<void>[] = []
      for (; trace[place]?.at === now; place++) moment.push(answer(trace[place]!))
      await Promise.all(moment)
    }
    return { calls, tooOld, crossed }
  }
  const without = await callsOf(false)
  const { calls, tooOld, crossed } = await callsOf(true)
  Date.now = clock
  const counts = { sessions, questions: trace.length, callsWithout: without.calls, callsWith: calls }
  return { shape: shape(sessions), ...counts, tooOld, crossed }
}

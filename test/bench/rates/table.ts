import { writeFileSync } from 'node:fs'
import { quoteRates } from '../../../src/rates/asking/quote-rates.ts'
import { tableRates } from '../../../src/rates/index.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { asking, preparing } from '../../rates/adapters/quote.ts'
import { temporaryFolder } from '../../temporary.ts'
import { Random } from '../../torture/random.ts'
import { median } from '../measure.ts'
import { providerOf, questions, worldAt } from './provider.ts'

const countries = ['nl', 'be', 'de', 'fr', 'es', 'it', 'at', 'pl', 'se', 'dk']
const bands = [
  [0, 2],
  [2, 5],
  [5, 10],
  [10, 20],
  [20, 31.5],
] as const
const asked = 2_000

/** Two methods, ten countries, five bands of weight, and as many ranges of zipcodes as make up the rows. */
export function tariff(rows: number): string {
  const lines = ['id,title,country,zipcode,weight_from,weight_to,price_excl']
  const zones = rows / countries.length / bands.length / 2
  const step = 90_000 / zones
  for (const country of countries) {
    for (let zone = 0; zone < zones; zone++) {
      const [from, to] = [Math.floor(10_000 + zone * step), Math.floor(10_000 + (zone + 1) * step) - 1]
      for (const id of ['door', 'point']) {
        for (const [low, high] of bands) {
          const cost = (5 + (zone % 7) + low / 10).toFixed(2)
          lines.push(`${id},${id} to door,${country},${from}-${to},${low},${high},${cost}`)
        }
      }
    }
  }
  return lines.join('\n')
}

/** Makes the cart of a question go anywhere, with any weight. */
export const anyCart = (random: Random) => (body: { shipping_address: object; quote: object }) => {
  const zipcode = String(random.between(10_000, 99_999))
  Object.assign(body.shipping_address, { country: random.pick(countries), zipcode })
  Object.assign(body.quote, { weight: random.between(100, 31_000) })
}

export async function measureTable(rounds: number) {
  using folder = temporaryFolder()
  const setUp = async (rows: number) => {
    const file = folder.at(`${rows}.csv`)
    writeFileSync(file, tariff(rows))
    const options = { file, taxRate: '0.21', watch: false } as const
    const loads: number[] = []
    let adapter = tableRates(options)
    for (let round = 0; round < 3; round++) {
      adapter = tableRates(options)
      const started = performance.now()
      await adapter.prepare!(preparing)
      loads.push(performance.now() - started)
    }
    const random = new Random(1)
    const ask = questions([adapter])
    const question = Array.from({ length: asked }, () => ask(anyCart(random)))
    const workings = providerOf(worldAt(Date.now), [adapter])
    const shop = newShop('default')
    const { ctx } = asking(adapter)
    return {
      loadMs: median(loads),
      whole: () => timed(question, (one) => quoteRates(workings, shop, one)),
      alone: () => timed(question, ({ request }) => adapter.quote(request as never, ctx)),
    }
  }
  const [small, large] = [await setUp(1_000), await setUp(100_000)]
  const { us, usSmall, alone, aloneSmall } = await timesOf(rounds, {
    usSmall: small.whole,
    us: large.whole,
    aloneSmall: small.alone,
    alone: large.alone,
  })
  return {
    ...{ rows: 100_000, loadMs: large.loadMs, us: median(us), usSmall: median(usSmall) },
    ...{ alone: median(alone), aloneSmall: median(aloneSmall) },
  }
}

/** What each of these takes in turn, in so many rounds. */
export async function timesOf<Name extends string>(
  rounds: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const all = Object.entries<() => Promise<number>>(measures)
  const times = Object.fromEntries(all.map(([name]) => [name, [] as number[]])) as Record<Name, number[]>
  // The first rounds compile.
  for (let round = -3; round < rounds; round++)
    for (const [name, measure] of all) {
      const took = await measure()
      if (round >= 0) times[name as Name].push(took)
    }
  return times
}

/** CPU microseconds for one. */
export async function timed<T>(list: T[], ask: (one: T) => unknown): Promise<number> {
  const before = process.cpuUsage()
  for (let turn = 0; turn < 5; turn++) for (const one of list) await ask(one)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (5 * list.length)
}

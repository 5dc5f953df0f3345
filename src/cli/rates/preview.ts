import { randomBytes } from 'node:crypto'
import type { WeightUnit } from '../../adapters/units.ts'
import { countryIn } from '../../contract/values.ts'
import { checkoutMessage, type Message } from '../../messages/exact.ts'
import { shopId } from '../../messages/live.ts'
import { type Decimal, decimal, price } from '../../money/index.ts'
import { createProvider } from '../../provider/create-provider.ts'
import { inspect } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import type { RatesExplanation } from '../../rates/explanation.ts'
import { fromMillionths } from '../../rates/files/cells.ts'
import { zoneCells } from '../../rates/tariffs/diff-sides.ts'
import type { RateTable } from '../../rates/tariffs/table.ts'
import { tableRates } from '../../rates/tariffs/table-rates.ts'
import { zoneFor, zonesOf } from '../../rates/tariffs/zones.ts'
import { numberOf, zipcodeText } from '../../rates/zipcodes/zipcode.ts'
import { memoryStore } from '../../stores/memory.ts'
import { loneShop, providerOf } from '../provider/with-provider.ts'
import { complain, inColumns, print } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage.ts'
import { faultsIn } from './explain.ts'
import type { Shown } from './options.ts'
import { tableOf, untaxed } from './tariff.ts'

type Destination = Record<'label' | 'country' | 'zipcode' | 'region', string>

export async function preview(file: string | undefined, options: Shown): Promise<void> {
  const tariff = file !== undefined
  if (tariff && options.provider !== undefined)
    throw new UsageError('Name either a tariff or, with --provider, a provider.')
  if (tariff && options.shop !== undefined)
    throw new UsageError('A tariff has no shops: leave --shop out, or name a provider with --provider.')
  const read = tariff ? await withProgress(`Reading ${file}`, () => tableOf(file)) : undefined
  const destinations = options.to ? destinationsIn(options.to) : destinationsOf(read)
  const currencies = new Set(read?.rows.flatMap(({ currency }) => currency ?? []))
  const currency = options.currency ?? (currencies.size === 1 ? [...currencies][0]! : 'eur')
  const weights = options.weights ?? weightsOf(read)
  // The log would repeat a failure for each cell; it comes once, below the grid.
  process.env.PURVEYOR_LOG_LEVEL = 'silent'
  const provider = tariff ? providerOfTable(file, options.unit) : await providerOf(options.provider)
  const shop = options.shop ?? (tariff ? undefined : await loneShop(() => inspect(provider)))

  const grids = new Map<string, { title: string; words: Set<string>; cells: Map<string, number> }>()
  const explanations: RatesExplanation[] = []
  try {
    const questions = destinations.flatMap((to) => weights.map((weight) => ({ to, weight })))
    await withProgress('Computing prices', async (steps) => {
      for (const { to, weight } of questions) {
        steps.at(explanations.length + 1, questions.length)
        const question = checkoutTo(to, weight, { ...options, currency })
        const explained = await inspect(provider).askRates(question, { shop, at: options.at })
        explanations.push(explained)
        for (const { id, title, description, price_excl } of explained.methods) {
          const grid = grids.get(String(id)) ?? { title, words: new Set(), cells: new Map() }
          grid.cells.set(`${to.label} ${weight}`, Number(price_excl))
          if (description) grid.words.add(description)
          grids.set(String(id), grid)
        }
      }
    })
  } finally {
    await provider.stop()
  }
  const shown = [...grids].map(([id, { title, words, cells }]) => {
    const pricesTo = (to: string) => weights.map((weight) => cells.get(`${to} ${weight}`))
    const prices = destinations.map(({ label: to }) => ({ to, prices: pricesTo(to) }))
    return { id, title, descriptions: [...words], prices }
  })
  const unit = tariff ? options.unit : "in the shop's unit"
  print(options.json, shown, () => {
    const lines = shown.flatMap(({ id, title, descriptions, prices: rows }) => {
      const cells = rows.map(({ to, prices }) => [to, ...prices.map((price) => price?.toFixed(2) ?? '-')])
      return [
        ...['', `${id}  ${title}  (${currency} without tax; weight ${unit})`],
        ...(options.at === undefined ? [] : descriptions),
        ...inColumns(['to', ...weights.map(String)], cells),
      ]
    })
    return lines.length === 0 ? 'No method serves any of these destinations and weights.' : lines.slice(1)
  })
  const faults = new Set(explanations.flatMap(faultsIn))
  for (const says of [...faults, ...silentIn(explanations)]) complain(says)
  if (faults.size > 0) process.exitCode = 1
}

/** The adapters that had no method in any cell, with their reasons. */
function silentIn(explanations: readonly RatesExplanation[]): Set<string> {
  const answers = explanations.flatMap(({ adapters }) => adapters)
  const heard = new Set(answers.flatMap(({ adapter, result }) => (result === 'methods' ? adapter : [])))
  const silent = answers.filter(({ adapter, result }) => result === 'none' && !heard.has(adapter))
  // A method that was left out is named by itself.
  const reasons = silent.filter(({ leftOut, reason }) => leftOut.length === 0 && reason !== undefined)
  return new Set(reasons.map(({ adapter, reason }) => `${adapter}: none, ${reason}`))
}

function providerOfTable(file: string, unit: WeightUnit): Provider {
  const adapters = tableRates({ file, weightUnit: unit, ...untaxed, watch: false })
  // Opens no port and no store, so the environment of the running provider does not matter.
  return createProvider({
    development: false,
    publicUrl: 'https://preview.invalid',
    secret: randomBytes(32).toString('base64'),
    store: memoryStore(),
    network: { allowLoopback: false },
    rates: { adapters, units: { weight: unit } },
  })
}

function destinationsIn(text: string): Destination[] {
  return text.split(',').map((part) => {
    const [country = '', zipcode = ''] = part.trim().split(':')
    const takes = '--to names countries, and zipcodes where they matter: nl,be:1000.'
    if (!/^[a-z]{2}$/i.test(country)) throw new UsageError(`${takes} ${part} is neither.`)
    return { label: part.trim(), country: countryIn(country), zipcode, region: '' }
  })
}

function destinationsOf(read: RateTable | undefined): Destination[] {
  if (!read) throw new UsageError('Name destinations with --to, such as --to nl,be:1000,de.')
  const places = read.rows.flatMap(({ areas }) => areas)
  const byCountry = Map.groupBy(places, ({ country }) => country)
  const other = ['us', 'jp', 'br', 'za', 'nz'].find((country) => !byCountry.has(country)) ?? 'aq'
  const cells = zoneCells([{ table: read }])
  // One line for each country: another line of the tariff may name one of them by itself.
  return [...byCountry].flatMap(([to, areas]) => {
    const { zones } = zonesOf(areas.map((area) => ({ area })))
    const country = to === '*' ? other : to
    const found = new Map<string, Destination>()
    for (const { name, inside, region } of areas) {
      const label = `${to} ${name}`.trim()
      found.set(label, { label, country, zipcode: zipcodeText(to, inside.spans[0]!.from), region })
    }
    // A place in which no narrower zone wins.
    for (const { from, region } of cells.get(to)!.toReversed()) {
      const label = zones.names[zoneFor(zones, { country: to, zip: numberOf(from), region })]
      if (label !== undefined) Object.assign(found.get(label)!, { zipcode: zipcodeText(to, from), region })
    }
    return [...found.values()]
  })
}

function weightsOf(read: RateTable | undefined): number[] {
  const ends = new Set((read?.rows ?? []).map(({ weight }) => weight.to).filter(Number.isFinite))
  const weights = [...ends].sort((one, other) => one - other).map((end) => Number(fromMillionths(end)))
  return weights.length > 0 ? weights : [1, 2, 5, 10, 20, 30]
}

const checkoutTo = (
  { label: _, ...to }: Destination,
  weight: number,
  { value, currency, taxRate }: Shown & { currency: string },
): Message => {
  const { price_incl, price_excl } = price({ incl: value as Decimal, taxRate: taxRate as Decimal, currency })
  const taxes = [{ percentage: taxRate, amount: decimal(price_incl).minus(price_excl).toFixed() }]
  return {
    ...checkoutMessage({ shopId, currency }),
    customer: {},
    shipping_address: to,
    billing_address: { country: to.country, zipcode: to.zipcode },
    quote: { price_incl, price_excl, weight, products: [], totals: { taxes } },
  }
}

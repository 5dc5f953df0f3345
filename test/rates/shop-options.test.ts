import { pino } from 'pino'
import { expect, test } from 'vitest'
import { neededFields } from '../../src/adapters/call-adapter.ts'
import { type AnyRateAdapter, withFallbacks } from '../../src/any-adapter.ts'
import { readMessage, shipmentMethodsReader } from '../../src/contract/index.ts'
import { createProvider, memoryStore, none, price, z } from '../../src/index.ts'
import { quoteRates } from '../../src/rates/asking/quote-rates.ts'
import { flatRate, markup, onFailure, tableRates, taxed, when } from '../../src/rates/index.ts'
import { newShop } from '../../src/shops/shop.ts'
import { OpenedSettings } from '../../src/shops/shop-settings.ts'
import { movableWorld, providerIn } from '../helpers/world.ts'
import { checkout } from '../http/messages.ts'

const own = z.object({
  price: z.unknown().default('5'),
  percent: z.union([z.number(), z.string()]).default(0),
  from: z.number().default(0),
  tax: z.string().default('0.21'),
  to: z.array(z.string()).default(['nl', 'be']),
})
type Own = z.infer<typeof own>

const door = (options: object = {}) =>
  flatRate({
    id: 'door',
    title: 'Door',
    settings: own,
    excl: (settings) => settings.price as string,
    taxRate: (settings) => settings.tax,
    ...options,
  })

/** The prices that these shops get, each with settings of its own. */
async function asked(adapter: AnyRateAdapter, ...given: Partial<Own>[]) {
  const workings = providerIn(movableWorld().world, { rates: [adapter] })
  const read = shipmentMethodsReader(neededFields(withFallbacks([adapter])))
  const request = readMessage(read, structuredClone(checkout))
  const answers = given.map((door, place) => {
    const opened = new OpenedSettings(`shop-${place}`, { adapters: { door } })
    return quoteRates(workings, newShop(`shop-${place}`), { request }, opened)
  })
  const explained = await Promise.all(answers)
  const shown = explained.map(({ adapters: [one] }) =>
    one!.result === 'methods'
      ? one!.methods.map(({ price_excl }) => price_excl)
      : `${one!.result}: ${one!.reason}`,
  )
  return { shown, explained, workings }
}
const prices = async (...given: Parameters<typeof asked>) => (await asked(...given)).shown

test('a value is a function of the settings of the shop, in each ready-made adapter', async () => {
  expect(await prices(door(), { price: '5' }, { price: '7.5' })).toEqual([[5], [7.5]])
  const marked = markup({ percent: (settings) => settings.percent }, door())
  expect(await prices(marked, { percent: 10 }, {})).toEqual([[5.5], [5]])
  const above = when({ value: { from: ({ from }) => from }, countries: ({ to }) => to }, door())
  expect(await prices(above, {}, { from: 1_000 }, { to: ['de'] })).toEqual([
    [5],
    'none: only for quotes from 1000 on',
    'none: not to nl',
  ])
  const untaxed = flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: 0 })
  const rated = taxed({ settings: own, rate: { nl: (settings) => settings.tax } }, untaxed)
  const { explained } = await asked(rated, { tax: '0.09' })
  expect(explained[0]!.methods[0]).toMatchObject({ tax_rate: 0.09, price_incl: 5.45 })
})

const ours = 'cannot use the settings of this shop'

test('settings that an option does not take fail for their shop alone, with the option and never the value', async () => {
  const throwing = door({
    excl: (settings: Own) => {
      if (settings.from > 0) throw new Error('secret')
      return '5'
    },
  })
  expect(await prices(throwing, { from: 1 }, {})).toEqual([
    `failed: flatRate() ${ours}: a function of the settings threw`,
    [5],
  ])
  const wrong = await prices(door(), { price: 'ten euro' }, { price: -5 }, { tax: '21' }, {})
  expect(wrong).toEqual([
    expect.stringContaining(`failed: flatRate() ${ours}: excl must be a number of 0 or more`),
    expect.stringMatching(/excl must be a number of 0 or more/),
    `failed: flatRate() ${ours}: taxRate must be a fraction below 1: did you mean 0.21?`,
    [5],
  ])
  expect(JSON.stringify(wrong)).not.toContain('ten euro')
})

test('zipcodes, countries and surcharges of one shop that are wrong are the fault of its settings', async () => {
  const table = (surcharge: object) =>
    tableRates({
      ...{ name: 'door', file: 'examples/rates-table/tariff.csv', currency: 'eur', taxRate: 0 },
      settings: own,
      surcharges: () => [surcharge as { name: string }],
    })
  expect(await prices(when({ countries: ({ to }) => to }, door()), { to: ['xx'] }, {})).toEqual([
    `failed: when() ${ours}: countries.0 xx is not a country: write two letters such as nl`,
    [5],
  ])
  expect(await prices(when({ zipcodes: ({ to }) => to }, door()), { to: ['2000-1000'] })).toEqual([
    expect.stringContaining(`failed: when() ${ours}: zipcodes 2000-1000 is not a range`),
  ])
  expect(await prices(table({ name: 'fuel', percent: 3, country: 'xx' }), {})).toEqual([
    expect.stringContaining(`tableRates() ${ours}: surcharges.0.country of "fuel": xx is not a country`),
  ])
  // A constant is found at once, also beside functions.
  expect(() => when({ zipcodes: ['2000-1000'], value: { from: () => 1 } }, door())).toThrow(
    'zipcodes: 2000-1000 is not a range',
  )
})

test('settings of one shop that cannot be used never count for its breaker', async () => {
  const adapter = when({ zipcodes: ({ to }) => to }, door())
  const workings = providerIn(movableWorld().world, { rates: [adapter] })
  const request = readMessage(shipmentMethodsReader(neededFields([adapter])), structuredClone(checkout))
  for (let times = 0; times < 10; times++) {
    const opened = new OpenedSettings('one', { adapters: { door: { to: ['2000-1000'] } } })
    const { adapters } = await quoteRates(workings, newShop('one'), { request }, opened)
    expect(adapters[0]!.result).toBe('failed')
  }
  expect(workings.rates.memory.breakers.open()).toEqual([])
})

test('values beside a function are checked at once, and so is the schema', () => {
  expect(() => door({ freeFrom: -1 })).toThrow('freeFrom: must be a number of 0 or more')
  expect(() => door({ fromfree: 1 })).toThrow('fromfree: is not an option: known are id')
  expect(() => door({ settings: {} })).toThrow('settings: must be a schema of zod')
  const another = { percent: () => 1, settings: z.object({}) }
  expect(() => markup(another, door())).toThrow('"door" has a schema of its own')
})

test('a fallback without settings reads those of its adapter, and so do the functions around both', async () => {
  const quote = () => Promise.reject(new Error('down'))
  const failing: AnyRateAdapter = { name: 'door', settings: own, quote }
  const fallback: AnyRateAdapter = {
    name: 'plain',
    quote: (_request, { settings }) => [
      { id: 'plain', title: 'Plain', ...price({ excl: settings.price, taxRate: 0, currency: 'eur' }) },
    ],
  }
  const both = markup({ percent: (settings: Own) => settings.percent }, onFailure(failing, fallback))
  expect(await prices(both, { price: '8', percent: 50 }, {})).toEqual([[12], [5]])
})

test('adapters of one carrier share one object of settings, and one schema', async () => {
  const account = z.object({ key: z.string() })
  const seen: unknown[] = []
  const adapter = (name: string, settings = account): AnyRateAdapter => ({
    name,
    settings,
    settingsName: 'carrier',
    quote(_request, ctx) {
      seen.push(ctx.settings)
      return none('nothing')
    },
  })
  const provider = (...rates: AnyRateAdapter[]) =>
    createProvider({ rates, store: memoryStore(), development: true, logger: pino({ level: 'silent' }) })
  const made = provider(adapter('door'), adapter('point'))
  await made.shops.add('one')
  await made.shops.saveSettings('one', { adapters: { carrier: { key: 'k' } } })
  await made.rates.explain(checkout, { shop: 'one' })
  expect(seen).toEqual([{ key: 'k' }, { key: 'k' }])
  await expect(made.shops.saveSettings('one', { adapters: { door: { key: 'k' } } })).rejects.toThrow(
    'adapters.door is not an adapter of this provider',
  )
  await made.stop()
  expect(() => provider(adapter('door'), adapter('point', z.object({ key: z.string() })))).toThrow(
    '"door" and "point" share the settings "carrier", so both must have the same schema',
  )
})

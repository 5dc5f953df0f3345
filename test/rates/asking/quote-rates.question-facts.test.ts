import { rmSync, writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { createProvider, memoryStore, none, type ProductFact, type QuoteRequest } from '../../../src/index.ts'
import { FactsOfFiles } from '../../../src/rates/files/product-facts.ts'
import { flatRate, tableRates, when } from '../../../src/rates/index.ts'
import { fileWith, folderWith } from '../../folder.ts'
import { ratesWith } from '../../helpers/rates.ts'
import { checkout, estimate } from '../../http/messages.ts'

const [mug] = checkout.quote.products
const cart = (...codes: string[]) => ({
  ...checkout,
  quote: { ...checkout.quote, products: codes.map((article_code) => ({ ...mug, article_code })) },
})
const facts = { 'BAT-1': ['dangerous'], 'ICE-1': ['cold'], CARD: ['letterbox'] } as const

const flat = (id: string) => flatRate({ id, title: id, excl: '5', taxRate: 0 })

/** A provider with these adapters; its only shop has set the facts above. */
async function shopWith(rates: AnyRateAdapter[], productFacts: unknown = facts, file?: { file: string }) {
  const provider = createProvider({
    rates: { adapters: rates, units: { weight: 'g' }, ...(file && { productFacts: file }) },
    store: memoryStore(),
    development: true,
    logger: pino({ level: 'silent' }),
  })
  onTestFinished(() => provider.stop())
  await provider.shops.add('one')
  await provider.shops.saveSettings('one', { productFacts } as never)
  const explained = (body: object = checkout) => provider.rates.explain(body, { shop: 'one' })
  const ids = async (...codes: string[]) => (await explained(cart(...codes))).methods.map(({ id }) => id)
  return { explained, ids }
}

test('an adapter sees the facts of each product, in the checkout and in the cart', async () => {
  const seen: unknown[] = []
  const adapter: AnyRateAdapter = {
    name: 'a',
    estimate: 'quote',
    quote({ quote }) {
      seen.push(quote.products.map((product: { facts?: unknown }) => product.facts))
      return none('nothing')
    },
  }
  const { explained } = await shopWith([adapter])
  await explained(cart('BAT-1', 'ICE-1', 'MUG', ''))
  const { products } = cart('CARD').quote
  await explained({ ...estimate, quote: { ...estimate.quote, products } })
  expect(seen).toEqual([[['dangerous'], ['cold'], [], []], [['letterbox']]])
  expectTypeOf<QuoteRequest['quote']['products'][number]['facts']>().toEqualTypeOf<
    readonly ProductFact[] | undefined
  >()
})

test('when offers by the facts of the products, and explains why not', async () => {
  const { ids, explained } = await shopWith([
    when({ products: { none: ['dangerous'] } }, flat('air')),
    when({ products: { every: ['letterbox'] } }, flat('letter')),
    when({ products: { some: ['cold', 'dangerous'] } }, flat('special')),
  ])
  expect(await ids('MUG')).toEqual(['air'])
  expect(await ids('MUG', 'BAT-1')).toEqual(['special'])
  expect(await ids('CARD', 'CARD')).toEqual(['air', 'letter'])
  expect(await ids('CARD', 'ICE-1')).toEqual(['air', 'special'])
  expect(await ids()).toEqual(['air'])
  const { adapters } = await explained(cart('BAT-1'))
  expect(adapters.map(({ reason }) => reason)).toEqual([
    'not for products that are dangerous',
    'only for products that are all letterbox',
    undefined,
  ])
  const [, , special] = (await explained(cart('MUG'))).adapters
  expect(special!.reason).toBe('only for products that are cold or dangerous')
})

test('a function of the settings may choose the facts, and a wrong fact is refused by name', () => {
  expect(() => when({ products: { none: ['dangerus' as never] } }, flat('a'))).toThrow('products.none.0')
  // @ts-expect-error: no fact
  expect(() => when({ products: { none: ['heavy'] } }, flat('a'))).toThrow()
})

test('cold products are in parcels of their own', async () => {
  const header = 'id,title,country,weight_to,price_excl'
  const file = fileWith('tariff.csv', `${header}\ndoor,Door,nl,30,5\n`)
  const table = (apart?: ProductFact[]) => tableRates({ file, taxRate: 0, parcel: { maxWeight: 30, apart } })
  const { explained } = await shopWith([table(['cold'])])
  const parcels = async (...codes: string[]) => {
    const { adapters } = await explained(cart(...codes))
    return adapters[0]!.parcels[0]!.list.map(({ pieces }) => pieces)
  }
  expect(await parcels('MUG', 'ICE-1', 'BAT-1')).toHaveLength(2)
  expect(await parcels('MUG', 'BAT-1')).toHaveLength(1)
  expect(await parcels('ICE-1', 'ICE-1')).toHaveLength(1)
})

test('equal carts of different facts are not one answer of the cache', async () => {
  let calls = 0
  const carrier: AnyRateAdapter = {
    name: 'carrier',
    cache: { ttl: 60_000, key: () => 'all' },
    quote: () => [{ id: `door-${++calls}`, title: 'Door', price_excl: 5, price_incl: 5, tax_rate: 0 }],
  }
  const { explained } = await shopWith([when({ products: { none: ['dangerous'] } }, carrier)])
  expect((await explained(cart('MUG'))).methods).toHaveLength(1)
  expect((await explained(cart('BAT-1'))).methods).toEqual([])
  expect(calls).toBe(1)
})

test.each([
  [{ 'BAT-1': ['dangerus'] }, 'productFacts.BAT-1[0]'],
  [{ 'BAT-1': 'dangerous' }, 'productFacts.BAT-1'],
  [{ ['A'.repeat(257)]: [] }, 'productFacts'],
  [
    Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`A${at}`, []])),
    'names more than 5000 products',
  ],
])('settings with a fault are refused with their place: %#', async (given, message) => {
  await expect(shopWith([flat('a')], given)).rejects.toThrow(message)
})

/** A provider whose facts are in a file. */
function withFile(text: string, adapter: AnyRateAdapter = flat('air')) {
  const file = fileWith('products.csv', text)
  const source = new FactsOfFiles({ file })
  const rates = ratesWith([when({ products: { none: ['dangerous'] } }, adapter), flat('road')], {
    productFacts: source,
  })
  const ids = (code: string) => rates.ids((body) => Object.assign(body, { quote: cart(code).quote }))
  return { ...rates, file, source, ids }
}

test('facts of a file, which is in use two looks after it changed, and never with a fault', async () => {
  const { ids, file, source, world } = withFile('article_code,dangerous\nBAT-1,1\n')
  expect([await ids('BAT-1'), await ids('GAS-1')]).toEqual([['road'], ['air', 'road']])
  const change = async (rows: string) => {
    writeFileSync(file, `article_code,dangerous\n${rows}`)
    for (const _ of [1, 2]) await source.files.look({ now: world.now, log: world.log })
  }
  await change('BAT-1,1\nGAS-1,perhaps\n')
  expect(await ids('GAS-1')).toEqual(['air', 'road'])
  expect(source.files.list()[0]!.fault!.message).toContain('products.csv:3 dangerous')
  await change('BAT-1,1\nGAS-1,1\nACID-1,1\n')
  expect(await ids('GAS-1')).toEqual(['road'])
})

test('the settings of a shop go before the file', async () => {
  const file = fileWith('products.csv', 'article_code,dangerous\nBAT-1,1\nGAS-1,1\n')
  const adapters = [when({ products: { none: ['dangerous'] } }, flat('air'))]
  const { ids } = await shopWith(adapters, { 'BAT-1': [] }, { file })
  expect([await ids('BAT-1'), await ids('GAS-1')]).toEqual([['air'], []])
})

test.each([
  ['an adapter without a cache', flat('air')],
  ['one with a cache', { ...flat('air'), cache: { ttl: 60_000 } }],
  ['one with a key of its own', { ...flat('air'), cache: { ttl: 60_000, key: () => 'all' } }],
])('a file with a fault fails what reads facts, and sells nothing in its place: %s', async (_, adapter) => {
  const { ask, breakers } = withFile('article_code,dangerous\nBAT-1,perhaps\n', adapter)
  for (let times = 0; times < 6; times++) {
    const { methods, adapters } = await ask()
    expect(methods.map(({ id }) => id)).toEqual(['road'])
    const reason = expect.stringContaining('products.csv:2 dangerous')
    expect(adapters[0]).toMatchObject({ result: 'failed', reason })
  }
  expect(breakers.open()).toEqual([])
})

test('a missing file, or one with a fault, stops the start', async () => {
  const { file, source, world } = withFile('article_code,dangerous\nBAT-1,perhaps\n')
  await expect(source.prepare(world)).rejects.toThrow('products.csv:2 dangerous')
  rmSync(file)
  const missing = new FactsOfFiles({ file }).prepare(world)
  await expect(missing).rejects.toMatchObject({ code: 'PRODUCT_FACTS_INVALID' })
})

test('each shop may have a file of its own, and none outside of the folder', async () => {
  const cwd = folderWith({ 'one.csv': 'article_code,dangerous\nBAT-1,1\n' })
  const fileOf = ({ id }: { id: string }) => (id === 'other' ? undefined : `${cwd}/${id}.csv`)
  const source = new FactsOfFiles({ file: fileOf, folder: cwd })
  const now = () => 1
  expect([...(await source.of({ id: 'one' }, now))!]).toEqual([['BAT-1', ['dangerous']]])
  expect(await source.of({ id: 'other' }, now)).toBeUndefined()
  await expect(source.of({ id: '../x' }, now)).rejects.toThrow('lies outside of the folder')
})

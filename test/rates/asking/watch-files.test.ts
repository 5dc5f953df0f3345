import { renameSync, writeFileSync } from 'node:fs'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { DeadlinePassed } from '../../../src/adapters/call-adapter.ts'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { Background } from '../../../src/provider/background.ts'
import { fileFaults, filesOf, prepareRates, watchFiles } from '../../../src/rates/asking/watch-files.ts'
import { FactsOfFiles } from '../../../src/rates/files/product-facts.ts'
import { pickupPoints, tableRates } from '../../../src/rates/index.ts'
import { type AdapterCall, unobserved } from '../../../src/world.ts'
import { folderWith } from '../../cli/command.ts'
import { ratesWith } from '../../helpers/rates.ts'
import { listening } from '../../listening.ts'

const header = 'id,title,country,price_excl'
const priced = (price: string) => `${header}\ndoor,Door,nl,${price}\n`

function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

test('the background looks at the files of every adapter each second, without a quote', async () => {
  const looks: Record<string, number[]> = { one: [], two: [] }
  const looking = (name: string, more: Partial<AnyRateAdapter> = {}): AnyRateAdapter => ({
    name,
    quote: () => [],
    files: { look: async ({ now }) => void looks[name]!.push(now()), list: () => [] },
    ...more,
  })
  const { workings, move, world } = ratesWith([looking('one', { fallback: looking('two') })])
  const began = world.now()
  const background = new Background(workings)
  background.start()
  await move(4_500)
  await background.stop()
  const each = [0, 1_000, 2_000, 3_000, 4_000].map((at) => began + at)
  expect(looks).toEqual({ one: each, two: each })
})

test('where no adapter has files, nothing wakes the process each second', async () => {
  const { workings } = ratesWith([{ name: 'one', quote: () => [] }])
  expect(await watchFiles(workings)).toBeGreaterThan(60_000)
})

test('a changed tariff and changed points are in use without a quote, and their numbers show it', async () => {
  const cwd = folderWith({
    'tariff.csv': priced('5'),
    'points.csv': 'id,name,zipcode,country\ndam,Dam,1012JS,nl\n',
  })
  const [tariff, points] = [`${cwd}/tariff.csv`, `${cwd}/points.csv`]
  const rates = [
    tableRates({ file: tariff, taxRate: 0 }),
    pickupPoints({ file: points, excl: '3', taxRate: 0 }),
  ]
  const { workings, move, ids } = ratesWith(rates)
  expect(await ids()).toEqual(['door', 'points-dam'])
  const background = new Background(workings)
  background.start()
  replace(tariff, `${priced('6')}box,Box,nl,4\n`)
  replace(points, 'id,name,zipcode,country\ndam,Dam,1012JS,nl\nspui,Spui,1012XA,nl\n')
  const later = (read: () => unknown) => async () => {
    await move(1_000)
    return read()
  }
  await expect.poll(later(() => filesOf(workings).map(({ size }) => size))).toEqual([2, 2])
  expect(await ids()).toEqual(['door', 'box', 'points-dam', 'points-spui'])
  replace(points, 'id,name,zipcode,country\ndam,Dam,1012JS,holland\n')
  await expect
    .poll(later(() => filesOf(workings).map(({ fault }) => fault?.message.split(':').slice(1, 4).join(':'))))
    .toEqual([undefined, expect.stringContaining('points.csv:2 country')])
  expect(await ids()).toEqual(['door', 'box', 'points-dam', 'points-spui'])
  await background.stop()
})

test('the faults of all files are listed, those of product facts too, each under what reads the file', async () => {
  const cwd = folderWith({
    'tariff.csv': priced('5'),
    'points.csv': 'id,name,zipcode,country\ndam,Dam,1012JS,nl\n',
    'products.csv': 'article_code,dangerous\nBAT-1,1\n',
    'spare.csv': priced('9'),
  })
  const table = (name: string) => tableRates({ name, file: `${cwd}/${name}.csv`, taxRate: 0 })
  const faults = () => {
    const points = pickupPoints({ file: `${cwd}/points.csv`, excl: '3', taxRate: 0 })
    const rates = [{ ...table('tariff'), fallback: table('spare') }, points]
    const productFacts = new FactsOfFiles({ file: `${cwd}/products.csv` })
    return fileFaults(ratesWith(rates, { productFacts }).workings)
  }
  expect(await faults()).toEqual([])
  const named = (adapter: string, place: string) => ({ adapter, message: expect.stringContaining(place) })
  writeFileSync(`${cwd}/products.csv`, 'article_code,dangerous\nBAT-1,perhaps\n')
  expect(await faults()).toEqual([named('productFacts', 'products.csv:2 dangerous')])
  for (const name of ['tariff', 'spare']) writeFileSync(`${cwd}/${name}.csv`, priced('"5,00"'))
  writeFileSync(`${cwd}/points.csv`, 'id,name,zipcode,country\ndam,Dam,1012JS,holland\n')
  expect(await faults()).toEqual([
    named('tariff', 'tariff.csv:2 price_excl'),
    named('spare', 'spare.csv:2 price_excl'),
    named('points', 'points.csv:2 country'),
    named('productFacts', 'products.csv:2 dangerous'),
  ])
})

test('a faulty file counts in the metrics, and readiness stays 200', async () => {
  const file = `${folderWith({ 'tariff.csv': priced('5') })}/tariff.csv`
  const adapter = tableRates({ file, taxRate: 0 })
  const { url } = await listening({ rates: adapter })
  const numbers = async () => {
    const { text } = await supertest(url).get('/metrics')
    return ['files', 'file_lines', 'file_faults'].map((name) =>
      Number(new RegExp(`^purveyor_rate_${name}\\{adapter="table"\\} (\\d+)$`, 'm').exec(text)?.[1]),
    )
  }
  expect(await numbers()).toEqual([1, 1, 0])
  replace(file, `${header}\ndoor,Door,nl,"5,00"\nbox,Box,nl,4\n`)
  await expect.poll(numbers).toEqual([1, 1, 1])
  expect((await supertest(url).get('/health/ready')).status).toBe(200)
  replace(file, `${priced('6')}box,Box,nl,4\n`)
  await expect.poll(numbers).toEqual([1, 2, 0])
})

function preparing(prepare: AnyRateAdapter['prepare'], more: Partial<AnyRateAdapter> = {}) {
  const { workings, world, lines, move } = ratesWith([{ name: 'tariff', quote: () => [], prepare, ...more }])
  const calls: AdapterCall[] = []
  world.observer = {
    ...world.observer,
    adapterCall(about) {
      calls.push(about)
      return unobserved.adapterCall(about)
    },
  }
  return { workings, world, lines, move, calls }
}

test('prepare of an adapter is a call of it: observed, and named if it blocks the event loop', async () => {
  const { workings, world, lines, calls } = preparing(async () => {
    now += 60
  })
  let now = 0
  world.now = () => now
  await prepareRates(workings)
  expect(calls).toEqual([{ adapter: 'tariff', call: 'prepare', shop: undefined }])
  expect(lines.map(({ fields, message }) => [fields, message])).toEqual([
    [{ adapter: 'tariff', ms: 60 }, 'an adapter blocked the event loop'],
  ])
})

test('it has 10 s, and its signal is aborted then', async () => {
  let signal: AbortSignal | undefined
  const { workings, move } = preparing((ctx) => {
    signal = ctx.signal
    return new Promise<never>(() => {})
  })
  const failed = prepareRates(workings).catch((error: unknown) => error)
  await move(9_999)
  expect(signal?.aborted).toBe(false)
  await move(1)
  expect(await failed).toBeInstanceOf(DeadlinePassed)
  expect(signal?.aborted).toBe(true)
})

test('a look at the faults of files is such a call too', async () => {
  const files = { look: async () => {}, list: () => [] }
  const { workings, calls } = preparing(async () => {}, { files })
  expect(await fileFaults(workings)).toEqual([])
  expect(calls).toEqual([{ adapter: 'tariff', call: 'prepare', shop: undefined }])
})

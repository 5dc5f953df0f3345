import { expect, test } from 'vitest'
import type { RateQuestion } from '../../../src/rates/adapter.ts'
import { Questions } from '../../../src/rates/asking/rate-memory.ts'
import type { AdapterExplanation, RatesExplanation } from '../../../src/rates/explanation.ts'
import { memoryStore } from '../../../src/stores/memory.ts'
import { movableWorld } from '../../helpers/world.ts'
import { opened } from '../../stores/opened.ts'

const day = 24 * 3_600_000
const method = { id: 'door', title: 'Door', price_incl: 6.05, price_excl: 5, tax_rate: 0.21 }

const adapter = (changes: Partial<AdapterExplanation> = {}): AdapterExplanation => ({
  ...{ adapter: 'domestic', ms: 8, cache: 'off', result: 'methods', calls: [], methods: [method] },
  ...{ leftOut: [], notes: ['a note'], parcels: [] },
  ...changes,
})

const explained = (
  adapters: AdapterExplanation[],
  changes: Partial<RatesExplanation> = {},
): RatesExplanation => ({
  ...{ asked: 'checkout', ms: 12.6, deadline: 2_500, adapters, fallback: false, methods: [method] },
  ...changes,
})
const well = explained([adapter()])
const failed = explained([adapter({ result: 'failed', methods: [], reason: 'no answer within 2500 ms' })])

const typed = ['1012 AB', 'Dorpsstraat', 'Jansen', 'jan@example.com', '+31612345678', 'SKU-77', 'Amsterdam']
const request = {
  shop: { language: 'nl', currency: 'eur' },
  quote: {
    ...{ price_excl: '41.32', price_incl: '50.00', weight: '1200', volume: '0' },
    products: [
      { article_code: 'SKU-77', quantity: 1 },
      { article_code: 'SKU-77', quantity: 2 },
    ],
  },
  shipping_address: {
    ...{ country: 'nl', zipcode: '1012 AB', city: 'Amsterdam', address1: 'Dorpsstraat', name: 'Jansen' },
    ...{ email: 'jan@example.com', phone: '+31612345678' },
  },
}
const question = { request } as never as RateQuestion

async function keeper(nodes = 0) {
  const { world, move } = movableWorld()
  const store = await opened(memoryStore())
  for (let node = 0; node < nodes; node++) {
    const runs = { pid: 1, mainPid: 1, host: 'h', version: '0', build: '', since: 0 }
    await store.noteNode({ id: `n${node}`, opens: ['a'], runs }, { now: world.now(), since: 0 })
  }
  const questions = new Questions()
  let tokens = 0
  const own = { ...world, token: () => `t${++tokens}` }
  return {
    ...{ world, move, store, questions },
    note: (explanation = failed, shop = 'wren', asked = question) =>
      questions.note(own, shop, asked, explanation),
    async stored() {
      await questions.work({ store, world })
      return store.questions({ since: 0, missing: false, limit: 10_000 })
    },
  }
}

test('a question is kept with what a person needs, and with nothing that a customer typed but the country', async () => {
  const { note, stored, world } = await keeper()
  const parcels = { actual: '4.2', unit: 'kg' } as never
  const adapters = [
    adapter({
      ...{ result: 'failed', methods: [], reason: 'it threw an error', parcels: [parcels] },
      words: 'no such zipcode: 1012 AB, Dorpsstraat',
      calls: [
        {
          method: 'GET',
          to: 'api.carrier.example:8443/zip/1012%20AB/Jansen',
          ms: 4,
          status: 404,
          answer: 'Jansen is unknown',
        },
      ],
    }),
    adapter({
      adapter: 'express',
      result: 'none',
      methods: [],
      leftOut: [{ place: 1, id: 'x', reason: 'no row' }] as never,
    }),
  ]
  note(explained(adapters, { methods: [], fallback: true }))
  const [one, ...others] = await stored()
  expect(others).toEqual([])
  expect(one).toMatchObject({
    ...{ id: 'q-t1', shopId: 'wren', at: world.now(), kind: 'checkout', country: 'nl', weight: '4.2 kg' },
    ...{ lines: 2, value: '50.00', currency: 'eur', ms: 13, methods: 0, missing: true },
  })
  const [domestic, express] = one!.explanation.adapters
  expect(one!.explanation).toMatchObject({ fallback: true, deadline: 2_500 })
  expect(domestic).toMatchObject({
    ...{ adapter: 'domestic', result: 'failed', reason: 'it threw an error', notes: ['a note'] },
    calls: [{ method: 'GET', to: 'api.carrier.example:8443', ms: 4, status: 404 }],
  })
  expect(express?.leftOut).toEqual([{ place: 1, id: 'x', reason: 'no row' }])
  const text = JSON.stringify(one)
  for (const word of typed) expect(text).not.toContain(word)
  expect(text).not.toContain('1012')
})

test('a question of a cart has no address, and one without a country says so', async () => {
  const { note, stored } = await keeper()
  const { shipping_address: _, ...cart } = request
  note(explained([], { asked: 'estimate', methods: [] }), 'wren', {
    estimate: { ...cart, shop: {}, shipping_address: {} },
  } as never)
  const [one] = await stored()
  expect(one).toMatchObject({ kind: 'estimate', country: '', currency: '', weight: undefined, missing: true })
})

test('each with something missing is kept: a failed adapter, a skipped one, one inside, a method left out, or no method', async () => {
  const missing = [
    failed,
    explained([adapter({ result: 'skipped' })]),
    explained([adapter({ failed: ['inner'] })]),
    explained([adapter({ leftOut: [{ place: 1, reason: 'no row' }] as never })]),
    explained([adapter({ result: 'none', methods: [] })], { methods: [] }),
  ]
  const { note, stored } = await keeper()
  for (const one of missing) note(one)
  expect((await stored()).map((one) => one.missing)).toEqual(missing.map(() => true))
})

test('of those with nothing missing one in a hundred is kept', async () => {
  const { note, stored } = await keeper()
  for (let asked = 0; asked < 1_000; asked++) note(well)
  const kept = await stored()
  expect(kept.map((one) => one.missing)).toEqual(Array.from({ length: 10 }, () => false))
})

test('at most 50 a second are kept, by all nodes together, and the next seconds have room again', async () => {
  for (const [nodes, most] of [
    [0, 250],
    [1, 250],
    [4, 63],
  ] as const) {
    const { note, stored } = await keeper(nodes)
    for (let asked = 0; asked < 400; asked++) note(failed)
    expect(await stored()).toHaveLength(most)
    for (let asked = 0; asked < 400; asked++) note(failed)
    expect(await stored()).toHaveLength(2 * most)
  }
})

test('nothing is written before the background works, nor where there is nothing', async () => {
  const { note, store, questions, world } = await keeper()
  let written = 0
  const counting = {
    ...store,
    async noteQuestions(asked: readonly object[]) {
      written += asked.length
    },
  }
  expect(await questions.work({ store: counting, world })).toBe(5_000)
  note()
  expect(written).toBe(0)
  expect(await questions.work({ store: counting, world })).toBe(5_000)
  await questions.work({ store: counting, world })
  expect(written).toBe(1)
})

test('a question goes after seven days', async () => {
  const { note, stored, questions, store, world, move } = await keeper()
  note()
  await stored()
  await move(7 * day)
  await questions.forget({ store, world })
  expect(await stored()).toHaveLength(1)
  await move(1)
  await questions.forget({ store, world })
  expect(await stored()).toHaveLength(0)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combine } from '../../../src/adapters/combine.ts'
import { deliveryPromise } from '../../../src/adapters/delivery-promise/delivery-promise.ts'
import { promised } from '../../../src/adapters/delivery-promise/promised.ts'
import { flatRate } from '../../../src/adapters/flat-rate.ts'
import { markup } from '../../../src/adapters/markup.ts'
import { onFailure } from '../../../src/adapters/on-failure.ts'
import { taxed } from '../../../src/adapters/taxed.ts'
import { when } from '../../../src/adapters/when.ts'
import { cleanBody, readMessage, shipmentMethodsReader } from '../../../src/contract/index.ts'
import { price } from '../../../src/index.ts'
import { neededFields } from '../../../src/privacy/needs.ts'
import { weekdays } from '../../../src/rates/zoned-time.ts'
import { quoteRates } from '../../../src/use-cases/rates/quote-rates.ts'
import type { AnyRateAdapter } from '../../../src/use-cases/workings.ts'
import { checkout } from '../../http/messages.ts'
import { ratesWith } from '../../use-cases/rates.ts'
import { movableWorld, providerIn, shop } from '../../use-cases/world.ts'
import { asking } from '../quote.ts'

const cutOff = '17:00'
const fresh = () => deliveryPromise({ timeZone: 'Europe/Amsterdam', cutOff, days: [...weekdays] })
const promise = fresh()
const door = flatRate({ id: 'door', title: { en: 'Door', nl: 'Deur' }, excl: '5', taxRate: '0.21' })

test('the promise stands in the description, or behind the title', async () => {
  const described = {
    ...door,
    quote: () => [{ id: 'a', title: 'A', description: 'By bicycle', ...fee }],
  } as AnyRateAdapter
  expect(await asking(promised({ promise }, described)).ask()).toMatchObject([
    { description: { en: 'Ordered before 17:00: tomorrow · By bicycle' }, goodUntil: 16 * 3_600_000 },
  ])
  const titled = await asking(promised({ promise, show: 'title' }, door)).ask()
  expect(titled).toMatchObject([
    { title: { nl: 'Deur · Voor 17:00 besteld: morgen', fr: 'Door · Commandé avant 17:00 : demain' } },
  ])
})

test('methods without a promise stay', async () => {
  const toBelgium = deliveryPromise({ timeZone: 'Europe/Amsterdam', cutOff, transit: { be: 1 } })
  const { rates, notes } = asking(promised({ promise: toBelgium }, door))
  expect(await rates()).toEqual(['door 5.00'])
  expect(notes).toEqual(['no promise: no transit time to nl'])
})

test('a promise that is none is refused', () => {
  expect(() => promised({ promise: '17:00' as never }, door)).toThrow(
    'promise: must be a deliveryPromise({ ... })',
  )
})

const fee = price({ excl: '5', taxRate: '0.21', currency: 'eur' })
const hour = 3_600_000

/** A carrier with a cache, which may be slow or down, and a promise of its own clock or by the wrapper. */
function carrier(
  state: { down: boolean; ms: number },
  wait: (ms: number) => Promise<void>,
  own: boolean,
): AnyRateAdapter {
  return {
    name: own ? 'own' : 'plain',
    cache: { ttl: 48 * hour, staleFor: 48 * hour },
    async quote(_request, ctx) {
      const given = own ? await promise(ctx) : undefined
      if (state.ms > 0) await wait(state.ms)
      if (state.down) throw new Error('down')
      return [
        {
          id: own ? 'own' : 'plain',
          title: 'Carrier',
          description: given?.text,
          goodUntil: given?.goodUntil,
          ...fee,
        },
      ]
    },
  }
}

test('a cached price outlives the promise: nobody calls the carrier again at the cut-off', async () => {
  let calls = 0
  let down = false
  const cached = (name: string): AnyRateAdapter => ({
    name,
    cache: { ttl: 48 * hour, staleFor: 48 * hour },
    quote() {
      calls++
      if (down) throw new Error('down')
      return [{ id: name, title: 'Carrier', ...fee }]
    },
  })
  const tariff = flatRate({ id: 'tariff', title: 'Tariff', excl: '9', taxRate: '0.21' })
  const adapters = [
    taxed({ rate: 'goods' }, promised({ promise }, onFailure(cached('a'), tariff))),
    onFailure(markup({ percent: 10 }, promised({ promise, show: 'title' }, cached('b'))), tariff),
    combine('both', [when({ countries: ['nl'] }, promised({ promise }, cached('c')))]),
  ]
  const { ask, move, workings } = ratesWith(adapters)
  const shown = async () =>
    (await ask()).adapters.map(({ methods, cache }) => {
      const [{ price_excl, title, description } = {} as never, ...more] = methods
      expect(more).toEqual([])
      return `${Number(price_excl)} ${title} ${description} ${cache}`
    })
  const { goodUntil } = await promise(workings.world)
  await move(goodUntil - workings.world.now() - 1)
  expect(await shown()).toEqual([
    '5 Carrier Voor 17:00 besteld: morgen miss',
    '5.5 Carrier · Voor 17:00 besteld: morgen  miss',
    '5 Carrier Voor 17:00 besteld: morgen off',
  ])
  down = true
  await move(1)
  const next = [
    '5 Carrier Zaterdag 3 januari',
    '5.5 Carrier · Zaterdag 3 januari ',
    '5 Carrier Zaterdag 3 januari',
  ]
  expect(await shown()).toEqual([`${next[0]} hit`, `${next[1]} hit`, `${next[2]} off`])
  await move(50 * hour)
  expect((await shown())[0]).toBe('5 Carrier Maandag 5 januari stale')
  expect(calls).toBe(6)
})

test('a promise that fails is a failure of the adapter, and its fallback answers', async () => {
  const broken = Object.assign(() => Promise.reject(new Error('no calendar')), { prepare: async () => {} })
  const tariff = { ...door, name: 'tariff' }
  const { ask } = ratesWith([onFailure(promised({ promise: broken }, { ...door, name: 'other' }), tariff)])
  expect((await ask()).adapters).toMatchObject([{ result: 'methods', fallback: 'tariff' }])
})

test("the promises of an adapter of one's own stand before those around it, without the customer", async () => {
  let got: unknown
  const own = {
    ...door,
    promises: (to: object) => {
      got = to
      return [{ text: 'By bicycle', show: 'description' as const }]
    },
  }
  const { ask } = ratesWith([promised({ promise }, own)])
  expect((await ask()).methods).toMatchObject([{ description: 'Voor 17:00 besteld: morgen · By bicycle' }])
  expect(got).toEqual({ country: 'nl' })
})

test('no promise is shown after its cut-off: caches, stale answers, wrappers and slow neighbours', async () => {
  const step = fc.record({
    ms: fc.oneof(fc.integer({ min: 0, max: 30 * hour }), fc.integer({ min: 0, max: 2_000 })),
    toCutOff: fc.boolean(),
    down: fc.boolean(),
    slow: fc.constantFrom(0, 0, 700, 1_500),
  })
  let shown = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const moved = movableWorld(Date.UTC(2026, 9, 20))
      const state = { down: false, ms: 0 }
      const wait = (ms: number) => new Promise<void>((resolve) => void moved.world.after(ms, resolve))
      const rates: AnyRateAdapter[] = [
        carrier(state, wait, true),
        { ...markup({ percent: 5 }, promised({ promise }, carrier(state, wait, false))), name: 'wrapped' },
        combine('both', [
          {
            ...carrier(state, wait, true),
            name: 'inner',
            quote: async (_, ctx) => {
              const { text, goodUntil } = await promise(ctx)
              return [{ id: 'inner', title: 'Inner', description: text, goodUntil, ...fee }]
            },
          },
        ]),
      ]
      const workings = providerIn(moved.world, { rates })
      const body = structuredClone(checkout)
      cleanBody(body)
      const request = readMessage(shipmentMethodsReader(neededFields(rates)), body)
      for (const { ms, toCutOff, down, slow } of steps) {
        Object.assign(state, { down, ms: slow })
        await moved.move(ms)
        if (toCutOff) {
          const { goodUntil } = await promise(moved.world)
          if (goodUntil - moved.world.now() > 1_000) await moved.move(goodUntil - moved.world.now() - 500)
        }
        let methods: { description?: unknown }[] | undefined
        let sentAt = 0
        const quoting = quoteRates(workings, shop, { request }).then((explained) => {
          methods = explained.methods
          sentAt = moved.world.now()
        })
        for (let waited = 0; waited < 30 && !methods; waited++) await moved.move(100)
        await quoting
        const { text, from } = await fresh()({ now: () => sentAt })
        // A date is as true on the day before as the word tomorrow.
        const date = new Intl.DateTimeFormat('nl', { dateStyle: 'full' }).format(
          Date.parse(`${from}T12:00:00Z`),
        )
        const dated = date.replace(/ \d{4}$/, '').replace(/^./, (letter) => letter.toUpperCase())
        for (const { description } of methods!) {
          shown++
          expect([(text as { nl: string }).nl, dated]).toContain(description)
        }
      }
    }),
    { numRuns: 60 },
  )
  expect(shown).toBeGreaterThan(100)
})

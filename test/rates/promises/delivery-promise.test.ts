import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neededFields } from '../../../src/adapters/call-adapter.ts'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { cleanBody, readMessage, shipmentMethodsReader } from '../../../src/contract/index.ts'
import { price } from '../../../src/index.ts'
import { quoteRates } from '../../../src/rates/asking/quote-rates.ts'
import {
  combine,
  type DeliveryPromiseOptions,
  deliveryPromise,
  flatRate,
  markup,
  onFailure,
  promised,
  taxed,
  when,
} from '../../../src/rates/index.ts'
import { weekdays } from '../../../src/rates/zoned-time.ts'
import { ratesWith } from '../../helpers/rates.ts'
import { movableWorld, providerIn, shop } from '../../helpers/world.ts'
import { checkout } from '../../http/messages.ts'
import { asking } from '../adapters/quote.ts'

const at = (text: string) => ({ now: () => Date.parse(text), settings: undefined })
const options: DeliveryPromiseOptions = { timeZone: 'Europe/Amsterdam', cutOff: '17:00' }
const texts = async (given: DeliveryPromiseOptions, now: string, country?: string) => {
  const { text, ...rest } = await deliveryPromise(given)(at(now), { country })
  return { ...(text as { en: string; pl: string }), ...rest }
}

test('the words are in five languages', async () => {
  expect(await texts(options, '2026-11-23T10:00:00Z')).toEqual({
    en: 'Ordered before 17:00: tomorrow',
    nl: 'Voor 17:00 besteld: morgen',
    de: 'Vor 17:00 Uhr bestellt: morgen',
    fr: 'Commandé avant 17:00 : demain',
    es: 'Pedido antes de las 17:00: mañana',
    from: '2026-11-24',
    to: '2026-11-24',
    goodUntil: Date.parse('2026-11-23T17:00:00+01:00'),
  })
  expect(await texts(options, '2026-11-21T10:00:00Z')).toMatchObject({
    en: 'Tuesday 24 November',
    nl: 'Dinsdag 24 november',
    de: 'Dienstag, 24. November',
    fr: 'Mardi 24 novembre',
    es: 'Martes, 24 de noviembre',
    goodUntil: Date.parse('2026-11-23T17:00:00+01:00'),
  })
  expect(await texts({ ...options, transit: [1, 3] }, '2026-11-24T10:00:00Z')).toMatchObject({
    en: 'Ordered before 17:00: tomorrow to Friday 27 November',
    nl: 'Voor 17:00 besteld: morgen t/m vrijdag 27 november',
    to: '2026-11-27',
  })
})

const polish = {
  before: 'Zamówienie do {time}: {when}',
  window: 'od {from} do {to}',
  today: 'dzisiaj',
  tomorrow: 'jutro',
}

test('a shop may have words of its own, also for another language', async () => {
  const words = {
    pl: polish,
    en: { before: 'Order by {time}: {when}', window: '{from}-{to}', today: 'today', tomorrow: 'next day' },
  }
  const own = { ...options, words, transit: [1, 3] } satisfies DeliveryPromiseOptions
  expect(await texts(own, '2026-11-23T10:00:00Z')).toMatchObject({
    pl: 'Zamówienie do 17:00: od jutro do czwartek, 26 listopada',
    en: 'Order by 17:00: next day-Thursday 26 November',
    nl: 'Voor 17:00 besteld: morgen t/m donderdag 26 november',
  })
  const { pl } = await texts({ ...own, transit: 1 }, '2026-11-21T10:00:00Z')
  expect(pl).toBe('Wtorek, 24 listopada')
})

test('on the day before, a date becomes tomorrow', async () => {
  expect((await texts(options, '2026-11-23T18:00:00Z')).en).toBe('Wednesday 25 November')
  expect((await texts(options, '2026-11-24T08:00:00Z')).en).toBe('Ordered before 17:00: tomorrow')
})

test('words that count from today end at midnight', async () => {
  const sent = { ...options, days: { send: ['mon'], deliver: ['tue'] } } satisfies DeliveryPromiseOptions
  expect(await texts(sent, '2026-11-22T22:59:59Z')).toMatchObject({ en: 'Tuesday 24 November' })
  expect(await texts({ ...sent, transit: 0, days: ['mon'] }, '2026-11-22T12:00:00Z')).toMatchObject({
    en: 'Tomorrow',
    goodUntil: Date.parse('2026-11-23T00:00:00+01:00'),
  })
})

test('holidays of the sender, of the destination and closed days', async () => {
  const holidays = { send: 'nl', deliver: 'destination' } as const
  const from = async (more: object, now: string, country?: string) =>
    (await texts({ ...options, ...more }, now, country)).from
  // Christmas is a Friday, the second one a Saturday.
  const before = '2026-12-24T10:00:00Z'
  expect(await from({ holidays }, before, 'nl')).toBe('2026-12-28')
  expect(await from({ closed: ['2026-12-24/2027-01-01'] }, before)).toBe('2027-01-05')
  const ascension = '2026-05-13T10:00:00Z'
  expect(await from({ holidays }, ascension, 'nl')).toBe('2026-05-15')
  expect(await from({ holidays }, ascension, 'gb')).toBe('2026-05-14')
  // A country without known holidays has none.
  expect(await from({ holidays }, ascension, 'aq')).toBe('2026-05-14')
  // Corpus Christi is a holiday of Bavaria and not of Berlin.
  const june = '2026-06-03T10:00:00Z'
  expect(await from({ holidays: 'de-by' }, june)).toBe('2026-06-05')
  expect(await from({ holidays: 'de-be' }, june)).toBe('2026-06-04')
})

test('a cut-off for each day, and a transit for each country', async () => {
  const given = {
    ...options,
    cutOff: { fri: '12:00', sat: '10:00' },
    transit: { nl: 1, be: [1, 2], '*': 5 },
  } satisfies DeliveryPromiseOptions
  const { en } = await texts(given, '2026-11-20T10:00:00Z', 'nl')
  expect(en).toBe('Ordered before 12:00: Monday 23 November')
  const late = '2026-11-20T12:00:00Z'
  expect(await texts(given, late, 'be')).toMatchObject({ from: '2026-11-23', to: '2026-11-24' })
  expect(await texts(given, late, 'pt')).toMatchObject({ from: '2026-11-27' })
  const { '*': _, ...named } = given.transit
  const nowhere = texts({ ...given, transit: named }, late, 'pt')
  await expect(nowhere).rejects.toThrow('no transit time to pt')
})

test('options of a shop are its own, and wrong ones are its own fault', async () => {
  const promise = deliveryPromise<{ cutOff: string }>(({ cutOff }) => ({ ...options, cutOff }))
  const now = () => Date.parse('2026-11-23T10:00:00Z')
  expect(await promise({ now, settings: { cutOff: '12:00' } })).toMatchObject({ from: '2026-11-24' })
  expect(await promise({ now, settings: { cutOff: '10:30' } })).toMatchObject({ from: '2026-11-25' })
  expect(() => promise({ now, settings: { cutOff: '25:00' } })).toThrow(
    "cutOff: is not a time of day: write '17:00', or one for each day",
  )
  expect(await promise({ now, settings: { cutOff: '12:00' } })).toMatchObject({ from: '2026-11-24' })
})

test('a clock that was set back makes a new promise', async () => {
  const promise = deliveryPromise(options)
  expect(await promise(at('2026-11-23T10:00:00Z'))).toMatchObject({ from: '2026-11-24' })
  expect(await promise(at('2026-11-18T10:00:00Z'))).toMatchObject({ from: '2026-11-19' })
})

const timeAndWhen = 'words.pl.before: must have {time} and {when} in it'
test.each<[object, string]>([
  [{ timeZone: 'Mars/Olympus' }, 'timeZone: is not a time zone: write a name such as Europe/Amsterdam'],
  [{ cutOff: '5 pm' }, 'cutOff: '],
  [{ holidays: 'xx' }, 'holidays: '],
  [{ closed: ['2026-02-30'] }, "closed.0: is not a day: write '2026-12-24'"],
  [{ closed: ['2027-01-01/2026-12-24'] }, 'closed.0: is not a day'],
  [{ transit: [3, 1] }, 'transit: '],
  [{ transit: -1 }, 'transit: '],
  [{ transit: '1' }, 'transit: must be days of delivery: 1, [1, 2], or one for each country'],
  [{ days: [] }, 'days: '],
  [{ cutOff: { sat: '10:00' }, days: ['mon'] }, 'cutOff: and days.send name different days'],
  [{ cutoff: '17:00' }, 'cutoff: is not an option: did you mean cutOff?'],
  [{ cutOff: { Mon: '17:00' } }, 'cutOff.Mon: is not an option: did you mean mon?'],
  [{ days: { sending: ['mon'] } }, 'days.sending: is not an option: did you mean send?'],
  [{ words: { pl: { before: '{when}' } } }, timeAndWhen],
  [{ words: { pl: { ...polish, window: '{from}' } } }, 'words.pl.window: must have {from} and {to} in it'],
  [{ words: { pl: { ...polish, today: '' } } }, 'words.pl.today: '],
  [{ words: { pl: { before: polish.before } } }, 'words.pl.window: is missing'],
  [{ words: { polish } }, 'words.polish: must be a language such as nl'],
  [{ words: { zz: polish } }, 'words.zz: must be a language such as nl'],
  [{ words: { pl: { ...polish, before: '{time} {when} {day}' } } }, `${timeAndWhen}, and no other`],
])('%j is refused when it is made', (wrong, message) => {
  expect(() => deliveryPromise({ ...options, ...wrong } as never)).toThrow(message)
})

test('a place without known holidays stops the start, with the places that have them', async () => {
  const prepared = (holidays: string) => expect(deliveryPromise({ ...options, holidays }).prepare())
  const says = 'holidays of aq are not known: leave it out, and name its days in `closed`'
  await prepared('aq').rejects.toThrow(says)
  await prepared('de-xx').rejects.toThrow(/de-xx is not a state .* de-by/)
})

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
  const none = { promise: '17:00' as never }
  expect(() => promised(none, door)).toThrow('promise: must be a deliveryPromise({ ... })')
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
      const { text: description, goodUntil } = given ?? {}
      return [{ id: own ? 'own' : 'plain', title: 'Carrier', description, goodUntil, ...fee }]
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
  expect(await shown()).toEqual([
    '5 Carrier Zaterdag 3 januari hit',
    '5.5 Carrier · Zaterdag 3 januari  hit',
    '5 Carrier Zaterdag 3 januari off',
  ])
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

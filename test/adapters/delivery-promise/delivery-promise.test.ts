import { expect, test } from 'vitest'
import { deliveryPromise } from '../../../src/adapters/delivery-promise/delivery-promise.ts'
import type { DeliveryPromiseOptions } from '../../../src/adapters/delivery-promise/promise-options.ts'

const at = (text: string) => ({ now: () => Date.parse(text), settings: undefined })
const options: DeliveryPromiseOptions = { timeZone: 'Europe/Amsterdam', cutOff: '17:00' }
const texts = async (given: DeliveryPromiseOptions, now: string, country?: string) => {
  const { text, ...rest } = await deliveryPromise(given)(at(now), { country })
  return { ...(text as Record<string, string>), ...rest }
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
  expect(await texts({ ...own, transit: 1 }, '2026-11-21T10:00:00Z')).toMatchObject({
    pl: 'Wtorek, 24 listopada',
  })
})

test('on the day before, a date becomes tomorrow', async () => {
  const promise = deliveryPromise(options)
  const english = async (now: string) => ((await promise(at(now))).text as { en: string }).en
  expect(await english('2026-11-23T18:00:00Z')).toBe('Wednesday 25 November')
  expect(await english('2026-11-24T08:00:00Z')).toBe('Ordered before 17:00: tomorrow')
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
  // Christmas is a Friday, the second one a Saturday.
  const before = '2026-12-24T10:00:00Z'
  expect(await texts({ ...options, holidays }, before, 'nl')).toMatchObject({ from: '2026-12-28' })
  expect(await texts({ ...options, closed: ['2026-12-24/2027-01-01'] }, before)).toMatchObject({
    from: '2027-01-05',
  })
  const ascension = '2026-05-13T10:00:00Z'
  expect(await texts({ ...options, holidays }, ascension, 'nl')).toMatchObject({ from: '2026-05-15' })
  expect(await texts({ ...options, holidays }, ascension, 'gb')).toMatchObject({ from: '2026-05-14' })
  // A country without known holidays has none.
  expect(await texts({ ...options, holidays }, ascension, 'aq')).toMatchObject({ from: '2026-05-14' })
  // Corpus Christi is a holiday of Bavaria and not of Berlin.
  const june = '2026-06-03T10:00:00Z'
  expect(await texts({ ...options, holidays: 'de-by' }, june)).toMatchObject({ from: '2026-06-05' })
  expect(await texts({ ...options, holidays: 'de-be' }, june)).toMatchObject({ from: '2026-06-04' })
})

test('a cut-off for each day, and a transit for each country', async () => {
  const given = {
    ...options,
    cutOff: { fri: '12:00', sat: '10:00' },
    transit: { nl: 1, be: [1, 2], '*': 5 },
  } satisfies DeliveryPromiseOptions
  expect(await texts(given, '2026-11-20T10:00:00Z', 'nl')).toMatchObject({
    en: 'Ordered before 12:00: Monday 23 November',
  })
  expect(await texts(given, '2026-11-20T12:00:00Z', 'be')).toMatchObject({
    from: '2026-11-23',
    to: '2026-11-24',
  })
  expect(await texts(given, '2026-11-20T12:00:00Z', 'pt')).toMatchObject({ from: '2026-11-27' })
  const { '*': _, ...named } = given.transit
  await expect(texts({ ...given, transit: named }, '2026-11-20T12:00:00Z', 'pt')).rejects.toThrow(
    'no transit time to pt',
  )
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
  [{ words: { pl: { before: '{when}' } } }, 'words.pl.before: must have {time} and {when} in it'],
  [{ words: { pl: { ...polish, window: '{from}' } } }, 'words.pl.window: must have {from} and {to} in it'],
  [{ words: { pl: { ...polish, today: '' } } }, 'words.pl.today: '],
  [{ words: { pl: { before: polish.before } } }, 'words.pl.window: is missing'],
  [{ words: { polish } }, 'words.polish: must be a language such as nl'],
  [{ words: { zz: polish } }, 'words.zz: must be a language such as nl'],
  [
    { words: { pl: { ...polish, before: '{time} {when} {day}' } } },
    'words.pl.before: must have {time} and {when} in it, and no other',
  ],
])('%j is refused when it is made', (wrong, message) => {
  expect(() => deliveryPromise({ ...options, ...wrong } as never)).toThrow(message)
})

test('a place without known holidays stops the start, with the places that have them', async () => {
  await expect(deliveryPromise({ ...options, holidays: 'aq' }).prepare()).rejects.toThrow(
    'holidays of aq are not known: leave it out, and name its days in `closed`',
  )
  await expect(deliveryPromise({ ...options, holidays: 'de-xx' }).prepare()).rejects.toThrow(
    /de-xx is not a state .* de-by/,
  )
})

import { type Day, plusDays, type ZonedTime } from '../zoned-time.ts'

export interface PromiseRules {
  time: ZonedTime
  /** Minutes after midnight until which orders of this day are sent on it. `undefined`: nothing is sent on this day. */
  cutOff(date: Day): number | undefined
  delivers(date: Day): boolean
  /** The days of delivery from sending to arrival, at least and at most. 0 is the same day. */
  transit: readonly [number, number]
}

type PromisedDays = NonNullable<ReturnType<typeof promisedDays>>
const mostDays = 120

/** Finds the days of arrival of an order at `now`. `undefined` if nothing is sent or delivered within 120 days. */
export function promisedDays(now: number, rules: PromiseRules) {
  const { time, cutOff, transit } = rules
  const today = time.dayAt(now)
  for (let ahead = 0; ahead <= mostDays; ahead++) {
    const sent = plusDays(today, ahead)
    const minutes = cutOff(sent)
    if (minutes === undefined) continue
    const orderedBefore = time.instantOf(sent, minutes)
    if (now >= orderedBefore) continue
    const from = delivered(sent, transit[0], rules)
    const to = from && delivered(sent, transit[1], rules)
    // `cutOff` is that of the day on which it is sent. An order from the instant of it on is sent later.
    return from && to ? { today, sent, from, to, cutOff: minutes, orderedBefore } : undefined
  }
  return undefined
}

/** The day after so many days of delivery. */
function delivered(sent: Day, transit: number, { delivers }: PromiseRules): Day | undefined {
  let left = transit
  for (let ahead = transit === 0 ? 0 : 1; ahead <= transit + mostDays; ahead++) {
    const date = plusDays(sent, ahead)
    if (delivers(date) && --left <= 0) return date
  }
  return undefined
}

/** The words of a promise in one language. */
export interface PromiseWords {
  /** With `{time}` and `{when}` in it, such as `Ordered before {time}: {when}`. */
  before: string
  /** With `{from}` and `{to}` in it, such as `{from} to {to}`. */
  window: string
  today: string
  tomorrow: string
}

const words = (before: string, window: string, today: string, tomorrow: string): PromiseWords => {
  return { before, window, today, tomorrow }
}

const languages: Readonly<Record<string, PromiseWords>> = {
  en: words('Ordered before {time}: {when}', '{from} to {to}', 'today', 'tomorrow'),
  nl: words('Voor {time} besteld: {when}', '{from} t/m {to}', 'vandaag', 'morgen'),
  de: words('Vor {time} Uhr bestellt: {when}', '{from} bis {to}', 'heute', 'morgen'),
  fr: words('Commandé avant {time} : {when}', 'entre {from} et {to}', 'aujourd’hui', 'demain'),
  es: words('Pedido antes de las {time}: {when}', 'entre {from} y {to}', 'hoy', 'mañana'),
}

/** Writes promises in five languages, and in those of words of one's own. */
export class PromiseTexts {
  /** Made at the first promise, because it takes a millisecond. */
  readonly #dates = new Map<string, Intl.DateTimeFormat>()

  /** By language: `Ordered before 17:00: tomorrow`, or `Tuesday 24 November`. With `ofToday` the words are wrong after midnight. */
  write(days: PromisedDays, own: Readonly<Record<string, PromiseWords>> = {}) {
    const { today, sent, from, to } = days
    const near = [today, plusDays(today, 1)]
    const text: Record<string, string> = {}
    for (const [language, words] of Object.entries({ ...languages, ...own }))
      text[language] = this.#sentence(language, words, days)
    return { text, ofToday: sent === today || near.includes(from) || near.includes(to) }
  }

  #sentence(language: string, words: PromiseWords, { today, sent, from, to, cutOff }: PromisedDays): string {
    const named = (date: Day) => this.#named(language, words, date, today)
    const when = from === to ? named(from) : filled(words.window, { from: named(from), to: named(to) })
    if (sent !== today) return capital(when, language)
    return filled(words.before, { time: clockTime(cutOff), when })
  }

  #named(language: string, words: PromiseWords, date: Day, today: Day): string {
    if (date === today) return words.today
    if (date === plusDays(today, 1)) return words.tomorrow
    const locale = language === 'en' ? 'en-GB' : language
    const format = this.#dates.get(locale) ?? new Intl.DateTimeFormat(locale, wholeDay)
    this.#dates.set(locale, format)
    return format.format(Date.parse(`${date}T00:00:00Z`))
  }
}

const wholeDay = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const

const filled = (pattern: string, values: Record<string, string>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)

const clockTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const capital = (text: string, language: string): string =>
  text.charAt(0).toLocaleUpperCase(language) + text.slice(1)

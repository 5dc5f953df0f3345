import { type Day, plusDays } from '../zoned-time.ts'
import type { PromisedDays } from './promise.ts'

/** The words of promises in one language. */
export interface PromiseWords {
  /** Has `{time}` and `{when}` in it. */
  before: string
  /** Has `{from}` and `{to}` in it. */
  window: string
  today: string
  tomorrow: string
}

/** The forms of dates that differ from those of the language. */
const locales: Readonly<Record<string, string>> = { en: 'en-GB' }

const languages: Readonly<Record<string, PromiseWords>> = {
  en: {
    before: 'Ordered before {time}: {when}',
    window: '{from} to {to}',
    today: 'today',
    tomorrow: 'tomorrow',
  },
  nl: {
    before: 'Voor {time} besteld: {when}',
    window: '{from} t/m {to}',
    today: 'vandaag',
    tomorrow: 'morgen',
  },
  de: {
    before: 'Vor {time} Uhr bestellt: {when}',
    window: '{from} bis {to}',
    today: 'heute',
    tomorrow: 'morgen',
  },
  fr: {
    before: 'Commandé avant {time} : {when}',
    window: 'entre {from} et {to}',
    today: 'aujourd’hui',
    tomorrow: 'demain',
  },
  es: {
    before: 'Pedido antes de las {time}: {when}',
    window: 'entre {from} y {to}',
    today: 'hoy',
    tomorrow: 'mañana',
  },
}

/** A promise in words, and the last moment at which they are true. */
export interface PromiseText {
  /** By language: `Ordered before 17:00: tomorrow`, or `Tuesday 24 November`. */
  text: Readonly<Record<string, string>>
  /** Whether the words count from today: they are wrong after midnight. */
  ofToday: boolean
}

/** Writes promises in five languages, and in those of words of one's own. */
export class PromiseTexts {
  /** Made at the first promise, because it takes a millisecond. */
  readonly #dates = new Map<string, Intl.DateTimeFormat>()

  write(days: PromisedDays, own: Readonly<Record<string, PromiseWords>> = {}): PromiseText {
    const { today, sent, from, to } = days
    const isToday = sent === today
    const near = [today, plusDays(today, 1)]
    const text = Object.fromEntries(
      Object.entries({ ...languages, ...own }).map(([language, words]) => [
        language,
        this.#sentence(language, words, days),
      ]),
    )
    return { text, ofToday: isToday || near.includes(from) || near.includes(to) }
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
    const locale = locales[language] ?? language
    const format =
      this.#dates.get(locale) ??
      new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
    this.#dates.set(locale, format)
    return format.format(Date.parse(`${date}T00:00:00Z`))
  }
}

const filled = (pattern: string, values: Record<string, string>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)

const clockTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const capital = (text: string, language: string): string =>
  text.charAt(0).toLocaleUpperCase(language) + text.slice(1)

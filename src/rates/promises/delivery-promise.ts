import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { NotQuotable } from '../../adapters/cause-of.ts'
import type { LocalText } from '../../adapters/offered-methods.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import type { MaybePromise } from '../../world.ts'
import type { ShownPromise } from '../adapter.ts'
import { around } from '../adapters/around.ts'
import { isFunction, optionsOf } from '../options.ts'
import { type Day, weekdayOf, ZonedTime } from '../zoned-time.ts'
import { Holidays } from './holidays.ts'
import { type PromiseRules, PromiseTexts, promisedDays } from './promise.ts'
import { type DeliveryPromiseOptions, type PromiseOptions, promiseOptions } from './promise-options.ts'

/** When an order of now arrives. */
export interface PromisedDelivery {
  /** The first day of arrival, such as `2026-11-24`. */
  from: Day
  /** The last day of arrival. The same as `from`, if it is one day. */
  to: Day
  /** In English, Dutch, German, French, Spanish and the languages of `words`: `Ordered before 17:00: tomorrow`, or `Tuesday 24 November`. */
  text: LocalText
  /** The instant from which the promise is wrong, in milliseconds since 1970. Put it on the method: no cache answers with it then. */
  goodUntil: number
}

/** The members of `ctx` that a promise reads. */
export interface PromiseContext<S = unknown> {
  now(): number
  /** The settings of the shop, where the options are a function of them. Default: none. */
  settings?: S
}

/** Returns the promise for an order of now. It is a promise of JavaScript only until holidays are loaded. */
export interface DeliveryPromise<S = unknown> {
  (
    ctx: PromiseContext<S>,
    to?: {
      /** The country of the destination, in two letters. Default: not known. */
      country?: string | undefined
    },
  ): MaybePromise<PromisedDelivery>
  /** Loads the holidays. As `prepare` of an adapter it stops the start for a country without known holidays. */
  prepare(): Promise<void>
}

/**
 * Computes when an order arrives, from cut-off times, working days and holidays. The result is a function for your adapter:
 * `await promise(ctx)`. Options may be a function of the shop's settings.
 *
 * Throws `CONFIGURATION_INVALID` for wrong options. Without a day of arrival within 120 days the adapter has no method.
 */
export function deliveryPromise<S = unknown>(
  given: DeliveryPromiseOptions | ((settings: S) => DeliveryPromiseOptions),
): DeliveryPromise<S> {
  const holidays = new Holidays()
  const texts = new PromiseTexts()
  const calendars = new LRUCache<string, PromiseCalendar>({ max: 500 })
  const calendarOf = (options: DeliveryPromiseOptions) => {
    const key = JSON.stringify(options)
    const calendar = calendars.get(key) ?? new PromiseCalendar(options, holidays, texts)
    calendars.set(key, calendar)
    return calendar
  }
  const fixed = typeof given === 'function' ? undefined : calendarOf(given)
  const promise = (ctx: PromiseContext<S>, { country }: { country?: string | undefined } = {}) => {
    const calendar = typeof given === 'function' ? calendarOf(given(ctx.settings as S)) : fixed!
    return calendar.ready
      ? calendar.promise(ctx.now(), country)
      : calendar.prepare().then(() => calendar.promise(ctx.now(), country))
  }
  return Object.assign(promise, { prepare: async () => fixed?.prepare() })
}

/** Promises by one set of options. */
class PromiseCalendar {
  readonly #options: PromiseOptions
  readonly #time: ZonedTime
  readonly #closed: ReadonlySet<Day>
  readonly #holidays: Holidays
  readonly #texts: PromiseTexts

  constructor(given: DeliveryPromiseOptions, holidays: Holidays, texts: PromiseTexts) {
    this.#options = optionsOf('deliveryPromise', promiseOptions, given)
    this.#time = new ZonedTime(this.#options.timeZone)
    this.#closed = new Set(this.#options.closed)
    this.#holidays = holidays
    this.#texts = texts
  }

  /** Whether a promise needs no loading first. */
  get ready(): boolean {
    const { send, deliver, ofDestination } = this.#options.holidays
    return this.#holidays.loaded || (send.length + deliver.length === 0 && !ofDestination)
  }

  async prepare(): Promise<void> {
    const { send, deliver } = this.#options.holidays
    if (!this.ready || this.#holidays.loaded) await this.#holidays.load([...send, ...deliver])
  }

  promise(now: number, country: string | undefined): PromisedDelivery {
    const days = promisedDays(now, this.#rulesFor(country))
    if (!days) throw new NotQuotable('no day of delivery within 120 days')
    const { text, ofToday } = this.#texts.write(days, this.#options.words)
    const { from, to, orderedBefore: end } = days
    return { from, to, text, goodUntil: ofToday ? Math.min(end, this.#time.nextMidnight(now)) : end }
  }

  #rulesFor(country: string | undefined): PromiseRules {
    const { cutOff, days, transit, holidays } = this.#options
    const isHoliday = (places: readonly string[], date: Day) =>
      places.some((place) => this.#holidays.isHoliday(place, date))
    const isHolidayThere = (date: Day) =>
      holidays.ofDestination && country !== undefined && this.#holidays.isHolidayIfKnown(country, date)
    const inTransit = transit[country ?? '*'] ?? transit['*']
    if (!inTransit) throw new NotQuotable(`no transit time to ${country ?? 'a destination without country'}`)
    return {
      time: this.#time,
      cutOff: (date) => {
        const day = weekdayOf(date)
        if (!days.send.has(day) || this.#closed.has(date) || isHoliday(holidays.send, date)) return undefined
        return typeof cutOff === 'number' ? cutOff : cutOff[day]
      },
      delivers: (date) =>
        days.deliver.has(weekdayOf(date)) && !isHoliday(holidays.deliver, date) && !isHolidayThere(date),
      transit: inTransit,
    }
  }
}

/** Options of `promised`. */
export interface Promised {
  /** The result of `deliveryPromise({ ... })`. */
  // biome-ignore lint/suspicious/noExplicitAny: any settings
  promise: DeliveryPromise<any>
  /** The place of the promise: in front of the description, or behind the title. Default `description`. */
  show?: 'description' | 'title' | undefined
}

const options = z.strictObject({
  // biome-ignore lint/suspicious/noExplicitAny: any settings
  promise: z.custom<DeliveryPromise<any>>(isFunction, 'must be a deliveryPromise({ ... })'),
  show: z.enum(['description', 'title']).default('description'),
} satisfies Record<keyof Promised, z.ZodType>)

/**
 * Adds the promised delivery to every method of an adapter. Where there is no promise, the methods stay as they are. The adapter keeps its
 * cache: each answer gets the promise of now, and the end of a promise ends no cached price.
 */
export function promised(given: Promised, adapter: AnyRateAdapter): AnyRateAdapter {
  const { promise, show } = optionsOf('promised', options, given)
  const wrapped = around(adapter, ['shipping_address.country'], {
    async promises(to, ctx): Promise<ShownPromise[]> {
      try {
        const { text, goodUntil } = await promise(ctx, to)
        return [{ text, show, goodUntil }]
      } catch (error) {
        if (!(error instanceof NotQuotable)) throw error
        ctx.explain(`no promise: ${error.message}`)
        return []
      }
    },
  })
  return {
    ...wrapped,
    prepare: async (ctx) => {
      await promise.prepare()
      await wrapped.prepare?.(ctx)
    },
  }
}

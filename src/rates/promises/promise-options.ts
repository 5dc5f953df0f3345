import { z } from 'zod'
import { isLanguage } from '../../adapters/offered-methods.ts'
import { isCountry } from '../files/cells.ts'
import { byCountry, timeZone } from '../options.ts'
import { type Day, isDay, plusDays, type Weekday, weekdays } from '../zoned-time.ts'
import type { PromiseWords } from './promise.ts'

const weekday = z.enum(weekdays)
const someDays = z.array(weekday).min(1, 'names no day: write mon, tue and so on')

const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "is not a time of day: write '17:00'")
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))

const place = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine((text) => /^[a-z]{2}(-[a-z0-9]{1,3})?$/.test(text) && isCountry(text.slice(0, 2)), {
    error: "is not a country: write 'nl', or 'de-by' for a state with holidays of its own",
  })
const places = z.union([place.transform((one) => [one]), z.array(place)])

const closedDay = z.string().transform((text, ctx): Day[] => {
  const [from = '', to = from, ...more] = text.split('/')
  if (!isDay(from) || !isDay(to) || more.length > 0 || to < from) {
    ctx.addIssue({ code: 'custom', message: "is not a day: write '2026-12-24', or '2026-12-24/2027-01-01'" })
    return []
  }
  const days: Day[] = []
  for (let date = from; date <= to && days.length < 1_000; date = plusDays(date, 1)) days.push(date)
  return days
})

const days = z.number().int().min(0).max(60)
const transit = z.union(
  [
    days.transform((one): [number, number] => [one, one]),
    z.tuple([days, days]).refine(([least, most]) => least <= most, 'must have its smaller number first'),
  ],
  { error: 'must be a number of days, such as 1, or the least and the most, such as [1, 2]' },
)

const someWords = z.string().min(1, 'must be a text')
/** A text with places for words, such as `{time}`. */
const pattern = (...places: string[]) =>
  z
    .string()
    .refine(
      (text) => [...new Set(text.match(/\{\w*\}/g))].sort().join() === places.toSorted().join(),
      `must have ${places.join(' and ')} in it, and no other word in braces`,
    )
const language = z.string().refine(isLanguage, 'must be a language such as nl')
/** A number of days, or the least and the most. */
type Days = number | [least: number, most: number]

/** Options of `deliveryPromise`. */
export interface DeliveryPromiseOptions {
  /** The time zone of the sender, such as `Europe/Amsterdam`. */
  timeZone: string
  /** Orders before this time are sent on the same day: `'17:00'`, or by day of the week. */
  cutOff: string | Partial<Record<Weekday, string>>
  /** The working days of sender and carrier, or of each. Default: Monday to Friday; of the sender, those with a cut-off. */
  days?:
    | Weekday[]
    | {
        /** The working days of the sender. Default: those with a cut-off, or Monday to Friday. */
        send?: Weekday[] | undefined
        /** The days on which the carrier delivers. Default: Monday to Friday. */
        deliver?: Weekday[] | undefined
      }
    | undefined
  /** Countries (`'nl'`) or states (`'de-by'`) whose public holidays are no working days. `destination`: the customer's country. Default: none. */
  holidays?:
    | string
    | string[]
    | {
        /** The holidays of the sender. Default: none. */
        send?: string | string[] | undefined
        /** The holidays of the carrier. Default: none. */
        deliver?: string | string[] | undefined
      }
    | undefined
  /** Days from sending to delivery, 0 (the same day) to 60: `1`, the least and the most `[1, 2]`, or by country of the destination, with `*` for others. Default 1. */
  transit?: Days | Record<string, Days> | undefined
  /** Days on which nothing is sent: `'2026-12-24'`, or `'2026-12-24/2027-01-01'`. Default: none. */
  closed?: string[] | undefined
  /** Words of one's own by language, also for languages without any. Default: those of five languages. */
  words?: Record<string, PromiseWords> | undefined
}

export const promiseOptions = z
  .strictObject({
    timeZone,
    cutOff: z.union([clockTime, z.partialRecord(weekday, clockTime)], {
      error: "is not a time of day: write '17:00', or one for each day: { mon: '17:00', sat: '12:00' }",
    }),
    days: z
      .union(
        [
          someDays.transform((both) => ({ send: both, deliver: both })),
          z.strictObject({ send: someDays.optional(), deliver: someDays.optional() }),
        ],
        { error: "must name days: ['mon', 'tue'], or { send: ['mon'], deliver: ['mon', 'sat'] }" },
      )
      .optional(),
    holidays: z
      .union(
        [
          places.transform((both) => ({ send: both, deliver: both })),
          z.strictObject({
            send: places.default([]),
            deliver: z.union([z.literal('destination'), places]).default([]),
          }),
        ],
        {
          error:
            "must name countries: 'nl', ['nl', 'be'], 'de-by' for a state, or { send: 'nl', deliver: 'destination' }",
        },
      )
      .default({ send: [], deliver: [] }),
    transit: z
      .union(
        [transit.transform((all): Record<string, [number, number]> => ({ '*': all })), byCountry(transit)],
        { error: "must be days of delivery: 1, [1, 2], or one for each country: { nl: 1, '*': [2, 4] }" },
      )
      .default({ '*': [1, 1] }),
    closed: z
      .array(closedDay)
      .transform((lists) => lists.flat())
      .default([]),
    words: z
      .record(
        language,
        z.strictObject({
          before: pattern('{time}', '{when}'),
          window: pattern('{from}', '{to}'),
          today: someWords,
          tomorrow: someWords,
        }),
      )
      .default({}),
  } satisfies Record<keyof DeliveryPromiseOptions, z.ZodType>)
  .transform((given, ctx) => {
    const { cutOff } = given
    const timed =
      typeof cutOff === 'number' ? undefined : weekdays.filter((name) => cutOff[name] !== undefined)
    const workdays = weekdays.slice(1, 6)
    const send = given.days?.send ?? timed ?? workdays
    const deliver = given.days?.deliver ?? workdays
    if (timed && [...timed].sort().join() !== [...send].sort().join())
      ctx.addIssue({ code: 'custom', path: ['cutOff'], message: 'and days.send name different days' })
    const { send: from, deliver: to } = given.holidays
    const ofDestination = to === 'destination'
    const holidays = { send: from, deliver: ofDestination ? [] : to, ofDestination }
    return { ...given, holidays, days: { send: new Set(send), deliver: new Set(deliver) } }
  })

export type PromiseOptions = z.output<typeof promiseOptions>

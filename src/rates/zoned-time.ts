const minute = 60_000
const day = 24 * 60 * minute
/** A day of the calendar, such as `2026-11-24`. Days of this form sort by time. */
export type Day = string
/** From Sunday, as `Date` counts them. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
/** A day of the week, in English. */
export type Weekday = (typeof weekdays)[number]
const written = (at: number): Day => new Date(at).toISOString().slice(0, 10)
export const weekdayOf = (date: Day): Weekday => weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]!

export const plusDays = (date: Day, count: number): Day =>
  written(Date.parse(`${date}T00:00:00Z`) + count * day)

/** Whether the text is a day of the calendar: `2026-02-30` is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(at) && written(at) === text
}

/** Whether this runtime knows the time zone, such as `Europe/Amsterdam`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Clock and calendar of one time zone. Instants are milliseconds since 1970. */
export class ZonedTime {
  readonly #format: Intl.DateTimeFormat

  /** Throws a `RangeError` for an unknown time zone. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, calendar: 'gregory', hourCycle: 'h23', year: 'numeric', month: 'numeric' },
      ...{ day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  }

  dayAt = (instant: number): Day => written(this.#wallClock(instant))

  /** The instant of a time of a day, in minutes after midnight: the first one of a repeated time, and 03:30 for a skipped 02:30. */
  instantOf(date: Day, minutes: number): number {
    const wanted = Date.parse(`${date}T00:00:00Z`) + minutes * minute
    // The zone's offsets on both sides of any change near the wanted time.
    const candidates = [wanted - this.#offset(wanted - day), wanted - this.#offset(wanted + day)]
    const [first, second] = candidates.toSorted((one, other) => one - other) as [number, number]
    return this.#wallClock(first) === wanted ? first : second
  }

  nextMidnight(instant: number): number {
    return this.instantOf(plusDays(this.dayAt(instant), 1), 0)
  }

  #offset(instant: number): number {
    return this.#wallClock(instant) - instant
  }

  /** The time on the clock, as if it were that of UTC. */
  #wallClock(instant: number): number {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
    for (const { type, value } of this.#format.formatToParts(instant)) parts[type] = Number(value)
    const { year = 0, month = 1, day: date = 1, hour = 0, minute: minutes = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, date, hour, minutes, second) + (((instant % 1000) + 1000) % 1000)
  }
}

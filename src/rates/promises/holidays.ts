import { PurveyorError } from '../../errors/errors.ts'
import { type Day, plusDays } from '../zoned-time.ts'

/** The used part of `date-holidays`. Its own types would make it a dependency of everybody. */
interface Library {
  default: new (country?: string, state?: string, region?: string) => Calendar
}

interface Calendar {
  getHolidays(year: number): readonly { date: string; start: Date; end: Date; type: string }[]
  getCountries(): Readonly<Record<string, string>>
  getStates(country: string): Readonly<Record<string, string>> | undefined
}

const library = 'date-holidays'
const day = 24 * 3_600_000

/** The public holidays of countries (`nl`) and states (`de-by`), from an optional package of 40 MB that the first country loads. */
export class Holidays {
  #Calendar: Library['default'] | undefined
  readonly #calendars = new Map<string, Calendar>()
  #countries: ReadonlySet<string> | undefined
  readonly #days = new Map<string, ReadonlySet<Day>>()

  /** Rejects with `CONFIGURATION_INVALID` for a place without known holidays, and where the package is missing. */
  async load(places: readonly string[]): Promise<void> {
    const loaded: Library = await import(library).catch((cause: unknown) => {
      const message = `Holidays need the package ${library}: npm install ${library}`
      throw new PurveyorError('CONFIGURATION_INVALID', message, { place: 'holidays', cause })
    })
    this.#Calendar = loaded.default
    for (const place of places) this.#calendarOf(place)
  }

  get loaded(): boolean {
    return this.#Calendar !== undefined
  }

  isHoliday(place: string, date: Day): boolean {
    const year = Number(date.slice(0, 4))
    const key = `${place} ${year}`
    const days = this.#days.get(key) ?? publicHolidays(this.#calendarOf(place), year)
    this.#days.set(key, days)
    return days.has(date)
  }

  /** A country without known holidays has none. */
  isHolidayIfKnown(country: string, date: Day): boolean {
    this.#countries ??= new Set(Object.keys(new this.#Calendar!().getCountries()))
    return this.#countries.has(country.toUpperCase()) && this.isHoliday(country, date)
  }

  #calendarOf(place: string): Calendar {
    const known = this.#calendars.get(place)
    if (known) return known
    const [country = '', state] = place.toUpperCase().split('-')
    const calendar = new this.#Calendar!(country, state)
    if (!Object.hasOwn(calendar.getCountries(), country))
      throw noHolidays(`holidays of ${place} are not known: leave it out, and name its days in \`closed\``)
    const states = Object.keys(calendar.getStates(country) ?? {})
    if (state !== undefined && !states.includes(state)) {
      const names = states.map((name) => `${country}-${name}`.toLowerCase()).join(', ')
      throw noHolidays(`${place} is not a state with holidays of its own. Known are ${names || 'none'}`)
    }
    this.#calendars.set(place, calendar)
    return calendar
  }
}

const noHolidays = (message: string) =>
  new PurveyorError('CONFIGURATION_INVALID', `deliveryPromise: ${message}`, { place: 'holidays' })

/** The whole days that begin in a year. A half one, such as Christmas Eve from two o'clock, is a working day. */
function publicHolidays(calendar: Calendar, year: number): ReadonlySet<Day> {
  const days = new Set<Day>()
  // A holiday may begin in the evening before, and last beyond the end of a year.
  for (const one of [...calendar.getHolidays(year - 1).slice(-3), ...calendar.getHolidays(year)]) {
    if (one.type !== 'public') continue
    const [first = '', time = ''] = one.date.split(' ')
    const begins = time >= '12' ? plusDays(first, 1) : first
    const length = Math.round((one.end.getTime() - one.start.getTime()) / day)
    for (let place = 0; place < length; place++) days.add(plusDays(begins, place))
  }
  return days
}

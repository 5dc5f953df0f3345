import { type Day, plusDays, type ZonedTime } from '../zoned-time.ts'

/** The working days and times of a sender and a carrier. */
export interface PromiseRules {
  time: ZonedTime
  /** Minutes after midnight until which orders of this day are sent on it. `undefined`: nothing is sent on this day. */
  cutOff(date: Day): number | undefined
  /** Whether the carrier delivers on this day. */
  delivers(date: Day): boolean
  /** The days of delivery from sending to arrival, at least and at most. 0 is the same day. */
  transit: readonly [number, number]
}

/** The days on which an order of now arrives. */
export interface PromisedDays {
  /** The day of the order. */
  today: Day
  sent: Day
  from: Day
  /** The same as `from`, if it is one day. */
  to: Day
  /** The cut-off of the day on which it is sent, in minutes after midnight. */
  cutOff: number
  /** The instant of that cut-off: an order from then on is sent later. */
  orderedBefore: number
}

/** The furthest day that is looked at. */
const mostDays = 120

/** Finds the days of arrival of an order at `now`. `undefined` if nothing is sent or delivered within 120 days. */
export function promisedDays(now: number, rules: PromiseRules): PromisedDays | undefined {
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

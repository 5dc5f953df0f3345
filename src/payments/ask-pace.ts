const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Those who read or reload cause one call of `status` for an attempt in so many milliseconds, however many they are. */
export const askEvery = 2 * second

/** How many calls of a day may have been made at a moment, and in which hour they are counted: a day's calls are spread evenly. */
export function asksSoFar(perDay: number, now: number): { hour: number; most: number } {
  const at = Math.floor(now / hour)
  const ofDay = at % 24
  const inHour = Math.floor((perDay * (ofDay + 1)) / 24) - Math.floor((perDay * ofDay) / 24)
  return { hour: at * hour, most: Math.ceil((inHour * (now % hour)) / hour) }
}

/** When an attempt is looked at again that could not be asked about, in milliseconds from now. `random` is from 0 to 1. */
export const askAgainAfter = (perDay: number, random: number): number =>
  Math.round(Math.max(15 * minute, day / perDay) * (1 + random))

/** Used for a 429 without `Retry-After`. */
const usualPause = minute
/** As of webhooks: a service that asks for longer is asked again after a day. */
const longestPause = day

/** The payment services that asked for a pause, by adapter and shop: an account is not asked before it is over. */
export class AskPauses {
  readonly #until = new Map<string, number>()

  /** A payment service answered 429. `retryAfter` is in milliseconds. */
  begin({ adapter, shop }: Account, now: number, retryAfter = usualPause): void {
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key)
    this.#until.set(`${adapter} ${shop}`, now + Math.min(retryAfter, longestPause))
  }

  /** The milliseconds until an account may be asked again; 0 at once. */
  left({ adapter, shop }: Account, now: number): number {
    return Math.max(0, (this.#until.get(`${adapter} ${shop}`) ?? now) - now)
  }
}

interface Account {
  adapter: string
  shop: string
}

import { ApiError } from './answers.ts'
import { timestamp } from './records.ts'

const minute = 60_000

const windows = [
  { name: 'limit5Min', calls: 300, time: 5 * minute },
  { name: 'limitHour', calls: 3_000, time: 60 * minute },
  { name: 'limitDay', calls: 12_000, time: 24 * 60 * minute },
]

export const tooMany = (headers: Record<string, string>) =>
  new ApiError(429, 'Too many requests in this time period. Try again later.', headers)

/** Counts the calls of a key as live platforms do, and reports them in three headers with a number per window. */
export class RateLimits {
  readonly #now: () => number
  readonly #windows = windows.map((window) => ({ ...window, used: 0, resetAt: 0 }))

  constructor(now: () => number) {
    this.#now = now
  }

  /** The windows with the seconds that each has left. One that is over begins anew. */
  #current() {
    const now = this.#now()
    for (const window of this.#windows)
      if (window.resetAt <= now) Object.assign(window, { used: 0, resetAt: now + window.time })
    return this.#windows.map((window) => ({ ...window, reset: Math.ceil((window.resetAt - now) / 1000) }))
  }

  /** The counts as the resource `account/ratelimit` shows them. Times are in seconds. */
  view(): Record<string, unknown> {
    const shown = this.#current().map(({ name, calls, used, reset, resetAt }) => {
      const remaining = Math.max(0, calls - used)
      return [name, { limit: calls, remaining, reset, resetTime: timestamp(resetAt) }]
    })
    return Object.fromEntries(shown)
  }

  /** Counts one call. Throws a 429 if none is left. `most` replaces the limit of the first window. */
  take(most = windows[0]!.calls): Record<string, string> {
    const limited = this.#current().map((one, at) => ({
      ...one,
      limit: at === 0 ? Math.min(one.calls, most) : one.calls,
    }))
    const spent = limited.find(({ used, limit }) => used >= limit)
    if (!spent) for (const window of this.#windows) window.used++
    // Clients of live platforms look for the window that has -1 to learn how long they wait.
    const left = (calls: number) => (!spent ? calls - 1 : calls > 0 ? calls : -1)
    const headers = {
      'X-RateLimit-Limit': limited.map(({ limit }) => limit).join('/'),
      'X-RateLimit-Remaining': limited.map(({ limit, used }) => left(limit - used)).join('/'),
      'X-RateLimit-Reset': limited.map(({ reset }) => reset).join('/'),
    }
    if (!spent) return headers
    throw tooMany({ ...headers, 'retry-after': String(spent.reset) })
  }
}

import { ApiError } from './answers.ts'
import { timestamp } from './records.ts'

const minute = 60_000

/** The calls of one key per window, in milliseconds. */
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
  #counts: { used: number; resetAt: number }[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** The counts of the last call, as the resource `account/ratelimit` shows them. Times are in seconds. */
  view(): Record<string, unknown> {
    const now = this.#now()
    return Object.fromEntries(
      windows.map(({ name, calls, time }, at) => {
        const { used, resetAt } = this.#counts[at] ?? { used: 0, resetAt: now + time }
        const reset = Math.max(0, Math.ceil((resetAt - now) / 1000))
        const remaining = Math.max(0, calls - used)
        return [name, { limit: calls, remaining, reset, resetTime: timestamp(resetAt) }]
      }),
    )
  }

  /** Counts one call. Throws a 429 if none is left. `most` replaces the limit of the first window. */
  take(most = windows[0]!.calls): Record<string, string> {
    const now = this.#now()
    const limits = windows.map(({ calls }, at) => (at === 0 ? Math.min(calls, most) : calls))
    this.#counts = windows.map(({ time }, at) => {
      const count = this.#counts[at]
      return count && count.resetAt > now ? count : { used: 0, resetAt: now + time }
    })
    const spent = this.#counts.findIndex(({ used }, at) => used >= limits[at]!)
    if (spent === -1) for (const count of this.#counts) count.used++
    const seconds = this.#counts.map(({ resetAt }) => Math.ceil((resetAt - now) / 1000))
    // Clients of live platforms look for the window that has -1 to learn how long they wait.
    const left = (calls: number) => (spent === -1 || calls > 0 ? calls : -1)
    const headers = {
      'X-RateLimit-Limit': limits.join('/'),
      'X-RateLimit-Remaining': this.#counts.map(({ used }, at) => left(limits[at]! - used)).join('/'),
      'X-RateLimit-Reset': seconds.join('/'),
    }
    if (spent === -1) return headers
    throw tooMany({ ...headers, 'retry-after': String(seconds[spent]) })
  }
}

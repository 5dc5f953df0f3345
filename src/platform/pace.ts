import type { Clock } from '../world.ts'

/** This machine's clock. A wait keeps the process alive, so that a command ends with its answer. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

interface Window {
  remaining: number
  resetAt: number
}

/** If fewer calls than this are left in a window, they are spread over the rest of it. */
const scarce = 5

/**
 * Respects the rate limits that a platform announces: `X-RateLimit-Remaining` and `-Reset` with one number for each window, joined by `/`;
 * resets are in seconds. Slows down before it is refused.
 */
export class Pace {
  readonly #now: () => number
  #windows: Window[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** How many milliseconds to wait before the next call. */
  wait(): number {
    const now = this.#now()
    return Math.max(0, ...this.#windows.map((window) => waitFor(window, now)))
  }

  note(headers: Headers): void {
    const numbers = (name: string) =>
      (headers.get(name) ?? '').split('/').map((part) => Number(part.trim() || Number.NaN))
    const resets = numbers('x-ratelimit-reset')
    const now = this.#now()
    const windows = numbers('x-ratelimit-remaining').map((remaining, at) => ({
      remaining,
      resetAt: now + (resets[at] ?? Number.NaN) * 1000,
    }))
    const sound = windows.filter(
      ({ remaining, resetAt }) => Number.isFinite(remaining) && Number.isFinite(resetAt),
    )
    if (sound.length > 0) this.#windows = sound
  }
}

function waitFor({ remaining, resetAt }: Window, now: number): number {
  const left = resetAt - now
  if (left <= 0) return 0
  if (remaining <= 0) return left
  return remaining < scarce ? left / (remaining + 1) : 0
}

interface Timer {
  at: number
  call: () => void
  handle: NodeJS.Timeout | undefined
}

/** Cancels a call. `keep` sets whether it keeps the process alive. */
export interface Stop {
  (): void
  keep(alive: boolean): void
}

/** The longest wait of Node's timers; a longer one is set again then. */
const longest = 2 ** 31 - 1

/**
 * A clock that runs as time does and can be moved. Moving forward makes the calls that become due at once, in order.
 * It is loaded ahead of every provider, so it imports nothing.
 */
export class MovingClock {
  readonly #timers = new Set<Timer>()
  readonly #realNow: () => number
  readonly #setTimeout: typeof setTimeout
  readonly #clearTimeout: typeof clearTimeout
  #offset: number

  /** `offset`: how far it is ahead of the machine's clock, in milliseconds. */
  constructor(offset = 0) {
    this.#offset = offset
    // Read once, because this clock may replace them.
    this.#realNow = Date.now
    this.#setTimeout = setTimeout
    this.#clearTimeout = clearTimeout
  }

  /** How far it is ahead of the machine's clock, in milliseconds. */
  get offset(): number {
    return this.#offset
  }

  now(): number {
    return this.#realNow() + this.#offset
  }

  /** Calls back after `ms`. The returned function cancels it. Keeps the process alive only with `keeps`. */
  after(ms: number, call: () => void, keeps = false): Stop {
    const timer: Timer = { at: this.now() + Math.max(0, ms), call, handle: undefined }
    this.#timers.add(timer)
    this.#arm(timer, keeps)
    const keep = (alive: boolean) => {
      if (alive) timer.handle?.ref()
      else timer.handle?.unref()
    }
    return Object.assign(() => this.#forget(timer), { keep })
  }

  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError('A clock only moves forward, by 0 milliseconds or more')
    this.move(ms)
  }

  /** Moves forward, or back by a negative number of milliseconds. Back, every timer keeps the rest of its wait. */
  move(ms: number): void {
    this.#offset += ms
    if (ms < 0) for (const timer of this.#timers) timer.at += ms
    const due = [...this.#timers].sort((one, other) => one.at - other.at)
    for (const timer of due) {
      if (!this.#timers.has(timer)) continue
      const keeps = timer.handle?.hasRef() ?? false
      if (timer.at > this.now()) this.#arm(timer, keeps)
      else {
        this.#forget(timer)
        timer.call()
      }
    }
  }

  #arm(timer: Timer, keeps: boolean): void {
    this.#clearTimeout(timer.handle)
    const wait = Math.min(Math.max(0, timer.at - this.now()), longest)
    timer.handle = this.#setTimeout(() => {
      if (timer.at > this.now() + 1) return this.#arm(timer, timer.handle?.hasRef() ?? keeps)
      this.#timers.delete(timer)
      timer.call()
    }, wait)
    if (!keeps) timer.handle.unref()
  }

  #forget(timer: Timer): void {
    this.#timers.delete(timer)
    this.#clearTimeout(timer.handle)
  }
}

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `5s`, `30m`, `2h`, `3d` or `1month` in milliseconds; a month is as long as the one that follows `now`. `undefined` for anything else. */
export function durationOf(text: string, now: number): number | undefined {
  const [, number, unit] = /^(\d{1,4})(s|m|h|d|month)s?$/.exec(text) ?? []
  if (unit === undefined) return undefined
  if (unit !== 'month') return Number(number) * units[unit]!
  const then = new Date(now)
  const day = then.getUTCDate()
  then.setUTCMonth(then.getUTCMonth() + Number(number))
  // The last day of a shorter month, not the first of the next.
  if (then.getUTCDate() !== day) then.setUTCDate(0)
  return then.getTime() - now
}

import type { SteadyClock } from '../network/steady-clock.ts'
import type { ProviderObserver } from './observer.ts'

/** How often the machine's clock is read, in milliseconds. */
const lookEvery = 5_000

/** Reads the machine's clock and reports when it was set. Never keeps the process alive. */
export class ClockWatch {
  readonly #clock: Pick<SteadyClock, 'look'>
  readonly #observer: Pick<ProviderObserver, 'clockJumped'>
  #timer: NodeJS.Timeout | undefined

  constructor(clock: Pick<SteadyClock, 'look'>, observer: Pick<ProviderObserver, 'clockJumped'>) {
    this.#clock = clock
    this.#observer = observer
  }

  start(): void {
    this.end()
    this.#timer = setInterval(() => {
      const { jumped } = this.#clock.look()
      if (jumped !== 0) this.#observer.clockJumped('CLOCK_JUMPED', Math.round(jumped / 1_000))
    }, lookEvery).unref()
  }

  end(): void {
    clearInterval(this.#timer)
  }
}

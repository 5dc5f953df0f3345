interface Timer {
  at: number
  order: number
  call: () => void
}

/** A clock that moves when it is asked to, and calls what is due on the way. */
export class Clock {
  now: number
  #order = 0
  #timers: Timer[] = []
  readonly #idle: () => boolean

  /** `idle`: whether nothing is under way outside the timers. */
  constructor(start: number, idle: () => boolean) {
    this.now = start
    this.#idle = idle
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.now + Math.max(0, ms), order: ++this.#order, call }
    this.#timers.push(timer)
    return () => {
      const place = this.#timers.indexOf(timer)
      if (place >= 0) this.#timers.splice(place, 1)
    }
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Lets everything run that waits for no time. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      await new Promise((resolve) => setImmediate(resolve))
      quiet = this.#idle() ? quiet + 1 : 0
    }
  }

  async moveTo(end: number): Promise<void> {
    await this.settle()
    for (;;) {
      let next: Timer | undefined
      for (const timer of this.#timers) {
        if (
          timer.at <= end &&
          (!next || timer.at < next.at || (timer.at === next.at && timer.order < next.order))
        )
          next = timer
      }
      if (!next) break
      this.#timers.splice(this.#timers.indexOf(next), 1)
      this.now = Math.max(this.now, next.at)
      next.call()
      await this.settle()
    }
    this.now = end
  }
}

/** A call that is open. */
export interface OpenCall {
  /** When its time is over, by `performance.now()`. */
  readonly endsAt: number
  /** Its time is over. */
  late(): void
  /** Its answer is complete, and its connection free. */
  ended(): void
}

/** Calls that are open: they share a timer, and those that end in one turn of the event loop end together. Of its own for each call, both would cost a tenth of it. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>()
  #ended: OpenCall[] = []
  #timer: NodeJS.Timeout | undefined
  /** When the timer looks for calls whose time is over. */
  #looksAt = Number.POSITIVE_INFINITY

  add(call: OpenCall): void {
    this.#open.add(call)
    if (call.endsAt < this.#looksAt) this.#lookAt(call.endsAt)
  }

  delete(call: OpenCall): void {
    this.#open.delete(call)
  }

  /** Ends the call in the turn after next. Its connection becomes free in the next one, and a call that followed earlier would open another. */
  endSoon(call: OpenCall): void {
    this.#open.delete(call)
    if (this.#ended.push(call) > 1) return
    setImmediate(() => {
      const ended = this.#ended
      this.#ended = []
      setImmediate(() => {
        for (const one of ended) one.ended()
      })
    })
  }

  #lookAt(time: number): void {
    clearTimeout(this.#timer)
    this.#looksAt = time
    // The connections keep the process alive.
    this.#timer = setTimeout(() => this.#look(), Math.max(0, time - performance.now())).unref()
  }

  #look(): void {
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const call of this.#open) {
      if (call.endsAt > now) next = Math.min(next, call.endsAt)
      else call.late()
    }
    this.#looksAt = next
    if (next !== Number.POSITIVE_INFINITY) this.#lookAt(next)
  }
}

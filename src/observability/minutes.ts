import type { Minute } from '../store-port.ts'

/** The kinds of what is counted by the minute. */
export type Counted = 'request' | 'adapter' | 'delivery'

/** As many durations of one label are kept as percentiles need; of more a random choice. */
const mostTimes = 500
/** Rows of one minute: what comes later is not counted. */
const mostRows = 200

class Series {
  count = 0
  failed = 0
  readonly #times: number[] = []

  add(ms: number, failed: boolean): void {
    this.count++
    if (failed) this.failed++
    if (this.#times.length < mostTimes) this.#times.push(ms)
    else {
      const at = Math.floor(Math.random() * this.count)
      if (at < mostTimes) this.#times[at] = ms
    }
  }

  figures() {
    const times = this.#times.sort((one, other) => one - other)
    const at = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0)
    const { count, failed } = this
    return { count, failed, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
  }
}

/** The work of this process by the minute, and the shops whose platforms have called it. The console shows it over all nodes. */
export class Minutes {
  #series = new Map<string, Series>()
  #called = new Set<string>()

  /** `label` names the route, the adapter and its call, or the lane. */
  note(what: Counted, label: string, ms: number, failed: boolean): void {
    const key = `${what} ${label}`
    let series = this.#series.get(key)
    if (!series) {
      if (this.#series.size >= mostRows) return
      series = new Series()
      this.#series.set(key, series)
    }
    series.add(ms, failed)
  }

  called(shopId: string): void {
    this.#called.add(shopId)
  }

  /** Returns what was counted since the last time, and begins anew. */
  take(): { rows: Minute[]; called: string[] } {
    const rows = [...this.#series].map(([key, series]) => {
      const end = key.indexOf(' ')
      return { what: key.slice(0, end), label: key.slice(end + 1), ...series.figures() }
    })
    const called = [...this.#called]
    this.#series = new Map()
    this.#called = new Set()
    return { rows, called }
  }
}

import { type RefusalCode, refusals } from '../refusals.ts'
import type { Log, RefusedWhere } from '../world.ts'

/** In milliseconds. */
const logEvery = 60_000
const rememberAtMost = 1_000

/** Logs refusals so that strangers cannot fill the log: one line a minute for each code and shop, with their number. */
export class RefusalLog {
  readonly #log: Log
  readonly #development: boolean
  readonly #logged = new Map<string, { until: number; unlogged: number }>()

  /** In development each cause about a method is logged once, and at once. */
  constructor(log: Log, development = false) {
    this.#log = log
    this.#development = development
  }

  add(code: RefusalCode, about: RefusedWhere): void {
    const { shop = '', adapter = '', method = '', fault = '' } = about
    const isOfCode = this.#development && method !== ''
    const key = isOfCode ? `${code} ${adapter} ${method} ${fault}` : `${code} ${shop}`
    const now = performance.now()
    const known = this.#logged.get(key)
    if (known && now < known.until) {
      known.unlogged++
      return
    }
    if (this.#logged.size >= rememberAtMost) this.#logged.clear()
    this.#logged.set(key, { until: isOfCode ? Number.POSITIVE_INFINITY : now + logEvery, unlogged: 0 })
    const { why, remedy } = refusals[code]
    this.#log.warn({ ...about, code, refusedBefore: known?.unlogged }, `${why} ${remedy}`)
  }
}

import type { IncomingMessage } from 'node:http'
import { type RefusalCode, refusals } from '../errors/refusals.ts'
import type { StoreTrouble } from '../store.ts'
import type { Minute } from '../store-port.ts'
import { apart, inSpan, type OpenSpan, requestSpan, startSpan } from '../tracing.ts'
import type { AdapterCall, Log, ObservedCall, Observer, RefusedWhere } from '../world.ts'
import type { Metrics } from './metrics.ts'

/** A request that is being answered. Everything that runs in it has its id and trace. */
export class SeenRequest {
  readonly method: string
  readonly route: string
  readonly requestId: string
  /** The ids of its shop and order, once known. */
  shop: string | undefined
  order: string | undefined
  /** The payment adapter of a push. */
  adapter: string | undefined
  /** The code of its error answer. */
  code: string | undefined
  readonly #span: OpenSpan
  readonly #observer: Figures
  readonly #started = performance.now()

  constructor(req: IncomingMessage, route: string, requestId: string, observer: Figures) {
    const { method = '' } = req
    this.method = methods.has(method) ? method : 'other'
    this.route = route
    this.requestId = requestId
    this.#span = requestSpan(req.headers, this)
    this.#observer = observer
  }

  /** Not set without a trace. */
  get traceId(): string | undefined {
    return this.#span.traceId
  }

  run<T>(work: () => T): T {
    return this.#span.run(work)
  }

  answered(status: number): void {
    this.#span.answered(status, 500)
    this.#span.end()
    const ms = performance.now() - this.#started
    this.#observer.metrics?.answered(this, status, ms)
    this.#observer.minutes.note('request', `${this.method} ${this.route}`, ms, status >= 500)
  }
}

type Figures = Pick<ProviderObserver, 'metrics' | 'minutes'>
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Spans always, metrics once they can be read. */
export class ProviderObserver implements Observer {
  metrics: Metrics | undefined
  readonly minutes = new Minutes()
  /** The adapters that blocked the event loop, with the last time. */
  readonly blocking = new Map<string, number>()
  readonly #log: Log
  #damageLoggedAt = Number.NEGATIVE_INFINITY
  readonly #development: boolean
  readonly #refusals = new Map<string, { until: number; unlogged: number }>()

  /** In development each cause about a method is logged once, and at once. */
  constructor(log: Log, development = false) {
    this.#log = log
    this.#development = development
  }

  request(req: IncomingMessage, route: string, requestId: string): SeenRequest {
    return new SeenRequest(req, route, requestId, this)
  }

  job<T>(name: string, about: Record<string, string | number>, work: () => Promise<T>): Promise<T> {
    const named = () =>
      Object.fromEntries(Object.entries(about).map(([key, value]) => [`purveyor.${key}`, value]))
    return apart(() => inSpan(startSpan(name, named), work))
  }

  adapterCall(about: AdapterCall): ObservedCall {
    const { adapter, call, shop } = about
    const named = () => ({ 'purveyor.adapter': adapter, 'purveyor.call': call, 'purveyor.shop': shop })
    const span = startSpan(`${call} ${adapter}`, named)
    const started = performance.now()
    return {
      run: (into) => (span ? span.run(into) : into()),
      ended: (failure) => {
        span?.end(failure)
        const ms = performance.now() - started
        const outcome = failure === undefined ? 'ok' : 'failed'
        this.metrics?.adapters.observe({ adapter, call, outcome }, ms / 1000)
        this.minutes.note('adapter', `${adapter} ${call}`, ms, failure !== undefined)
      },
    }
  }

  blocked(adapter: string, at: number): void {
    this.blocking.set(adapter, at)
  }

  readonly apart = apart
  delivered: Observer['delivered'] = (outcome, ms, lane) => {
    this.metrics?.deliveries.observe({ outcome }, ms / 1000)
    this.minutes.note('delivery', lane, ms, outcome !== 'delivered')
  }
  readonly shopCalled: Observer['shopCalled'] = (shopId) => this.minutes.called(shopId)
  readonly reminded: Observer['reminded'] = () => this.metrics?.reminders.inc()
  readonly pushed: Observer['pushed'] = (adapter, outcome) => this.metrics?.pushes.inc({ adapter, outcome })
  readonly tookOver: Observer['tookOver'] = () => this.metrics?.takeovers.inc()
  readonly lookedUp: Observer['lookedUp'] = (kind, outcome) => this.metrics?.lookups.inc({ kind, outcome })

  storeTrouble(trouble: StoreTrouble): void {
    if (trouble.code === 'ROW_LOCKED') {
      this.refused(trouble.code, { shop: trouble.shop, order: trouble.order })
    } else if (trouble.code === 'STORE_DAMAGED') this.#storeDamaged()
    else this.metrics?.commandRetries.inc({ reason: trouble.reason })
  }

  #storeDamaged(): void {
    const now = performance.now()
    if (now - this.#damageLoggedAt < logEvery) return
    this.#damageLoggedAt = now
    const says = 'SQLite cannot read a page of the file: every call that needs the page fails'
    this.#log.error({ code: 'STORE_DAMAGED' }, says)
  }

  /** Logged so that strangers cannot fill the log: one line a minute for each code and shop, with their number. */
  refused(code: RefusalCode, about: RefusedWhere = {}): void {
    this.metrics?.refused.inc({ code })
    const { shop = '', adapter = '', method = '', fault = '' } = about
    const isOfCode = this.#development && method !== ''
    const key = isOfCode ? `${code} ${adapter} ${method} ${fault}` : `${code} ${shop}`
    const now = performance.now()
    const known = this.#refusals.get(key)
    if (known && now < known.until) {
      known.unlogged++
      return
    }
    if (this.#refusals.size >= rememberAtMost) this.#refusals.clear()
    this.#refusals.set(key, { until: isOfCode ? Number.POSITIVE_INFINITY : now + logEvery, unlogged: 0 })
    const { why, remedy } = refusals[code]
    this.#log.warn({ ...about, code, refusedBefore: known?.unlogged }, `${why} ${remedy}`)
  }
}

/** In milliseconds. */
const logEvery = 60_000
const rememberAtMost = 1_000

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
  note(what: 'request' | 'adapter' | 'delivery', label: string, ms: number, failed: boolean): void {
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

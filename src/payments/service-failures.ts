import { type BulkheadPolicy, bulkhead } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { counted, time } from '../printable.ts'
import type { ServiceFailureKey, ServiceFailureKind, ServiceFailures, StorePort } from '../store-port.ts'
import { upTo } from '../world.ts'

const atOnce = 8
/** Few enough to finish within a lease of the checks, even if every call takes its full time. */
const mostWaiting = 500

/** Too many calls wait for a payment service already, or the provider has stopped. The call was not made. */
export class ServiceCallsFull extends Error {
  override readonly name = 'ServiceCallsFull'
}

/**
 * Background calls to payment services: they close replaced attempts and check open ones. Each adapter has at most 8 open calls of a kind
 * and 500 waiting ones, so that an order with many attempts does not flood its payment service.
 */
export class ServiceCalls {
  readonly #lanes = new Map<string, BulkheadPolicy>()
  #ended = false

  /** Runs the call at its turn. Rejects with `ServiceCallsFull` if it is never made. */
  run<T>(kind: 'cancel' | 'check', adapter: string, work: () => Promise<T>): Promise<T> {
    const key = `${kind} ${adapter}`
    const lane = this.#lanes.get(key) ?? bulkhead(atOnce, mostWaiting)
    this.#lanes.set(key, lane)
    if (lane.executionSlots + lane.queueSlots === 0)
      return Promise.reject(new ServiceCallsFull(`${mostWaiting} calls wait for ${adapter} already`))
    return lane.execute(() => {
      if (this.#ended) throw new ServiceCallsFull('the provider has stopped')
      return work()
    })
  }

  /** Finishes the open calls and begins no more. */
  end(): void {
    this.#ended = true
  }
}

/** So many are stored at a time; the others follow with the next ones. */
const mostAtOnce = 200
const mostKept = 10_000
const minute = 60_000
/** After a success and this pause, or without a success after the longer one, a failure is the first one of another outage. */
const apart = { afterSuccess: 5 * minute, without: 60 * minute }

const nameOf = ({ kind, adapter, shopId }: ServiceFailureKey) => `${kind} ${adapter} ${shopId}`

/**
 * Counts failures of payment services by adapter and shop, in memory. A success costs a look-up, and none while nothing has failed. A stranger
 * who sends pushes changes one number.
 */
export class ServiceFailureCounts {
  readonly #known = new LRUCache<string, ServiceFailures>(upTo(mostKept))
  #changed = new Map<string, ServiceFailures>()

  failed(of: ServiceFailureKey, failure: string, now: number): void {
    const name = nameOf(of)
    const known = this.#known.get(name)
    const before = known && goesOn(known, now) ? known : undefined
    const { firstAt = now, calls = 0 } = before ?? {}
    this.#set(name, { ...of, failure, firstAt, lastAt: now, okAt: undefined, calls: calls + 1 })
  }

  /** The first success after a failure is kept. */
  succeeded(of: ServiceFailureKey, now: number): void {
    if (this.#known.size === 0) return
    const name = nameOf(of)
    const known = this.#known.get(name)
    if (known && known.okAt === undefined) this.#set(name, { ...known, okAt: now })
  }

  /** Those that changed since they were taken last, up to 200. */
  take(): ServiceFailures[] {
    const taken = [...this.#changed].slice(0, mostAtOnce)
    for (const [name] of taken) this.#changed.delete(name)
    return taken.map(([, one]) => one)
  }

  /** They could not be stored: they are taken again, unless they have changed since. */
  putBack(failures: readonly ServiceFailures[]): void {
    const newer = this.#changed
    this.#changed = new Map([...failures.map((one) => [nameOf(one), one] as const), ...newer])
  }

  #set(name: string, counted: ServiceFailures): void {
    this.#known.set(name, counted)
    this.#changed.set(name, counted)
    if (this.#changed.size <= mostKept) return
    const [oldest] = this.#changed.keys()
    this.#changed.delete(oldest!)
  }
}

function goesOn({ lastAt, okAt }: ServiceFailures, now: number): boolean {
  return now - lastAt <= (okAt === undefined ? apart.without : apart.afterSuccess)
}

/** Failures with a shorter pause between them are one outage, in milliseconds. */
const outagesApart = 5 * minute
/** An outage without a success since is taken for over after this time, in milliseconds. */
export const failsUntil = 60 * minute
/** In it a success may be one among failures. */
const surelyAfter = minute

/** A time in which a payment service failed, for one shop or more. Times are milliseconds since 1970. */
export interface ServiceOutage {
  kind: ServiceFailureKind
  adapter: string
  /** Whether it fails now. If it is unknown, whether it failed within the last hour. */
  failing: boolean
  firstAt: number
  lastAt: number
  /** The first success after the last failure. */
  okAt: number | undefined
  /** How many calls failed. */
  calls: number
  /** The shops, those with the most failed calls first. */
  shops: readonly ServiceFailures[]
  /** The last failure, in words. */
  failure: string
}

export interface ServiceOutageFilter {
  kind: ServiceFailureKind
  shopId?: string | undefined
  adapter?: string | undefined
  /** Those with a failure at or after this time. */
  since: number
  now: number
}

/** The outages of payment services, by adapter, the earliest first. Several nodes and shops see one outage. */
export async function serviceOutages(
  store: StorePort,
  { now, ...filter }: ServiceOutageFilter,
): Promise<ServiceOutage[]> {
  const rows = await store.serviceFailures(filter)
  return [...Map.groupBy(rows, ({ adapter }) => adapter).values()]
    .flatMap((of) => runsOf(of).map((run) => outageOf(run, now)))
    .toSorted((one, other) => one.firstAt - other.firstAt)
}

/** The outage of starts of an adapter that goes on; `undefined` where they go well, or are not known to fail. */
export async function failingNow(
  store: StorePort,
  adapter: string,
  now: number,
): Promise<ServiceOutage | undefined> {
  const outages = await serviceOutages(store, { kind: 'start', adapter, since: now - failsUntil, now })
  return outages.find(({ failing }) => failing)
}

/** `starts by psp fail for 3 shops since 2026-03-02 10:00:00: 12 failed, the last 2026-03-02 10:05:00 (no answer within 4000 ms)` */
export const outageWords = ({ adapter, shops, firstAt, lastAt, calls, failure }: ServiceOutage): string =>
  `starts by ${adapter} fail for ${counted(shops.length, 'shop')} since ${time(firstAt)}: ${calls} failed, the last ${time(lastAt)} (${failure})`

/** `rows` of one adapter, sorted by their first failure. */
function runsOf(rows: readonly ServiceFailures[]): ServiceFailures[][] {
  const runs: ServiceFailures[][] = []
  let until = 0
  for (const row of rows) {
    const last = runs.at(-1)
    if (last && row.firstAt <= until + outagesApart) last.push(row)
    else runs.push([row])
    until = Math.max(until, row.lastAt)
  }
  return runs
}

function outageOf(rows: readonly ServiceFailures[], now: number): ServiceOutage {
  const last = rows.toSorted((one, other) => one.lastAt - other.lastAt).at(-1)!
  const { kind, adapter, lastAt, failure } = last
  const successes = rows.flatMap(({ okAt = 0 }) => (okAt >= lastAt ? okAt : []))
  const age = now - lastAt
  return {
    ...{ kind, adapter, lastAt, failure },
    failing: age < surelyAfter || (successes.length === 0 && age < failsUntil),
    firstAt: Math.min(...rows.map(({ firstAt }) => firstAt)),
    okAt: successes.length === 0 ? undefined : Math.min(...successes),
    calls: rows.reduce((sum, { calls }) => sum + calls, 0),
    shops: shopsOf(rows),
  }
}

/** One for each shop: several nodes serve it. */
function shopsOf(rows: readonly ServiceFailures[]): ServiceFailures[] {
  return [...Map.groupBy(rows, ({ shopId }) => shopId).values()]
    .map((of) => ({
      ...of.reduce((one, other) => (other.lastAt >= one.lastAt ? other : one)),
      firstAt: Math.min(...of.map(({ firstAt }) => firstAt)),
      calls: of.reduce((sum, { calls }) => sum + calls, 0),
    }))
    .toSorted((one, other) => other.calls - one.calls)
}

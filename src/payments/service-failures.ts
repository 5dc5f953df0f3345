import type { ServiceFailures, StorePort } from '../store-port.ts'

const minute = 60_000

/** Failures with a shorter pause between them are one outage, in milliseconds. */
const outagesApart = 5 * minute
/** An outage without a success since is taken for over after this time, in milliseconds. */
export const failsUntil = 60 * minute
/** In it a success may be one among failures. */
const surelyAfter = minute

/** A time in which a payment service failed, for one shop or more. Times are milliseconds since 1970. */
export type ServiceOutage = ReturnType<typeof outageOf>

/** Those with a failure at or after `since`. */
type ServiceOutageFilter = Parameters<StorePort['serviceFailures']>[0] & { now: number }

/** The outages of payment services, by adapter, the earliest first. Several nodes and shops see one outage. */
export async function serviceOutages(store: StorePort, { now, ...filter }: ServiceOutageFilter) {
  const rows = await store.serviceFailures(filter)
  return [...Map.groupBy(rows, ({ adapter }) => adapter).values()]
    .flatMap((of) => runsOf(of).map((run) => outageOf(run, now)))
    .toSorted((one, other) => one.firstAt - other.firstAt)
}

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

/** The outage that failures of one adapter are. */
export function outageOf(rows: readonly ServiceFailures[], now: number) {
  const last = rows.toSorted((one, other) => one.lastAt - other.lastAt).at(-1)!
  const { kind, adapter, lastAt, failure } = last
  const okAt = okAfter(rows, lastAt)
  const age = now - lastAt
  return {
    ...{ kind, adapter, lastAt, failure },
    /** Whether it fails now. If it is unknown, whether it failed within the last hour. */
    failing: age < surelyAfter || (okAt === undefined && age < failsUntil),
    firstAt: Math.min(...rows.map(({ firstAt }) => firstAt)),
    /** The first success after the last failure. */
    okAt,
    /** How many calls failed. */
    calls: rows.reduce((sum, { calls }) => sum + calls, 0),
    /** The shops, those with the most failed calls first. */
    shops: shopsOf(rows),
  }
}

function okAfter(rows: readonly ServiceFailures[], lastAt: number): number | undefined {
  const successes = rows.flatMap(({ okAt = 0 }) => (okAt >= lastAt ? okAt : []))
  return successes.length === 0 ? undefined : Math.min(...successes)
}

/** One for each shop: several nodes serve it. */
function shopsOf(rows: readonly ServiceFailures[]): ServiceFailures[] {
  return [...Map.groupBy(rows, ({ shopId }) => shopId).values()]
    .map((of) => ({
      ...of.reduce((one, other) => (other.lastAt >= one.lastAt ? other : one)),
      okAt: okAfter(of, Math.max(...of.map(({ lastAt }) => lastAt))),
      firstAt: Math.min(...of.map(({ firstAt }) => firstAt)),
      calls: of.reduce((sum, { calls }) => sum + calls, 0),
    }))
    .toSorted((one, other) => other.calls - one.calls)
}

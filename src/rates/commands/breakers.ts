import { sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { Outage } from '../../queue/lanes.ts'
import type { AuditCommands } from '../../shops/commands/audit.ts'
import { type Db, ifGiven, matching, type Plain, type Row, value } from '../../store/columns.ts'
import { all, alone, type Command, read, together, write } from '../../store/query.ts'
import type { Tables } from '../../store/schema.ts'

// Rate adapters that the running nodes skip or find slow, and outages of rate adapters that are over. `next_try` is 0 where an adapter is slow
// and not skipped.

/** The name in a row of a breaker for all shops. */
const forAll = ''
const breakerShop = (row: { shop_id: string }) => (row.shop_id === forAll ? undefined : row.shop_id)
export type BreakerRecord = ReturnType<typeof breakerFrom>

/** The rows of one breaker, one for each node, the oldest first. */
function breakerFrom(rows: readonly Row<'breakers'>[]) {
  const [oldest] = rows as [Row<'breakers'>]
  const tries = rows.flatMap(({ next_try }) => next_try || [])
  return {
    ...{ adapter: oldest.adapter, shopId: breakerShop(oldest), since: oldest.since },
    nextTry: tries.length > 0 ? Math.min(...tries) : undefined,
    lastFailure: rows.at(-1)!.last_failure,
    nodes: rows.length,
  }
}

export interface BreakerKey {
  adapter: string
  /** Not set for all shops. */
  shopId: string | undefined
}

/** A rate adapter that a node skips after failures, or finds slow. Times are in milliseconds since 1970. */
export interface OpenedBreaker extends BreakerKey {
  since: number
  /** The earliest time of the next call. Not set if it is slow and not skipped. */
  nextTry: number | undefined
  lastFailure: string
}

/** A rate adapter that a node skipped or found slow. */
export interface EndedBreaker extends OpenedBreaker {
  /** When it was well again, in milliseconds since 1970. */
  endedAt: number
}

/** Each node stores its open breakers every few seconds. After this time without an update the node has died, in milliseconds. */
const knownFor = 60_000
/** Outages with a shorter pause between them are one, in milliseconds. */
const apart = 60_000
/** So many reasons of one outage are kept, the last ones. */
const mostReasons = 3
const between = '; '

const reasonsOf = (...failures: readonly string[]): string =>
  [...new Set(failures.flatMap((one) => one.split(between)))].slice(-mostReasons).join(between)

/** Of one shop with those for all shops, or everything. */
const forShop = sql<boolean>`(cast(${value('shopId')} as text) is null or shop_id in (${value('shopId')}, ${sql.lit(forAll)}))`

const breakerQueries = (db: Db) => ({
  add: db.addRow('breakers'),
  // One statement, so that no release gets lost in between.
  take: db.text<Row<'breakers'>>`
    delete from breakers where node = ${value('node')} or seen_at < ${value('before')} returning *`,
  known: db.text<Row<'breakers'>>`
    select * from breakers where seen_at >= ${value('from')} and is_released = 0 and ${forShop}
      order by since`,
  release: db.text<{ node: string }>`update breakers set is_released = 1 where ${matching('adapter')}
      and seen_at >= ${value('from')} and is_released = 0 and next_try > 0 and ${ifGiven('shop_id')} returning node`,
  addOutage: db.addNewRow('rate_outages'),
  takeLast: db.text<{ began_at: number; failure: string }>`
    delete from rate_outages where ${matching('node', 'adapter', 'shop_id')}
      and ended_at >= ${value('from')} returning began_at, failure`,
  outagesSince: db.text<Row<'rate_outages'>>`
    select * from rate_outages where ended_at >= ${value('since')} and ${ifGiven('adapter')}
      and ${forShop} order by began_at, ended_at`,
})

export function breakerCommands(db: Db, { logChange }: AuditCommands) {
  const { add, take, known, release, addOutage, takeLast, outagesSince } = breakerQueries(db)

  function* end(outages: readonly Ended[]): Command<void> {
    const last = yield* together(...outages.map((one) => takeLast({ ...one, from: one.beganAt - apart })))
    const added = outages.map((one, index) => ({
      ...one,
      beganAt: Math.min(one.beganAt, ...last[index]!.map(({ began_at }) => began_at)),
      failure: reasonsOf(...last[index]!.map(({ failure }) => failure), one.failure),
    }))
    yield* together(...added.map((one) => addOutage({ ...one })))
  }

  return {
    /**
     * Replaces a node's list of rate adapters that it skips or finds slow. An adapter that is no longer in the list is kept as an outage for 30 days,
     * which ended now or at the time in `ended`. One in `ended` may never have been in the list, because the store was away.
     * Resolves with those that a person released since: the node closes these, and they are not stored.
     */
    noteBreakers: write(function* (
      node: string,
      open: readonly OpenedBreaker[],
      now: number,
      ended: readonly EndedBreaker[] = [],
    ): Command<BreakerKey[]> {
      yield* alone('breakers')
      const rows = yield* all(take, { node, before: now - knownFor })
      const isOf = (row: Row<'breakers'>, { adapter, shopId = forAll }: BreakerKey) =>
        row.node === node && row.adapter === adapter && row.shop_id === shopId
      const released = rows.filter((row) => row.node === node && row.is_released === 1)
      const kept = open.filter((one) => !released.some((row) => isOf(row, one)))
      const adding = kept.map(({ shopId = forAll, nextTry = 0, ...one }) =>
        add({ node, shopId, nextTry, ...one, seenAt: now }),
      )
      if (adding.length > 0) yield* together(...adding)
      const stored = ended.map((one): Ended => {
        const { adapter, shopId = forAll, since, endedAt, lastFailure: failure } = one
        const began = rows.find((row) => isOf(row, one))?.since ?? since
        return { node, adapter, shopId, beganAt: Math.min(since, began), endedAt, failure }
      })
      const others = rows.flatMap((row): Ended[] => {
        // A breaker that has closed while its adapter is still slow is over too: its reason stays.
        const goesOn = kept.some((one) => isOf(row, one) && (row.next_try === 0 || one.nextTry !== undefined))
        if (goesOn || ended.some((one) => isOf(row, one))) return []
        const { node: by, adapter, shop_id: shopId, since: beganAt, seen_at, last_failure: failure } = row
        // A node that died was seen last then.
        return [{ node: by, adapter, shopId, beganAt, failure, endedAt: by === node ? now : seen_at }]
      })
      if (others.length + stored.length > 0) yield* end([...others, ...stored])
      return released.map((row) => ({ adapter: row.adapter, shopId: breakerShop(row) }))
    }),

    /** Those of the running nodes, oldest first: all, or those of one shop. */
    breakers: read(function* (of: { shopId?: string | undefined; now: number }) {
      const { shopId, now } = of
      const rows = yield* all(known, { shopId, from: now - knownFor })
      const alike = Map.groupBy(rows, ({ adapter, shop_id }) => `${adapter} ${shop_id}`)
      return Array.from(alike.values(), breakerFrom)
    }),

    /** Releases the breakers of an adapter for one shop, or for every shop. Resolves with the number of nodes that have one. */
    releaseBreakers: write(function* ({ adapter, shopId }: BreakerKey, now: number, by = byProvider) {
      yield* alone('breakers')
      const nodes = yield* all(release, { adapter, shopId, from: now - knownFor })
      const opened = { action: 'lane.opened', kind: 'rates', to: adapter } as const
      if (nodes.length > 0) yield* logChange(shopId ?? forAll, { at: now, by }, opened)
      return new Set(nodes.map(({ node }) => node)).size
    }),

    /** Outages of rate adapters that ended at or after a moment, in milliseconds since 1970. */
    rateOutages: read(function* (filter: OutageFilter): Command<(BreakerKey & Outage)[]> {
      const rows = yield* all(outagesSince, { ...filter })
      const alike = Map.groupBy(rows, (row) => `${row.adapter} ${row.shop_id}`)
      return [...alike.values()].flatMap((of) =>
        joined(of).map((outage) => ({ adapter: of[0]!.adapter, shopId: breakerShop(of[0]!), ...outage })),
      )
    }),
  }
}

export interface OutageFilter {
  shopId?: string | undefined
  adapter?: string | undefined
  since: number
}

type Ended = Plain<Tables['rate_outages']>

/** Several nodes see one outage. `rows` are sorted by their beginning. */
function joined(rows: readonly Tables['rate_outages'][]): Outage[] {
  const found: Outage[] = []
  for (const { began_at: beganAt, ended_at: endedAt, failure } of rows) {
    const last = found.at(-1)
    if (!last || beganAt > last.endedAt + apart) found.push({ beganAt, endedAt, failure, calls: 0 })
    else {
      last.endedAt = Math.max(endedAt, last.endedAt)
      last.failure = reasonsOf(last.failure!, failure)
    }
  }
  return found
}

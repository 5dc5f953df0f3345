import { type Kysely, type Selectable, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { BreakerKey, BreakerRecord, EndedBreaker, OpenedBreaker } from '../../store/nodes.ts'
import type { AuditCommands } from './audit.ts'
import { columns, ifGiven } from './columns.ts'
import { read, write } from './port.ts'
import { all, alone, ask, type Command, prepare, together } from './query.ts'
import type { rateOutages } from './rate-outages.ts'
import { breakerFrom, breakerShop, forAll } from './rows.ts'
import type { Tables } from './schema.ts'

/** Each node stores its open breakers every few seconds. After this time without an update the node has died, in milliseconds. */
const knownFor = 60_000

type BreakerRow = Selectable<Tables['breakers']>

const breakerQueries = (db: Kysely<Tables>) => ({
  add: prepare((value) =>
    db.insertInto('breakers').values({
      ...columns(value, 'node', 'adapter', 'shop_id', 'since', 'next_try', 'last_failure', 'last_call_at'),
      seen_at: value('now'),
    }),
  ),
  // One statement, so that no release gets lost in between.
  take: prepare((value) =>
    db
      .deleteFrom('breakers')
      .where(sql<boolean>`(node = ${value('node')} or seen_at < ${value('before')})`)
      .returningAll(),
  ),
  known: prepare((value) =>
    db
      .selectFrom('breakers')
      .selectAll()
      .where('seen_at', '>=', value('from'))
      .where('is_released', '=', sql.lit(0))
      .where(
        sql<boolean>`(cast(${value('shopId')} as text) is null or shop_id in (${value('shopId')}, ${sql.lit(forAll)}))`,
      )
      .orderBy('since'),
  ),
  release: prepare((value) =>
    db
      .updateTable('breakers')
      .set({ is_released: sql.lit(1) })
      .where('adapter', '=', value('adapter'))
      .where('seen_at', '>=', value('from'))
      .where('is_released', '=', sql.lit(0))
      .where('next_try', '>', sql.lit(0))
      .where(ifGiven(value, 'shop_id'))
      .returning('node'),
  ),
})

/**
 * Rate adapters that the running nodes skip or find slow, and how to release them from another process. `next_try` is 0 where the adapter is
 * slow and not skipped.
 */
export function breakerCommands(
  db: Kysely<Tables>,
  { logChange }: AuditCommands,
  outages: ReturnType<typeof rateOutages>,
) {
  const { add, take, known, release } = breakerQueries(db)

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
      const released = rows.filter((row) => row.node === node && row.is_released === 1)
      const isReleased = ({ adapter, shopId = forAll }: BreakerKey) =>
        released.some((row) => row.adapter === adapter && row.shop_id === shopId)
      const kept = open.filter((one) => !isReleased(one))
      if (kept.length > 0) {
        yield* together(
          ...kept.map(({ shopId = forAll, nextTry = 0, ...one }) =>
            ask(add, { node, shopId, nextTry, ...one, now }),
          ),
        )
      }
      /** A breaker that has closed while its adapter is still slow is over too: its reason stays. */
      const isOver = (row: BreakerRow) =>
        row.node !== node ||
        !kept.some(
          ({ adapter, shopId = forAll, nextTry }) =>
            row.adapter === adapter &&
            row.shop_id === shopId &&
            (row.next_try === 0 || nextTry !== undefined),
        )
      const ofNode = (row: BreakerRow, { adapter, shopId = forAll }: BreakerKey) =>
        row.node === node && row.adapter === adapter && row.shop_id === shopId
      const stored = ended.map(({ adapter, shopId = forAll, since, endedAt, lastFailure: failure }) => {
        const row = rows.find((one) => ofNode(one, { adapter, shopId }))
        const began = Math.min(since, row?.since ?? since)
        return { node, adapter, shop_id: shopId, began_at: began, ended_at: endedAt, failure }
      })
      const others = rows
        .filter((row) => isOver(row) && !ended.some((one) => ofNode(row, one)))
        .map(({ node: by, adapter, shop_id, since, seen_at, last_failure: failure }) => ({
          ...{ node: by, adapter, shop_id, began_at: since, failure },
          // A node that died was seen last then.
          ended_at: by === node ? now : seen_at,
        }))
      yield* outages.end([...others, ...stored])
      return released.map((row) => ({ adapter: row.adapter, shopId: breakerShop(row) }))
    }),

    /** Those of the running nodes, oldest first: all, or those of one shop. */
    breakers: read(function* ({
      shopId,
      now,
    }: {
      shopId?: string | undefined
      now: number
    }): Command<BreakerRecord[]> {
      const rows = yield* all(known, { shopId, from: now - knownFor })
      const alike = Map.groupBy(rows, ({ adapter, shop_id }) => `${adapter} ${shop_id}`)
      return Array.from(alike.values(), breakerFrom)
    }),

    /** Releases the breakers of an adapter for one shop, or for every shop. Resolves with the number of nodes that have one. */
    releaseBreakers: write(function* (
      { adapter, shopId }: BreakerKey,
      now: number,
      by: string = byProvider,
    ): Command<number> {
      yield* alone('breakers')
      const nodes = yield* all(release, { adapter, shopId, from: now - knownFor })
      if (nodes.length > 0 && shopId !== undefined)
        yield* logChange(shopId, { at: now, by }, { action: 'lane.opened', kind: 'rates', to: adapter })
      return new Set(nodes.map(({ node }) => node)).size
    }),
  }
}

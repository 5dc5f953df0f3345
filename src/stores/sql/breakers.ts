import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { BreakerKey } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { columns, ifGiven } from './columns.ts'
import type { Commands } from './port.ts'
import { all, ask, holding, prepare, together } from './query.ts'
import type { Tables } from './tables.ts'

/** Each node stores its open breakers every few seconds. After this time without an update the node has died, in milliseconds. */
const knownFor = 60_000

// A breaker for all shops is a row whose shop has no name.
const forAll = ''
const shopOf = (row: { shop_id: string }) => (row.shop_id === forAll ? undefined : row.shop_id)

/** Open breakers of rate adapters as stored by the running nodes, and how to release them from another process. */
export function breakerCommands(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const add = prepare((value) =>
    db.insertInto('breakers').values({
      ...columns(value, 'node', 'adapter', 'shop_id', 'since', 'next_try', 'last_failure'),
      seen_at: value('now'),
    }),
  )
  // One statement, so that no release gets lost in between.
  const take = prepare((value) =>
    db
      .deleteFrom('breakers')
      .where(sql<boolean>`(node = ${value('node')} or seen_at < ${value('before')})`)
      .returning(['node', 'adapter', 'shop_id', 'is_released']),
  )
  const known = prepare((value) =>
    db
      .selectFrom('breakers')
      .selectAll()
      .where('seen_at', '>=', value('from'))
      .where('is_released', '=', sql.lit(0))
      .where(
        sql<boolean>`(cast(${value('shopId')} as text) is null or shop_id in (${value('shopId')}, ${sql.lit(forAll)}))`,
      )
      .orderBy('since'),
  )
  const release = prepare((value) =>
    db
      .updateTable('breakers')
      .set({ is_released: sql.lit(1) })
      .where('adapter', '=', value('adapter'))
      .where('seen_at', '>=', value('from'))
      .where('is_released', '=', sql.lit(0))
      .where(ifGiven(value, 'shop_id'))
      .returning('node'),
  )

  return {
    *noteBreakers(node, open, now) {
      yield* holding(`breakers of ${node}`)
      const rows = yield* all(take, { node, before: now - knownFor })
      const released = rows.filter((row) => row.node === node && row.is_released === 1)
      const isReleased = ({ adapter, shopId = forAll }: BreakerKey) =>
        released.some((row) => row.adapter === adapter && row.shop_id === shopId)
      const kept = open.filter((one) => !isReleased(one))
      if (kept.length > 0) {
        yield* together(...kept.map(({ shopId = forAll, ...one }) => ask(add, { node, shopId, ...one, now })))
      }
      return released.map((row) => ({ adapter: row.adapter, shopId: shopOf(row) }))
    },

    *breakers({ shopId, now }) {
      const rows = yield* all(known, { shopId, from: now - knownFor })
      const alike = Map.groupBy(rows, ({ adapter, shop_id }) => `${adapter} ${shop_id}`)
      return Array.from(alike.values(), (of) => ({
        adapter: of[0]!.adapter,
        shopId: shopOf(of[0]!),
        since: of[0]!.since,
        nextTry: Math.min(...of.map(({ next_try }) => next_try)),
        lastFailure: of.at(-1)!.last_failure,
        nodes: of.length,
      }))
    },

    *releaseBreakers({ adapter, shopId }, now, by = byProvider) {
      const nodes = yield* all(release, { adapter, shopId, from: now - knownFor })
      if (nodes.length > 0 && shopId !== undefined)
        yield* logChange(shopId, { at: now, by }, { action: 'lane.opened', kind: 'rates', to: adapter })
      return new Set(nodes.map(({ node }) => node)).size
    },
  } satisfies Partial<Commands>
}

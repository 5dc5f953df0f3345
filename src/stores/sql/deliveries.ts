import { type Kysely, sql } from 'kysely'
import type { DeliveryCall, LeasedOrder } from '../../store.ts'
import { deliveriesFrom } from './call-rows.ts'
import { columns, isServer, ofOrder, type Place } from './columns.ts'
import type { Commands } from './port.ts'
import { all, ask, prepare, type Step } from './query.ts'
import type { Tables } from './tables.ts'

/** Why the last call of a row of `deliveries` failed; null where it succeeded. */
export const lastFailure = sql<
  string | null
>`case when deliveries.last_at is null then deliveries.failure else deliveries.last_failure end`

/** Deliveries of webhooks: one row for each status version of an order, for any number of deliveries. */
export function deliveryCommands(db: Kysely<Tables>) {
  const add = prepare((value) =>
    db
      .insertInto('deliveries')
      .values({
        ...columns(value, 'shop_id', 'order_id', 'version', 'at', 'ms', 'status', 'failure', 'answer'),
        calls: sql<number>`1`,
        is_counted: sql<number>`1`,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['order_id', 'shop_id', 'version'])
          .where('is_counted', '=', sql.lit(1))
          .doUpdateSet((excluded) => ({
            calls: sql<number>`deliveries.calls + 1`,
            last_at: excluded.ref('excluded.at'),
            last_ms: excluded.ref('excluded.ms'),
            last_status: excluded.ref('excluded.status'),
            last_failure: excluded.ref('excluded.failure'),
            last_answer: excluded.ref('excluded.answer'),
          })),
      ),
  )
  const callsOf = prepare((value) =>
    db.selectFrom('deliveries').selectAll().where(ofOrder(value)).orderBy('version'),
  )
  // The table has no key: several rows of a node of the previous version may be alike.
  const row = isServer(db) ? sql`ctid` : sql`rowid`
  const oldest = (value: Place) =>
    sql`select ${row} from deliveries where coalesce(last_at, at) < ${value('before')}
      order by coalesce(last_at, at) limit ${value('limit')}`
  const forget = prepare((value) =>
    db
      .deleteFrom('deliveries')
      .where(
        isServer(db)
          ? sql<boolean>`${row} = any (array(${oldest(value)} for update skip locked))`
          : sql<boolean>`${row} in (${oldest(value)})`,
      )
      .returning(sql<number>`1`.as('one')),
  )

  const commands = {
    *deliveries(shopId, orderId) {
      const byVersion = Map.groupBy(yield* all(callsOf, { shopId, orderId }), ({ version }) => version)
      return Array.from(byVersion, ([version, rows]) => deliveriesFrom(version, rows))
    },
  } satisfies Partial<Commands>

  return {
    ...commands,

    addCall: ({ shopId, orderId }: Pick<LeasedOrder, 'shopId' | 'orderId'>, call: DeliveryCall): Step =>
      ask(add, { shopId, orderId, ...call }),

    /** Returns a row for each that it deletes. */
    forgetCalls: (before: number, limit: number) => ask(forget, { before, limit }),
  }
}

export type DeliveryCommands = Pick<ReturnType<typeof deliveryCommands>, 'addCall'>

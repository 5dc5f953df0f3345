import { type Kysely, sql } from 'kysely'
import type { Deliveries, DeliveryCall, LeasedOrder } from '../../store/webhooks.ts'
import { deliveriesFrom } from './call-rows.ts'
import { columns, isServer, ofOrder, type Place } from './columns.ts'
import { read } from './port.ts'
import { all, ask, type Command, prepare, type Step, type Value } from './query.ts'
import type { Tables } from './schema.ts'
import { forGroups, times } from './sets.ts'

/** Why the last call of a row of `deliveries` failed; null where it succeeded. */
export const lastFailure = sql<
  string | null
>`case when deliveries.last_at is null then deliveries.failure else deliveries.last_failure end`

/** Deliveries of webhooks: one row for each status version of an order, for any number of deliveries. */
export function deliveryCommands(db: Kysely<Tables>) {
  const add = forGroups((size, value) =>
    db
      .insertInto('deliveries')
      .values(
        times(size, () => ({
          ...columns(value, 'shop_id', 'order_id', 'version', 'at', 'ms', 'status', 'failure', 'answer'),
          calls: sql<number>`1`,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['shop_id', 'order_id', 'version']).doUpdateSet((excluded) => ({
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
    /** The deliveries of the last 30 days: the first, the last and the count for each status version, oldest first. */
    deliveries: read(function* (shopId: string, orderId: string): Command<Deliveries[]> {
      return (yield* all(callsOf, { shopId, orderId })).map(deliveriesFrom)
    }),
  }

  return {
    ...commands,

    addCall: (of: OfOrder, call: DeliveryCall): Step => add(1, valuesOf(of, call)),

    /** Adds a group of calls. */
    addCalls: (group: readonly { owed: OfOrder; call: DeliveryCall }[]): Step =>
      add(
        group.length,
        group.flatMap(({ owed, call }) => valuesOf(owed, call)),
      ),

    /** Returns a row for each that it deletes. */
    forgetCalls: (before: number, limit: number) => ask(forget, { before, limit }),
  }
}

type OfOrder = Pick<LeasedOrder, 'shopId' | 'orderId'>

const valuesOf = ({ shopId, orderId }: OfOrder, call: DeliveryCall): Value[] => {
  const { version, at, ms, status = null, failure = null, answer } = call
  return [shopId, orderId, version, at, ms, status, failure, answer]
}

export type DeliveryCommands = Pick<ReturnType<typeof deliveryCommands>, 'addCall' | 'addCalls'>

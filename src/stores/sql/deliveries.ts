import { type Kysely, type Selectable, sql } from 'kysely'
import type { Deliveries, DeliveryCall, LeasedOrder } from '../../store.ts'
import { all, ask, type Command, prepare, type Step } from './query.ts'
import type { Tables } from './tables.ts'

type Row = Selectable<Tables['deliveries']>

const callFrom = (
  version: number,
  row: Pick<Row, 'at' | 'ms' | 'status' | 'failure' | 'answer'>,
): DeliveryCall => ({
  at: row.at,
  ms: row.ms,
  version,
  status: row.status ?? undefined,
  failure: row.failure ?? undefined,
  answer: row.answer,
})

const lastOf = (row: Row): DeliveryCall[] =>
  row.last_at === null
    ? []
    : [
        callFrom(row.version, {
          at: row.last_at,
          ms: row.last_ms!,
          status: row.last_status,
          failure: row.last_failure,
          answer: row.last_answer!,
        }),
      ]

/** The deliveries of one status version. Besides the row that counts them there may be rows of nodes of the previous version. */
function deliveriesFrom(version: number, rows: readonly Row[]): Deliveries {
  const calls = rows
    .flatMap((row) => [callFrom(version, row), ...lastOf(row)])
    .toSorted((a, b) => a.at - b.at)
  return {
    version,
    calls: rows.reduce((sum, row) => sum + row.calls, 0),
    first: calls[0]!,
    last: calls.length > 1 ? calls.at(-1) : undefined,
  }
}

/** Deliveries of webhooks: one row for each status version of an order, for any number of deliveries. */
export function deliveryCommands(db: Kysely<Tables>) {
  const add = prepare((value) =>
    db
      .insertInto('deliveries')
      .values({
        shop_id: value('shopId'),
        order_id: value('orderId'),
        version: value('version'),
        calls: sql<number>`1`,
        is_counted: sql<number>`1`,
        at: value('at'),
        ms: value('ms'),
        status: value('status'),
        failure: value('failure'),
        answer: value('answer'),
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
  const ofOrder = prepare((value) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .orderBy('version'),
  )
  const forget = prepare((value) =>
    db.deleteFrom('deliveries').where(sql<boolean>`coalesce(last_at, at) < ${value('before')}`),
  )

  return {
    addCall: ({ shopId, orderId }: Pick<LeasedOrder, 'shopId' | 'orderId'>, call: DeliveryCall): Step =>
      ask(add, { shopId, orderId, ...call }),

    forgetCalls: (before: number): Step => ask(forget, { before }),

    *deliveries(shopId: string, orderId: string): Command<Deliveries[]> {
      const byVersion = Map.groupBy(yield* all(ofOrder, { shopId, orderId }), ({ version }) => version)
      return Array.from(byVersion, ([version, rows]) => deliveriesFrom(version, rows))
    },
  }
}

export type DeliveryCommands = Pick<ReturnType<typeof deliveryCommands>, 'addCall'>

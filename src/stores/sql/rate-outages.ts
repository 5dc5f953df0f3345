import { type Kysely, sql } from 'kysely'
import type { Outage } from '../../store/lanes.ts'
import type { BreakerKey } from '../../store/nodes.ts'
import { columns, ifGiven } from './columns.ts'
import { read } from './port.ts'
import { all, ask, type Command, prepare, together } from './query.ts'
import { breakerShop } from './rows.ts'
import type { Tables } from './schema.ts'

/** Outages with a shorter pause between them are one, in milliseconds. */
const apart = 60_000
/** So many reasons of one outage are kept, the last ones. */
const mostReasons = 3
const between = '; '

/** The reasons of an outage, each once. */
const reasonsOf = (...failures: readonly string[]): string =>
  [...new Set(failures.flatMap((one) => one.split(between)))].slice(-mostReasons).join(between)

type Ended = Tables['rate_outages']

/** Outages of rate adapters that are over. */
export function rateOutages(db: Kysely<Tables>) {
  const forget = prepare((value) => db.deleteFrom('rate_outages').where('ended_at', '<', value('before')))
  const takeLast = prepare((value) =>
    db
      .deleteFrom('rate_outages')
      .where('node', '=', value('node'))
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId'))
      .where('ended_at', '>=', value('from'))
      .returning(['began_at', 'failure']),
  )
  const add = prepare((value) =>
    db
      .insertInto('rate_outages')
      .values(columns(value, 'node', 'adapter', 'shop_id', 'began_at', 'ended_at', 'failure'))
      .onConflict((conflict) => conflict.doNothing()),
  )
  const since = prepare((value) =>
    db
      .selectFrom('rate_outages')
      .selectAll()
      .where('ended_at', '>=', value('since'))
      .where(ifGiven(value, 'adapter'))
      .where(
        sql<boolean>`(cast(${value('shopId')} as text) is null or shop_id in (${value('shopId')}, ${sql.lit('')}))`,
      )
      .orderBy('began_at')
      .orderBy('ended_at'),
  )

  return {
    forget: (before: number) => ask(forget, { before }),

    *end(outages: readonly Ended[]): Command<void> {
      if (outages.length === 0) return
      const keyed = outages.map(({ shop_id: shopId, began_at: beganAt, ended_at: endedAt, ...rest }) => ({
        ...{ shopId, beganAt, endedAt, ...rest },
      }))
      const last = yield* together(
        ...keyed.map((one) => ask(takeLast, { ...one, from: one.beganAt - apart })),
      )
      yield* together(
        ...keyed.map((one, place) =>
          ask(add, {
            ...one,
            beganAt: Math.min(one.beganAt, ...last[place]!.map(({ began_at }) => began_at)),
            failure: reasonsOf(...last[place]!.map(({ failure }) => failure), one.failure),
          }),
        ),
      )
    },

    commands: {
      /** Their outages that ended at or after a moment, in milliseconds since 1970. */
      rateOutages: read(function* ({
        shopId,
        adapter,
        since: from,
      }: {
        shopId?: string | undefined
        adapter?: string | undefined
        since: number
      }): Command<(BreakerKey & Outage)[]> {
        const rows = yield* all(since, { shopId, adapter, since: from })
        const alike = Map.groupBy(rows, (row) => `${row.adapter} ${row.shop_id}`)
        return [...alike.values()].flatMap((of) =>
          joined(of).map((outage) => ({
            ...{ adapter: of[0]!.adapter, shopId: breakerShop(of[0]!), ...outage },
          })),
        )
      }),
    },
  }
}

/** Several nodes see one outage. `rows` are sorted by their beginning. */
function joined(rows: readonly Ended[]): Outage[] {
  const found: Outage[] = []
  for (const { began_at: beganAt, ended_at: endedAt, failure } of rows) {
    const last = found.at(-1)
    if (!last || beganAt > last.endedAt + apart) found.push({ beganAt, endedAt, failure, calls: 0 })
    else
      Object.assign(last, {
        endedAt: Math.max(endedAt, last.endedAt),
        failure: reasonsOf(last.failure!, failure),
      })
  }
  return found
}

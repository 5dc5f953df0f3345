import { type Kysely, sql } from 'kysely'
import { skipLocked } from './columns.ts'
import type { deliveryCommands } from './deliveries.ts'
import { mayBeForgotten } from './lane-history.ts'
import { write } from './port.ts'
import { alone, ask, type Command, prepare, together } from './query.ts'
import type { rateOutages } from './rate-outages.ts'
import type { Tables } from './schema.ts'
import type { serviceFailureCommands } from './service-failures.ts'

interface Others {
  forgetCalls: ReturnType<typeof deliveryCommands>['forgetCalls']
  outages: ReturnType<typeof rateOutages>
  serviceFailures: ReturnType<typeof serviceFailureCommands>
}

/** Deletes what is old and at rest, and concerns no money. */
export function forgetCommands(db: Kysely<Tables>, { forgetCalls, outages, serviceFailures }: Others) {
  const forgetAsks = prepare((value) => db.deleteFrom('asks').where('hour', '<', value('before')))
  const forgetPushes = prepare((value) =>
    db
      .deleteFrom('pushes')
      .where(
        sql<boolean>`(shop_id, adapter, push_key) in ${db
          .selectFrom('pushes')
          .select(['shop_id', 'adapter', 'push_key'])
          .where('received_at', '<', value('before'))
          .where('due_at', 'is', null)
          .orderBy('received_at')
          .limit(value('limit'))
          .$call(skipLocked(db))}`,
      )
      .returning(sql<number>`1`.as('one')),
  )

  const forgetDrifts = prepare((value) => db.deleteFrom('drifts').where('last_at', '<', value('before')))

  // Owed or leased calls in a lane set the time of its next check.
  const forgetLanes = (['lanes', 'push_lanes'] as const).map((table) =>
    prepare((value) => db.deleteFrom(table).where(mayBeForgotten(value))),
  )

  return {
    /**
     * Deletes deliveries and pushes from before the given time, `limit` of each at most (default 1,000), and empty lanes. Resolves with whether
     * more may be left: other commands go on in between.
     */
    forget: write(function* (before: number, limit: number = 1_000): Command<boolean> {
      yield* alone()
      const [calls, kept] = yield* together(
        forgetCalls(before, limit),
        ask(forgetPushes, { before, limit }),
        ask(forgetAsks, { before }),
        ask(forgetDrifts, { before }),
        outages.forget(before),
        serviceFailures.forget(before),
        ...forgetLanes.map((forget) => ask(forget, { before })),
      )
      return calls.length === limit || kept.length === limit
    }),
  }
}

import { type Kysely, sql } from 'kysely'
import { anomalyCommands } from './anomalies.ts'
import { anomalyCauseCommands } from './anomaly-causes.ts'
import { attemptCommands } from './attempts.ts'
import { auditCommands } from './audit.ts'
import { breakerCommands } from './breakers.ts'
import { changeCommands } from './changes.ts'
import { skipLocked } from './columns.ts'
import { copyCommands } from './copies.ts'
import { countCommands } from './counts.ts'
import { deliveryCommands } from './deliveries.ts'
import { driftCommands } from './drifts.ts'
import { erasureCommands } from './erasure.ts'
import { findCommands } from './find.ts'
import { imageCommands } from './images.ts'
import { laneCommands } from './lane-commands.ts'
import { mayBeForgotten } from './lane-history.ts'
import { loadPayments } from './load-payments.ts'
import { moneyRequestCommands } from './money-requests.ts'
import { bulkShopCommands, newShops } from './new-shops.ts'
import { nodeCommands } from './nodes.ts'
import { owedCommands } from './owed.ts'
import { paymentCommands } from './payments.ts'
import type { Commands } from './port.ts'
import { pushRecordCommands } from './push-records.ts'
import { pushCommands } from './pushes.ts'
import { alone, ask, prepare, together } from './query.ts'
import { rateOutages } from './rate-outages.ts'
import { sealedCommands } from './sealed.ts'
import { serviceFailureCommands } from './service-failures.ts'
import { addressCommands, loadShops, shopCommands } from './shops.ts'
import type { Tables } from './tables.ts'
import { unreadCommands } from './unread.ts'
import { waitingCommands } from './waiting.ts'
import { webhookKeyCommands } from './webhook-keys.ts'
import { webhookCommands } from './webhooks.ts'

/** The commands of the store port on SQL. Each is one transaction. */
export function sqlCommands(db: Kysely<Tables>): Commands {
  const audit = auditCommands(db)
  const shopRows = newShops(db, audit)
  const shops = { load: loadShops(db), rows: shopRows, audit }
  const anomalies = anomalyCommands(db, audit)
  const causes = anomalyCauseCommands(db, audit)
  const { addCall, forgetCalls, ...deliveries } = deliveryCommands(db)
  const webhooks = webhookCommands(db, { addCall })
  const pushes = pushCommands(db)
  const load = loadPayments(db)
  const outages = rateOutages(db)
  const serviceFailures = serviceFailureCommands(db)
  const changes = changeCommands(db)
  const owed = owedCommands(db)
  const unread = unreadCommands(db, webhooks)
  const waiting = waitingCommands(db)
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
    ...shopCommands(db, shops),
    ...addressCommands(db, shops),
    ...bulkShopCommands(db, shopRows),
    ...webhookKeyCommands(db, audit),
    ...audit,
    ...anomalies,
    ...causes,
    ...findCommands(db),
    ...deliveries,
    ...webhooks,
    ...owed,
    ...unread,
    ...waiting,
    ...countCommands({ ...anomalies, ...causes, ...owed, ...unread, ...waiting }),
    ...laneCommands(db, { webhooks, pushes, audit }),
    ...breakerCommands(db, audit, outages),
    ...outages.commands,
    ...serviceFailures.commands,
    ...changes.commands,
    ...paymentCommands(db, { load, anomalies, changes, webhooks, pushes, audit }),
    ...moneyRequestCommands(db, { load, audit }),
    ...attemptCommands(db, load),
    ...pushes.commands,
    ...pushRecordCommands(db),
    ...sealedCommands(db),
    ...imageCommands(db),
    ...driftCommands(db),
    ...nodeCommands(db),
    ...copyCommands(db),
    ...erasureCommands(db, audit),

    *forget(before, limit = 1_000) {
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
    },
  }
}

import { anomalyCommands } from './payments/commands/anomalies.ts'
import { attemptCommands } from './payments/commands/attempts.ts'
import { checkCommands, serviceFailureCommands } from './payments/commands/checks.ts'
import { erasureCommands, forgetCommands } from './payments/commands/erasure.ts'
import { changeCommands, findCommands } from './payments/commands/find.ts'
import { loadPayments } from './payments/commands/load-payments.ts'
import { moneyRequestCommands } from './payments/commands/money-requests.ts'
import { paymentCommands } from './payments/commands/payments.ts'
import { pushRecordCommands } from './payments/commands/push-records.ts'
import { pushCommands } from './payments/commands/pushes.ts'
import { breakerCommands } from './rates/commands/breakers.ts'
import { questionCommands } from './rates/commands/questions.ts'
import { addressCommands, webhookKeyCommands } from './shops/commands/addresses.ts'
import { auditCommands } from './shops/commands/audit.ts'
import { consoleCommands } from './shops/commands/console.ts'
import { driftCommands } from './shops/commands/drifts.ts'
import { imageCommands } from './shops/commands/images.ts'
import { bulkShopCommands, newShops, removedShops } from './shops/commands/new-shops.ts'
import { sealedCommands } from './shops/commands/sealed.ts'
import { loadShops, shopCommands } from './shops/commands/shops.ts'
import { standingCommands } from './shops/commands/standings.ts'
import type { Db } from './store/columns.ts'
import { nodeCommands } from './store/nodes.ts'
import { inOneFlight, read } from './store/query.ts'
import { sameCauseWithin } from './store.ts'
import { deliveryCommands } from './webhooks/commands/deliveries.ts'
import { laneCommands } from './webhooks/commands/lane-commands.ts'
import { unreadCommands } from './webhooks/commands/unread.ts'
import { webhookCommands } from './webhooks/commands/webhooks.ts'

/** The commands of the store port on SQL. Each is one transaction. */
export function sqlCommands(db: Db) {
  const audit = auditCommands(db)
  const shopRows = newShops(db, audit)
  const removed = removedShops(db)
  const shops = { load: loadShops(db), rows: shopRows, audit, removed }
  const anomalies = anomalyCommands(db, audit)
  const { addCalls, ...deliveries } = deliveryCommands(db)
  const webhooks = webhookCommands(db, addCalls)
  const pushes = pushCommands(db, removed)
  const load = loadPayments(db)
  const unread = unreadCommands(db, webhooks)
  const lanes = laneCommands(db, { webhooks, pushes, audit })

  return {
    ...shopCommands(db, shops),
    ...standingCommands(db),
    ...addressCommands(db, shops),
    ...bulkShopCommands(shopRows, removed),
    ...webhookKeyCommands(db, audit),
    ...audit,
    ...anomalies,
    ...findCommands(db, load),
    ...deliveries,
    ...webhooks,
    ...unread,
    ...lanes,
    /** All that metrics show of a store, read at one moment. Their causes are those of the newest 5,000 anomalies: about 15 ms of CPU on SQLite. */
    countAll: read(function* (now: number) {
      const [ofWebhooks, ofAnomalies, causes, ofUnread, waiting] = yield* inOneFlight(
        deliveries.countWebhooks(),
        anomalies.countAnomalies(),
        anomalies.countCauses({ within: sameCauseWithin, newest: 5_000 }),
        unread.countUnread(now),
        lanes.countWaiting(now),
      )
      return { webhooks: ofWebhooks, anomalies: ofAnomalies, causes, unread: ofUnread, waiting }
    }),
    ...breakerCommands(db, audit),
    ...serviceFailureCommands(db),
    ...changeCommands(db),
    ...paymentCommands(db, { load, anomalies, webhooks, audit, removed }),
    ...moneyRequestCommands(db, load, audit),
    ...attemptCommands(db, load, pushes.names),
    ...checkCommands(db, load),
    ...pushes.commands,
    ...pushRecordCommands(db),
    ...sealedCommands(db),
    ...imageCommands(db),
    ...driftCommands(db),
    ...nodeCommands(db),
    ...consoleCommands(db, audit),
    ...questionCommands(db),
    ...erasureCommands(db, audit, shops.load),
    ...forgetCommands(db),
  }
}

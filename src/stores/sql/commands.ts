import { sameCauseWithin } from '../../store.ts'
import { addressCommands, webhookKeyCommands } from './addresses.ts'
import { anomalyCommands } from './anomalies.ts'
import { attemptCommands } from './attempts.ts'
import { auditCommands } from './audit.ts'
import { breakerCommands } from './breakers.ts'
import { changeCommands } from './changes.ts'
import type { Db } from './columns.ts'
import { driftCommands } from './drifts.ts'
import { erasureCommands, forgetCommands } from './erasure.ts'
import { findCommands } from './find.ts'
import { imageCommands } from './images.ts'
import { loadPayments, moneyRequestCommands } from './load-payments.ts'
import { bulkShopCommands, newShops, removedShops } from './new-shops.ts'
import { nodeCommands } from './nodes.ts'
import { paymentCommands } from './payments.ts'
import { read } from './port.ts'
import { inOneFlight } from './query.ts'
import { checkCommands } from './queue/checks.ts'
import { deliveryCommands, owedCommands } from './queue/deliveries.ts'
import { laneCommands } from './queue/lane-commands.ts'
import { pushRecordCommands } from './queue/push-records.ts'
import { pushCommands } from './queue/pushes.ts'
import { unreadCommands } from './queue/unread.ts'
import { webhookCommands } from './queue/webhooks.ts'
import { sealedCommands } from './sealed.ts'
import { serviceFailureCommands } from './service-failures.ts'
import { loadShops, shopCommands } from './shops.ts'

/** The commands of the store port on SQL. Each is one transaction. */
export function sqlCommands(db: Db) {
  const audit = auditCommands(db)
  const shopRows = newShops(db, audit)
  const removed = removedShops(db)
  const shops = { load: loadShops(db), rows: shopRows, audit, removed }
  const anomalies = anomalyCommands(db, audit)
  const { addCall, addCalls, ...deliveries } = deliveryCommands(db)
  const webhooks = webhookCommands(db, { addCall, addCalls })
  const pushes = pushCommands(db, removed)
  const load = loadPayments(db)
  const changes = changeCommands(db)
  const owed = owedCommands(db)
  const unread = unreadCommands(db, webhooks)
  const lanes = laneCommands(db, { webhooks, pushes, audit })

  return {
    ...shopCommands(db, shops),
    ...addressCommands(db, shops),
    ...bulkShopCommands(shopRows, removed),
    ...webhookKeyCommands(db, audit),
    ...audit,
    ...anomalies,
    ...findCommands(db),
    ...deliveries,
    ...webhooks,
    ...owed,
    ...unread,
    ...lanes,
    /** All that metrics show of a store, read at one moment. Their causes are those of the newest 5,000 anomalies: about 15 ms of CPU on SQLite. */
    countAll: read(function* (now: number) {
      const [ofWebhooks, ofAnomalies, causes, ofUnread, waiting] = yield* inOneFlight(
        owed.countWebhooks(),
        anomalies.countAnomalies(),
        anomalies.countCauses({ within: sameCauseWithin, newest: 5_000 }),
        unread.countUnread(now),
        lanes.countWaiting(now),
      )
      return { webhooks: ofWebhooks, anomalies: ofAnomalies, causes, unread: ofUnread, waiting }
    }),
    ...breakerCommands(db, audit),
    ...serviceFailureCommands(db),
    ...changes.commands,
    ...paymentCommands(db, { load, anomalies, changes, webhooks, pushes, audit, removed }),
    ...moneyRequestCommands(db, { load, audit }),
    ...attemptCommands(db, load),
    ...checkCommands(db, load),
    ...pushes.commands,
    ...pushRecordCommands(db),
    ...sealedCommands(db),
    ...imageCommands(db),
    ...driftCommands(db),
    ...nodeCommands(db),
    ...erasureCommands(db, audit, shops.load),
    ...forgetCommands(db),
  }
}

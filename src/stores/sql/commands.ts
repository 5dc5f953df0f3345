import { addressCommands, webhookKeyCommands } from './addresses.ts'
import { anomalyCommands } from './anomalies.ts'
import { attemptCommands } from './attempts.ts'
import { auditCommands } from './audit.ts'
import { breakerCommands, nodeCommands } from './breakers.ts'
import { changeCommands } from './changes.ts'
import { checkCommands } from './checks.ts'
import type { Db } from './columns.ts'
import { countCommands, waitingCommands } from './counts.ts'
import { deliveryCommands, owedCommands } from './deliveries.ts'
import { driftCommands } from './drifts.ts'
import { erasureCommands, forgetCommands } from './erasure.ts'
import { findCommands } from './find.ts'
import { imageCommands } from './images.ts'
import { laneCommands } from './lane-commands.ts'
import { loadPayments } from './load-payments.ts'
import { moneyRequestCommands } from './money-requests.ts'
import { bulkShopCommands, newShops, removedShops } from './new-shops.ts'
import { paymentCommands } from './payments.ts'
import { pushCommands } from './pushes.ts'
import { sealedCommands } from './sealed.ts'
import { serviceFailureCommands } from './service-failures.ts'
import { pushRecordCommands } from './settle-pushes.ts'
import { loadShops, shopCommands } from './shops.ts'
import { unreadCommands } from './unread.ts'
import { webhookCommands } from './webhooks.ts'

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
  const waiting = waitingCommands(db)

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
    ...waiting,
    ...countCommands({ ...anomalies, ...owed, ...unread, ...waiting }),
    ...laneCommands(db, { webhooks, pushes, audit }),
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

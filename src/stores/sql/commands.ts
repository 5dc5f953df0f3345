import type { Kysely } from 'kysely'
import type { StorePort } from '../../store.ts'
import { anomalyCommands } from './anomalies.ts'
import { anomalyCauseCommands } from './anomaly-causes.ts'
import { auditCommands } from './audit.ts'
import { breakerCommands } from './breakers.ts'
import { bulkShopCommands } from './bulk-shops.ts'
import { deliveryCommands } from './deliveries.ts'
import { erasureCommands } from './erasure.ts'
import { findCommands } from './find.ts'
import { laneCommands } from './lane-commands.ts'
import { nodeCommands } from './nodes.ts'
import { owedCommands } from './owed.ts'
import { paymentCommands } from './payments.ts'
import { pushRecordCommands } from './push-records.ts'
import { pushCommands } from './pushes.ts'
import { ask, type Command, prepare, together } from './query.ts'
import { sealedCommands } from './sealed.ts'
import { shopCommands } from './shops.ts'
import type { Tables } from './tables.ts'
import { unreadCommands } from './unread.ts'
import { waitingCommands } from './waiting.ts'
import { webhookKeyCommands } from './webhook-keys.ts'
import { webhookCommands } from './webhooks.ts'

/** The commands of the store port on SQL. Each is one transaction. */
export function sqlCommands(db: Kysely<Tables>) {
  const audit = auditCommands(db)
  const anomalies = anomalyCommands(db, audit)
  const { addCall, forgetCalls, ...deliveries } = deliveryCommands(db)
  const webhooks = webhookCommands(db, { addCall })
  const pushes = pushCommands(db)
  const forgetPushes = prepare((value) =>
    db.deleteFrom('pushes').where('received_at', '<', value('before')).where('due_at', 'is', null),
  )

  // Owed or leased calls in a lane set the time of its next check.
  const forgetLanes = (['lanes', 'push_lanes'] as const).map((table) =>
    ask(
      prepare(() => db.deleteFrom(table).where('next_due', 'is', null)),
      {},
    ),
  )

  return {
    ...shopCommands(db, audit),
    ...bulkShopCommands(db),
    ...webhookKeyCommands(db, audit),
    ...audit,
    ...anomalies,
    ...anomalyCauseCommands(db, audit),
    ...findCommands(db),
    ...deliveries,
    ...webhooks,
    ...owedCommands(db),
    ...unreadCommands(db, webhooks),
    ...waitingCommands(db),
    ...laneCommands(db, { webhooks, pushes, audit }),
    ...breakerCommands(db, audit),
    ...paymentCommands(db, anomalies, webhooks, audit),
    ...pushes,
    ...pushRecordCommands(db),
    ...sealedCommands(db),
    ...nodeCommands(db),
    ...erasureCommands(db, audit),

    *forget(before: number): Command<void> {
      yield* together(forgetCalls(before), ask(forgetPushes, { before }), ...forgetLanes)
    },
  } satisfies {
    [Name in CommandName]: (
      ...args: Parameters<StorePort[Name]>
    ) => Command<Awaited<ReturnType<StorePort[Name]>>>
  }
}

type NotACommand =
  | 'open'
  | 'close'
  | 'check'
  | 'watch'
  | 'volatile'
  | 'warnings'
  | 'now'
  | 'clockState'
  | 'releaseClock'
export type CommandName = Exclude<keyof StorePort, NotACommand | symbol>

/** No caller waits for `patient` ones: they may wait a few milliseconds, so that more of them share a commit. */
export type CommandKind = 'read' | 'write' | 'patient'

export const commandKinds: Record<CommandName, CommandKind> = {
  ensureShop: 'write',
  addShops: 'write',
  shopsAmong: 'read',
  shop: 'read',
  shops: 'read',
  removeShop: 'write',
  setDisabled: 'write',
  saveSettings: 'write',
  shopByEndpoint: 'read',
  endpoints: 'read',
  rotateEndpoint: 'write',
  webhookKeys: 'read',
  ensureWebhookKey: 'write',
  rotateWebhookKey: 'write',
  noteShop: 'write',
  bindShop: 'write',
  changeHosts: 'write',
  auditTrail: 'read',
  pruneAuditTrail: 'write',
  sealed: 'read',
  sealedOtherwise: 'read',
  countSealedOtherwise: 'read',
  reseal: 'write',
  noteNode: 'write',
  nodes: 'read',
  forgetNode: 'write',
  key: 'read',
  ensureKey: 'write',
  openAttempt: 'write',
  noteStart: 'write',
  learn: 'write',
  payment: 'read',
  payments: 'read',
  attempt: 'read',
  attemptByReference: 'read',
  attemptByPage: 'read',
  movePage: 'write',
  leasePage: 'write',
  releasePage: 'write',
  noteRead: 'patient',
  claimChecks: 'write',
  setCheck: 'patient',
  openAnomaly: 'write',
  closeAnomaly: 'write',
  anomalies: 'read',
  countAnomalies: 'read',
  anomalyCauses: 'read',
  chooseAnomalies: 'read',
  closeAnomalies: 'write',
  findOrders: 'read',
  shopsOfOrder: 'read',
  statusVersions: 'read',
  claimWebhooks: 'write',
  renewLeases: 'patient',
  settleWebhook: 'patient',
  postponeWebhook: 'patient',
  replayWebhook: 'write',
  webhooks: 'read',
  deliveries: 'read',
  nextWebhookDue: 'read',
  countWebhooks: 'read',
  remindUnread: 'write',
  countUnread: 'read',
  countWaiting: 'read',
  lanes: 'read',
  openLane: 'write',
  noteBreakers: 'write',
  breakers: 'read',
  releaseBreakers: 'write',
  ensurePushAddress: 'write',
  shopByPushToken: 'read',
  keepPush: 'write',
  adoptPushes: 'write',
  adaptersWithPushes: 'read',
  claimPushes: 'write',
  renewPushes: 'patient',
  settlePush: 'patient',
  postponePush: 'patient',
  pushes: 'read',
  countPushTroubles: 'read',
  forget: 'write',
  erasePayment: 'write',
  prunePayments: 'write',
}

/** Builds the port's commands from one function that runs any of them. */
export function portOf(
  run: (
    kind: CommandKind,
    command: (commands: SqlCommands) => Command<unknown>,
    name: string,
  ) => Promise<unknown>,
): Omit<StorePort, NotACommand> {
  const port = Object.entries(commandKinds).map(([name, kind]) => [
    name,
    (...args: never[]) =>
      run(kind, (commands) => (commands[name as CommandName] as AnyCommand)(...args), name),
  ])
  return Object.fromEntries(port) as Omit<StorePort, NotACommand>
}

type AnyCommand = (...args: never[]) => Command<unknown>
export type SqlCommands = ReturnType<typeof sqlCommands>

import type { Kysely } from 'kysely'
import type { Store } from '../../store.ts'
import { anomalyCommands } from './anomalies.ts'
import { notificationCommands } from './notifications.ts'
import { paymentCommands } from './payments.ts'
import { pushCommands } from './pushes.ts'
import { all, type Command, prepare } from './query.ts'
import { shopCommands } from './shops.ts'
import type { Tables } from './tables.ts'

/** The commands of the store port on SQL. Each is one transaction. */
export function sqlCommands(db: Kysely<Tables>) {
  const anomalies = anomalyCommands(db)
  const notifications = notificationCommands(db)
  const forgetDeliveries = prepare((value) => db.deleteFrom('deliveries').where('at', '<', value('before')))
  const forgetPushes = prepare((value) =>
    db.deleteFrom('pushes').where('received_at', '<', value('before')).where('due_at', 'is', null),
  )

  return {
    ...shopCommands(db),
    ...anomalies,
    ...notifications,
    ...paymentCommands(db, anomalies, notifications),
    ...pushCommands(db),

    *forget(before: number): Command<void> {
      yield* all(forgetDeliveries, { before })
      yield* all(forgetPushes, { before })
    },
  } satisfies {
    [Name in CommandName]: (...args: Parameters<Store[Name]>) => Command<Awaited<ReturnType<Store[Name]>>>
  }
}

export type CommandName = Exclude<keyof Store, 'open' | 'close' | 'check'>

/** Whether a command only reads. */
export const onlyReads: Record<CommandName, boolean> = {
  ensureShop: false,
  shopByEndpoint: true,
  noteShop: false,
  openAttempt: false,
  noteStart: false,
  learn: false,
  payment: true,
  payments: true,
  attempt: true,
  attemptByReference: true,
  attemptByPageToken: true,
  noteRead: false,
  claimChecks: false,
  setCheck: false,
  openAnomaly: false,
  closeAnomaly: false,
  anomalies: true,
  claimNotifications: false,
  renewLeases: false,
  settleNotification: false,
  postponeNotification: false,
  replayNotification: false,
  notifications: true,
  deliveries: true,
  nextNotificationDue: true,
  countNotifications: true,
  ensurePushAddress: false,
  shopByPushToken: true,
  keepPush: false,
  claimPushes: false,
  settlePush: false,
  pushes: true,
  forget: false,
}

/** Builds the port's commands from one function that runs any of them. */
export function portOf(
  run: (onlyReads: boolean, command: (commands: SqlCommands) => Command<unknown>) => Promise<unknown>,
): Omit<Store, 'open' | 'close' | 'check'> {
  const port = Object.entries(onlyReads).map(([name, reads]) => [
    name,
    (...args: never[]) => run(reads, (commands) => (commands[name as CommandName] as AnyCommand)(...args)),
  ])
  return Object.fromEntries(port) as Omit<Store, 'open' | 'close' | 'check'>
}

type AnyCommand = (...args: never[]) => Command<unknown>
export type SqlCommands = ReturnType<typeof sqlCommands>

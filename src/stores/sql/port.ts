import type { StoreConnection, StorePort } from '../../store.ts'
import type { Command } from './query.ts'

type CommandOf<Member> = Member extends (...args: infer Args) => Promise<infer Result>
  ? (...args: Args) => Command<Result>
  : never

/** The commands of the store port as generators over their queries. */
export type Commands = { [Name in CommandName]: CommandOf<StorePort[Name]> }
export type CommandName = Exclude<keyof StorePort, keyof StoreConnection | symbol>

/** No caller waits for `patient` ones: they may wait a few milliseconds, so that more of them share a commit. */
export type CommandKind = 'read' | 'write' | 'patient'

export const commandKinds: Record<CommandName, CommandKind> = {
  ensureShop: 'write',
  addShops: 'write',
  shopsAmong: 'read',
  shop: 'read',
  shops: 'read',
  countShops: 'read',
  removeShop: 'write',
  setDisabled: 'write',
  saveSettings: 'write',
  shopByEndpoint: 'read',
  knownTokens: 'read',
  endpoints: 'read',
  liveEndpoints: 'read',
  rotateEndpoint: 'write',
  webhookKeys: 'read',
  ensureWebhookKey: 'write',
  rotateWebhookKey: 'write',
  keepImage: 'write',
  dropImagesBut: 'write',
  image: 'read',
  noteShop: 'write',
  bindShop: 'write',
  changeHosts: 'write',
  auditTrail: 'read',
  pruneAuditTrail: 'write',
  sealed: 'read',
  sealedOtherwise: 'read',
  countSealedOtherwise: 'read',
  reseal: 'write',
  noteDrifts: 'write',
  drifts: 'read',
  noteNode: 'write',
  nodes: 'read',
  forgetNode: 'write',
  copyMarks: 'read',
  noteServed: 'write',
  key: 'read',
  ensureKey: 'write',
  openAttempt: 'write',
  noteStart: 'write',
  learn: 'write',
  payment: 'read',
  payments: 'read',
  paymentSummaries: 'read',
  attempt: 'read',
  attemptByReference: 'read',
  attemptByPage: 'read',
  movePage: 'write',
  leasePage: 'write',
  releasePage: 'write',
  noteRead: 'patient',
  claimChecks: 'write',
  setCheck: 'patient',
  openMoneyRequest: 'write',
  settleMoneyRequest: 'patient',
  moneyRequests: 'read',
  noteAsked: 'patient',
  countAsk: 'write',
  nextChecks: 'read',
  openAnomaly: 'write',
  closeAnomaly: 'write',
  anomalies: 'read',
  countAnomalies: 'read',
  countCauses: 'read',
  placeChanges: 'write',
  changes: 'read',
  anomalyCauses: 'read',
  chooseAnomalies: 'read',
  closeAnomalies: 'write',
  findOrders: 'read',
  shopsOfOrder: 'read',
  statusVersions: 'read',
  claimWebhooks: 'write',
  renewLeases: 'patient',
  settleWebhook: 'patient',
  settleWebhooks: 'write',
  postponeWebhook: 'patient',
  replayWebhook: 'write',
  webhooks: 'read',
  deliveries: 'read',
  nextWebhookDue: 'read',
  countWebhooks: 'read',
  remindUnread: 'write',
  countUnread: 'read',
  countWaiting: 'read',
  countAll: 'read',
  lanes: 'read',
  laneFailures: 'read',
  waitingPushes: 'read',
  openLane: 'write',
  noteBreakers: 'write',
  breakers: 'read',
  rateOutages: 'read',
  releaseBreakers: 'write',
  ensurePushAddress: 'write',
  shopByPushToken: 'read',
  keepPush: 'write',
  keepPushOnce: 'write',
  adoptPushes: 'write',
  adaptersWithPushes: 'read',
  claimPushes: 'write',
  renewPushes: 'patient',
  settlePush: 'patient',
  parkPush: 'patient',
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
    command: (commands: Commands) => Command<unknown>,
    name: string,
  ) => Promise<unknown>,
): Omit<StorePort, keyof StoreConnection> {
  const port = Object.entries(commandKinds).map(([name, kind]) => [
    name,
    (...args: never[]) =>
      run(kind, (commands) => (commands[name as CommandName] as AnyCommand)(...args), name),
  ])
  return Object.fromEntries(port) as Omit<StorePort, keyof StoreConnection>
}

type AnyCommand = (...args: never[]) => Command<unknown>

import { expect, test } from 'vitest'
import { Db } from '../src/store/columns.ts'
import type { Command, CommandKind } from '../src/store/query.ts'
import { sqlCommands } from '../src/store-commands.ts'

const db = new Db('sqlite')

/** Stands for any argument: has every field, holds nothing, and reads as `*` in a text. */
const anything: unknown = new Proxy(() => {}, {
  get: (_target, field) => {
    if (field === Symbol.toPrimitive) return () => '*'
    return field === Symbol.iterator ? () => [][Symbol.iterator]() : anything
  },
  apply: () => anything,
})

/** The holds of a command before its first query. */
function heldBy(make: (...args: never[]) => Command<unknown>): string {
  const { value, done } = make(...(Array(6).fill(anything) as never[])).next()
  if (done || !('hold' in value)) return 'not said'
  const held = value.hold.join(', ').replaceAll('undefined', '*') || 'nothing'
  return value.alone ? `${held}, alone` : held
}

/** Each write by what it holds from its start. Two that hold the same never run side by side. */
const writesByHold = {
  'shops, alone':
    'addShops bindShop changeHosts noteServed removeShop rotateEndpoint rotateWebhookKey saveSettings setDisabled',
  'service failures *': 'noteServiceFailures',
  shops: 'dropImagesBut keepImage',
  'order * *':
    'learn noteRead noteStart openAnomaly openAttempt openMoneyRequest postponeWebhook replayWebhook settleMoneyRequest settleWebhook',
  'order * *, alone': 'erasePayment',
  'page * *': 'leasePage releasePage',
  'push * * *': 'keepPush keepPushOnce parkPush postponePush settlePush',
  'anomalies, alone': 'closeAnomalies closeAnomaly',
  'asks *, alone': 'countAsk',
  'breakers, alone': 'noteBreakers releaseBreakers',
  drifts: 'noteDrifts',
  'feed changes, alone': 'placeChanges',
  nodes: 'forgetNode',
  'nodes, alone': 'noteNode',
  'reminders, alone': 'remindUnread',
  nothing:
    'addConsoleLink forgetMinutes forgetQuestions noteAsked noteAudit noteCalls noteComparison noteMinutes noteQuestions noteShop setCheck signOutOfConsole spendConsoleLink',
  'nothing, alone':
    'claimChecks claimPushes claimWebhooks ensureKey ensurePushAddress ensureShop ensureWebhookKey forget openLane pruneAuditTrail prunePayments renewLeases renewPushes reseal settleWebhooks',
}

test('what each write holds, so that no other about the same runs beside it', () => {
  const commands = sqlCommands(db) as unknown as Record<string, { kind?: CommandKind }>
  const writes = Object.keys(commands).filter((name) => !['read', undefined].includes(commands[name]!.kind))
  const found = Object.groupBy(writes.toSorted(), (name) => heldBy(commands[name] as never))
  const expected = Object.entries(writesByHold).map(([hold, names]) => [hold, names.split(' ')])
  expect(found).toEqual(Object.fromEntries(expected))
})

test('a query is marked as a write by how it is built', () => {
  expect(db.rowsBy('shops', ['id'])({}).writes).toBe(false)
  expect(db.deleteBy('shops', 'id')({}).writes).toBe(true)
  expect(db.setColumns('shops', ['platform_id'], ['id'])({}).writes).toBe(true)
  expect(db.addRow('keys')({}).writes).toBe(true)
})

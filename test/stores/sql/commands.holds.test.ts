import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { sqlCommands } from '../../../src/stores/sql/commands.ts'
import { type CommandName, commandKinds } from '../../../src/stores/sql/port.ts'
import { type Command, prepare } from '../../../src/stores/sql/query.ts'
import type { Tables } from '../../../src/stores/sql/tables.ts'

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new SqliteIntrospector(one),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

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
  if (done) return 'nothing to do'
  if (!('hold' in value)) return 'everything'
  return value.hold.length === 0 ? 'nothing' : value.hold.join(', ').replaceAll('undefined', '*')
}

/** Each write by what it holds from its start: two that hold the same never run side by side. One that holds everything runs alone. */
const writesByHold: Record<string, CommandName[]> = {
  everything: [
    'bindShop',
    'changeHosts',
    'claimChecks',
    'claimPushes',
    'claimWebhooks',
    'closeAnomaly',
    'ensureKey',
    'ensurePushAddress',
    'ensureShop',
    'ensureWebhookKey',
    'erasePayment',
    'forget',
    'openLane',
    'pruneAuditTrail',
    'prunePayments',
    'releaseBreakers',
    'remindUnread',
    'removeShop',
    'rotateEndpoint',
    'rotateWebhookKey',
    'saveSettings',
    'setDisabled',
  ],
  'order * *': [
    'learn',
    'noteStart',
    'openAttempt',
    'openMoneyRequest',
    'postponeWebhook',
    'replayWebhook',
    'settleMoneyRequest',
    'settleWebhook',
  ],
  'feed changes': ['placeChanges'],
  'push lane * *': ['keepPush', 'keepPushOnce', 'parkPush', 'postponePush', 'settlePush'],
  'asks *': ['countAsk'],
  'shop *': ['noteShop'],
  'breakers of *': ['noteBreakers'],
  nothing: [
    'addShops',
    'adoptPushes',
    'closeAnomalies',
    'dropImagesBut',
    'forgetNode',
    'keepImage',
    'leasePage',
    'movePage',
    'noteAsked',
    'noteDrifts',
    'noteNode',
    'noteRead',
    'openAnomaly',
    'releasePage',
    'renewLeases',
    'renewPushes',
    'reseal',
    'setCheck',
  ],
}

test('what each write holds, so that others about the same wait for it', () => {
  const commands = sqlCommands(db)
  const names = Object.keys(commandKinds) as CommandName[]
  const writes = names.filter((name) => commandKinds[name] !== 'read').toSorted()
  expect(Object.groupBy(writes, (name) => heldBy(commands[name] as never))).toEqual(writesByHold)
})

test('a query is marked as a write by how it is built', () => {
  const writes = (build: Parameters<typeof prepare>[0]) => prepare(build).writes
  expect(writes(() => db.selectFrom('shops').selectAll())).toBe(false)
  expect(writes(() => db.deleteFrom('shops'))).toBe(true)
  expect(writes((value) => db.updateTable('shops').set({ platform_id: value('platformId') }))).toBe(true)
  expect(
    writes((value) => db.insertInto('write_probes').values({ id: value('id'), filler: value('filler') })),
  ).toBe(true)
})

import { sql } from 'kysely'
import { sameCauseWithin } from '../../store.ts'
import { addressCommands, webhookKeyCommands } from './addresses.ts'
import { anomalyCommands } from './anomalies.ts'
import { attemptCommands } from './attempts.ts'
import { auditCommands } from './audit.ts'
import { changeCommands } from './changes.ts'
import { columns, type Db, ifGiven, matching, prepareText, putRow, rowsBy } from './columns.ts'
import { erasureCommands, forgetCommands } from './erasure.ts'
import { findCommands } from './find.ts'
import { loadPayments, moneyRequestCommands } from './load-payments.ts'
import { bulkShopCommands, newShops, removedShops } from './new-shops.ts'
import { breakerCommands, nodeCommands } from './nodes.ts'
import { paymentCommands } from './payments.ts'
import { read, write } from './port.ts'
import {
  administration,
  all,
  ask,
  type Command,
  first,
  holding,
  inOneFlight,
  lastly,
  prepare,
  writeHolding,
} from './query.ts'
import { checkCommands } from './queue/checks.ts'
import { deliveryCommands, owedCommands } from './queue/deliveries.ts'
import { laneCommands } from './queue/lane-commands.ts'
import { pushRecordCommands } from './queue/push-records.ts'
import { pushCommands } from './queue/pushes.ts'
import { unreadCommands } from './queue/unread.ts'
import { webhookCommands } from './queue/webhooks.ts'
import { type Plain, plain } from './rows.ts'
import { sealedCommands } from './sealed.ts'
import { loadShops, shopCommands } from './shops.ts'
import type { ServiceFailureKind, Tables } from './tables/schema.ts'

const key = ['shop_id', 'message', 'path', 'kind', 'became'] as const

/** A field that the contract does not know, or knows in another form. Never a value. Times are milliseconds since 1970. */
export type DriftRecord = Plain<Tables['drifts']>

function driftCommands(db: Db) {
  const note = prepare((value) =>
    db
      .insertInto('drifts')
      .values(columns(value, ...key, 'count', 'first_at', 'last_at'))
      .onConflict((conflict) =>
        conflict.columns(key).doUpdateSet({
          count: sql<number>`drifts.count + excluded.count`,
          last_at: sql<number>`excluded.last_at`,
        }),
      ),
  )
  const latest = prepareText(db)<Tables['drifts']>(
    (value) => sql`select * from drifts where ${ifGiven(value, 'shop_id')}
      order by last_at desc, shop_id, path limit ${value('limit')}`,
  )

  return {
    /** Adds the counts to those of before. */
    noteDrifts: write(function* (drifts: readonly DriftRecord[]): Command<void> {
      yield* holding('drifts')
      yield* lastly(...drifts.map((drift) => ask(note, { ...drift })))
    }),

    /** Up to `limit` drifts of a shop, or of all, the latest first. */
    drifts: read(function* (filter: { shopId?: string | undefined; limit: number }) {
      return (yield* all(latest, filter)).map(plain)
    }),
  }
}

/** The failures of one payment service for one shop, as one node saw them. Times are milliseconds since 1970. */
export type ServiceFailures = Plain<Omit<Tables['service_failures'], 'node'>>

interface ServiceFailureFilter {
  kind: ServiceFailureKind
  shopId?: string | undefined
  adapter?: string | undefined
  since: number
}

function serviceFailureCommands(db: Db) {
  const note = putRow(db, 'service_failures')
  const since = prepareText(db)<Tables['service_failures']>(
    (
      value,
    ) => sql`select * from service_failures where ${matching(value, 'kind')} and last_at >= ${value('since')}
      and ${ifGiven(value, 'shop_id')} and ${ifGiven(value, 'adapter')} order by first_at, adapter, shop_id`,
  )

  return {
    /** Stores what a node has counted, in place of what it stored of the same kind, adapter and shop before. */
    noteServiceFailures: write(function* (node: string, failures: readonly ServiceFailures[]): Command<void> {
      yield* holding(`service failures ${node}`)
      yield* lastly(...failures.map((one) => ask(note, { node, ...one })))
    }),

    /** Those whose last failure was at or after a moment, the earliest first failure first. Each node has its own. */
    serviceFailures: read(function* (filter: ServiceFailureFilter): Command<ServiceFailures[]> {
      const rows = yield* all(since, { ...filter })
      return rows.map(({ node: _, ...row }) => plain(row))
    }),
  }
}

export type StoredImage = Plain<Tables['images']>

function imageCommands(db: Db) {
  const keep = putRow(db, 'images')
  const bySource = rowsBy(db, 'images', ['shop_id', 'source'])
  const byName = prepareText(db)<Tables['images']>(
    (value) => sql`select * from images where ${matching(value, 'name')} limit 1`,
  )
  const drop = prepareText(db)<unknown>(
    (value) => sql`delete from images where ${matching(value, 'shop_id')}
      and source not in (${value('logo')}, ${value('favicon')})`,
  )

  return {
    /** Keeps an image, in the place of an earlier one of this shop from the same address. */
    keepImage: write(function* (image: StoredImage): Command<void> {
      yield* writeHolding([administration], keep, { ...image })
    }),

    image: read(function* (
      by: { shopId: string; source: string } | { name: string },
    ): Command<StoredImage | undefined> {
      const row = yield* 'source' in by ? first(bySource, by) : first(byName, by)
      return row && plain(row)
    }),

    /** Erases the images of a shop but those of two addresses. */
    dropImagesBut: write(function* (shopId: string, logo = '', favicon = ''): Command<void> {
      yield* writeHolding([administration], drop, { shopId, logo, favicon })
    }),
  }
}

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

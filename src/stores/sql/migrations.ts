import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { keyAnomaliesByEvent } from './anomaly-events.ts'
import { addAsked, addAsks } from './asked.ts'
import { makeBreakerTable } from './breaker-table.ts'
import { addChanges } from './changes.ts'
import { addClocks } from './clocks.ts'
import { addCopies } from './copies.ts'
import { keyDeliveries } from './delivery-key.ts'
import { addDrifts } from './drifts.ts'
import { columnsOf, unifyEarlyStores } from './early-stores.ts'
import { indexFailingLanes } from './failing-lanes.ts'
import { makeFirstTables } from './first-tables.ts'
import { makeFreshFirstIndexes } from './fresh-first.ts'
import { addHolds } from './holds.ts'
import { setHotTables } from './hot-tables.ts'
import { addImages, addShopsOfImages } from './images.ts'
import { addLaneHistory } from './lane-history.ts'
import { makeLaneTables } from './lane-tables.ts'
import { addMoneyColumns } from './money-columns.ts'
import { addMoneyRequests } from './money-requests.ts'
import { admitOlderNodes } from './older-nodes.ts'
import { makeOnCallIndexes } from './on-call-indexes.ts'
import { hashPageTokens } from './page-hashes.ts'
import { addPushNames } from './push-names.ts'
import { makeRateOutages } from './rate-outages.ts'
import { addReminders } from './reminders.ts'
import { addRemovedShops } from './removed-shops.ts'
import { addServiceFailures } from './service-failures.ts'
import type { Tables } from './tables.ts'
import { addWebhookKeys } from './webhook-keys.ts'

export type Engine = 'sqlite' | 'postgres'

/** Forward only. A migration that has been released is never changed. */
export const migrationsFor = (engine: Engine): Record<string, Migration> => ({
  '2026-11-start': { up: (db: Kysely<unknown>) => makeFirstTables(db, engine) },
  '2026-11-tenants': {
    async up(db: Kysely<unknown>): Promise<void> {
      const { schema } = db
      // One column at a time: not every engine adds several in one statement.
      const shops = () => schema.alterTable('shops')
      await shops().addColumn('disabled_at', 'bigint').execute()
      await shops()
        .addColumn('hosts_confirmed', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await shops().addColumn('sealed_settings', 'text').execute()
      await shops()
        .addColumn('settings_version', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
      await schema.alterTable('endpoints').addColumn('expires_at', 'bigint').execute()
      await schema.createIndex('endpoints_shop').on('endpoints').column('shop_id').execute()
      await schema
        .createTable('shop_hosts')
        .addColumn('shop_id', 'text', (column) => column.notNull().references('shops.id'))
        .addColumn('host', 'text', (column) => column.notNull())
        .addColumn('added_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('shop_hosts_key', ['shop_id', 'host'])
        .execute()
      await schema.alterTable('attempts').addColumn('page_held_until', 'bigint').execute()
    },
  },
  '2026-11-uniform': unifyEarlyStores(engine, () => Object.values(migrationsFor(engine)).slice(0, 2)),
  '2026-12-audit': {
    async up(db: Kysely<unknown>): Promise<void> {
      const { schema } = db
      // It refers to no shop: the trail of one that was removed stays.
      await schema
        .createTable('audit')
        .addColumn('id', engine === 'sqlite' ? 'integer' : 'bigint', (column) =>
          engine === 'sqlite' ? column.primaryKey() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('author', 'text', (column) => column.notNull())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('detail', 'text', (column) => column.notNull())
        .execute()
      await schema.createIndex('audit_shop').on('audit').columns(['shop_id', 'at']).execute()
      await schema.createIndex('audit_at').on('audit').column('at').execute()
    },
  },
  '2026-12-at-rest': {
    async up(db: Kysely<unknown>): Promise<void> {
      const { schema } = db
      await schema
        .createTable('keys')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('sealed', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      const attempts = () => schema.alterTable('attempts')
      await attempts().renameColumn('page_token', 'page_hash').execute()
      await attempts().addColumn('earlier_page_hash', 'text').execute()
      await schema
        .createIndex('attempts_earlier_page')
        .on('attempts')
        .column('earlier_page_hash')
        .where('earlier_page_hash', 'is not', null)
        .execute()
      await hashPageTokens(db as Kysely<Tables>)
    },
  },
  '2026-12-webhook-keys': { up: addWebhookKeys },
  '2026-12-write-probes': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema
        .createTable('write_probes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('filler', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '2027-01-lanes': { up: makeLaneTables },
  '2026-12-nodes': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema
        .createTable('nodes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('opens', 'text', (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '2027-01-on-call': { up: makeOnCallIndexes },
  '2027-01-upgrades': { up: admitOlderNodes },
  '2027-02-breakers': { up: makeBreakerTable },
  '2027-02-push-owners': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema.alterTable('pushes').addColumn('owner', 'text').execute()
    },
  },
  '2027-02-clocks': { up: addClocks },
  // For some hours `2027-03-words` had this name, and did not wait for the two before it.
  '2027-01-words': {
    async up(db: Kysely<unknown>): Promise<void> {
      await columnsOf(db, engine, 'webhooks')
    },
  },
  '2027-03-words': {
    async up(db: Kysely<unknown>): Promise<void> {
      if ((await columnsOf(db, engine, 'webhooks')).length > 0) return
      const { schema } = db
      await schema.alterTable('notifications').renameTo('webhooks').execute()
      await schema.alterTable('payments').renameColumn('notified_version', 'delivered_version').execute()
    },
  },
  '2027-04-fresh-first': { up: makeFreshFirstIndexes },
  '2027-04-nodes': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      for (const column of ['host', 'version', 'build'])
        await schema.alterTable('nodes').addColumn(column, 'text').execute()
      for (const column of ['pid', 'main_pid', 'since'])
        await schema.alterTable('nodes').addColumn(column, 'bigint').execute()
    },
  },
  '2027-04-pushes': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      for (const column of ['trouble', 'names'])
        await schema.alterTable('pushes').addColumn(column, 'text').execute()
      // Few pushes have one: a push that goes well costs no further index.
      await schema
        .createIndex('pushes_trouble')
        .on('pushes')
        .columns(['trouble', 'received_at'])
        .where('trouble', 'is not', null)
        .execute()
    },
  },
  '2027-04-lane-history': { up: addLaneHistory },
  '2027-04-asked': { up: addAsked },
  '2027-04-rate-outages': { up: makeRateOutages },
  '2027-05-anomaly-events': { up: keyAnomaliesByEvent },
  '2027-05-money': { up: addMoneyColumns },
  '2027-05-changes': { up: addChanges },
  '2027-05-push-names': { up: addPushNames },
  '2027-05-asks': { up: addAsks },
  '2027-05-money-requests': { up: addMoneyRequests },
  '2027-05-sealed-contents': {
    async up(db: Kysely<unknown>): Promise<void> {
      const { schema } = db
      // For an hour `2027-05-push-names` added it.
      if (!(await columnsOf(db, engine, 'pushes')).includes('sealed'))
        await schema.alterTable('pushes').addColumn('sealed', 'text').execute()
      await schema.alterTable('attempts').addColumn('sealed_data', 'text').execute()
    },
  },
  '2027-05-leases': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      for (const calls of ['webhooks', 'pushes'])
        await schema.alterTable(calls).renameColumn('held_until', 'leased_until').execute()
      await schema.alterTable('attempts').renameColumn('page_held_until', 'page_leased_until').execute()
    },
  },
  '2027-06-page-state': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema.alterTable('attempts').addColumn('page_state', 'text').execute()
    },
  },
  '2027-06-images': { up: addImages },
  '2027-06-images-of-shops': { up: addShopsOfImages },
  '2027-06-drifts': { up: addDrifts },
  '2027-06-node-address': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema.alterTable('nodes').addColumn('url', 'text').execute()
    },
  },
  '2027-07-holds': {
    async up(db: Kysely<unknown>): Promise<void> {
      if (engine === 'postgres') await addHolds(db)
    },
  },
  '2027-07-copies': { up: addCopies },
  '2027-07-hot-tables': {
    async up(db: Kysely<unknown>): Promise<void> {
      if (engine === 'postgres') await setHotTables(db)
    },
  },
  '2027-08-reminders': { up: addReminders },
  '2027-08-service-failures': { up: addServiceFailures },
  '2027-08-node-clocks': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema.alterTable('nodes').addColumn('clock_off_ms', 'bigint').execute()
    },
  },
  '2027-08-checks-under-way': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema.alterTable('attempts').addColumn('check_began_at', 'bigint').execute()
    },
  },
  '2027-08-last-calls': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema.alterTable('breakers').addColumn('last_call_at', 'bigint').execute()
    },
  },
  '2027-09-failing-lanes': { up: indexFailingLanes },
  '2027-10-delivery-key': { up: keyDeliveries },
  '2027-11-removed-shops': { up: (db: Kysely<unknown>) => addRemovedShops(db, engine) },
  '2027-12-ledger': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      for (const table of ['facts', 'anomalies'])
        await schema.alterTable(table).addColumn('answer_by', 'bigint').execute()
      await schema.alterTable('attempts').addColumn('underpaid_by', 'text').execute()
    },
  },
  '2027-12-names': {
    async up({ schema }: Kysely<unknown>): Promise<void> {
      await schema
        .createIndex('facts_event')
        .on('facts')
        .column('event')
        .where('event', 'is not', null)
        .execute()
    },
  },
})

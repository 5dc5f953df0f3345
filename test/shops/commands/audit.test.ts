import { describe, expect, onTestFinished, test } from 'vitest'
import type { StorePort } from '../../../src/store-port.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { folderWith } from '../../folder.ts'
import { sharedPostgres } from '../../postgres.ts'
import { failAll } from '../../stores/cases/lane.ts'
import {
  asReported,
  cancelled,
  endpoint,
  openOwed,
  paid,
  start,
  webhookKey,
} from '../../stores/cases/store-case.ts'
import { clientOf, opened } from '../../stores/opened.ts'
import { inFile } from '../../stores/sqlite-tables.ts'

const by = 'alice'
const settings = { sealed: 'sealed', changed: ['units.weight'], version: 0 }

/** Each command that writes an entry, on a store with the shop `one` and its cancelled order 1001. */
const changes: Record<string, (store: StorePort) => Promise<unknown>> = {
  'a shop is added': (store) => store.ensureShop('two', endpoint('h2'), { by }),
  'a shop is removed': (store) => store.removeShop('one', start, by),
  'a shop is disabled': (store) => store.setDisabled('one', true, start, by),
  'an endpoint is rotated': (store) => store.rotateEndpoint('one', endpoint('h3'), start, by),
  'a webhook secret is made': (store) => store.ensureWebhookKey('one', webhookKey('one.1'), by),
  'a webhook secret is rotated': (store) => store.rotateWebhookKey('one', webhookKey('one.2'), start, by),
  'settings are saved': (store) => store.saveSettings('one', settings, start, by),
  'hosts are changed': (store) =>
    store.changeHosts('one', { add: ['b.example'], remove: ['a.example'], confirm: true }, start, by),
  'an endpoint is bound by hand': (store) => store.bindShop('one', '7', start, by),
  'an endpoint is bound': (store) => store.noteShop('one', { platformId: '7' }, start),
  'a push address is made': (store) => store.ensurePushAddress('one', 'psp', endpoint('p')),
  'a person reports': (store) =>
    store.learn('one', '1001', 'one.1', [paid], { ...asReported, byHand: { by, status: 'paid' } }),
  'an anomaly is closed': async (store) => {
    const [opened] = await store.anomalies({ shopId: 'one', limit: 1 })
    return store.closeAnomaly(opened!.id, 'a note', start, by)
  },
  'a webhook is sent again': (store) => store.replayWebhook('one', '1001', start + 1, by),
  'an order is erased': (store) => store.erasePayment('one', '1001', start, by),
}

async function prepared(store: StorePort): Promise<StorePort> {
  await opened(store)
  await store.ensureShop('one', endpoint('h1'), {})
  await store.changeHosts('one', { add: ['a.example'] }, start)
  await openOwed(store, { shopId: 'one', attemptId: 'one.1' }, cancelled)
  await failAll(store)
  await store.openAnomaly('one', '1001', { kind: 'webhook_gone', attemptId: 'one.1', event: '' }, start)
  return store
}

/** All that a change can change, and the trail. */
async function stateOf(store: StorePort) {
  const shops = await store.shops()
  return {
    shops,
    endpoints: await Promise.all(shops.map(({ id }) => store.endpoints(id, start))),
    sealed: await store.sealed(),
    payments: await store.payments({ limit: 9 }),
    anomalies: await store.anomalies({ closed: true, limit: 9 }),
    webhooks: await store.webhooks({ since: 0, limit: 9 }),
    trails: await Promise.all(['one', 'two'].map((shopId) => store.auditTrail({ shopId, limit: 99 }))),
  }
}

const server = await sharedPostgres()
const engines: Record<string, () => Promise<{ store: StorePort; refuseEntries(): Promise<unknown> }>> = {
  async sqlite() {
    const file = `${folderWith()}/audit.db`
    const trigger = "create trigger refused before insert on audit begin select raise(abort, 'no entry'); end"
    return {
      store: await prepared(sqliteStore({ file })),
      refuseEntries: async () => inFile(file, (other) => other.exec(trigger)),
    }
  },
  async postgres() {
    const url = await server.emptied()
    const client = await clientOf(url)
    return {
      store: await prepared(postgresStore({ url })),
      async refuseEntries() {
        // The next test has the same database.
        onTestFinished(async () => void (await client.query('alter table audit drop constraint refused')))
        await client.query('alter table audit add constraint refused check (id < 0) not valid')
      },
    }
  },
}

describe.each(Object.keys(engines))('%s', (engine) => {
  test.each(Object.keys(changes))('%s: the change and its entry are one commit', async (name) => {
    const { store, refuseEntries } = await engines[engine]!()
    const before = await stateOf(store)
    await refuseEntries()
    await expect(changes[name]!(store)).rejects.toThrow(/no entry|refused/)
    expect(await stateOf(store)).toEqual(before)
  })
})

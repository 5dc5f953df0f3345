import { spawnSync } from 'node:child_process'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProvider } from '../../src/index.ts'
import { checkServer } from '../../src/store/postgres/checks.ts'
import type { Delivered } from '../../src/store-port.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sized } from '../long.ts'
import { sharedPostgres, startPostgres } from '../postgres.ts'
import { startProxy } from '../proxy.ts'
import { oweMany } from './cases/lane.ts'
import {
  asReported,
  claim,
  delivered,
  endpoint,
  keep,
  open,
  openOwed,
  paid,
  redirect,
  start,
  times,
} from './cases/store-case.ts'
import { clientOf, opened } from './opened.ts'
import { waitsWhileAway } from './waits.ts'

const server = await sharedPostgres()

const nodeOn = (url: string, serves = false) => opened(postgresStore({ url }), { serves })
const nodesOn = (url: string, count: number, serves = false) =>
  Promise.all(Array.from({ length: count }, () => nodeOn(url, serves)))

describe('two processes', () => {
  test('make the tables once, whoever comes first', async () => {
    const stores = await nodesOn(await server.database(), 4)
    await stores[0]!.ensureShop('default', endpoint('h'))
    for (const store of stores) expect((await store.shops()).map(({ id }) => id)).toEqual(['default'])
  })

  test('race for orders: each has one attempt, and both get the same', async () => {
    const stores = await nodesOn(await server.database(), 2)
    const orders = Array.from({ length: 60 }, (_, number) => `${number}`)
    const answers = await Promise.all(
      orders.flatMap((orderId) => stores.map((store) => store.openAttempt(open({ orderId })))),
    )
    for (let at = 0; at < answers.length; at += 2)
      expect(answers[at]!.attempt.id).toBe(answers[at + 1]!.attempt.id)
    for (const payment of await stores[0]!.payments({ limit: 100 })) expect(payment.attempts).toHaveLength(1)
  })

  test('count how often a command began again because the other node holds the same order', async () => {
    const url = await server.emptied()
    const [store] = await nodesOn(url, 1)
    const reported: unknown[] = []
    store!.watch?.((trouble) => reported.push(trouble))
    const stranger = await clientOf(url)
    await stranger.query('begin')
    await stranger.query('select slot from holds for update')
    const waiting = store!.openAttempt(open({ orderId: 'held' }))
    await expect.poll(() => reported).toContainEqual({ code: 'COMMAND_RETRIED', reason: 'held' })
    await stranger.query('rollback')
    expect((await waiting).payment.attempts).toHaveLength(1)
  })

  test('race for what is owed: nothing is held twice, and nothing is left', async () => {
    const stores = await nodesOn(await server.emptied(), 3)
    for (let order = 0; order < 40; order++)
      await openOwed(stores[0]!, { shopId: `shop-${order % 10}`, orderId: `${order}` })
    const held = new Set<string>()
    for (let round = 0; held.size < 40 && round < 50; round++) {
      const claims = stores.map((store, owner) => store.claimWebhooks({ ...claim, owner: `${owner}` }))
      for (const { shopId, orderId } of (await Promise.all(claims)).flat()) {
        expect(held.has(`${shopId} ${orderId}`)).toBe(false)
        held.add(`${shopId} ${orderId}`)
      }
    }
    expect(held.size).toBe(40)
  })

  test('claim and settle at the same moment: each webhook is called once, and a lane that was full goes on', async () => {
    const stores = await nodesOn(await server.emptied(), 3)
    await oweMany(stores[0]!, 60)
    const called: string[] = []
    let round = 0
    await Promise.all(
      stores.map(async (store, node) => {
        let batch: Delivered[] = []
        while (called.length < 60 && round < 1_000) {
          // Ten minutes for all of them: no lease ends.
          const now = start + 50 * ++round
          const next = { now, leaseUntil: start + 60 * 60_000, limit: 4, perLane: 6, owner: `${node}` }
          expect(await store.settleWebhooks(batch)).toEqual([])
          const claimed = await store.claimWebhooks(next)
          called.push(...claimed.map(({ orderId }) => orderId))
          batch = claimed.map((owed) => ({ owed, call: delivered(now) }))
        }
        await store.settleWebhooks(batch)
      }),
    )
    expect(new Set(called).size).toBe(60)
    expect(called).toHaveLength(60)
    expect((await stores[0]!.countWebhooks()).owed).toBe(0)
  })

  test('and more of them, all busy: each writes, and reads only the rows it is after', async () => {
    const url = await server.databaseWithTables()
    const nodes = await nodesOn(url, 4)
    const orders = Array.from({ length: sized(320, 640) }, (_, number) => `${number}`)
    const left = orders.values()
    const onlooker = await clientOf(url)
    let analyzed: Promise<unknown> | undefined
    await Promise.all(
      nodes.flatMap((store) =>
        Array.from({ length: 16 }, async () => {
          for (const orderId of left) {
            // What the server does by itself, once tables have changed: 64 orders are begun at once, so some are there by now.
            if (orderId === '100') analyzed = onlooker.query('analyze')
            const { attempt } = await store.openAttempt(open({ orderId, pageHash: orderId }))
            await store.noteStart(attempt, { ...redirect, reference: `tr_${orderId}` }, times(0))
            const lease = { now: start, until: start, seen: undefined, state: undefined }
            await store.leasePage('default', attempt.id, lease)
            await store.setCheck('default', attempt.id, start + 1)
            await store.attemptByReference('default', 'psp', `tr_${orderId}`)
            await store.attemptByPage(orderId)
            await store.learn('default', orderId, attempt.id, [paid], asReported)
          }
        }),
      ),
    )
    expect(await nodes[0]!.countWebhooks()).toMatchObject({ owed: orders.length, dead: 0 })
    for (const owed of await nodes[0]!.claimWebhooks({ ...claim, limit: 500, perLane: 500 }))
      await nodes[0]!.settleWebhook(owed, delivered())
    for (const orderId of orders.slice(0, 100)) await nodes[0]!.erasePayment('default', orderId, start)
    await Promise.all(nodes.map((store) => store.close()))

    // Plans are made while the tables are empty, where an index by the shop looks as good as one by the order.
    await analyzed
    const { rows } = await onlooker.query<{ relname: string; read: string }>(
      `select relname, seq_tup_read + coalesce((select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0) as read
        from pg_stat_user_tables t`,
    )
    const perOrder = rows.map(({ relname, read }) => [relname, Number(read) / orders.length] as const)
    expect(perOrder.filter(([, read]) => read > 50)).toEqual([])
    expect(Object.fromEntries(perOrder).attempts).toBeGreaterThan(4)
  })

  test('go by the clock of the server', async () => {
    const store = await nodeOn(await server.emptied())
    const before = Date.now()
    const now = store.now!()
    expect(now).toBeGreaterThan(before - 2_000)
    expect(now).toBeLessThan(Date.now() + 2_000)
  })
})

describe('a network that fails', () => {
  async function proxied() {
    const proxy = await startProxy(server.port)
    onTestFinished(() => proxy.close())
    const url = await server.databaseWithTables()
    return { proxy, url, store: await nodeOn(proxy.through(url)) }
  }

  /** One process behind a network that can freeze, and another one. */
  async function twoProcesses() {
    const { store: frozen, ...behind } = await proxied()
    return { ...behind, frozen, store: await nodeOn(behind.url) }
  }

  test('loses the answer to a commit: it is asked for, and nothing is done twice', async () => {
    const { proxy, store } = await proxied()
    for (let order = 0; order < 12; order++) {
      proxy.loseCommits(1)
      const { attempt } = await store.openAttempt(open({ orderId: `${order}` }))
      proxy.loseCommits(1)
      const { payment } = await store.learn('default', `${order}`, attempt.id, [paid], asReported)
      expect([payment.status, payment.statusVersion]).toEqual(['paid', 1])
      proxy.loseCommits(1)
      // A push that is kept twice would count twice.
      await keep(store, [`${order}`])
    }
    expect(proxy.lost).toBe(36)
    const payments = await store.payments({ limit: 100 })
    expect(payments.map(({ attempts }) => attempts.length)).toEqual(Array(12).fill(1))
    expect((await store.pushes({ limit: 100 })).map(({ times }) => times)).toEqual(Array(12).fill(1))
  })

  test('cuts every connection: the next command takes another one', async () => {
    const { proxy, store } = await proxied()
    for (let order = 0; order < 10; order++) {
      const opening = store.openAttempt(open({ orderId: `${order}` }))
      proxy.cut()
      expect((await opening).payment.attempts).toHaveLength(1)
    }
  })

  test('freezes a process in the middle of a write: the others go on within seconds', async () => {
    const { proxy, url, frozen, store } = await twoProcesses()
    const onlooker = await clientOf(url)
    const isFrozen = proxy.freezeAtCommit()
    const writes = Array.from({ length: 50 }, (_, order) => frozen.openAttempt(open({ orderId: `${order}` })))
    const settled = Promise.allSettled(writes)
    await isFrozen
    const { rows } = await onlooker.query<{ held: string }>(
      'select count(*) as held from holds where slot not in (select slot from holds for update skip locked)',
    )
    expect(Number(rows[0]!.held)).toBeGreaterThan(40)
    const others = Array.from({ length: 50 }, (_, order) =>
      store.openAttempt(open({ orderId: `other-${order}` })),
    )
    for (const { payment } of await Promise.all(others)) expect(payment.attempts).toHaveLength(1)
    // The server has not ended the transaction of the frozen one yet: only its own orders wait.
    const locking = onlooker.query('select 1 from holds for update nowait')
    await expect(locking).rejects.toMatchObject({ code: '55P03' })
    proxy.freeze(false)
    proxy.cut()
    await settled
    expect((await frozen.openAttempt(open({ orderId: 'again' }))).payment.attempts).toHaveLength(1)
  })

  test('freezes a process while it claims what a shop is owed: payments of that shop come through on the others', async () => {
    const { proxy, frozen, store } = await twoProcesses()
    const pay = async (orderId: string) => {
      await openOwed(store, { orderId })
      return (await store.payment('default', orderId))?.status
    }
    await pay('1')
    const isFrozen = proxy.freezeAtCommit()
    const claimed = Promise.allSettled([frozen.claimWebhooks(claim)])
    await isFrozen
    expect(await Promise.all(['2', '3', '4'].map(pay))).toEqual(['paid', 'paid', 'paid'])
    proxy.freeze(false)
    proxy.cut()
    await claimed
  })

  test('is away: a command waits for two seconds, also one that queues behind others, and it heals', {
    timeout: 60_000,
  }, async () => {
    const own = await startPostgres()
    onTestFinished(() => own.remove())
    const store = await nodeOn(await own.databaseWithTables())
    await own.stop()
    const refused = expect(store.openAttempt(open({ orderId: 'early' }))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: 'The PostgreSQL server cannot be used now.',
    })
    expect(await waitsWhileAway(store)).toEqual(new Set(['refused']))
    await refused
    const late = store.openAttempt(open({ orderId: 'late' }))
    await own.start()
    expect((await late).payment.attempts).toHaveLength(1)
  })

  test('answers no more: that is an error within seconds, and it heals', async () => {
    const { proxy, store } = await proxied()
    proxy.freeze(true)
    const away = { code: 'STORE_UNAVAILABLE' }
    await expect(store.openAttempt(open({ orderId: '1' }))).rejects.toMatchObject(away)
    await expect(store.check()).rejects.toMatchObject(away)
    proxy.freeze(false)
    proxy.cut()
    expect((await store.openAttempt(open({ orderId: '1' }))).payment.attempts).toHaveLength(1)
  })
})

describe('a start that cannot be', () => {
  const failing = (url: string) => postgresStore({ url }).open()

  test('names what is wrong with the address, and never the password', async () => {
    const url = await server.database()
    const readOnly = '?options=-c%20default_transaction_read_only%3Don'
    for (const [wrong, says] of [
      [{ password: 'swordfish' }, /refuses the password/],
      [{ pathname: '/nowhere' }, /There is no such database/],
      [{ port: '9' }, /cannot be reached \(ECONNREFUSED\)/],
      [{ search: readOnly }, /accepts no writes.*Name the primary/],
    ] as [Partial<URL>, RegExp][]) {
      const { href } = Object.assign(new URL(url), wrong)
      const error = (await failing(href).catch((one: unknown) => one)) as Error
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringMatching(says) })
      expect(error.message).not.toContain('swordfish')
    }
  })

  test('names the tables of another program that keeps its migrations as Purveyor does, and writes nothing', async () => {
    for (const table of [
      `kysely_migration (name text, timestamp text); insert into kysely_migration values ('001-users', 'x')`,
      'kysely_migration (id int)',
    ]) {
      const url = await server.database()
      const admin = await clientOf(url)
      await admin.query(`create table ${table}`)
      await expect(failing(url)).rejects.toThrow(/has tables of another program.*database of its own/)
      const { rows } = await admin.query(`select tablename from pg_tables where schemaname = 'public'`)
      expect(rows).toEqual([{ tablename: 'kysely_migration' }])
    }
  })

  test('names rights that are missing, tables of a newer version, and a server that does not sync', async () => {
    const url = await server.database()
    const admin = await clientOf(url)
    await admin.query(`create role guest login password 'guest'; revoke create on schema public from public`)
    const guest = Object.assign(new URL(url), { username: 'guest', password: 'guest' })
    await expect(failing(guest.href)).rejects.toThrow(/may not create tables.*grant create/)

    await (await nodeOn(url)).check()
    await admin.query(
      `insert into kysely_migration values ('2099-01-later-contract', '2099-01-01T00:00:00Z')`,
    )
    await expect(failing(url)).rejects.toThrow(/created by a newer version/)
    await admin.query(`delete from kysely_migration where name like '2099%'`)
    await admin.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`)
    await expect(failing(url)).rejects.toThrow(/before they are on disk/)
  })

  test('names a limit of connections that is too low for one node more, before anything is written', async () => {
    const url = await server.database()
    const name = new URL(url).pathname.slice(1)
    const admin = await clientOf(url)
    await admin.query(`alter database ${name} connection limit 9`)
    const node = () => {
      const rates = { name: 'own', quote: () => [] }
      const logger = pino({ level: 'silent' })
      const provider = createProvider({ development: true, logger, store: url, rates })
      onTestFinished(() => provider.stop())
      return provider
    }
    await expect(node().start()).rejects.toThrow(
      /too few connections: the connection limit of the database is 9, and a node needs 10\. Raise it, run fewer/,
    )
    const { rows } = await admin.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`)
    expect(rows).toEqual([])
    // A command is no node.
    expect((await nodeOn(url)).now!()).toBeGreaterThan(0)

    await admin.query(`alter database ${name} connection limit 25`)
    const nodes = [node(), node()]
    for (const one of nodes) await one.start()
    await expect(node().start()).rejects.toThrow(/is 25, and 3 nodes with 10 each need 30/)
    // A worker of this machine that was killed is replaced at once, and the node of another machine counts until it was silent for a minute.
    const { pid } = spawnSync(process.execPath, ['--version'])
    await admin.query('update nodes set pid = $1 where id = (select min(id) from nodes)', [pid])
    const replaced = node()
    await replaced.start()
    await replaced.stop()
    await admin.query(`update nodes set host = 'elsewhere' where pid = $1`, [pid])
    await expect(node().start()).rejects.toThrow(/is 25, and 3 nodes/)
    await nodes[0]!.stop()
    await nodes[1]!.stop()
    await admin.query('delete from nodes')
    await node().start()
  })

  test('a restore without the rows of holds is made whole, by nodes that start together', async () => {
    const url = await server.databaseWithTables()
    const admin = await clientOf(url)
    const count = 'select count(distinct slot)::int as slots, count(*)::int as rows from holds'
    for (const [loss, serves] of [
      // Neither the first nor the last.
      ['delete from holds where slot % 3 = 1', true],
      ['truncate holds', true],
      ['truncate holds', false],
      ['drop table holds', false],
    ] as const) {
      await admin.query(loss)
      const stores = await nodesOn(url, 2, serves)
      expect((await admin.query(count)).rows).toEqual([{ slots: 65_536, rows: 65_536 }])
      for (const [node, store] of stores.entries()) {
        const { payment } = await store.openAttempt(open({ orderId: `${loss} ${serves} ${node}` }))
        expect(payment.attempts).toHaveLength(1)
      }
    }
  })

  test('names a server that is too old to ask it for a lost commit', async () => {
    const old = { query: async () => ({ rows: [{ version: '120017', sync: 'on', fsync: 'on' }] }) }
    await expect(checkServer(old as never)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: 'The PostgreSQL server is older than version 13 (120017). Run a newer one.',
    })
  })
})

import { describe, expect, test } from 'vitest'
import type { StorePort } from '../../../src/store-port.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { sharedPostgres } from '../../postgres.ts'
import {
  asReported,
  at,
  claim,
  delivered,
  keep,
  minute,
  open,
  openOwed,
  paid,
  start,
} from '../../stores/cases/store-case.ts'
import { clientOf, opened } from '../../stores/opened.ts'

const server = await sharedPostgres()

/** A store, and another client of its server that locks rows of it until `unlock`. */
async function withStranger() {
  const url = await server.databaseWithTables()
  const store = await opened(postgresStore({ url }))
  const stranger = await clientOf(url)
  return {
    store,
    async lock(sql: string) {
      await stranger.query('begin')
      await stranger.query(sql)
      return async () => void (await stranger.query('rollback'))
    },
    query: (sql: string) => stranger.query(sql),
  }
}

const orders = (count: number, first = 1) => Array.from({ length: count }, (_, index) => `${first + index}`)
const startAll = (store: StorePort, ids: readonly string[], shopOf = (_order: string) => 'default') =>
  Promise.allSettled(ids.map((orderId) => store.openAttempt(open({ shopId: shopOf(orderId), orderId }))))
const failures = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'rejected').length

describe('a row that somebody else has locked', () => {
  test('fails its own order only, and the others share their commits without it', async () => {
    const { store, lock } = await withStranger()
    await startAll(store, orders(20))
    const unlock = await lock(`select * from payments where order_id = '7' for update`)

    const blocked = store.openAttempt(open({ orderId: '7', webhookUrl: 'https://shop.example/new' }))
    const refused = expect(blocked).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    for (let round = 0; round < 5; round++)
      expect(failures(await startAll(store, orders(60, 100 * (round + 1))))).toBe(0)
    // Calls for the blocked order go on coming, and the others are not affected.
    const again = store.openAttempt(open({ orderId: '7' })).catch((error: { code: string }) => error.code)
    expect(failures(await startAll(store, orders(60, 1_000)))).toBe(0)
    await refused
    expect(await again).toBe('STORE_UNAVAILABLE')

    await unlock()
    expect((await store.openAttempt(open({ orderId: '7' }))).outcome).toBe('repeated')
  })

  test('costs no connection: a new one takes longer than a commit, and others would wait for it', async () => {
    const { store, lock, query } = await withStranger()
    const { attempt } = await store.openAttempt(open({ orderId: '7' }))
    const sessions = async () =>
      (await query(`select pid from pg_stat_activity where application_name = 'purveyor'`)).rows
    const before = await sessions()
    const unlock = await lock(`select * from payments where order_id = '7' for update`)
    await expect(store.learn('default', '7', attempt.id, [paid], asReported)).rejects.toThrow()
    await unlock()
    expect(await sessions()).toEqual(expect.arrayContaining(before))
  })

  test('that all orders of a shop touch keeps no other shop waiting', async () => {
    const { store, lock, query } = await withStranger()
    const shopOf = (orderId: string) => (orderId.endsWith('0') ? 'two' : 'one')
    const started = await Promise.all(
      orders(50).map((orderId) => store.openAttempt(open({ shopId: shopOf(orderId), orderId }))),
    )
    const learnAll = (some = started) =>
      Promise.allSettled(
        some.map(({ attempt: { shopId, orderId, id } }) =>
          store.learn(shopId, orderId, id, [paid], asReported),
        ),
      )
    // One of each, so that both shops have a lane.
    await learnAll([started[0]!, started[9]!])
    await query('create sequence one; create sequence two')
    await query(`create function count_try() returns trigger language plpgsql as
      $$ begin perform nextval(new.shop_id::regclass); return new; end $$`)
    await query('create trigger tries before update on payments for each row execute function count_try()')
    const unlock = await lock(`select * from lanes where lane like 'one %' for update`)
    const reported: unknown[] = []
    store.watch?.((trouble) => reported.push(trouble))

    const outcomes = await learnAll()
    expect(failures(outcomes)).toBe(44)
    // No order is named: the row is not one of its own.
    expect(reported).toEqual([{ code: 'ROW_LOCKED', shop: 'one' }])
    const { rows } = await query(
      'select (select last_value from one)::int as one, (select last_value from two)::int as two',
    )
    // Together with the blocked shop, and without it.
    expect(rows[0].two).toBeLessThanOrEqual(2 * 4)
    expect(rows[0].one).toBeLessThanOrEqual(2 * 44)
    // The shop is known now: its commands are no longer in a group with others.
    expect(failures(await startAll(store, orders(50, 9_001), shopOf))).toBe(0)

    await unlock()
    expect(failures(await learnAll())).toBe(0)
  })

  test('that is free again within two seconds fails nobody', async () => {
    const { store, lock } = await withStranger()
    await startAll(store, orders(3))
    const unlock = await lock(`select * from payments where order_id = '2' for update`)
    const blocked = store.openAttempt(open({ orderId: '2', webhookUrl: 'https://shop.example/new' }))
    await startAll(store, orders(50, 100))
    await unlock()
    expect((await blocked).payment.webhookUrl).toBe('https://shop.example/new')
  })

  test('is reported once, with its shop and its order', async () => {
    const { store, lock } = await withStranger()
    const reported: unknown[] = []
    store.watch?.((trouble) => reported.push(trouble))
    await startAll(store, orders(3))
    const unlock = await lock(`select * from payments where order_id = '2' for update`)
    expect(failures(await startAll(store, ['2']))).toBe(1)
    await unlock()
    expect(reported).toEqual([{ code: 'ROW_LOCKED', shop: 'default', order: '2' }])
  })

  test('leaves out its attempt, its push and its lane of what is claimed, and nothing else', async () => {
    const { store, lock } = await withStranger()
    for (const shopId of ['one', 'two']) {
      await openOwed(store, { shopId })
      await store.openAttempt(open({ shopId, orderId: '2' }))
      await keep(store, ['1'], { shopId })
    }
    const unlock = await lock(`select * from attempts, pushes, lanes
      where attempts.shop_id = 'one' and pushes.shop_id = 'one' and lanes.lane like '%one%' for update`)
    const claimAll = (due: typeof claim) =>
      Promise.all([store.claimPushes({ ...due, adapter: 'psp' }), store.claimWebhooks(due)])
    const due = at(start + 60 * minute)
    const claimed = [await store.claimChecks(due), ...(await claimAll(due))]
    for (const some of claimed) expect([...new Set(some.map(({ shopId }) => shopId))]).toEqual(['two'])
    await unlock()
    for (const some of await claimAll(at(start + 61 * minute)))
      expect(some.map(({ shopId }) => shopId)).toContain('one')
  })
})

describe('a locked row of one shop among a batch of all', () => {
  /** Two shops, each with a webhook that was claimed. */
  async function withClaims() {
    const stranger = await withStranger()
    const { store } = stranger
    for (const shopId of ['one', 'two']) await openOwed(store, { shopId })
    return { ...stranger, claimed: await store.claimWebhooks(claim) }
  }

  test('leaves the leases of the others to be renewed', async () => {
    const { store, lock, claimed } = await withClaims()
    const unlock = await lock(`select * from webhooks where shop_id = 'one' for update`)
    await store.renewLeases(claimed, start + 2 * minute)
    await unlock()
    const over = await store.claimWebhooks({ ...at(start + minute), owner: 'b' })
    expect(over.map(({ shopId }) => shopId)).toEqual(['one'])
  })

  test('leaves the unread webhooks of the others to be delivered again, and its own a minute later', async () => {
    const { store, lock, claimed } = await withClaims()
    for (const one of claimed) await store.settleWebhook(one, delivered())
    const unlock = await lock(`select * from lanes where lane like 'one %' for update`)
    const now = start + 20 * minute
    const { reminded } = await store.remindUnread({ now, limit: 10 })
    expect(reminded.map(({ shopId }) => shopId)).toEqual(['two'])
    expect(await store.remindUnread({ now, limit: 10 })).toEqual({ reminded: [], neverRead: [], more: false })
    await unlock()
    const later = await store.remindUnread({ now: now + minute, limit: 10 })
    expect(later.reminded.map(({ shopId }) => shopId)).toEqual(['one'])
  })
})

describe('a command that the server cannot carry out', () => {
  test('leaves its group, which goes on without it', async () => {
    const { store, query } = await withStranger()
    // As a row of a damaged page does.
    await query(`create function damaged() returns trigger language plpgsql as
      $$ begin if new.order_id = '7' then raise exception 'invalid page' using errcode = 'XX001'; end if; return new; end $$`)
    await query('create trigger damaged before insert on payments for each row execute function damaged()')
    const outcomes = await startAll(store, orders(30))
    expect(outcomes.map(({ status }) => status).indexOf('rejected')).toBe(6)
    expect(failures(outcomes)).toBe(1)
    expect(outcomes[6]).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE', cause: { code: 'XX001' } } })
  })

  test('and many others leave their group, however many they are', async () => {
    const { store, query } = await withStranger()
    await query('create sequence tries')
    await query(`create function damaged() returns trigger language plpgsql as
      $$ begin perform nextval('tries');
        if new.order_id::int % 3 = 0 then raise exception 'invalid page' using errcode = 'XX001'; end if; return new; end $$`)
    await query('create trigger damaged before insert on payments for each row execute function damaged()')
    const outcomes = await startAll(store, orders(30), (orderId) => `shop-${orderId}`)
    const failed = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index + 1] : []))
    expect(failed).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30])
    expect(await store.payments({ limit: 100 })).toHaveLength(20)
    // Two tries together, and one behind savepoints.
    const { rows } = await query('select last_value::int as tries from tries')
    expect(rows[0].tries).toBeLessThanOrEqual(3 * 30)
  })

  test('for all of them ends at once for all of them', async () => {
    const { store, query } = await withStranger()
    await query(`create function fill() returns trigger language plpgsql as
      $$ begin raise exception 'no space' using errcode = '53100'; end $$`)
    await query('create trigger full_up before insert on payments for each row execute function fill()')
    expect(failures(await startAll(store, orders(100)))).toBe(100)
    await expect(store.check()).resolves.toBeUndefined()
    await query('drop trigger full_up on payments')
    expect(failures(await startAll(store, orders(100)))).toBe(0)
  })
})

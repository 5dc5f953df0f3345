import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StorePort } from '../../../src/store-port.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { folderWith } from '../../folder.ts'
import { minute, start } from '../../stores/cases/store-case.ts'
import { opened } from '../../stores/opened.ts'
import { inFile, makeTables, spoilPage } from '../../stores/sqlite-tables.ts'

/** A store with payments whose webhooks were accepted, after `change`. `at` is an SQL expression of the order's number. */
async function delivered(orders: number, at: string, change = (_file: string) => {}) {
  const file = join(folderWith(), 'purveyor.db')
  await makeTables(file)
  const numbers = `with recursive numbers (number) as (
    select 0 union all select number + 1 from numbers where number < ${orders - 1})`
  inFile(file, (database) =>
    database.exec(`insert into payments (shop_id, order_id, status, status_version, read_version, redirect_url,
        webhook_url, created_at, changed_at, last_at)
      ${numbers} select 'default', number, 'paid', 1, 0, 'https://shop.example/r', 'https://shop.example/w', ${start}, ${start}, ${start}
      from numbers;
    insert into deliveries (shop_id, order_id, version, at, ms, status, answer)
      ${numbers} select 'default', number, 1, ${start} + ${at}, 5, 200, '' from numbers`),
  )
  change(file)
  return opened(sqliteStore({ file }))
}

/** The orders that are reminded until nothing is left, and the number of commands. */
async function remindedAt(store: StorePort, now: number) {
  const orders: string[] = []
  for (let commands = 1; ; commands++) {
    const { reminded, more } = await store.remindUnread({ now, limit: 5_000 })
    orders.push(...reminded.map(({ orderId }) => orderId))
    if (!more) return { orders: orders.length, different: new Set(orders).size, commands }
  }
}

test('deliveries are looked through a thousand at a time, each once', async () => {
  const store = await delivered(2_300, 'number')
  const now = start + 16 * minute
  expect(await remindedAt(store, now)).toEqual({ orders: 2_300, different: 2_300, commands: 3 })
  expect(await remindedAt(store, now)).toEqual({ orders: 0, different: 0, commands: 1 })
  expect(await store.countUnread(now)).toBe(2_300)
})

test('those of one millisecond are looked at together, and later ones with their time', async () => {
  const store = await delivered(1_600, `case when number < 1500 then 0 else ${2 * minute} end`)
  const early = await remindedAt(store, start + 15 * minute + 5)
  expect(early).toEqual({ orders: 1_500, different: 1_500, commands: 2 })
  const late = await remindedAt(store, start + 17 * minute + 5)
  expect(late).toEqual({ orders: 100, different: 100, commands: 1 })
})

test('what was read, refused, or changed since has no reminder', async () => {
  const changes = `update payments set read_version = 1 where order_id = '0';
    update deliveries set failure = 'status 500', status = 500 where order_id = '1';
    update deliveries set last_at = at + 9, last_ms = 1, last_failure = 'status 500', last_status = 500, last_answer = ''
      where order_id = '2';
    update payments set status_version = 2 where order_id = '3';
    update deliveries set failure = 'status 500', status = 500, last_at = at + 60000, last_ms = 1, last_status = 200,
      last_answer = '' where order_id = '5'`
  const store = await delivered(6, '0', (file) => inFile(file, (database) => database.exec(changes)))
  const { reminded } = await store.remindUnread({ now: start + 15 * minute + 100, limit: 10 })
  expect(reminded.map(({ orderId }) => orderId).sort()).toEqual(['2', '4'])
  const later = await store.remindUnread({ now: start + 17 * minute, limit: 10 })
  expect(later.reminded.map(({ orderId }) => orderId)).toEqual(['5'])
})

test('a page that cannot be read costs the reminders of its look alone', async () => {
  const store = await delivered(2_300, 'number', (file) => spoilPage(file, 'deliveries', 0))
  expect((await remindedAt(store, start + 16 * minute)).orders).toBe(1_300)
})

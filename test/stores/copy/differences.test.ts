import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copiedTables } from '../../../src/stores/copy/table-rows.ts'
import { type SharedPostgres, sharedPostgres } from '../../postgres.ts'
import { copied, filledStore, folder, removeFilled, withSide } from './copying.ts'

let server: SharedPostgres

beforeAll(async () => {
  server = await sharedPostgres()
}, 600_000)
afterAll(async () => {
  removeFilled()
})

const newFile = async () => `sqlite:${join(folder(), 'copy.db')}`
const newDatabase = () => server.database()
const text = (value: string) => sql.lit(value)

/** Changes of a row that leave the number, the length and the sums of values as they were. */
const changes = [
  [
    'attempts',
    'method_id',
    sql`update attempts set method_id = ${text('tset')} where method_id = ${text('test')}`,
  ],
  [
    'attempts',
    'amount',
    sql`update attempts set amount = case order_id when ${text('order-6')} then ${text('7.06')} else ${text('6.05')} end
      where order_id in (${text('order-6')}, ${text('order-13')})`,
  ],
  [
    'deliveries',
    'whole rows',
    sql`update deliveries set ms = case ms when 11 then 12 else 11 end where ms in (11, 12)`,
  ],
  ['attempts', 'page_state', sql`update attempts set page_state = null where order_id = ${text('order-5')}`],
] as const

describe.each([
  ['SQLite', newFile],
  ['PostgreSQL', newDatabase],
])('a copy in %s', (_engine, makeTarget) => {
  test.each(changes)(
    'that was changed below Purveyor is not equal, whatever the sum of its values: %s, %s',
    async (table, figure, change) => {
      const from = await filledStore()
      const source = new DatabaseSync(from.slice('sqlite:'.length))
      source.exec(`update attempts set method_id = 'test', amount = '6.06' where order_id in ('order-6')`)
      source.exec(`update attempts set amount = '7.05' where order_id = 'order-13'`)
      source.exec(`update attempts set page_state = '' where order_id = 'order-5'`)
      source.close()
      const to = await makeTarget()
      let once = true
      const at = (_done: number, _of: number, what: string) => {
        if (what !== 'indexes' || !once) return
        once = false
        throw new Error('killed')
      }
      await expect(copied(from, to, { at })).rejects.toThrow('killed')
      await withSide(to, (side) => side.commit([change]))
      const again = copied(from, to)
      await expect(again).rejects.toMatchObject({ code: 'COPY_UNEQUAL' })
      await expect(again).rejects.toThrow(
        new RegExp(
          `either of them:\n {2}- ${table}, ${figure}, digest: \\w{15} in the source, \\w{15} in the target$`,
        ),
      )
      expect(await withSide(from, (side) => side.all(sql`select state from store_copies`))).toEqual([
        { state: 'copying' },
      ])
    },
  )
})

test('NUL is part of the content, and with --without-nul it is left out of both, also from file to file', async () => {
  const from = await filledStore()
  const source = new DatabaseSync(from.slice('sqlite:'.length))
  source.exec(`update deliveries set answer = 'a' || char(0) || 'é' where rowid < 4`)
  source.close()
  const kept = await newFile()
  await copied(from, kept, { rehearse: true })
  const lost = await newFile()
  await copied(from, lost, { rehearse: true, withoutNul: true })
  const digests = await Promise.all(
    [from, kept, lost].map((address) =>
      withSide(address, async (side) => {
        const deliveries = copiedTables(await side.tables()).find(({ name }) => name === 'deliveries')!
        return side.digest('deliveries', deliveries.columns, [])
      }),
    ),
  )
  expect(digests[1]).toEqual(digests[0])
  expect(digests[2]!.rows).toBe(digests[0]!.rows)
  expect(digests[2]!.sum).not.toBe(digests[0]!.sum)
})

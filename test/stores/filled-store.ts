import { DatabaseSync } from 'node:sqlite'
import type { SealedRow } from '../../src/shops/seal.ts'
import { type TableName, tables } from '../../src/store/schema.ts'
import { copiedTables } from '../../src/stores/copy.ts'
import { seal } from '../../src/stores/seal.ts'
import { makeTables } from './sqlite-tables.ts'

/** The secret of filled stores. */
export const secret = 'the secret of a copied store 123456'

/** Texts that are easily changed on their way through a driver or a protocol. */
const hardTexts = [
  '',
  '\\N',
  'a\tb\nc\r\nd\\e\b\f\v',
  `it's "quoted", {braced} and $1`,
  'é € 漢字 👩‍👩‍👧',
  '\ufffd\u2028\uffff',
  `${'long '.repeat(40)}end`,
]
const shops = 20
/** Tables that stay small in any store. */
const small = 'shops endpoints keys webhook_keys push_addresses shop_hosts feeds images'.split(' ')

/** Makes a store in a file, with rows in every table that a copy takes along: `payments` in each of the large ones. */
export async function makeFilledStore(file: string, payments: number): Promise<void> {
  await makeTables(file)
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = off; pragma cache_size = -65536; begin')
  for (const name of copiedTables) {
    const names = Object.keys(tables[name].columns)
    const places = names.map(() => '?').join(', ')
    const add = database.prepare(`insert or replace into ${name} (${names.join(', ')}) values (${places})`)
    const count = small.includes(name) ? shops : payments
    for (let row = 1; row <= count; row++)
      add.run(...names.map((column, place) => cellOf(name, column, row, place)))
  }
  database.exec('commit')
  sealAll(database)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

function cellOf(table: TableName, name: string, row: number, place: number): string | number | null {
  const isKey = tables[table].key.includes(name)
  const { type, isNull } = tables[table].columns[name]!
  if (table === 'shops' && name === 'id') return `shop-${row}`
  if (name === 'shop_id') return `shop-${1 + (row % shops)}`
  if (isNull && (row + place) % 3 === 0) return null
  if (type !== 'text') return isKey ? row : name.endsWith('_at') ? Date.now() - row : row % 1_000
  if (name === 'currency') return row % 5 === 0 ? 'jpy' : 'eur'
  if (name === 'status') return row % 4 === 0 ? 'pending' : 'paid'
  if (name === 'amount') {
    const sign = row % 7 === 0 ? '-' : ''
    return row % 5 === 0 ? `${sign}${row}` : `${sign}${row % 10}.${String(row % 100).padStart(2, '0')}`
  }
  if (name === 'order_id') return `order-${row}`
  if (isKey || /hash|^id$/.test(name)) return `${name}-${row} 'é'`
  return hardTexts[(row + place) % hardTexts.length]!
}

/** Every sealed text, by its table: how the row is called that it is bound to. */
const sealed: readonly [table: string, column: string, kind: SealedRow['kind'], key: string][] = [
  ['keys', 'sealed', 'key', 'name'],
  ['endpoints', 'sealed_token', 'endpoint', "shop_id || '.' || token_hash"],
  ['push_addresses', 'sealed_token', 'push address', "shop_id || '.' || adapter || '.' || token_hash"],
  ['shops', 'sealed_settings', 'shop', 'id'],
  ['webhook_keys', 'sealed_secret', 'webhook key', 'id'],
]

function sealAll(database: DatabaseSync): void {
  const { close } = seal(secret)
  for (const [table, column, kind, key] of sealed) {
    const set = database.prepare(`update ${table} set ${column} = ? where ${key} = ?`)
    for (const { of } of database.prepare(`select ${key} as of from ${table}`).all() as { of: string }[])
      set.run(close(JSON.stringify({ secret: of }), { kind, key: of }), of)
  }
}

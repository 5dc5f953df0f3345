import { type RawBuilder, sql } from 'kysely'
import type { Cell, CopiedTable, Side } from './side.ts'

/** Tables that are left behind: they are about processes and clocks of the old place, or about copies. */
export const leftBehind: ReadonlySet<string> = new Set([
  'nodes',
  'breakers',
  'clocks',
  'holds',
  'write_probes',
  'store_copies',
  'copied_tables',
  'copied_indexes',
  'kysely_migration',
  'kysely_migration_lock',
])

/** Other tables refer to rows of this one, so it is copied first. */
const first = 'shops'

/** The tables to copy, in their order. */
export const copiedTables = (tables: readonly CopiedTable[]): CopiedTable[] =>
  tables
    .filter(({ name }) => !leftBehind.has(name))
    .sort((one, other) => place(one) - place(other) || (one.name < other.name ? -1 : 1))

const place = ({ name }: CopiedTable) => (name === first ? 0 : 1)

/** Rows that follow each other in the order of their table, and the key of the last; not set where no rows are left. */
export interface Page {
  rows: Cell[][]
  last: Cell[] | undefined
}

interface Key {
  /** To compare and to order by. */
  parts: RawBuilder<unknown>[]
  /** The same as a client gets them. */
  read: RawBuilder<unknown>[]
  given: (cell: Cell, index: number) => RawBuilder<unknown>
}

/** A table without a primary key is read in the order in which its rows lie: nothing moves while nobody writes. */
function keyOf(side: Side, { key, isPartitioned }: CopiedTable): Key {
  const plain = (cell: Cell) => sql`${cell}`
  const named = key.length > 0 ? key : ['rowid']
  if (key.length > 0 || side.engine === 'sqlite') {
    const parts = named.map((name) => sql.ref(name))
    return { parts, read: parts, given: plain }
  }
  const partition = isPartitioned ? [sql`tableoid::bigint`] : []
  return {
    parts: [...partition, sql`ctid`],
    read: [...partition, sql`ctid::text`],
    given: (cell, index) => (index < partition.length ? sql`${cell}::bigint` : sql`${cell}::text::tid`),
  }
}

/** Up to `limit` rows behind a key, or from the first on: their columns, or what is given instead. `only` leaves others out. */
export async function readPage(
  side: Side,
  table: CopiedTable,
  after: readonly Cell[] | undefined,
  limit: number,
  shown: readonly RawBuilder<unknown>[] = table.columns.map(({ name }) => sql.ref(name)),
  only: RawBuilder<unknown> = sql`1 = 1`,
): Promise<Page> {
  const key = keyOf(side, table)
  const behind = after ? sql`and (${sql.join(key.parts)}) > (${sql.join(after.map(key.given))})` : sql``
  // Under names of their own: a name of a column that is shown would be what is ordered by.
  const keys = key.read.map((part, index) => sql`${part} as ${sql.id(`key ${index}`)}`)
  const rows = await side.cells(sql`select ${sql.join([...shown, ...keys])} from ${sql.table(table.name)}
    where ${only} ${behind} order by ${sql.join(key.parts)} limit ${sql.lit(limit)}`)
  const last = rows.at(-1)?.slice(shown.length)
  for (const row of rows) row.length = shown.length
  return { rows, last }
}

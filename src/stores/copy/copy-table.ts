import { sql } from 'kysely'
import type { Progress } from './look.ts'
import { refused } from './refused.ts'
import type { Cell, CopiedTable, Side } from './side.ts'
import { readPage } from './table-rows.ts'

/** The text of a batch, in characters, and the rows of the first one: their length is not known before. */
const batchLength = 8 * 1024 * 1024
const firstBatch = 200

export interface TableCopy {
  from: Side
  to: Side
  /** Leaves the character NUL out of texts. */
  withoutNul: boolean
  /** The most rows of a commit. */
  batch: number
}

/** Copies the rest of a table. Each batch is one commit of the target that also notes the key of its last row. */
export async function copyTable(
  { from, to, withoutNul, batch: most }: TableCopy,
  table: CopiedTable,
  begun: Progress,
  added: (rows: number) => void,
): Promise<void> {
  const { name } = table
  let after = begun.last === null ? undefined : (JSON.parse(begun.last) as Cell[])
  let count = begun.rows
  let limit = Math.min(firstBatch, most)
  const columns = table.columns.map((column) => column.name)
  let reading = readPage(from, table, after, limit)
  for (;;) {
    const { rows, last } = await reading
    const total = count + rows.length
    const isDone = rows.length < limit
    const adding = to.add({
      table: name,
      columns,
      rows: withoutNul ? rows.map(cleaned) : rows,
      // Migrations leave a row of their own in some tables.
      before: count === 0 ? [sql`delete from ${sql.table(name)}`] : [],
      note: sql`update copied_tables set last_key = ${JSON.stringify(last ?? after ?? null)}, row_count = ${total},
          is_done = ${isDone ? 1 : 0}
        where name = ${name} and row_count = ${count} and is_done = 0 returning name`,
    })
    if (last && !isDone) {
      limit = Math.max(1, Math.min(most, Math.floor((batchLength * rows.length) / lengthOf(rows))))
      reading = readPage(from, table, last, limit)
      // It is awaited in the next turn, unless the batch before it fails.
      reading.catch(() => {})
    }
    if (!(await adding)) {
      throw refused(`Another db copy writes into the target at this moment. Let it end, then look again.`)
    }
    added(rows.length)
    // Between two files nothing else gives signals and progress a turn.
    await new Promise((resolve) => setImmediate(resolve))
    if (isDone) return
    after = last
    count = total
  }
}

function lengthOf(rows: readonly (readonly Cell[])[]): number {
  let length = 1
  for (const row of rows) {
    for (const cell of row) length += typeof cell === 'string' ? cell.length + 1 : 8
  }
  return length
}

const cleaned = (row: readonly Cell[]): Cell[] =>
  row.map((cell) => (typeof cell === 'string' ? cell.replaceAll('\0', '') : cell))

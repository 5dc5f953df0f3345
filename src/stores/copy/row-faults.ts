import { isUtf8 } from 'node:buffer'
import { type RawBuilder, sql } from 'kysely'
import { counted } from '../../printable.ts'
import type { Cell, CopiedColumn, CopiedTable, Side } from './side.ts'
import { readPage } from './table-rows.ts'

/** The largest numbers of a column of 32 bits, and of a number here. */
const largest = { int4: 2_147_483_647, int8: Number.MAX_SAFE_INTEGER }

/** How many rows are looked at between two turns of the event loop. */
const atOnce = 5_000

/** Values of a column that the other store does not take as they are. */
export interface RowFault {
  table: string
  column: string
  kind: 'nul' | 'text' | 'number' | 'utf8'
  rows: number
}

const words: Record<RowFault['kind'], string> = {
  nul: 'hold the character NUL, which PostgreSQL does not store: add --without-nul to leave it out, as a provider on PostgreSQL does',
  text: 'hold something else than text: correct them in the source',
  number:
    'hold something else than a whole number of the size that the column takes: correct them in the source',
  utf8: 'hold text that is not valid UTF-8, such as half of a surrogate pair: correct them in the source',
}

/** Such as `deliveries.answer: 3 rows hold the character NUL, ...`. */
export const faultWords = ({ table, column, kind, rows }: RowFault): string =>
  `${table}.${column}: ${counted(rows, 'row')} ${words[kind]}`

/** The columns of both, with the smaller of two sizes. */
function sizeOf({ name }: CopiedColumn, target: CopiedTable | undefined): number {
  const kind = target?.columns.find((column) => column.name === name)?.kind
  return kind === 'int4' ? largest.int4 : largest.int8
}

interface Look {
  column: string
  kind: RowFault['kind']
  when: RawBuilder<unknown>
}

/** A server checks the kinds of its values itself. */
function looksAt({ name, kind }: CopiedColumn, size: number, isFile: boolean): Look[] {
  const value = sql.ref(name)
  if (kind !== 'text') {
    const limit = sql.lit(size)
    const isTooLarge = sql`${value} not between -${limit} and ${limit}`
    // Text and bytes are larger than any number there; this is five times as fast as to ask for the type.
    const isNoNumber = sql`(${isTooLarge} or ${value} <> cast(${value} as integer))`
    return [{ column: name, kind: 'number', when: isFile ? isNoNumber : isTooLarge }]
  }
  // A column of text turns numbers into text, so that only bytes are left.
  const isNoText = sql`${value} >= x''`
  return isFile ? [{ column: name, kind: 'text', when: isNoText }] : []
}

/**
 * Finds the rows that do not fit into the same table of another store. `target` is that table, where it is known already.
 */
export async function rowFaults(
  side: Side,
  table: CopiedTable,
  { target, takesNul }: { target: CopiedTable | undefined; takesNul: boolean },
): Promise<RowFault[]> {
  const isFile = side.engine === 'sqlite'
  const looks = table.columns.flatMap((column) => looksAt(column, sizeOf(column, target), isFile))
  const wrong = await counts(side, table, looks)
  if (!isFile) return wrong
  return [...wrong, ...(takesNul ? [] : await nuls(side, table)), ...(await brokenTexts(side, table))]
}

/** How many rows each look finds, of those that find any. */
async function counts(side: Side, table: CopiedTable, looks: readonly Look[]): Promise<RowFault[]> {
  if (looks.length === 0) return []
  const sums = looks.map(
    ({ when }, index) => sql`sum(case when ${when} then 1 else 0 end) as ${sql.id(`look ${index}`)}`,
  )
  const [found = {}] = await side.all<Record<string, Cell>>(
    sql`select ${sql.join(sums)} from ${sql.table(table.name)}`,
  )
  return looks.flatMap(({ column, kind }, index) => {
    const rows = Number(found[`look ${index}`] ?? 0)
    return rows > 0 ? [{ table: table.name, column, kind, rows }] : []
  })
}

const textsOf = ({ columns }: CopiedTable): string[] =>
  columns.filter(({ kind }) => kind === 'text').map(({ name }) => name)

/** All texts of a row, with separators: the ends of two broken texts make no good one. */
const together = (names: readonly string[]) =>
  sql`concat_ws('|', ${sql.join(names.map((name) => sql.ref(name)))})`

const hasNul = (text: RawBuilder<unknown>) => sql`instr(cast(${text} as blob), x'00') > 0`

/** One look for each row, and one for each column only where that finds something. */
async function nuls(side: Side, table: CopiedTable): Promise<RowFault[]> {
  const names = textsOf(table)
  const look = (column: string, text: RawBuilder<unknown>) => ({
    column,
    kind: 'nul' as const,
    when: hasNul(text),
  })
  if (names.length === 0 || (await counts(side, table, [look('', together(names))])).length === 0) return []
  return counts(
    side,
    table,
    names.map((name) => look(name, sql.ref(name))),
  )
}

/** Texts of a file that are no UTF-8: they would be changed without a word. SQLite finds those that are not plain ASCII. */
async function brokenTexts(side: Side, table: CopiedTable): Promise<RowFault[]> {
  const names = textsOf(table)
  if (names.length === 0) return []
  const rows = new Map<string, number>()
  const text = together(names)
  const bytes = names.map((name) => sql`cast(${sql.ref(name)} as blob)`)
  const isSpecial = sql`(${text} glob '*[^ -~]*' or ${hasNul(text)})`
  for (let after: Cell[] | undefined; ; ) {
    const page = await readPage(side, table, after, atOnce, bytes, isSpecial)
    for (const row of page.rows) {
      row.forEach((value, index) => {
        const name = names[index]!
        if (!isGood(value)) rows.set(name, (rows.get(name) ?? 0) + 1)
      })
    }
    if (!page.last) break
    after = page.last
    await new Promise((resolve) => setImmediate(resolve))
  }
  return Array.from(rows, ([column, count]) => ({ table: table.name, column, kind: 'utf8', rows: count }))
}

const isGood = (value: unknown): boolean => !(value instanceof Uint8Array) || isUtf8(value)

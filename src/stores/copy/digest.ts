import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Cell, CopiedColumn, Digest } from './side.ts'

/** The hexadecimal digits of a hash that are added up. */
const digits = 15
/** A function of SQL takes up to 100 arguments. */
const most = 90

/** The other columns, and those in `cleaned`, which come last in the text of a row. */
export const partedBy = (
  columns: readonly CopiedColumn[],
  cleaned: readonly string[],
): [CopiedColumn[], CopiedColumn[]] => [
  columns.filter(({ name }) => !cleaned.includes(name)),
  columns.filter(({ name }) => cleaned.includes(name)),
]

/** A text for each row that no other row has: a length in bytes, a colon and a text, or a number and a semicolon. Of NULL only the sign is there. */
export function rowText(
  columns: readonly CopiedColumn[],
  bytesOf: (text: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts = columns.flatMap(({ name, kind }) => {
    const column = sql.ref(name)
    return kind === 'text' ? [bytesOf(column), sql.lit(':'), column] : [column, sql.lit(';')]
  })
  const groups: RawBuilder<unknown>[] = []
  for (let from = 0; from < parts.length; from += most)
    groups.push(sql`concat(${sql.join(parts.slice(from, from + most))})`)
  return groups.length > 0 ? sql.join(groups, sql` || `) : sql.lit('')
}

/** The digest of a table, made by PostgreSQL. */
export const serverDigest = (text: RawBuilder<unknown>, table: string) =>
  sql<{ rows: number; sum: string | null }>`select count(*) as rows, cast(sum(
      ('x' || substr(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 1, ${sql.lit(digits)}))::bit(60)::bigint
    ) as text) as sum from ${sql.table(table)}`

/** The digest of rows that come one after the other. */
export class RowDigest {
  #rows = 0
  #sum = 0n

  /** The text of a row, and behind it texts whose character NUL is left out. */
  add([text, ...withNul]: readonly Cell[]): void {
    let whole = String(text)
    for (const cell of withNul) {
      const clean = cell === null ? null : String(cell).replaceAll('\0', '')
      whole += clean === null ? ':' : `${Buffer.byteLength(clean)}:${clean}`
    }
    this.#sum += BigInt(`0x${hash('sha256', whole).slice(0, digits)}`)
    this.#rows++
  }

  get digest(): Digest {
    return digestOf(this.#rows, this.#sum)
  }
}

export const digestOf = (rows: number, sum: bigint): Digest => ({
  rows,
  sum: BigInt.asUintN(4 * digits, sum)
    .toString(16)
    .padStart(digits, '0'),
})

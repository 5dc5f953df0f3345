import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Place } from './columns.ts'
import { prepare, type Query } from './query.ts'
import type { Tables } from './tables.ts'

// Statements about many rows at a time. A server gets the values of all rows as arrays; in the process of SQLite a prepared statement for
// each row costs less than a list that is taken apart.

/** A statement in words of its own. */
export const prepareText = <Row>(db: Kysely<Tables>, build: (value: Place) => RawBuilder<Row>): Query<Row> =>
  prepare<Row>((value) => ({ compile: () => build(value).compile(db) }) as never)

/** A list as the text of an array. */
const arrayOf = (list: readonly (string | number | null | undefined)[]): string =>
  `{${list.map((one) => (typeof one === 'string' ? quoted(one) : (one ?? 'null'))).join(',')}}`

const quoted = (text: string) => `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`

type Type = 'text' | 'bigint' | 'integer'

/** The rows of arrays, one for each column, with the value of that name. Names are written as they are. */
export const rowsOf = (value: Place, types: Readonly<Record<string, Type>>): RawBuilder<unknown> =>
  sql`(select * from unnest(${sql.join(
    Object.entries(types).map(([name, type]) => sql`cast(${value(name)} as ${sql.raw(type)}[])`),
  )}) as rows_of (${sql.raw(Object.keys(types).join(', '))}))`

/** The values of `rowsOf`: an array of each column. */
export const columnsOf = (rows: readonly object[], names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, arrayOf(rows.map((row) => row[name as never]))]))

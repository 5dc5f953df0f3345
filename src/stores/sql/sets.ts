import { type Compilable, type RawBuilder, sql } from 'kysely'
import { type Asked, type Place, prepare, type Query, type Value } from './query.ts'

// Statements about many rows at a time. A server gets the values of all rows as arrays; in the process of SQLite taking a list apart costs
// more than a prepared statement for each row, and one with a place for each value of a group costs half.

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

/** As many times as the group has items. */
export const times = <Item>(size: number, one: () => Item): Item[] => Array.from({ length: size }, one)

const largest = 32

/** Divides a list into groups of few sizes, so that few statements are prepared for them. */
export function inGroups<Item>(list: readonly Item[]): Item[][] {
  const groups: Item[][] = []
  for (let at = 0, size = largest; at < list.length; at += size) {
    while (size > list.length - at) size /= 2
    groups.push(list.slice(at, at + size))
  }
  return groups
}

/** A statement for groups of `inGroups`, one for each size. It gets the values of a group in the order of its placeholders. */
export function forGroups<Row>(build: (size: number, value: Place) => Compilable<Row>) {
  const queries = new Map<number, Query<Row>>()
  return (size: number, values: Value[]): Asked<Row> => {
    const query = queries.get(size) ?? prepare<Row>((value) => build(size, value))
    queries.set(size, query)
    return { sql: query.sql, writes: query.writes, values }
  }
}

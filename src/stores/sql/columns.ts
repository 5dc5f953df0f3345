import { type Kysely, PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { prepare, type Query } from './query.ts'
import type { Tables } from './schema.ts'

/** Whether the engine is a server: rows can be locked there, and the number of flights counts. */
export const isServer = (db: Kysely<Tables>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Marks where a value goes while a query is built. */
export type Place = (name: string) => never

export type Column = { [Table in keyof Tables]: keyof Tables[Table] & string }[keyof Tables]
/** Also with its table, where a query reads several. */
type Named = Column | `${keyof Tables}.${Column}`

/** The value of a column has its name in camel case: `shopId` goes into `shop_id`. */
export const nameOf = (column: Named): string =>
  column.slice(column.indexOf('.') + 1).replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Columns to be written, each with the value that is named after it. */
export const columns = <Name extends Column>(value: Place, ...names: Name[]): Record<Name, never> =>
  Object.fromEntries(names.map((name) => [name, value(nameOf(name))])) as Record<Name, never>

/** Columns of a row that is there already, which take over what was to be added. */
export const replaced = <Name extends Column>(...names: Name[]): Record<Name, RawBuilder<never>> =>
  Object.fromEntries(names.map((name) => [name, sql`excluded.${sql.ref(name)}`])) as never

/** Rows whose columns have the values that are named after them. */
export const matching = (value: Place, ...names: Named[]): RawBuilder<boolean> =>
  sql.join<boolean>(
    names.map((name) => sql`${sql.ref(name)} = ${value(nameOf(name))}`),
    sql` and `,
  )

/** The rows of one order of a shop, and of one attempt. */
export const ofOrder = (value: Place): RawBuilder<boolean> => matching(value, 'shop_id', 'order_id')
export const ofAttempt = (value: Place): RawBuilder<boolean> => matching(value, 'shop_id', 'id')

/** Rows whose column has the value that is named after it; all rows where none is given. */
export const ifGiven = (value: Place, name: Named, table?: string): RawBuilder<boolean> =>
  sql<boolean>`(cast(${value(nameOf(name))} as text) is null
    or ${sql.ref(table ? `${table}.${name}` : name)} = ${value(nameOf(name))})`

/** Reads what names a row: the values of these columns, as `matching` takes them. */
export function valuesIn<Values extends Record<string, string>>(names: readonly Column[]) {
  const pairs = names.map((name) => [name, nameOf(name)] as const)
  return (row: object): Values =>
    Object.fromEntries(
      pairs.map(([name, value]) => [value, row[name as keyof typeof row]]),
    ) as unknown as Values
}

/** Makes a query lock the rows that it finds until the end of the transaction. SQLite locks no rows. */
export function lockRows(db: Kysely<Tables>) {
  const locks = isServer(db)
  return <DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) =>
    locks ? query.forUpdate() : query
}

/** Makes a claim's query skip rows that another client has locked, and lock those that it finds. SQLite locks no rows. */
export function skipLocked(db: Kysely<Tables>) {
  const locks = isServer(db)
  return <DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) =>
    locks ? query.forUpdate().skipLocked() : query
}

// The simplest queries. Each value is named after its column: `shopId` goes into `shop_id`.

type ColumnOf<Table extends keyof Tables> = keyof Tables[Table] & Column

/** Any table, by any column. */
export type Alike = Record<string, Record<Column, never>>
const alike = (db: Kysely<Tables>) => db as unknown as Kysely<Alike>

type Add = <Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  ...names: ColumnOf<Table>[]
) => Query<unknown>

const row = (db: Kysely<Tables>, table: string, value: Place, names: Column[]) =>
  alike(db)
    .insertInto(table)
    .values(columns(value, ...names))

export const addRow: Add = (db, table, ...names) => prepare((value) => row(db, table, value, names))

/** Adds a row and returns its first column. Does and returns nothing if there is such a row. */
export const addNewRow: Add = (db, table, ...names) =>
  prepare((value) =>
    row(db, table, value, names)
      .onConflict((conflict) => conflict.doNothing())
      .returning(names[0]!),
  )

/** Sets columns of the rows that have the values of `by`. */
export const setColumns = <Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  names: ColumnOf<Table>[],
  by: ColumnOf<Table>[],
): Query<unknown> =>
  prepare((value) =>
    alike(db)
      .updateTable(table as string)
      .set(columns(value, ...names))
      .where(matching(value, ...by)),
  )

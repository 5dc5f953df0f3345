import type { Kysely } from 'kysely'
import { type Column, columns, matching, type Place } from './columns.ts'
import { prepare, type Query } from './query.ts'
import type { Tables } from './schema.ts'

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

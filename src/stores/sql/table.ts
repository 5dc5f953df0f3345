import type { Generated } from 'kysely'

export interface Column<Value> {
  readonly type: 'text' | 'integer' | 'bigint'
  readonly isNull?: true
  readonly default?: number
  /** The engine numbers new rows by it. */
  readonly isNumber?: true
  /** Never set; carries the type of the values. */
  readonly value?: Value
}

/** Rows of one kind. */
export interface Table<Columns> {
  readonly columns: Columns
  readonly key: readonly string[]
  /** Its rows are deleted soon after they were added, or change all the time. */
  readonly isHot?: true
  /** Where the key is the table, there is no second look-up in it: SQLite alone. */
  readonly isKeyed?: true
  /** Its indexes, by the ends of their names: the part of their statements behind the name of the table. */
  readonly indexes?: Readonly<Record<string, string>>
  readonly unique?: Readonly<Record<string, string>>
}

export const table = <Columns extends Record<string, Column<unknown>>>(
  columns: Columns,
  key: readonly (keyof Columns & string)[],
  more: Omit<Table<Columns>, 'columns' | 'key'> = {},
): Table<Columns> => ({ columns, key, ...more })

export const text: Column<string> = { type: 'text' }
export const integer: Column<number> = { type: 'integer' }
export const bigint: Column<number> = { type: 'bigint' }
export const number: Column<Generated<number>> = { type: 'bigint', isNumber: true }
export const from = (first: number, type: 'integer' | 'bigint' = 'integer'): Column<Generated<number>> => ({
  type,
  default: first,
})
export const one = <Word extends string>(): Column<Word> => ({ type: 'text' })
export const orNull = <Value>(column: Column<Value>): Column<Value | null> => ({ ...column, isNull: true })
/** Columns of one kind. */
export const each = <Value, Name extends string>(column: Column<Value>, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, column])) as Record<Name, Column<Value>>

import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type Selectable,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { forGroups, type Parameter, prepare, type Query } from './query.ts'
import { type Engine, type TableName, type Tables, tables } from './schema.ts'

/** Queries are built and compiled with it. */
export type Db = Kysely<Tables>

/** Compiles SQL for an engine and opens nothing. */
export const compilingFor = (engine: Engine): Db =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => (engine === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) =>
        engine === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
      createQueryCompiler: () =>
        engine === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler(),
    },
  })

/** Whether the engine is a server: rows can be locked there, and the number of flights counts. */
export const isServer = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** The end of a query that leaves out rows which another client has locked, and locks those that it finds. SQLite locks no rows. */
export const skipsLocked = (db: Db) => (isServer(db) ? sql`for update skip locked` : sql``)

export type Column = { [Table in keyof Tables]: keyof Tables[Table] & string }[keyof Tables]
/** Also with its table, where a query reads several. */
type Named = Column | `${keyof Tables}.${Column}`

/** The value of a column has its name in camel case: `shopId` goes into `shop_id`. */
export const nameOf = (column: Named): string =>
  camelNames[column] ?? camelCase(column.slice(column.indexOf('.') + 1))

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const camelNames: Record<string, string> = Object.fromEntries(
  Object.values(tables).flatMap(({ columns }) => Object.keys(columns).map((name) => [name, camelCase(name)])),
)

/** Columns to be written, each with the value that is named after it. */
export const columns = <Name extends Column>(value: Parameter, ...names: Name[]): Record<Name, never> =>
  Object.fromEntries(names.map((name) => [name, value(nameOf(name))])) as Record<Name, never>

/** Columns of a row that is there already, which take over what was to be added. */
export const replaced = <Name extends Column>(...names: Name[]): Record<Name, RawBuilder<never>> =>
  Object.fromEntries(names.map((name) => [name, sql`excluded.${sql.ref(name)}`])) as never

/** Rows whose columns have the values that are named after them. */
export const matching = (value: Parameter, ...names: Named[]): RawBuilder<boolean> =>
  sql.join<boolean>(
    names.map((name) => sql`${sql.ref(name)} = ${value(nameOf(name))}`),
    sql` and `,
  )

/** The rows of one order of a shop, and of one attempt. */
export const ofOrder = (value: Parameter): RawBuilder<boolean> => matching(value, 'shop_id', 'order_id')
export const ofAttempt = (value: Parameter): RawBuilder<boolean> => matching(value, 'shop_id', 'id')

/** Rows whose column has the value that is named after it; all rows where none is given. */
export const ifGiven = (value: Parameter, name: Named, table?: string): RawBuilder<boolean> =>
  sql<boolean>`(cast(${value(nameOf(name))} as text) is null
    or ${sql.ref(table ? `${table}.${name}` : name)} = ${value(nameOf(name))})`

/** Prepares a statement in words of its own. */
export const prepareText =
  (db: Db) =>
  <Row>(build: (value: Parameter) => RawBuilder<unknown>): Query<Row> =>
    prepare<Row>((value) => ({ compile: () => build(value).compile(db) }) as never)

/** As `prepareText`, for the groups of `forGroups`. */
export const prepareGroups =
  (db: Db) =>
  <Row = unknown>(build: (size: number, value: Parameter) => RawBuilder<unknown>) =>
    forGroups<Row>((size, value) => ({ compile: () => build(size, value).compile(db) }) as never)

// The simplest queries. Each value is named after its column: `shopId` goes into `shop_id`.

type ColumnOf<Table extends TableName> = keyof Tables[Table] & Column

/** Any table, by any column. */
export type Alike = Record<string, Record<Column, never>>
const alike = (db: Db) => db as unknown as Kysely<Alike>

/** All rows with the values of `by`, in the order of other columns. */
export const rowsBy = <Table extends TableName>(
  db: Db,
  table: Table,
  by: ColumnOf<Table>[],
  ...order: ColumnOf<Table>[]
): Query<Selectable<Tables[Table]>> =>
  prepare<Selectable<Tables[Table]>>((value) => {
    const some = alike(db)
      .selectFrom(table as string)
      .selectAll()
    const found = by.length > 0 ? some.where(matching(value, ...by)) : some
    return order.reduce((query, column) => query.orderBy(column), found) as never
  })

/** Deletes rows with the values of these columns, and returns the first one. */
export const deleteBy = <Table extends TableName>(
  db: Db,
  table: Table,
  ...by: ColumnOf<Table>[]
): Query<unknown> =>
  prepare((value) =>
    alike(db)
      .deleteFrom(table as string)
      .where(matching(value, ...by))
      .returning(by[0]!),
  )

/** Deletes rows whose column is lower than `before`. */
export const deleteBefore = <Table extends TableName>(
  db: Db,
  table: Table,
  column: ColumnOf<Table>,
): Query<unknown> =>
  prepare((value) =>
    alike(db)
      .deleteFrom(table as string)
      .where(column, '<', value('before')),
  )

type Add = <Table extends TableName>(db: Db, table: Table, ...names: ColumnOf<Table>[]) => Query<unknown>

/** A row of these columns, by default of all that have no value of their own. */
const row = (db: Db, table: TableName, value: Parameter, given: Column[]) => {
  const all = Object.entries(tables[table].columns)
  const own = all.flatMap(([name, { default: first, isNumber }]) =>
    first === undefined && !isNumber ? (name as Column) : [],
  )
  const names = given.length > 0 ? given : own
  return {
    names,
    adding: alike(db)
      .insertInto(table as string)
      .values(columns(value, ...names)),
  }
}

export const addRow: Add = (db, table, ...names) => prepare((value) => row(db, table, value, names).adding)

/** Adds a row and returns its first column. Does and returns nothing if there is such a row. */
export const addNewRow: Add = (db, table, ...given) =>
  prepare((value) => {
    const { names, adding } = row(db, table, value, given)
    return adding.onConflict((conflict) => conflict.doNothing()).returning(names[0]!)
  })

/** Adds a row, in the place of one with the same key. */
export const putRow: Add = (db, table, ...given) =>
  prepare((value) => {
    const { names, adding } = row(db, table, value, given)
    const key = tables[table].key as Column[]
    const others = names.filter((name) => !key.includes(name))
    return adding.onConflict((conflict) => conflict.columns(key).doUpdateSet(replaced(...others)))
  })

/** Sets columns of the rows that have the values of `by`. */
export const setColumns = <Table extends TableName>(
  db: Db,
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

// Maps between rows, where no data is null, and objects, where it is undefined.

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
export type Plain<Of> = {
  [Name in keyof Of as Camel<Name>]: null extends Of[Name] ? Exclude<Of[Name], null> | undefined : Of[Name]
}

/** A row whose columns are the members of an object: `order_id` becomes `orderId`, and null undefined. */
export const plain = <Of extends object>(row: Of): Plain<Of> =>
  members(row, ...(Object.keys(row) as (keyof Of & Column)[])) as Plain<Of>

/** As `plain`, with these columns of a row. */
export function members<Of extends object, Name extends keyof Of & Column>(
  row: Of,
  ...names: Name[]
): Plain<Pick<Of, Name>> {
  const found: Record<string, unknown> = {}
  for (const name of names) found[nameOf(name)] = row[name] ?? undefined
  return found as Plain<Pick<Of, Name>>
}

export const orderFrom = (row: { shop_id: string; order_id: string }) => members(row, 'shop_id', 'order_id')

/** A process, as `nodes list` shows it: where and what it is. `since` is when it started. */
export type NodeRuns = Plain<
  Pick<Row<'nodes'>, 'host' | 'pid' | 'main_pid' | 'version' | 'build' | 'since'>
> & {
  /** The address that shops call. Not set before it listens. */
  url?: string | undefined
}

/** A running process of the provider. `opens` are the ids of the secrets whose texts it opens, the one that it has as its own first. */
export type NodeSeen = ReturnType<typeof nodeFrom>

export const nodeFrom = ({ id, opens, seen_at: seenAt, url, ...row }: Row<'nodes'>) => ({
  ...{ id, opens: opens.split(' ') as readonly string[], seenAt },
  runs: { ...plain(row), ...(url !== null && { url }) } as NodeRuns,
})

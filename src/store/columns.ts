import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  type Selectable,
  SqliteDialect,
  sql,
} from 'kysely'
import { type Asked, type Compiled, prepare, type Query, type Value } from './query.ts'
import { type Engine, type TableName, type Tables, tables } from './schema.ts'

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

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Marks the place of a value in a statement, by its name: `shopId`. `never` fits every column's type; the engine checks the value. */
export const value = (name: string): never => new Placeholder(name) as never

/** Rows whose columns have the values that are named after them. */
export const matching = (...names: Named[]): RawBuilder<boolean> =>
  sql.join<boolean>(
    names.map((name) => sql`${sql.ref(name)} = ${value(nameOf(name))}`),
    sql` and `,
  )

/** The rows of one order of a shop, and of one attempt. */
export const ofOrder = matching('shop_id', 'order_id')
export const ofAttempt = matching('shop_id', 'id')

/** Rows whose column has the value that is named after it; all rows where none is given. */
export const ifGiven = (name: Named): RawBuilder<boolean> =>
  sql<boolean>`(cast(${value(nameOf(name))} as text) is null or ${sql.ref(name)} = ${value(nameOf(name))})`

type ColumnOf<Table extends TableName> = keyof Tables[Table] & Column
const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

const opensNothing = () => Promise.reject(new TypeError('It compiles statements alone'))

/**
 * Builds the statements of an engine, and opens nothing. Each is compiled at its first use: a command in a terminal uses few of them. Its
 * values are named after their columns: `shopId` goes into `shop_id`.
 */
export class Db {
  /** Rows can be locked there, and the number of flights counts. */
  readonly isServer: boolean
  /** The end of a query that leaves out rows which another client has locked, and locks those that it finds. SQLite locks no rows. */
  readonly skipsLocked: RawBuilder<unknown>
  readonly #compiler: Kysely<unknown>

  constructor(engine: Engine) {
    this.isServer = engine === 'postgres'
    this.skipsLocked = this.isServer ? sql`for update skip locked` : sql``
    this.#compiler = new Kysely({
      dialect: this.isServer
        ? new PostgresDialect({ pool: opensNothing })
        : new SqliteDialect({ database: opensNothing }),
    })
  }

  /** A statement in words of its own: as a tag, or built before. */
  text<Row>(words: TemplateStringsArray | RawBuilder<unknown>, ...parts: unknown[]): Query<Row> {
    const statement = 'raw' in words ? sql(words, ...parts) : words
    return prepare(() => this.#compile(statement))
  }

  /** A statement for the groups of `inGroups`, one for each size. It gets the values of a group in the order of their places. */
  groups<Row = unknown>(build: (size: number) => RawBuilder<unknown>) {
    const bySize = new Map<number, Compiled>()
    return (size: number, values: Value[]): Asked<Row> => {
      const compiled = bySize.get(size) ?? this.#compile(build(size))
      bySize.set(size, compiled)
      const { sql, writes } = compiled
      return { sql, writes, values }
    }
  }

  #compile(statement: RawBuilder<unknown>): Compiled {
    const built: CompiledQuery = statement.compile(this.#compiler)
    const names = built.parameters.map((parameter) => {
      if (parameter instanceof Placeholder) return parameter.name
      throw new TypeError('A prepared query gets all its values through value()')
    })
    // SQLite reads the value of a bare limit while it plans, so it would plan the statement anew for each execution. PostgreSQL has `limit $1`.
    const text = built.sql.trim().replaceAll(/\blimit \?/g, 'limit ? + 0')
    return { sql: text, writes: !text.startsWith('select'), names }
  }

  /** All rows with the values of `by`, in the order of other columns. */
  rowsBy<Table extends TableName>(
    table: Table,
    by: ColumnOf<Table>[],
    ...order: ColumnOf<Table>[]
  ): Query<Selectable<Tables[Table]>> {
    const which = by.length > 0 ? sql`where ${matching(...by)}` : sql``
    const ordered = order.length > 0 ? sql`order by ${list(order)}` : sql``
    return this.text`select * from ${sql.table(table)} ${which} ${ordered}`
  }

  /** Deletes rows with the values of these columns, and returns the first one. */
  deleteBy<Table extends TableName>(table: Table, ...by: ColumnOf<Table>[]): Query<unknown> {
    return this.text`delete from ${sql.table(table)} where ${matching(...by)} returning ${sql.ref(by[0]!)}`
  }

  /** Deletes rows whose column is lower than `before`. */
  deleteBefore<Table extends TableName>(table: Table, column: ColumnOf<Table>): Query<unknown> {
    return this.text`delete from ${sql.table(table)} where ${sql.ref(column)} < ${value('before')}`
  }

  /** Adds a row of these columns, by default of all that have no value of their own. */
  addRow<Table extends TableName>(table: Table, ...names: ColumnOf<Table>[]): Query<unknown> {
    return this.text(adding(table, names))
  }

  /** Adds a row and returns its first column. Does and returns nothing if there is such a row. */
  addNewRow<Table extends TableName>(table: Table, ...names: ColumnOf<Table>[]): Query<unknown> {
    const [first] = columnsIn(table, names)
    return this.text`${adding(table, names)} on conflict do nothing returning ${sql.ref(first!)}`
  }

  /** Adds a row, or sets these columns of one with the same key, by default all. */
  putRow<Table extends TableName>(table: Table, ...names: ColumnOf<Table>[]): Query<unknown> {
    const { key } = tables[table]
    const others = columnsIn(table, names).filter((name) => !key.includes(name))
    const replaced = sql.join(others.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))
    return this.text`${adding(table)} on conflict (${list(key)}) do update set ${replaced}`
  }

  /** Sets columns of the rows that have the values of `by`. */
  setColumns<Table extends TableName>(
    table: Table,
    names: ColumnOf<Table>[],
    by: ColumnOf<Table>[],
  ): Query<unknown> {
    const set = sql.join(names.map((name) => sql`${sql.ref(name)} = ${value(nameOf(name))}`))
    return this.text`update ${sql.table(table)} set ${set} where ${matching(...by)}`
  }
}

/** Columns of a table, by default all that have no value of their own. */
const columnsIn = (table: TableName, given: readonly string[]): string[] =>
  given.length > 0
    ? [...given]
    : Object.entries(tables[table].columns).flatMap(([name, { default: first, isNumber }]) =>
        first === undefined && !isNumber ? name : [],
      )

/** The insertion of a row, for a statement that goes on. */
export function adding(table: TableName, given: readonly string[] = []): RawBuilder<unknown> {
  const names = columnsIn(table, given)
  const values = sql.join(names.map((name) => value(nameOf(name as Column))))
  return sql`insert into ${sql.table(table)} (${list(names)}) values (${values})`
}

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

import type { Compilable } from 'kysely'

/** A query that was compiled once, with the names of its parameters in the order of its placeholders. */
export interface Query<Row> {
  sql: string
  names: readonly string[]
  /** Never there; carries the type of the rows. */
  row?: Row
}

/** Stands where a value goes while a query is built. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Builds a query once. `value('shopId')` marks a place that is filled by `all(query, { shopId })`. */
export function prepare<Row>(build: (value: (name: string) => never) => Compilable<Row>): Query<Row> {
  // `never` fits every column's type; what is passed for it later is checked by the engine.
  const compiled = build((name) => new Placeholder(name) as never).compile()
  const names = compiled.parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return parameter.name
    throw new TypeError('A prepared query takes all its values through value()')
  })
  return { sql: compiled.sql, names }
}

type Values = Record<string, string | number | null | undefined>
type Value = string | number | null

export interface Step {
  sql: string
  values: Value[]
}

/**
 * One command of the store as a generator over its queries. The same command runs in one go on an engine in the process
 * (SQLite) and step by step over a network, and never sees the transaction it runs in.
 */
export type Command<T> = Generator<Step, T, unknown[]>

export function* all<Row>(query: Query<Row>, values: Values): Command<Row[]> {
  return (yield { sql: query.sql, values: query.names.map((name) => values[name] ?? null) }) as Row[]
}

export function* first<Row>(query: Query<Row>, values: Values): Command<Row | undefined> {
  return (yield* all(query, values))[0]
}

import type { Compilable } from 'kysely'
import type { Place } from './columns.ts'

/** A query with the names of its parameters in the order of its placeholders. */
export interface Query<Row> {
  readonly sql: string
  /** Whether it changes rows: every query does except a `select`. */
  readonly writes: boolean
  readonly names: readonly string[]
  /** Never set; carries the type of the rows. */
  row?: Row
}

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Builds a query once, at its first use: a command in a terminal uses few of them. `value('shopId')` marks a place that
 * `all(query, { shopId })` fills.
 */
export function prepare<Row>(build: (value: Place) => Compilable<Row>): Query<Row> {
  let compiled: Query<Row> | undefined
  const query = () => {
    compiled ??= compile(build)
    return compiled
  }
  return {
    get sql() {
      return query().sql
    },
    get writes() {
      return query().writes
    },
    get names() {
      return query().names
    },
  }
}

function compile<Row>(build: (value: Place) => Compilable<Row>): Query<Row> {
  // `never` fits every column's type; the engine checks the values passed later.
  const compiled = build((name) => new Placeholder(name) as never).compile()
  const names = compiled.parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return parameter.name
    throw new TypeError('A prepared query gets all its values through value()')
  })
  return { sql: compiled.sql, writes: compiled.query.kind !== 'SelectQueryNode', names }
}

type Values = Record<string, string | number | null | undefined>
type Value = string | number | null

export interface Step {
  sql: string
  writes: boolean
  values: Value[]
}

/** One query with its values, typed by its rows. */
export interface Asked<Row> extends Step {
  row?: Row
}

/** A command waits for the rows of queries sent together, or for a hold. */
export type Wait =
  | {
      steps: readonly Step[]
      /** Called with the index of a query that a damaged page stops. */
      damagedAt?: (place: number) => void
    }
  | { hold: readonly string[] }

/**
 * One command of the store as a generator over its queries. The same command runs in one go on an engine in the process
 * (SQLite) and flight by flight over a network, and never sees the transaction it runs in.
 */
export type Command<T> = Generator<Wait, T, unknown[][]>

/**
 * The first step of a command that may run beside others in one transaction: commands with the same hold wait for its end. A command
 * without it runs alone. Later holds are taken in one call, so that no two commands wait for each other.
 */
export function* holding(...things: string[]): Command<void> {
  yield { hold: things }
}

export const orderKey = (shopId: string, orderId: string) => `order ${shopId} ${orderId}`

export const ask = <Row>(query: Query<Row>, values: Values): Asked<Row> => ({
  sql: query.sql,
  writes: query.writes,
  values: query.names.map((name) => values[name] ?? null),
})

/** Sends queries in one flight; they run in their order. Returns the rows of each. */
export function* together<const Asks extends readonly Asked<unknown>[]>(
  ...steps: Asks
): Command<{ [Index in keyof Asks]: Asks[Index] extends Asked<infer Row> ? Row[] : never }> {
  return (yield { steps }) as never
}

/** As `together`, for queries of lanes. `damaged` gets the one that a damaged page stops; the command runs again without it. */
export function* eachFor<Of>(
  queries: readonly (readonly [Of, Step])[],
  damaged: (of: Of) => void,
): Command<unknown[][]> {
  return yield {
    steps: queries.map(([, step]) => step),
    damagedAt: (place) => damaged(queries[place]![0]),
  }
}

export function* all<Row>(query: Query<Row>, values: Values): Command<Row[]> {
  return (yield { steps: [ask(query, values)] })[0] as Row[]
}

/** A command that only writes, and may run beside any other. */
export function* beside(query: Query<unknown>, values: Values): Command<void> {
  yield* holding()
  yield* all(query, values)
}

export function* first<Row>(query: Query<Row>, values: Values): Command<Row | undefined> {
  return (yield* all(query, values))[0]
}

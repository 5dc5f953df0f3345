import type { StoreConnection } from './connection.ts'

export const times = <Item>(size: number, one: () => Item): Item[] => Array.from({ length: size }, one)

/** Divides a list into groups of few sizes, 32 at most, so that few statements are prepared for them. */
export function inGroups<Item>(list: readonly Item[]): Item[][] {
  const groups: Item[][] = []
  for (let at = 0, size = 32; at < list.length; at += size) {
    while (size > list.length - at) size /= 2
    groups.push(list.slice(at, at + size))
  }
  return groups
}

type Values = Record<string, string | number | null | undefined>
export type Value = string | number | null

/** A statement. With its values it is a step of a command. */
export type Query<Row> = (values: Values) => Asked<Row>

/** `names` are those of the values, in the order of their places. */
export interface Compiled extends Omit<Step, 'values'> {
  names: readonly string[]
}

/** A statement that is compiled at its first use. */
export function prepare<Row>(compile: () => Compiled): Query<Row> {
  let compiled: Compiled | undefined
  return (values) => {
    compiled ??= compile()
    const { sql, writes, names } = compiled
    return { sql, writes, values: names.map((name) => values[name] ?? null) }
  }
}

export interface Step {
  sql: string
  /** Whether it changes rows: every statement does except a `select`. */
  writes: boolean
  values: Value[]
  /**
   * The row of something that commands change without holding it, such as a lane. These steps come last in a transaction and in one order,
   * so that no two transactions wait for each other.
   */
  shared?: string
}

/** One query with its values, typed by its rows. */
export interface Asked<Row> extends Step {
  row?: Row
}

/** A command waits for the rows of queries sent together, or for a hold. */
export type Wait =
  | {
      steps: readonly Step[]
      /** The last queries of the command: they go along with the commit, and it does not see their rows, unless there are others for it. */
      last?: true
      /** The command waits for the rows of its last queries. It gets these instead if the commit is on disk and its answer was lost. */
      ifLost?: unknown[][]
      /** Called with the index of a query that a damaged page stops. */
      damagedAt?: (place: number) => void
    }
  | {
      hold: readonly string[]
      /** The command shares its transaction with no other. */
      alone?: true
    }

/**
 * One command of the store as a generator over its queries. The same command runs in one go on an engine in the process
 * (SQLite) and flight by flight over a network, and never sees the transaction it runs in.
 */
export type Command<T> = Generator<Wait, T, unknown[][]>

/**
 * The first step of a command: what it holds until its commit. No other transaction, of this process or another one, gets the same until
 * then. A command never waits for a hold: if it does not get it, it has changed nothing yet, leaves its transaction and begins again. So
 * all holds come before the first change.
 */
export function* holding(...things: string[]): Command<void> {
  yield { hold: things }
}

/** As `holding`, for a command that changes rows before its last queries, or locks many: it shares its transaction with no other. */
export function* alone(...things: string[]): Command<void> {
  yield { hold: things, alone: true }
}

/** The hold of commands that add, change and remove shops, their addresses and keys. */
export const administration = 'shops'

export const orderKey = (shopId: string, orderId: string) => `order ${shopId} ${orderId}`

/** Sends queries in one flight; they run in their order. Returns the rows of each. */
export function* together<const Asks extends readonly Asked<unknown>[]>(
  ...steps: Asks
): Command<{ [Index in keyof Asks]: Asks[Index] extends Asked<infer Row> ? Row[] : never }> {
  return (yield { steps }) as never
}

/**
 * The last queries of a command. They go along with the commit, whose answer may be lost: so what the command returns does not depend on
 * their rows, and nothing follows them.
 */
export function* lastly(...steps: Step[]): Command<void> {
  yield { steps, last: true }
}

/**
 * As `lastly`, for a command that returns what the rows of its last queries say. If the answer was lost beside a commit that is on disk, it gets no
 * rows: so what they would say must be found again by others.
 */
export function* lastlyAsking<const Asks extends readonly Asked<unknown>[]>(
  ...steps: Asks
): Command<{ [Index in keyof Asks]: Asks[Index] extends Asked<infer Row> ? Row[] : never }> {
  return (yield { steps, last: true, ifLost: steps.map(() => []) }) as never
}

/** Commands that only read, side by side: what they ask next goes in one flight. Resolves with the result of each. */
export function* inOneFlight<const Reads extends readonly Command<unknown>[]>(
  ...reads: Reads
): Command<{ [Index in keyof Reads]: Reads[Index] extends Command<infer Result> ? Result : never }> {
  const running = reads.map((read) => ({ read, at: read.next() }))
  for (;;) {
    const waiting = running.flatMap((one) =>
      !one.at.done && 'steps' in one.at.value ? [{ one, steps: one.at.value.steps }] : [],
    )
    if (waiting.length === 0) return running.map(({ at }) => at.value) as never
    const rows = yield { steps: waiting.flatMap(({ steps }) => steps) }
    for (const { one, steps } of waiting) one.at = one.read.next(rows.splice(0, steps.length))
  }
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
  return (yield { steps: [query(values)] })[0] as Row[]
}

/** A command that holds things and writes once. */
export function* writeHolding(
  things: readonly string[],
  query: Query<unknown>,
  values: Values,
): Command<void> {
  yield* holding(...things)
  yield* lastly(query(values))
}

export function* first<Row>(query: Query<Row>, values: Values): Command<Row | undefined> {
  return (yield* all(query, values))[0]
}

/** No caller waits for `patient` ones: they may wait a few milliseconds, so that more of them share a commit. */
export type CommandKind = 'read' | 'write' | 'patient'

// biome-ignore lint/suspicious/noExplicitAny: any command
type AnyCommand = (...args: any[]) => Command<unknown>

const marked =
  <Kind extends CommandKind>(kind: Kind) =>
  <Of extends AnyCommand>(command: Of): Of & { kind: Kind } =>
    Object.assign(command, { kind })
export const [read, write, patient] = [marked('read'), marked('write'), marked('patient')]

/** The commands of a store, each as a promise. Members without a kind are for other commands. */
export type PortOf<Commands> = {
  [Name in keyof Commands as Commands[Name] extends { kind: CommandKind }
    ? Name
    : never]: Commands[Name] extends (...args: infer Args) => Command<infer Result>
    ? (...args: Args) => Promise<Result>
    : never
} & StoreConnection

/** Builds the commands of a store from one function that runs any of them. */
export function portOf<Commands extends object>(
  commands: Commands,
  run: (kind: CommandKind, command: () => Command<unknown>, name: string) => Promise<unknown>,
): Omit<PortOf<Commands>, keyof StoreConnection> {
  const all = Object.entries(commands) as [string, AnyCommand & { kind?: CommandKind }][]
  const port = all.flatMap(([name, command]) =>
    command.kind ? [[name, (...args: unknown[]) => run(command.kind!, () => command(...args), name)]] : [],
  )
  return Object.fromEntries(port)
}

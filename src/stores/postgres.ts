import { randomBytes } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { StorePort, StoreTrouble } from '../store.ts'
import { AgreedClock } from './agreed-clock.ts'
import { GroupCommit, type Waiting } from './group-commit.ts'
import { commitGroup, findFree } from './postgres-commit.ts'
import { Blocked, isAway, isRetryable, unavailable } from './postgres-errors.ts'
import type { Elsewhere } from './postgres-group.ts'
import { LockedRows } from './postgres-locked.ts'
import { PostgresServer, patience, pause } from './postgres-server.ts'
import { clockCommands } from './sql/clocks.ts'
import { sqlCommands } from './sql/commands.ts'
import { portOf } from './sql/port.ts'
import type { Command } from './sql/query.ts'
import type { Tables } from './sql/tables.ts'
import { Writes, writeProbe } from './writes.ts'

/** The most commands of one commit: a failed one costs the others another try. */
const mostTogether = 50
/** The most separate commands of one commit: each runs by itself, and other shops wait for them. */
const mostApart = 10

/** Compiles SQL and opens no connection. */
const compiling = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Options of `postgresStore`. */
export interface PostgresOptions {
  /** Such as `postgres://user:password@host/database`. */
  url: string
  /** Connections of this process. Default 10. */
  connections?: number
}

/**
 * The store on a PostgreSQL server that many processes share. They write one after the other, as on SQLite. Commands that arrive together
 * share one commit. A commit whose answer was lost is looked up by its transaction and never blindly repeated. All nodes agree on a clock
 * based on the server's, so that leases hold across machines whose clocks differ, and none ends when the server's clock is set.
 */
export function postgresStore({ url, connections = 10 }: PostgresOptions): StorePort {
  const commands = sqlCommands(compiling)
  const clocks = clockCommands(compiling, 'postgres')
  const clock = new AgreedClock()
  const server = new PostgresServer(url, connections)
  let report: (trouble: StoreTrouble) => void = () => {}
  const writer = new PostgresWriter(server, (trouble) => report(trouble))
  const write = <T>(command: () => Command<T>) => writer.write(command)

  async function look(isStart: boolean): Promise<void> {
    const agree = (writes: boolean) => () => clocks.agreeTime(clock, { writes, isStart })
    // A read-only server still gives the time.
    const agreed = await write(agree(true)).catch(() => server.read('agreeTime', agree(false)))
    const off = agreed && clock.take(agreed)
    if (off !== undefined) report({ code: 'SERVER_CLOCK_JUMPED', seconds: Math.round(off / 1_000) })
  }

  const port = portOf((kind, command, name) =>
    kind === 'read' ? server.read(name, () => command(commands)) : write(() => command(commands)),
  )

  return {
    ...port,
    now: clock.now,
    clockState: () => server.read('clockState', () => clocks.clockState(clock.now, clock.wall)),
    releaseClock: () => write(() => clocks.releaseClock(clock.wall)),
    open: () =>
      server.open(async () => {
        await look(true)
        clock.keep(() => look(false))
      }),
    async close() {
      clock.end()
      await server.close(writer.end())
    },
    check: () => writer.check(),
    watch(given) {
      report = given
    },
  }
}

/** Writes in groups that share a commit. A blocked command leaves its group, which goes on without it. */
class PostgresWriter {
  readonly #locked: LockedRows
  readonly #groups: GroupCommit
  readonly #writes = new Writes(() => this.write(this.#probe))
  readonly #probe = writeProbe(compiling, (length) => randomBytes(length).toString('base64').slice(0, length))

  constructor(server: PostgresServer, report: (trouble: StoreTrouble) => void) {
    this.#locked = new LockedRows({
      free: (steps) => findFree(server, steps),
      goOn: (one) => this.#groups.add(one),
      found(things) {
        const [, shop, order] = /^order (\S+) (.+)$/.exec(things[0] ?? '') ?? []
        report({ code: 'ROW_LOCKED', ...(shop && order && { shop, order }) })
      },
    })
    const elsewhere: Elsewhere = {
      leave: (one, error) => this.#leave(one, error),
      setApart: (one) => this.#groups.setApart(one),
      isLocked: (step) => this.#locked.has(step),
    }
    this.#groups = new GroupCommit({
      triesFor: patience,
      // A flight to the server takes long enough for others to come.
      patience: 0,
      mostTogether,
      mostApart,
      isApart: (one) => this.#locked.mayBlock(one),
      keeps: (one) => this.#locked.takes(one),
      commit: (group) => commitGroup(server, group, elsewhere),
      failed: () => this.#writes.failed(),
    })
  }

  write<T>(command: () => Command<T>): Promise<T> {
    return this.#groups.write(command)
  }

  check(): Promise<void> {
    return this.#writes.check()
  }

  /** Resolves once all writes have ended. */
  end(): Promise<void> {
    this.#locked.end()
    return this.#groups.idle()
  }

  /** A rejected command is retried alone while there is time, or fails. */
  #leave(one: Waiting, error: unknown): void {
    if (error instanceof Blocked) this.#locked.add(one, error.step)
    else if (isRetryable(error) && performance.now() < one.until) {
      void pause(0).then(() => this.#groups.add(one))
    } else if (isRetryable(error) || isAway(error)) {
      this.#writes.failed()
      one.reject(unavailable(error))
    } else one.reject(error)
  }
}

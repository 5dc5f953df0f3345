import { randomBytes } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { StorePort, StoreTrouble } from '../store.ts'
import { AgreedClock } from './clock/agreed-clock.ts'
import { PostgresServer } from './postgres-server.ts'
import { PostgresWriter } from './postgres-writer.ts'
import { clockCommands } from './sql/clocks.ts'
import { sqlCommands } from './sql/commands.ts'
import { portOf } from './sql/port.ts'
import type { Command } from './sql/query.ts'
import type { Tables } from './sql/tables.ts'
import { writeProbe } from './writes.ts'

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
  /**
   * Whether statements are prepared by name. By default they are, unless a pool is in between that does not remember them. `false` takes a pool for
   * given that cannot be seen. Also `?prepared_statements=false` in the address.
   */
  preparedStatements?: boolean
}

/**
 * The store on a PostgreSQL server that many processes share. Writes of different orders run side by side, on all nodes; each holds its
 * order until its commit. Commands that arrive together share one commit. A commit whose answer was lost is looked up by its transaction and never blindly repeated. All nodes agree on a clock
 * based on the server's, so that leases hold across machines whose clocks differ, and none ends when the server's clock is set.
 */
export function postgresStore({ url, connections = 10, preparedStatements }: PostgresOptions): StorePort {
  const commands = sqlCommands(compiling)
  const clocks = clockCommands(compiling, 'postgres')
  const clock = new AgreedClock()
  const server = new PostgresServer(url, { connections, prepares: preparedStatements })
  let report: (trouble: StoreTrouble) => void = () => {}
  const writer = new PostgresWriter(server, {
    connections,
    probe: writeProbe(compiling, (length) => randomBytes(length).toString('base64').slice(0, length)),
    report: (trouble) => report(trouble),
  })
  const write = <T>(command: () => Command<T>) => writer.write(command)

  async function look(isStart: boolean): Promise<void> {
    // The connections of a pool say nothing about nodes: they stay when these have ended.
    const asksOthers = isStart && !server.isPooled
    const agree = (writes: boolean) => () => clocks.agreeTime(clock, { writes, asksOthers })
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
    open: ({ serves } = {}) =>
      server.open(async () => {
        await look(true)
        clock.keep(() => look(false))
      }, serves),
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

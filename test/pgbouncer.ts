import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DebianProgram, programOf } from './debian.ts'
import { freePort } from './ports.ts'
import { connectTo } from './postgres.ts'

const { program, missing } = programOf('pgbouncer', 'pgbouncer', 'PGBOUNCER')

/** Why the tests that need a pool are skipped; not set if they run. */
export const noPool = missing

/** A PgBouncer in front of a PostgreSQL server. */
export interface Pool {
  /** The address with the pool in it. */
  through(url: string): string
  start(): Promise<void>
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
  /** Ends it for good. */
  remove(): Promise<void>
}

interface PoolOptions {
  mode?: 'session' | 'transaction' | 'statement'
  /** Its connections to the server, for each database. */
  connections?: number
  /** More lines of its file. */
  more?: readonly string[]
}

/** A pool that lets everybody in. */
export async function startPool(
  serverPort: number,
  { mode = 'transaction', connections = 3, more = [] }: PoolOptions = {},
): Promise<Pool> {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-pgbouncer-'))
  // It refuses to run as root, and has to get there as somebody else.
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${serverPort} user=purveyor password='of tests'`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any`,
      `pool_mode = ${mode}\ndefault_pool_size = ${connections}\nmax_client_conn = 500`,
      ...more,
    ].join('\n'),
  )
  const { path, env } = placed(folder)
  let running: ChildProcess | undefined
  const through = (url: string) => Object.assign(new URL(url), { port: `${port}` }).href
  const console = through('postgres://purveyor@127.0.0.1/pgbouncer')

  async function start(): Promise<void> {
    running = spawn(path, [file], { env, stdio: 'ignore', ...user })
    for (;;) {
      const client = await connectTo(console).catch(() => undefined)
      if (client) return client.end()
      if (running.exitCode !== null) throw new Error(`pgbouncer ended with ${running.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  async function kill(): Promise<void> {
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  const end = () => void running?.kill('SIGKILL')
  process.once('exit', end)
  await start()
  return {
    through,
    start,
    kill,
    async remove() {
      await kill()
      process.off('exit', end)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Copies it to where another user may run it. */
function placed(folder: string): DebianProgram {
  const { path, env } = program!
  const { LD_LIBRARY_PATH: libraries } = env
  if (libraries === undefined) return { path, env }
  const copy = join(folder, 'pgbouncer')
  copyFileSync(path, copy)
  cpSync(libraries, join(folder, 'lib'), { recursive: true })
  return { path: copy, env: { LD_LIBRARY_PATH: join(folder, 'lib') } }
}

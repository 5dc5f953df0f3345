// How long it takes to move a store to PostgreSQL with `db copy`, killed ten times on the way, and back in one go.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { copyStore } from '../../src/stores/copy/copy-store.ts'
import { PostgresSide } from '../../src/stores/copy/postgres-side.ts'
import type { Side } from '../../src/stores/copy/side.ts'
import { SqliteSide } from '../../src/stores/copy/sqlite-side.ts'
import { seal } from '../../src/stores/seal.ts'
import { startPostgres } from '../postgres.ts'
import { printResult } from '../results/line.ts'
import { contentOf } from '../stores/copy/compare-stores.ts'
import { fillPayments, secret } from './copy/payments.ts'

const kills = 10
const main = new URL('../../src/cli/main.ts', import.meta.url).pathname

export async function run(quick: boolean): Promise<void> {
  const payments = quick ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-bench-copy-'))
  const server = await startPostgres()
  try {
    const file = join(folder, 'filled.db')
    const rows = await fillPayments(file, payments)
    const source = join(folder, 'source.db')
    copyFileSync(file, source)
    const [first, second] = [await server.database(), await server.database()]
    const killedSeconds = await movedInSpite(`sqlite:${source}`, first, rows)
    const equal = await isEqual(new SqliteSide(source), new PostgresSide(first))
    copyFileSync(file, source)
    const there = await moved(new SqliteSide(source), new PostgresSide(second))
    const backFile = join(folder, 'back.db')
    const back = await moved(new PostgresSide(second), new SqliteSide(backFile))
    const equalBack = await isEqual(new SqliteSide(source), new SqliteSide(backFile))
    printResult({
      bench: 'copy',
      payments,
      rows,
      kills,
      killed_seconds: killedSeconds,
      ...there,
      back_seconds: back.seconds,
      back_cpu_seconds: back.cpu_seconds,
      equal: equal && equalBack,
    })
    if (!equal || !equalBack) process.exitCode = 1
  } finally {
    await server.remove()
    rmSync(folder, { recursive: true })
  }
}

async function isEqual(one: Side, other: Side): Promise<boolean> {
  try {
    return JSON.stringify(await contentOf(one)) === JSON.stringify(await contentOf(other))
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}

/** Copies in this process, and in one go. The time of the server's processes is not in `cpu_seconds`. */
async function moved(from: Side, to: Side) {
  const began = process.cpuUsage()
  const request = { from, to, seal: seal(secret), dryRun: false, rehearse: false, withoutNul: false }
  const { seconds, standstillSeconds = 0 } = await copyStore({
    ...request,
    processes: 2,
    batch: 20_000,
    at: () => {},
  })
  await Promise.all([from.close(), to.close()])
  const { user, system } = process.cpuUsage(began)
  return {
    seconds: rounded(seconds),
    standstill_seconds: rounded(standstillSeconds),
    cpu_seconds: rounded((user + system) / 1_000_000),
  }
}

const rounded = (seconds: number) => Math.round(10 * seconds) / 10

/**
 * Moves a store with the command, which is killed each time that another part of the rows is copied. Resolves with the seconds from its first
 * start to its last end.
 */
async function movedInSpite(from: string, to: string, rows: number): Promise<number> {
  const since = performance.now()
  for (let kill = 1; ; kill++) {
    const args = [main, 'db', 'copy', '--from', 'FROM_URL', '--to', 'TO_URL', '--json']
    const env = { ...process.env, FROM_URL: from, TO_URL: to, PURVEYOR_SECRET: secret }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>
    if (kill > kills) {
      const [code] = await ended
      if (code !== 0) throw new Error(`db copy ended with ${code}`)
      return rounded((performance.now() - since) / 1_000)
    }
    while (child.exitCode === null && (await rowsSoFar(to)) < (rows * kill) / (kills + 1)) await delay(20)
    child.kill('SIGKILL')
    const [, signal] = await ended
    if (signal !== 'SIGKILL') throw new Error(`the copy ended before kill ${kill}`)
  }
}

/** The rows that a copy into a database has noted so far. */
async function rowsSoFar(url: string): Promise<number> {
  const side = new PostgresSide(url)
  try {
    const [found] = await side.all(
      sql<{ rows: string | null }>`select sum(row_count) as rows from copied_tables`,
    )
    return Number(found?.rows ?? 0)
  } catch {
    return 0
  } finally {
    await side.close()
  }
}

// How long it takes to move a store to PostgreSQL with `db copy`, and back.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyStore } from '../../src/stores/copy.ts'
import { seal } from '../../src/stores/seal.ts'
import { startPostgres } from '../postgres.ts'
import { printResult } from '../results/line.ts'
import { fillPayments, secret } from './copy/payments.ts'

export async function run(quick: boolean): Promise<void> {
  const payments = quick ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-bench-copy-'))
  const server = await startPostgres()
  try {
    const file = join(folder, 'source.db')
    await fillPayments(file, payments)
    const url = await server.database()
    const there = await moved(`sqlite:${file}`, url)
    const back = await moved(url, `sqlite:${join(folder, 'back.db')}`)
    printResult({
      bench: 'copy',
      payments,
      ...there,
      back_seconds: back.seconds,
      back_cpu_seconds: back.cpu_seconds,
    })
  } finally {
    await server.remove()
    rmSync(folder, { recursive: true })
  }
}

/** The time of the server's processes is not in `cpu_seconds`. A copy that is not equal fails. */
async function moved(from: string, to: string) {
  const began = process.cpuUsage()
  const { rows, seconds } = await copyStore({
    ...{ from, to, seal: seal(secret) },
    at: () => {},
  })
  const { user, system } = process.cpuUsage(began)
  return {
    rows,
    seconds: rounded(seconds),
    cpu_seconds: rounded((user + system) / 1_000_000),
  }
}

const rounded = (seconds: number) => Math.round(10 * seconds) / 10

import { copyStore } from '../../src/stores/copy.ts'
import { seal } from '../../src/stores/seal.ts'
import { startPostgres } from '../postgres.ts'
import { printResult } from '../results/line.ts'
import { temporaryFolder } from '../temporary.ts'
import { fillPayments, secret } from './copy/payments.ts'
import { rounded } from './measure.ts'

export async function run(quick: boolean): Promise<void> {
  const payments = quick ? 100_000 : 1_000_000
  using folder = temporaryFolder()
  await using server = await startPostgres()
  const file = folder.at('source.db')
  await fillPayments(file, payments)
  const url = await server.database()
  const there = await moved(`sqlite:${file}`, url)
  const back = await moved(url, `sqlite:${folder.at('back.db')}`)
  const ofBack = { back_seconds: back.seconds, back_cpu_seconds: back.cpu_seconds }
  printResult({ bench: 'copy', payments, ...there, ...ofBack })
}

/** The time of the server's processes is not in `cpu_seconds`. A copy that is not equal fails. */
async function moved(from: string, to: string) {
  const began = process.cpuUsage()
  const { rows, seconds } = await copyStore({ ...{ from, to, seal: seal(secret) }, at: () => {} })
  const { user, system } = process.cpuUsage(began)
  return { rows, seconds: rounded(seconds, 1), cpu_seconds: rounded((user + system) / 1_000_000, 1) }
}

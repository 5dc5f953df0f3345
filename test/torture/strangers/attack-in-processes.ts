import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { together } from '../../together.ts'
import type { HostileReport } from './hostile-inputs.ts'

const run = promisify(execFile)

const batch = 100_000

/** Each batch of inputs has its own seed and process, so that each is repeated by itself. `points` are those of the pickup points behind them. */
export async function attackInProcesses(inputs: number, atOnce: number, points?: number) {
  const script = new URL('./attack.ts', import.meta.url).pathname
  const none = { inputs: 0, long_fields: 0, stall_ms: 0, memory_mb: 0 }
  const total: HostileReport = { ...none, statuses: {}, violations: [] }
  const batches = Array.from({ length: Math.ceil(inputs / batch) }, (_, number) => ({
    ...{ seed: number + 1, some: Math.min(batch, inputs - number * batch) },
  }))
  await together(atOnce, batches, async ({ seed, some }) => {
    const args = [some, seed, ...(points ? [points] : [])].map(String)
    const { stdout } = await run(process.execPath, ['--expose-gc', script, ...args], { maxBuffer: 1e8 })
    const report = JSON.parse(stdout) as HostileReport
    total.inputs += report.inputs
    total.long_fields += report.long_fields
    total.stall_ms = Math.max(total.stall_ms, report.stall_ms)
    total.memory_mb = Math.max(total.memory_mb, report.memory_mb)
    total.violations.push(...report.violations)
    for (const [status, count] of Object.entries(report.statuses))
      total.statuses[Number(status)] = (total.statuses[Number(status)] ?? 0) + count
  })
  return total
}

import { join } from 'node:path'
import { builtPackage } from '../built.ts'
import { playSaves } from '../cli/dev/play-saves.ts'
import { printResult } from '../results/line.ts'
import { temporaryFolder } from '../temporary.ts'
import { sorted } from './measure.ts'

// From a save to a provider that is ready again, beside `purveyor dev` of the built package: all ways of saving, one after the other.
// Saves of several steps, such as a checkout of git, take their own time too.

export async function run(quick: boolean): Promise<void> {
  using folder = temporaryFolder()
  const { PORT: _port, NODE_ENV: _mode, ...env } = process.env
  const main = join(await builtPackage(), 'dist/cli/main.js')
  const saved = await playSaves(quick ? 30 : 300, { folder: folder.path, main, env })
  const times = sorted(saved.flatMap(({ ms }) => ms ?? []))
  const at = (part: number) => Math.round(times[Math.ceil(times.length * part) - 1] ?? Number.NaN)
  for (const { what } of saved.filter(({ ms }) => ms === undefined)) console.log(`unseen: ${what}`)
  printResult({
    bench: 'dev',
    saves: saved.length,
    unseen: saved.length - times.length,
    save_to_ready_ms: at(0.5),
    save_to_ready_p95_ms: at(0.95),
  })
  if (times.length < saved.length) process.exitCode = 1
}

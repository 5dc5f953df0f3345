import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { developmentSecret } from '../../src/shops/seal.ts'
import { builtPackage } from '../built.ts'
import { addShops } from './start/many-shops.ts'

const provider = `import { createProvider } from 'purveyor'
import { flatRate } from 'purveyor/rates'

export default createProvider({ rates: flatRate({ id: 'door', title: 'At your door', excl: '5', taxRate: '0.21' }) })
`

/** Writes the CPU time of its process when that ends. */
const reporter = `import { writeSync } from 'node:fs'
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, String(user + system))
})`

/**
 * How long commands take as processes of the built package beside a store with so many shops, and how much CPU time, beside Node alone.
 * Medians, in milliseconds; the commands take turns.
 */
export async function commandStarts(times: number, shops: number): Promise<Record<string, number>> {
  const main = join(await builtPackage(), 'dist/cli/main.js')
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-start-'))
  const lists: Record<string, (time: number) => string[]> = {
    node: () => ['-e', '0'],
    version: () => [main, '--version'],
    shop_add: (time) => [main, 'shop', 'add', `added-${time}`],
    shop_show: () => [main, 'shop', 'show', 'shop-00042'],
  }
  try {
    writeFileSync(join(folder, 'provider.ts'), provider)
    mkdirSync(join(folder, 'data'))
    await addShops(`sqlite:${join(folder, 'data/purveyor.db')}`, developmentSecret, Math.max(shops, 43))
    const taken = Object.fromEntries(Object.keys(lists).map((name) => [name, [] as Taken[]]))
    // The first round keeps what it compiled.
    for (let time = -1; time < times; time++)
      for (const [name, args] of Object.entries(lists)) {
        const one = run(args(time), folder)
        if (time >= 0) taken[name]!.push(one)
      }
    return Object.fromEntries(
      Object.entries(taken).flatMap(([name, all]) => [
        [`${name}_ms`, median(all.map(({ ms }) => ms))],
        [`${name}_cpu_ms`, median(all.map(({ cpu }) => cpu))],
      ]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Taken {
  ms: number
  cpu: number
}

const median = (list: readonly number[]): number =>
  Math.round(list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!)

function run(args: string[], cwd: string): Taken {
  const from = performance.now()
  const reporting = ['--import', `data:text/javascript,${encodeURIComponent(reporter)}`]
  const { status, stderr, output } = spawnSync(process.execPath, [...reporting, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(stderr)
  return { ms: performance.now() - from, cpu: Number(output[3]) / 1_000 }
}

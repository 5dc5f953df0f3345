import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { developmentSecret } from '../../src/shops/seal.ts'
import { builtPackage } from '../built.ts'
import { temporaryFolder } from '../temporary.ts'
import { median } from './measure.ts'
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
  using folder = temporaryFolder()
  const lists: Record<string, (time: number) => string[]> = {
    node: () => ['-e', '0'],
    version: () => [main, '--version'],
    shop_add: (time) => [main, 'shop', 'add', `added-${time}`],
    shop_show: () => [main, 'shop', 'show', 'shop-00042'],
  }
  writeFileSync(folder.at('provider.ts'), provider)
  mkdirSync(folder.at('data'))
  await addShops(`sqlite:${folder.at('data/purveyor.db')}`, developmentSecret, Math.max(shops, 43))
  const taken: [name: string, ms: number][] = []
  // The first round keeps what it compiled.
  for (let time = -1; time < times; time++)
    for (const [name, args] of Object.entries(lists)) {
      const { ms, cpu } = run(args(time), folder.path)
      if (time >= 0) taken.push([`${name}_ms`, ms], [`${name}_cpu_ms`, cpu])
    }
  const byName = Object.entries(Object.groupBy(taken, ([name]) => name))
  return Object.fromEntries(byName.map(([name, all]) => [name, Math.round(median(all!.map(([, ms]) => ms)))]))
}

function run(args: string[], cwd: string) {
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

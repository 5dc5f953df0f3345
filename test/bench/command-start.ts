import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtPackage } from '../built.ts'

const provider = `import { createProvider } from 'purveyor'
import { flatRate } from 'purveyor/rates'

export default createProvider({ rates: flatRate({ id: 'door', title: 'At your door', excl: '5', taxRate: '0.21' }) })
`

/** How long commands take from their start to their end as processes of the built package, beside Node alone. Medians, in milliseconds. */
export async function commandStarts(times: number): Promise<Record<string, number>> {
  const main = join(await builtPackage(), 'dist/cli/main.js')
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-start-'))
  try {
    writeFileSync(join(folder, 'provider.ts'), provider)
    // The first one makes the store, and keeps what it compiled.
    timeOf([main, 'shop', 'add', 'first'], folder)
    const median = (args: (time: number) => string[]) => {
      const taken = Array.from({ length: times }, (_, time) => timeOf(args(time), folder))
      return Math.round(taken.sort((a, b) => a - b)[Math.floor(times / 2)]!)
    }
    return {
      node_ms: median(() => ['-e', '0']),
      version_ms: median(() => [main, '--version']),
      shop_add_ms: median((time) => [main, 'shop', 'add', `shop-${time}`]),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function timeOf(args: string[], cwd: string): number {
  const from = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return performance.now() - from
}

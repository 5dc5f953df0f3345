// `npm run -s bench -- <name>... [--quick]`: the last line of each is one JSON object. Several run one after the other.
import { spawnSync } from 'node:child_process'

const benches: Record<string, () => Promise<{ run(quick: boolean): Promise<void> }>> = {
  console: () => import('./console.ts'),
  copy: () => import('./copy.ts'),
  http: () => import('./http.ts'),
  ledgers: () => import('./ledgers.ts'),
  pages: () => import('./pages.ts'),
  payments: () => import('./payments.ts'),
  postgres: () => import('./postgres.ts'),
  rates: () => import('./rates.ts'),
  sandbox: () => import('./sandbox.ts'),
  start: () => import('./start.ts'),
  webhooks: () => import('./webhooks.ts'),
}

const options = process.argv.slice(2)
const names = options.filter((one) => !one.startsWith('--'))
if (names.length === 0 || !names.every((name) => Object.hasOwn(benches, name))) {
  console.error(`Name a benchmark: ${Object.keys(benches).join(', ')}. --quick does a tenth of it.`)
  process.exitCode = 2
} else if (names.length === 1) {
  await (await benches[names[0]!]!()).run(options.includes('--quick'))
} else {
  // Each in a process of its own: code that is warm from another bench would be measured faster.
  const flags = options.filter((one) => one.startsWith('--'))
  for (const name of names) {
    const { status } = spawnSync(process.execPath, [import.meta.filename, name, ...flags], {
      stdio: 'inherit',
    })
    if (status !== 0) process.exitCode = 1
  }
}

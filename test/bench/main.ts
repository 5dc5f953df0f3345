// `npm run -s bench -- <name> [--quick]`: the last line of each is one JSON object.
const benches: Record<string, () => Promise<{ run(quick: boolean): Promise<void> }>> = {
  http: () => import('./http.ts'),
  payments: () => import('./payments.ts'),
  postgres: () => import('./postgres.ts'),
  rates: () => import('./rates.ts'),
  sandbox: () => import('./sandbox.ts'),
  start: () => import('./start.ts'),
  webhooks: () => import('./webhooks.ts'),
}

const [name = '', ...options] = process.argv.slice(2)
const load = Object.hasOwn(benches, name) ? benches[name] : undefined
if (!load) {
  console.error(`Name a benchmark: ${Object.keys(benches).join(', ')}. --quick does a tenth of it.`)
  process.exitCode = 2
} else {
  await (await load()).run(options.includes('--quick'))
}

import { existsSync } from 'node:fs'

/** So many shops are offered. */
const mostShops = 1_000

const files = new Set(['file', 'folder', 'path', 'table', 'old', 'new', 'request', 'settings', 'provider'])

/** The values of options and arguments by `command name`, and of those that mean the same in every command by their name. */
const sources: Readonly<Record<string, () => Promise<readonly string[]> | readonly string[]>> = {
  shop: shopIds,
  '--shop': shopIds,
  'completion shell': () => ['bash', 'zsh', 'fish'],
  'init --template': () => ['full', 'rates', 'payments'],
  'lanes kind': () => ['webhook', 'push', 'rates'],
  'check --case': async () => (await import('../conformance/index.ts')).conformanceCases.map(nameOf),
  'simulate names': async () => (await import('../sandbox/index.ts')).scenarios.map(nameOf),
  'payments status': async () => {
    const { moneyWords, stateWords } = await import('../payments/report.ts')
    return [...moneyWords, ...stateWords]
  },
  'payments --kind': async () => Object.keys((await import('../payments/anomaly-kinds.ts')).anomalyKinds),
  'explain code': async () => [
    ...new Set((await import('./explain/explain.ts')).explanations().map(({ code }) => code)),
  ],
  'docs words': async () => (await import('./docs/pages.ts')).readPages().map(nameOf),
}

const nameOf = ({ name }: { name: string }): string => name

/**
 * The values of an option or an argument, as far as they are known without asking anybody: `files` for names of files. `flag` is the option,
 * `name` what its value or the argument is called in `--help`.
 */
export async function valuesOf(
  [group = '']: readonly string[],
  flag: string | undefined,
  name: string,
): Promise<readonly string[] | 'files'> {
  const asked = flag ?? name
  const source = sources[`${group} ${asked}`] ?? sources[asked]
  if (source) return source()
  return files.has(name) ? 'files' : []
}

/** The shops of a store that is a file: one on a server may be far away. */
async function shopIds(): Promise<readonly string[]> {
  const { databaseUrl } = await import('./store.ts')
  const { sqliteFileOf } = await import('../stores/open.ts')
  const file = sqliteFileOf(databaseUrl())
  if (file === undefined || !existsSync(file)) return []
  const { shopIdsIn } = await import('../stores/sqlite-shops.ts')
  return shopIdsIn(file, mostShops)
}

import { counted } from '../../printable.ts'
import { copyStore } from '../../stores/copy.ts'
import { sealOfEnvironment } from '../provider/store.ts'
import { print, table } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import { loadEnvFile } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'

/** Copies a store into an empty one, checks that both are equal, and marks the source as moved. */
export async function copy(options: { from: string; to: string; json?: boolean }): Promise<void> {
  const from = readStoreAddress('--from', options.from)
  const to = readStoreAddress('--to', options.to)
  const seal = await sealOfEnvironment()
  const report = await withProgress(
    'Copying',
    (steps) => copyStore({ from, to, seal, at: steps.at.bind(steps) }),
    { lineEvery: 10_000 },
  )
  print(options.json, report, () => [
    ...table(shown, '', { table: (name) => name, rows: (name) => report.tables[name] }),
    '',
    `${counted(report.rows, 'row')} copied to ${report.to} in ${report.seconds.toFixed(1)} s. Both are equal.`,
    `No provider starts on ${report.from} any more.`,
    'Set PURVEYOR_DATABASE_URL of every node to the new store, and start them.',
  ])
}

/** The tables that an owner knows. `--json` has all. */
const shown = ['shops', 'payments', 'attempts', 'facts', 'webhooks', 'pushes', 'anomalies'] as const

/**
 * Reads the address of a store that an option names: `sqlite:` and a path, or the name of an environment variable, here or in `.env`. Every user
 * of a machine sees the arguments of its processes, so an address with a password is none. Throws a `UsageError` that never repeats it.
 */
export function readStoreAddress(option: string, given: string): string {
  loadEnvFile()
  const isFile = given.startsWith('sqlite:')
  if (!isFile && !/^[A-Za-z_]\w*$/.test(given))
    throw new UsageError(
      `${option} takes sqlite: and a path, or the name of an environment variable with the address of the store, such as ${option} NEW_DATABASE_URL: every user of this machine sees the arguments of its processes. Change a password that you gave here, if others use this machine.`,
    )
  const address = isFile ? given : process.env[given]?.trim()
  if (!address)
    throw new UsageError(
      `There is no environment variable ${given}, here or in .env. Set it to the address that ${option} means.`,
    )
  const place = isFile ? option : `${option} (${given})`
  if (address === 'sqlite::memory:')
    throw new UsageError(`${place} is a store in memory, which ends with its process.`)
  if (/^(sqlite:.|postgres(ql)?:\/\/[^/])/.test(address)) return address
  throw new UsageError(
    `${place} holds no address of a store. It is sqlite: and a path, or postgres://user:password@host/database.`,
  )
}

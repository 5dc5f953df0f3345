import { existsSync } from 'node:fs'
import { counted } from '../../printable.ts'
import type { StorePort } from '../../store-port.ts'
import { databaseUrl, sealOfEnvironment, withStore } from '../provider/store.ts'
import { systemUser } from '../serve/system-user.ts'
import { count, group, json, parsed, plain, yes } from '../table.ts'
import { print, table } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import { confirmed, loadEnvFile } from '../terminal/read-input.ts'
import { EnvironmentProblem, UsageError } from '../terminal/usage.ts'

/** Forward only, and safe to repeat. */
const migrate = plain({
  description: 'update the tables of the store',
  examples: ['purveyor db migrate'],
  options: json,
  async run({ json }) {
    const { shownUrl, storeOf } = await import('../../stores/open.ts')
    const url = await databaseUrl()
    const store = storeOf(url)
    await withProgress('Updating the tables', () => store.open())
    await store.close()
    const database = shownUrl(url)
    print(json, { database, migrated: true }, () => `${database} is up to date.`)
  },
})

const backup = plain({
  description: 'copy the store to a file, even while a provider runs',
  examples: ['purveyor db backup copy.db'],
  arguments: { '<file>': 'a new file' },
  options: json,
  async run({ file: target, json }) {
    const { sqliteFileOf } = await import('../../stores/open.ts')
    const { backupSqlite } = await import('../../stores/sqlite.ts')
    const file = sqliteFileOf(await databaseUrl())
    if (file === undefined)
      throw new UsageError('A PostgreSQL database is copied with its own tools, such as pg_dump.')
    if (!existsSync(file)) throw new EnvironmentProblem(`There is no store at ${file}.`)
    if (existsSync(target))
      throw new UsageError(`${target} exists already, and nothing was written. Name a new file.`)
    await withProgress('Copying', () => backupSqlite(file, target))
    print(json, { database: file, backup: target }, () => `${file} is copied to ${target}.`)
  },
})

const source = {
  description: 'the store to copy: the name of an environment variable, or sqlite:path',
  required: true,
} as const

/** The tables that an owner knows. `--json` has all. */
const shown = ['shops', 'payments', 'attempts', 'facts', 'webhooks', 'pushes', 'anomalies'] as const

/** Copies a store into an empty one, checks that both are equal, and marks the source as moved. */
const copy = plain({
  description: 'move everything to another store, such as from SQLite to PostgreSQL',
  examples: ['purveyor db copy --from sqlite:./data/purveyor.db --to NEW_DATABASE_URL'],
  options: {
    '--from <store>': source,
    '--to <store>': { description: 'an empty store, named in the same way', required: true },
    ...json,
  },
  async run({ json, ...named }) {
    const { copyStore } = await import('../../stores/copy.ts')
    const from = readStoreAddress('--from', named.from)
    const to = readStoreAddress('--to', named.to)
    const seal = await sealOfEnvironment()
    const report = await withProgress('Copying', ({ at }) => copyStore({ from, to, seal, at }))
    print(json, report, () => [
      ...table(shown, '', { table: (name) => name, rows: (name) => report.tables[name] }),
      '',
      `${counted(report.rows, 'row')} copied to ${report.to} in ${report.seconds.toFixed(1)} s. Both are equal.`,
      `No provider starts on ${report.from} any more.`,
      'Set PURVEYOR_DATABASE_URL of every node to the new store, and start them.',
    ])
  },
})

/** Lets providers start again on a store that was copied, and on its copy no longer. */
const release = plain({
  description: 'serve a copied store again, in place of its copy',
  examples: ['purveyor db release --from sqlite:./data/purveyor.db --to NEW_DATABASE_URL'],
  options: {
    '--from <store>': { ...source, description: 'the store that was copied, named as for db copy' },
    '--to <store>': 'its copy; no provider may run on it',
    '--copy-is-gone': 'the copy was deleted',
    ...yes,
    ...json,
  },
  async run({ copyIsGone, yes, json, ...named }) {
    const name = 'Name the copy with --to, so that no provider starts on it'
    if ((named.to === undefined) === !copyIsGone)
      throw new UsageError(`${name}, or add --copy-is-gone if it was deleted.`)
    const { openSide, releaseStore } = await import('../../stores/copy.ts')
    const opened = (option: string, given: string) => openSide(option, readStoreAddress(option, given))
    const from = await opened('--from', named.from)
    const to = named.to === undefined ? undefined : await opened('--to', named.to)
    try {
      const of = to ? `${to.shown} will not be served any more.` : 'No provider may run on its copy.'
      const released = await confirmed(`Serve ${from.shown} again? ${of}`, yes)
      if (released) await releaseStore(from, to)
      print(json, { released, ...(released && { from: from.shown, to: to?.shown }) }, () => [
        released ? `Providers start on ${from.shown} again.` : 'Nothing was changed.',
        released && to && `${to.shown} is given up: empty it before the next copy.`,
      ])
    } finally {
      await Promise.all([from.close(), to?.close()])
    }
  },
})

/**
 * Reads the address of a store that an option names: `sqlite:` and a path, or the name of an environment variable, here or in `.env`. Every user
 * of a machine sees the arguments of its processes, so an address with a password is none. Throws a `UsageError` that never repeats it.
 */
function readStoreAddress(option: string, given: string): string {
  loadEnvFile()
  const isFile = given.startsWith('sqlite:')
  if (!isFile && !/^[A-Za-z_]\w*$/.test(given))
    throw new UsageError(
      `${option} takes sqlite: and a path, or the name of an environment variable that holds the address, such as ${option} NEW_DATABASE_URL. It takes no other address, because all users of this machine can see it. If you gave a password here, and others use this machine, change it.`,
    )
  const address = isFile ? given : process.env[given]?.trim()
  const unset = `There is no environment variable ${given}, here or in .env.`
  if (!address) throw new UsageError(`${unset} Set it to the address of the store.`)
  const place = isFile ? option : `${option} (${given})`
  if (address === 'sqlite::memory:')
    throw new UsageError(`${place} is a store in memory, which is lost when its process ends.`)
  if (/^(sqlite:.|postgres(ql)?:\/\/[^/])/.test(address)) return address
  const takes = 'It is sqlite: and a path, or postgres://user:password@host/database.'
  throw new UsageError(`${place} holds no address of a store. ${takes}`)
}

const prune = plain({
  description: 'erase old payments that are settled',
  examples: ['purveyor db prune --older-than 730 --dry-run'],
  options: {
    '--older-than <days>': parsed('default: PURVEYOR_RETENTION_DAYS, or 730', count),
    '--dry-run': 'only count the payments',
    ...json,
  },
  async run({ olderThan, dryRun = false, json }) {
    const { readStoreConfiguration } = await import('../../provider/configuration.ts')
    const { pruneAll } = await import('../../payments/removal.ts')
    const prune = async (store: StorePort, now: number) => {
      const days = olderThan ?? readStoreConfiguration(process.env).retention
      const byHand = { by: systemUser(), now }
      const pruned = await pruneAll(store, now - days * 86_400_000, { dryRun, byHand })
      const payments = `${counted(pruned, 'payment')} older than ${counted(days, 'day')}`
      const became = dryRun ? 'would be erased' : 'erased'
      print(json, { olderThanDays: days, dryRun, pruned }, () => `${payments} ${became}.`)
    }
    await withStore(prune, { what: 'Looking for old payments' })
  },
})

export const command = group('maintain the store', { migrate, backup, copy, release, prune })

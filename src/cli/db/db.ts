import { existsSync } from 'node:fs'
import { counted } from '../../printable.ts'
import type { StorePort } from '../../store-port.ts'
import { databaseUrl, withStore } from '../provider/store.ts'
import { systemUser } from '../serve/system-user.ts'
import { type Command, count, json, parsed, plain, yes } from '../table.ts'
import { print } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
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

/** The file opens as it is. */
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

const copy = plain({
  description: 'move everything to another store, such as from SQLite to PostgreSQL',
  examples: ['purveyor db copy --from sqlite:./data/purveyor.db --to NEW_DATABASE_URL'],
  options: {
    '--from <store>': source,
    '--to <store>': { description: 'an empty store, named in the same way', required: true },
    ...json,
  },
  run: async (options) => (await import('./db-copy.ts')).copy(options),
})

const release = plain({
  description: 'serve a store again that was copied, and its copy no longer',
  examples: ['purveyor db release --from sqlite:./data/purveyor.db --to NEW_DATABASE_URL'],
  options: {
    '--from <store>': { ...source, description: 'the store that was copied, named as for db copy' },
    '--to <store>': 'its copy, which no provider serves any more',
    '--copy-is-gone': 'the copy was deleted',
    ...yes,
    ...json,
  },
  run: async (options) => (await import('./db-release.ts')).release(options),
})

const day = 24 * 3_600_000

const prune = plain({
  description: 'erase old payments that are settled',
  examples: ['purveyor db prune --older-than 730 --dry-run'],
  options: {
    '--older-than <days>': parsed('default: PURVEYOR_RETENTION_DAYS, or 730', count),
    '--dry-run': 'only count them',
    ...json,
  },
  async run({ olderThan, dryRun = false, json }) {
    const { readStoreConfiguration } = await import('../../provider/configuration.ts')
    const { pruneAll } = await import('../../use-cases/removal.ts')
    const prune = async (store: StorePort, now: number) => {
      const days = olderThan ?? readStoreConfiguration(process.env).retention
      const pruned = await pruneAll(store, now - days * day, { dryRun, byHand: { by: systemUser(), now } })
      const payments = `${counted(pruned, 'payment')} older than ${counted(days, 'day')}`
      print(json, { olderThanDays: days, dryRun, pruned }, () =>
        dryRun ? `${payments} would be erased.` : `${payments} erased.`,
      )
    }
    await withStore(prune, { what: 'Looking for old payments' })
  },
})

export const command: Command = {
  description: 'maintain the store',
  commands: { migrate, backup, copy, release, prune },
}

import { existsSync } from 'node:fs'
import { counted } from '../printable.ts'
import { readStoreConfiguration } from '../provider/configuration.ts'
import { shownUrl, sqliteFileOf, storeOf } from '../stores/open.ts'
import { backupSqlite } from '../stores/sqlite.ts'
import { pruneAll } from '../use-cases/prune.ts'
import { databaseUrl as configuredUrl, storeTime, withStore } from './store.ts'
import { systemUser } from './system-user.ts'
import { print } from './terminal/print.ts'
import { withProgress } from './terminal/progress.ts'
import { EnvironmentProblem, UsageError } from './usage.ts'

/** Brings the tables of the configured store up to date. Forward only, and safe to repeat. */
export async function migrate(options: { json?: boolean }): Promise<void> {
  const databaseUrl = configuredUrl()
  const store = storeOf(databaseUrl)
  await withProgress('Updating the tables', () => store.open())
  await store.close()
  const database = shownUrl(databaseUrl)
  print(options.json, { database, migrated: true }, () => `${database} is up to date.`)
}

/** Copies the store into one file that opens as it is, even while a provider writes. */
export async function backup(target: string, options: { json?: boolean }): Promise<void> {
  const file = sqliteFileOf(configuredUrl())
  if (file === undefined)
    throw new UsageError('A PostgreSQL database is copied with its own tools, such as pg_dump.')
  if (!existsSync(file)) throw new EnvironmentProblem(`There is no store at ${file}.`)
  if (existsSync(target))
    throw new UsageError(`${target} exists already, and nothing was written. Name a new file.`)
  await withProgress('Copying', () => backupSqlite(file, target))
  print(options.json, { database: file, backup: target }, () => `${file} is copied to ${target}.`)
}

export interface PruneOptions {
  olderThan?: number
  dryRun?: boolean
  json?: boolean
}

const day = 24 * 3_600_000

/** Erases payments that ended longer ago than the retention, or than `--older-than`. */
export function prune({ olderThan, dryRun = false, json }: PruneOptions): Promise<void> {
  return withStore(async (store) => {
    const { retention } = readStoreConfiguration(process.env)
    const days = olderThan ?? retention
    const now = storeTime(store)
    const byHand = { by: systemUser(), now }
    const pruned = await pruneAll(store, now - days * day, { dryRun, byHand })
    const payments = `${counted(pruned, 'payment')} older than ${counted(days, 'day')}`
    print(json, { olderThanDays: days, dryRun, pruned }, () =>
      dryRun ? `${payments} would be erased.` : `${payments} erased.`,
    )
  }, 'Looking for old payments')
}

import { existsSync } from 'node:fs'
import { readConfiguration } from '../configuration.ts'
import { backupSqlite, sqliteStore } from '../stores/sqlite.ts'
import { print } from './print.ts'
import { databaseFile } from './store.ts'
import { EnvironmentProblem, UsageError } from './usage.ts'

/** Brings the tables of the configured store up to date. Forward only, and safe to repeat. */
export async function migrate(options: { json?: boolean }): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { databaseUrl } = readConfiguration({ secret: 'not needed to migrate the tables' }, process.env)
  const store = sqliteStore({ file: databaseUrl.slice('sqlite:'.length) })
  await store.open()
  await store.close()
  console.log(
    options.json
      ? JSON.stringify({ database: databaseUrl, migrated: true })
      : `${databaseUrl} is up to date.`,
  )
}

/** Copies the store, also while a provider writes to it, into one file that can be opened as it is. */
export async function backup(target: string, options: { json?: boolean }): Promise<void> {
  const file = databaseFile()
  if (!existsSync(file)) throw new EnvironmentProblem(`There is no store at ${file}.`)
  if (existsSync(target))
    throw new UsageError(`${target} is there already, and nothing was written. Name a new file.`)
  await backupSqlite(file, target)
  print(options.json, { database: file, backup: target }, () => `${file} is copied to ${target}.`)
}

import { existsSync } from 'node:fs'
import { readConfiguration } from '../configuration.ts'
import { sqliteStore } from '../stores/sqlite.ts'

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

import { existsSync } from 'node:fs'
import { readConfiguration } from '../configuration.ts'
import type { Store } from '../store.ts'
import { sqliteStore } from '../stores/sqlite.ts'
import { EnvironmentProblem } from './usage.ts'

/** The path of the SQLite file that the environment and `.env` name. */
export function databaseFile(): string {
  if (existsSync('.env')) process.loadEnvFile('.env')
  // A command that only looks into the store needs no secret.
  const { databaseUrl } = readConfiguration({ development: true }, process.env)
  return databaseUrl.slice('sqlite:'.length)
}

/** Opens the store for one command, also beside a running provider. Makes none where there is none. */
export async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
  const file = databaseFile()
  if (!existsSync(file)) {
    throw new EnvironmentProblem(
      `There is no store at ${file}. Run this where the provider runs, or set PURVEYOR_DATABASE_URL.`,
    )
  }
  const store = sqliteStore({ file })
  await store.open()
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

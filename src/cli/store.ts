import { existsSync } from 'node:fs'
import { clockOf } from '../network/system-world.ts'
import { ContentSeal } from '../payments/content-seal.ts'
import { readStoreConfiguration } from '../provider/configuration.ts'
import { developmentSecret, pageKeyRow } from '../shops/seal.ts'
import type { StorePort } from '../store.ts'
import { sqliteFileOf, storeOf } from '../stores/open.ts'
import { seal } from '../stores/seal.ts'
import { loadEnvFile } from './env-file.ts'
import { type Steps, withProgress } from './terminal/progress.ts'
import { EnvironmentProblem } from './usage.ts'

/** The store that the environment and `.env` name. */
export function databaseUrl(): string {
  loadEnvFile()
  return readStoreConfiguration(process.env).databaseUrl
}

/** Opens the store for one command, also beside a running provider. Never creates a file. */
export function withStore<T>(
  use: (store: StorePort, steps: Steps) => Promise<T>,
  what = 'Working',
): Promise<T> {
  return withProgress(what, (steps) => openedStore((store) => use(store, steps)))
}

/** The same for a command that goes on, or whose output is its progress. */
export async function openedStore<T>(use: (store: StorePort) => Promise<T>): Promise<T> {
  const url = databaseUrl()
  const file = sqliteFileOf(url)
  if (file !== undefined && !existsSync(file)) {
    throw new EnvironmentProblem(
      `There is no store at ${file}. Run this where the provider runs, or set PURVEYOR_DATABASE_URL.`,
    )
  }
  const store = storeOf(url)
  await store.open()
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Opens what is sealed in the store with the secret of the environment. Rejects with a `StoreUnavailable` where that is another one. */
export async function contentsOf(store: StorePort): Promise<ContentSeal> {
  const { PURVEYOR_SECRET, PURVEYOR_PREVIOUS_SECRET } = process.env
  const previous = PURVEYOR_PREVIOUS_SECRET ? [PURVEYOR_PREVIOUS_SECRET] : []
  const sealed = await store.key(pageKeyRow.key)
  return new ContentSeal(
    sealed && seal(PURVEYOR_SECRET || developmentSecret, ...previous).open(sealed, pageKeyRow),
  )
}

/** The time that the processes of a store share: the database server's if there is one, otherwise this machine's. */
export const storeTime = (store: StorePort): number => clockOf(store).now()

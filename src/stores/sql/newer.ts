import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { StoreUnavailable } from '../../store.ts'
import type { Tables } from './tables.ts'

/** Whether the store was migrated by a newer version than this one. */
export async function isNewer(db: Kysely<Tables>, known: Record<string, Migration>): Promise<boolean> {
  try {
    const done = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
      .selectFrom('kysely_migration')
      .select('name')
      .execute()
    return done.some(({ name }) => !Object.hasOwn(known, name))
  } catch {
    return false
  }
}

export const newerStore = (cause: unknown): StoreUnavailable =>
  new StoreUnavailable(
    'The tables were created by a newer version. Run that version, or restore an earlier backup.',
    { cause },
  )

import { type Kysely, sql } from 'kysely'
import { StoreUnavailable } from './connection.ts'
import type { Engine, Tables } from './schema.ts'

// A store that stands still refuses every write of a row that a copy takes along, from whatever process: triggers hold it in the database.

const words =
  'the store is locked: purveyor db copy is copying it, or has moved it. See: purveyor explain STORE_MOVED'
/** PostgreSQL's code of a read-only transaction: nodes answer it with 503. */
export const readOnly = '25006'

/** Makes tables refuse writes, or take them again, in one commit. Safe to repeat. */
export async function standStill(
  { db, engine }: { db: Kysely<Tables>; engine: Engine },
  tables: readonly string[],
  stands = true,
): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  const onServer = engine === 'postgres'
  if (onServer)
    await run(`create or replace function purveyor_standstill() returns trigger language plpgsql
      as $$ begin raise exception using errcode = '${readOnly}', message = '${words}'; end $$`)
  const refuses = onServer
    ? 'for each statement execute function purveyor_standstill()'
    : `begin select raise(abort, '${words}'); end`
  for (const table of tables)
    for (const when of onServer
      ? ['insert or update or delete or truncate']
      : ['insert', 'update', 'delete']) {
      const trigger = onServer ? 'standstill' : `standstill_${table}_${when}`
      await run(`drop trigger if exists ${trigger}${onServer ? ` on ${table}` : ''}`)
      if (stands) await run(`create trigger ${trigger} before ${when} on ${table} ${refuses}`)
    }
}

/** The error of a write that a store refuses because it stands still; `undefined` for any other. */
export function standsStill(error: unknown): StoreUnavailable | undefined {
  const { message } = (error ?? {}) as { message?: unknown }
  if (typeof message !== 'string' || !message.includes(words)) return undefined
  return new StoreUnavailable(`${words.charAt(0).toUpperCase()}${words.slice(1)}`, { cause: error })
}

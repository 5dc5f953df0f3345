import { type RawBuilder, sql } from 'kysely'
import { StoreUnavailable } from '../../store/connection.ts'
import type { Engine } from './schema.ts'

// A store that stands still refuses every write of a row that a copy takes along, from whatever process: triggers hold it in the database.

const words =
  'the store stands still: purveyor db copy is copying it, or has moved it. See: purveyor explain STORE_MOVED'
const operations = ['insert', 'update', 'delete'] as const
/** PostgreSQL's code of a read-only transaction: nodes answer it with 503. */
export const readOnly = '25006'

/** Makes tables refuse writes, to be run in one commit. Safe to repeat. */
export function standStill(engine: Engine, tables: readonly string[]): RawBuilder<unknown>[] {
  if (engine === 'sqlite') {
    return tables.flatMap((table) =>
      operations.map(
        (operation) => sql`create trigger if not exists ${sql.id(`standstill_${table}_${operation}`)}
          before ${sql.raw(operation)} on ${sql.table(table)}
          begin select raise(abort, ${sql.lit(words)}); end`,
      ),
    )
  }
  return [
    sql`create or replace function purveyor_standstill() returns trigger language plpgsql as ${sql.lit(
      `begin raise exception using errcode = '${readOnly}', message = '${words}'; end`,
    )}`,
    ...moveOn(engine, tables),
    ...tables.map(
      (
        table,
      ) => sql`create trigger standstill before insert or update or delete or truncate on ${sql.table(table)}
        for each statement execute function purveyor_standstill()`,
    ),
  ]
}

/** Lets tables take writes again. Safe to repeat. */
export function moveOn(engine: Engine, tables: readonly string[]): RawBuilder<unknown>[] {
  return engine === 'sqlite'
    ? tables.flatMap((table) =>
        operations.map(
          (operation) => sql`drop trigger if exists ${sql.id(`standstill_${table}_${operation}`)}`,
        ),
      )
    : tables.map((table) => sql`drop trigger if exists standstill on ${sql.table(table)}`)
}

/** The error of a write that a store refuses because it stands still; `undefined` for any other. */
export function standsStill(error: unknown): StoreUnavailable | undefined {
  const { message } = (error ?? {}) as { message?: unknown }
  if (typeof message !== 'string' || !message.includes(words)) return undefined
  return new StoreUnavailable(`${words.charAt(0).toUpperCase()}${words.slice(1)}`, { cause: error })
}

import { StoreUnavailable } from '../store.ts'

/** Result codes of SQLite that say the file cannot be used now, whatever the query. */
const names: Record<number, string> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
}

/** The extended codes of a file and of a folder that could not be synced. */
const failedSyncs = new Set([1034, 1290])

const extendedCode = (error: unknown) => Number((error as { errcode?: number } | undefined)?.errcode)
const resultCode = (error: unknown) => extendedCode(error) & 0xff

export const isBusy = (error: unknown): boolean => resultCode(error) === 5
export const isFailedSync = (error: unknown): boolean => failedSyncs.has(extendedCode(error))
/** A page of the file is damaged: what does not need it goes on. */
export const isDamaged = (error: unknown): boolean => resultCode(error) === 11
export const isUnavailable = (error: unknown): boolean => resultCode(error) in names

/** Names SQLite's own code, such as `SQLITE_FULL, 13: database or disk is full`. */
export function unavailable(cause?: unknown): StoreUnavailable {
  const { errstr } = (cause ?? {}) as { errstr?: string }
  const name = names[resultCode(cause)]
  const why = name === undefined ? '' : ` (${name}, ${extendedCode(cause)}: ${errstr ?? 'no words'})`
  return new StoreUnavailable(`The SQLite file cannot be used now${why}.`, { cause })
}

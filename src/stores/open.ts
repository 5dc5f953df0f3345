import type { StorePort } from '../store-port.ts'
import { postgresStore } from './postgres.ts'
import { sqliteStore } from './sqlite.ts'

/** The path of the SQLite file that an address names; `undefined` for one on a server. */
export const sqliteFileOf = (databaseUrl: string): string | undefined =>
  databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined

/** The store that an address names: `sqlite:./data/purveyor.db` or `postgres://user:password@host/database`. */
export function storeOf(databaseUrl: string): StorePort {
  const file = sqliteFileOf(databaseUrl)
  return file === undefined ? postgresStore({ url: databaseUrl }) : sqliteStore({ file })
}

/** The address without the password in it, to be shown. */
export function shownUrl(databaseUrl: string): string {
  const url = sqliteFileOf(databaseUrl) === undefined ? URL.parse(databaseUrl) : undefined
  if (!url) return sqliteFileOf(databaseUrl) === undefined ? 'an address that cannot be read' : databaseUrl
  if (url.password !== '') url.password = '...'
  if (url.searchParams.has('password')) url.searchParams.set('password', '...')
  return url.href
}

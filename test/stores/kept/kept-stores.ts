import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Engine } from '../../../src/stores/sql/migrations.ts'

/** The secret of the kept stores. */
export const secret = 'the secret of an old store 123456'

/** A store as the code of a commit wrote it: one shop, a paid order 1001 that owes its webhook, and an open order 1002. */
export interface KeptStore {
  /** A commit that made such tables. */
  commit: string
  /** The path of the shop's endpoint. */
  endpoint: string
  /** One statement each. */
  statements: string[]
}

/** A store of every form that tables ever had, oldest first: each was made by a provider of its commit, and written down as SQL. */
export function keptStores(engine: Engine): KeptStore[] {
  const text = gunzipSync(readFileSync(new URL(`${engine}.sql.gz`, import.meta.url))).toString()
  return text
    .split(/^-- /m)
    .slice(1)
    .map((part) => {
      const [first = '', ...lines] = part.trim().split('\n')
      const [commit = '', endpoint = ''] = first.split(' ')
      return { commit, endpoint, statements: lines }
    })
}

import { sql } from 'kysely'
import { type Db, value } from '../../store/columns.ts'
import { all, alone, type Command, first, lastly, read, together, write } from '../../store/query.ts'
import type { SealedRow } from '../seal.ts'
import { knownOrHeld } from './new-shops.ts'

export type Sealed = SealedRow & { sealed: string }
export type SealedAnew = { was: Sealed; sealed: string }
/** The place of each kind: its table, the column with the row's name, the column with the text, and the prefix of its key. */
type Place = readonly [table: string, name: string, sealed: string, ...before: string[]]
const places: Record<SealedRow['kind'], Place> = {
  // Without it no provider starts: it comes first.
  key: ['keys', 'name', 'sealed'],
  endpoint: ['endpoints', 'token_hash', 'sealed_token', 'shop_id'],
  'push address': ['push_addresses', 'token_hash', 'sealed_token', 'shop_id', 'adapter'],
  shop: ['shops', 'id', 'sealed_settings'],
  'webhook key': ['webhook_keys', 'id', 'sealed_secret'],
}
const kinds = Object.keys(places) as SealedRow['kind'][]

/** The name of a row, which is the end of its key. */
const nameIn = ({ kind, key }: SealedRow): string =>
  places[kind].length > 3 ? key.slice(key.lastIndexOf('.') + 1) : key

function queriesOf(db: Db, kind: SealedRow['kind']) {
  const [table, name, sealed, ...before] = places[kind].map((one) => sql.ref(one))
  const key = sql.join([...before, name], sql.raw(" || '.' || "))
  const columns = sql`${key} as key, ${sealed} as sealed`
  const otherwise = sql`from ${table} where ${sealed} is not null
    and substr(${sealed}, 1, cast(${value('length')} as integer)) <> ${value('beginning')}`
  return {
    list: db.text<TextRow>`select ${columns} from ${table} where ${sealed} is not null`,
    count: db.text<{ count: number }>`select count(*) as count ${otherwise}`,
    page: db.text<TextRow>`select ${columns} ${otherwise} limit ${value('limit')}`,
    replace: db.text<unknown>`update ${table} set ${sealed} = ${value('sealed')}
        where ${name} = ${value('name')} and ${sealed} = ${value('was')}`,
  }
}

type TextRow = Omit<Sealed, 'kind'>

const textsIn = (found: readonly TextRow[][]): Sealed[] =>
  found.flatMap((rows, index) => rows.map((row) => ({ kind: kinds[index]!, ...row })))

/** All sealed texts in one list: they are sealed again when the secret changes. */
export function sealedCommands(db: Db) {
  const queries = kinds.map((kind) => queriesOf(db, kind))
  const keyOf = db.rowsBy('keys', ['name'])
  const addKey = db.addRow('keys')

  const replacing = ({ was, sealed }: SealedAnew) =>
    queries[kinds.indexOf(was.kind)]!.replace({ name: nameIn(was), was: was.sealed, sealed })

  function* key(name: string): Command<string | undefined> {
    return (yield* first(keyOf, { name }))?.sealed
  }

  return {
    sealed: read(function* (): Command<Sealed[]> {
      return textsIn(yield* together(...queries.map(({ list }) => list({}))))
    }),

    /** Up to `limit` texts with another beginning. */
    sealedOtherwise: read(function* (beginning: string, limit: number): Command<Sealed[]> {
      const of = { beginning, length: beginning.length, limit }
      return textsIn(yield* together(...queries.map(({ page }) => page(of)))).slice(0, limit)
    }),

    countSealedOtherwise: read(function* (beginning: string): Command<number> {
      const length = beginning.length
      const counts = yield* together(...queries.map(({ count }) => count({ beginning, length })))
      return counts.reduce((sum, [row]) => sum + row!.count, 0)
    }),

    /** Replaces sealed texts, except those that have changed meanwhile. */
    reseal: write(function* (anew: readonly SealedAnew[]): Command<void> {
      yield* alone()
      yield* lastly(...anew.map(replacing))
    }),

    key: read(key),

    /** Adds a key, or resolves with the existing one and changes nothing. */
    ensureKey: write(function* (name: string, { sealed, now }: { sealed: string; now: number }) {
      const known = yield* knownOrHeld(() => key(name))
      if (known === undefined) yield* all(addKey, { name, sealed, createdAt: now })
      return known ?? sealed
    }),
  }
}

import { type Kysely, sql } from 'kysely'
import type { Sealed, SealedAnew } from '../../store.ts'
import { all, ask, type Command, first, prepare, together } from './query.ts'
import type { Tables } from './tables.ts'

/** What is stored encrypted, in one list: it is encrypted anew when the secret changes. */
export function sealedCommands(db: Kysely<Tables>) {
  const lists = {
    endpoint: prepare(() =>
      db
        .selectFrom('endpoints')
        .select([sql<string>`shop_id || '.' || token_hash`.as('key'), 'sealed_token as sealed']),
    ),
    'push address': prepare(() =>
      db
        .selectFrom('push_addresses')
        .select([
          sql<string>`shop_id || '.' || adapter || '.' || token_hash`.as('key'),
          'sealed_token as sealed',
        ]),
    ),
    shop: prepare(() =>
      db
        .selectFrom('shops')
        .select(['id as key', 'sealed_settings as sealed'])
        .where('sealed_settings', 'is not', null),
    ),
    key: prepare(() => db.selectFrom('keys').select(['name as key', 'sealed'])),
    'webhook key': prepare(() =>
      db.selectFrom('webhook_keys').select(['id as key', 'sealed_secret as sealed']),
    ),
  }
  const replace = {
    endpoint: prepare((value) =>
      db
        .updateTable('endpoints')
        .set({ sealed_token: value('sealed') })
        .where('token_hash', '=', value('tokenHash'))
        .where('sealed_token', '=', value('was')),
    ),
    'push address': prepare((value) =>
      db
        .updateTable('push_addresses')
        .set({ sealed_token: value('sealed') })
        .where('token_hash', '=', value('tokenHash'))
        .where('sealed_token', '=', value('was')),
    ),
    shop: prepare((value) =>
      db
        .updateTable('shops')
        .set({ sealed_settings: value('sealed') })
        .where('id', '=', value('key'))
        .where('sealed_settings', '=', value('was')),
    ),
    key: prepare((value) =>
      db
        .updateTable('keys')
        .set({ sealed: value('sealed') })
        .where('name', '=', value('key'))
        .where('sealed', '=', value('was')),
    ),
    'webhook key': prepare((value) =>
      db
        .updateTable('webhook_keys')
        .set({ sealed_secret: value('sealed') })
        .where('id', '=', value('key'))
        .where('sealed_secret', '=', value('was')),
    ),
  }
  const keyOf = prepare((value) => db.selectFrom('keys').select('sealed').where('name', '=', value('name')))
  const addKey = prepare((value) =>
    db
      .insertInto('keys')
      .values({ name: value('name'), sealed: value('sealed'), created_at: value('now') })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name'),
  )

  const replacing = ({ kind, key, sealed: was }: Sealed, sealed: string) =>
    ask(replace[kind], { key, tokenHash: key.slice(key.lastIndexOf('.') + 1), was, sealed })

  function* key(name: string): Command<string | undefined> {
    return (yield* first(keyOf, { name }))?.sealed
  }

  return {
    *sealed(): Command<Sealed[]> {
      const found: Sealed[] = []
      for (const kind of Object.keys(lists) as (keyof typeof lists)[]) {
        for (const { key, sealed } of yield* all(lists[kind], {}))
          found.push({ kind, key, sealed: sealed ?? '' })
      }
      return found
    },

    *reseal(was: Sealed, sealed: string): Command<void> {
      yield* together(replacing(was, sealed))
    },

    key,

    *ensureKey(
      name: string,
      { sealed, now }: { sealed: string; now: number },
      anew: readonly SealedAnew[],
    ): Command<string> {
      const added = yield* all(addKey, { name, sealed, now })
      if (added.length === 0) return (yield* key(name))!
      if (anew.length > 0) yield* together(...anew.map((one) => replacing(one.was, one.sealed)))
      return sealed
    },
  }
}

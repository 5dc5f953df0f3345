import type { Kysely } from 'kysely'
import type { Sealed } from '../../store.ts'
import { all, type Command, prepare } from './query.ts'
import type { Tables } from './tables.ts'

/** What is stored encrypted, in one list: it is encrypted anew when the secret changes. */
export function sealedCommands(db: Kysely<Tables>) {
  const lists = {
    endpoint: prepare(() =>
      db.selectFrom('endpoints').select(['token_hash as key', 'sealed_token as sealed']),
    ),
    'push address': prepare(() =>
      db.selectFrom('push_addresses').select(['token_hash as key', 'sealed_token as sealed']),
    ),
    shop: prepare(() =>
      db
        .selectFrom('shops')
        .select(['id as key', 'sealed_settings as sealed'])
        .where('sealed_settings', 'is not', null),
    ),
  }
  const replace = {
    endpoint: prepare((value) =>
      db
        .updateTable('endpoints')
        .set({ sealed_token: value('sealed') })
        .where('token_hash', '=', value('key'))
        .where('sealed_token', '=', value('was')),
    ),
    'push address': prepare((value) =>
      db
        .updateTable('push_addresses')
        .set({ sealed_token: value('sealed') })
        .where('token_hash', '=', value('key'))
        .where('sealed_token', '=', value('was')),
    ),
    shop: prepare((value) =>
      db
        .updateTable('shops')
        .set({ sealed_settings: value('sealed') })
        .where('id', '=', value('key'))
        .where('sealed_settings', '=', value('was')),
    ),
  }

  return {
    *sealed(): Command<Sealed[]> {
      const found: Sealed[] = []
      for (const kind of ['endpoint', 'push address', 'shop'] as const) {
        for (const { key, sealed } of yield* all(lists[kind], {}))
          found.push({ kind, key, sealed: sealed ?? '' })
      }
      return found
    },

    *reseal({ kind, key, sealed: was }: Sealed, sealed: string): Command<void> {
      yield* all(replace[kind], { key, was, sealed })
    },
  }
}

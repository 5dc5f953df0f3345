import type { Kysely } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { WebhookKey } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { columns } from './columns.ts'
import type { Commands } from './port.ts'
import { all, type Command, first, prepare } from './query.ts'
import { webhookKeyFrom } from './rows.ts'
import type { Tables } from './tables.ts'
import { twoLive } from './two-live.ts'

/** Stores the keys that sign a shop's webhooks. At most two are live, during a change. */
export function webhookKeyCommands(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const shopOf = prepare((value) => db.selectFrom('shops').select('id').where('id', '=', value('shopId')))
  const keys = twoLive(db, 'webhook_keys', 'id')
  const add = prepare((value) =>
    db.insertInto('webhook_keys').values({
      ...columns(value, 'id', 'shop_id', 'sealed_secret'),
      created_at: value('now'),
    }),
  )

  function* webhookKeys(shopId: string, now: number): Command<WebhookKey[]> {
    return (yield* all(keys.live, { shopId, now })).map(webhookKeyFrom)
  }

  return {
    webhookKeys,

    *ensureWebhookKey(shopId, key, by = byProvider) {
      const there = yield* webhookKeys(shopId, key.now)
      if (there.length > 0 || !(yield* first(shopOf, { shopId }))) return there
      yield* all(add, { shopId, id: key.id, sealedSecret: key.sealed, now: key.now })
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.added' })
      return yield* webhookKeys(shopId, key.now)
    },

    *rotateWebhookKey(shopId, key, oldEndsAt, by = byProvider) {
      if (!(yield* first(shopOf, { shopId }))) return
      const [newest] = yield* webhookKeys(shopId, key.now)
      yield* keys.replace(shopId, newest?.id, oldEndsAt)
      yield* all(add, { shopId, id: key.id, sealedSecret: key.sealed, now: key.now })
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.rotated', oldEndsAt })
    },
  } satisfies Partial<Commands>
}

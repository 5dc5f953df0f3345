import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { WebhookKey } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { columns, matching } from './columns.ts'
import type { Commands } from './port.ts'
import { all, type Command, first, prepare } from './query.ts'
import { webhookKeyFrom } from './rows.ts'
import type { Tables } from './tables.ts'

/** Stores the keys that sign a shop's webhooks. At most two are live, during a change. */
export function webhookKeyCommands(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const shopOf = prepare((value) => db.selectFrom('shops').select('id').where('id', '=', value('shopId')))
  const live = prepare((value) =>
    db
      .selectFrom('webhook_keys')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where(sql<boolean>`(expires_at is null or expires_at > ${value('now')})`)
      // Of two created at the same time, the one without an end is newer.
      .orderBy(sql`expires_at is null`, 'desc')
      .orderBy('created_at', 'desc'),
  )
  const add = prepare((value) =>
    db.insertInto('webhook_keys').values({
      id: value('id'),
      shop_id: value('shopId'),
      sealed_secret: value('sealed'),
      created_at: value('now'),
    }),
  )
  const end = prepare((value) =>
    db
      .updateTable('webhook_keys')
      .set({ expires_at: value('endsAt') })
      .where('id', '=', value('id')),
  )
  const dropOthers = prepare((value) =>
    db.deleteFrom('webhook_keys').where('shop_id', '=', value('shopId')).where('id', '<>', value('id')),
  )

  function* webhookKeys(shopId: string, now: number): Command<WebhookKey[]> {
    return (yield* all(live, { shopId, now })).map(webhookKeyFrom)
  }

  return {
    webhookKeys,

    *ensureWebhookKey(shopId, key, by = byProvider) {
      const there = yield* webhookKeys(shopId, key.now)
      if (there.length > 0 || !(yield* first(shopOf, { shopId }))) return there
      yield* all(add, { shopId, ...key })
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.added' })
      return yield* webhookKeys(shopId, key.now)
    },

    *rotateWebhookKey(shopId, key, oldEndsAt, by = byProvider) {
      if (!(yield* first(shopOf, { shopId }))) return
      const [newest] = yield* webhookKeys(shopId, key.now)
      yield* all(dropOthers, { shopId, id: newest?.id ?? '' })
      if (newest) yield* all(end, { id: newest.id, endsAt: oldEndsAt })
      yield* all(add, { shopId, ...key })
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.rotated', oldEndsAt })
    },
  } satisfies Partial<Commands>
}

import type { Kysely } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { NewWebhookKey, WebhookKey } from '../../store/shops.ts'
import type { AuditCommands } from './audit.ts'
import { read, write } from './port.ts'
import { administration, all, alone, type Command, first, holding, prepare } from './query.ts'
import { webhookKeyFrom } from './rows.ts'
import type { Tables } from './schema.ts'
import { addRow } from './simple.ts'
import { twoLive } from './two-live.ts'

/** Stores the keys that sign a shop's webhooks. At most two are live, during a change. */
export function webhookKeyCommands(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const shopOf = prepare((value) => db.selectFrom('shops').select('id').where('id', '=', value('shopId')))
  const keys = twoLive(db, 'webhook_keys', 'id')
  const addKey = addRow(db, 'webhook_keys', 'id', 'shop_id', 'sealed_secret', 'created_at')
  const add = (shopId: string, { id, sealed: sealedSecret, now: createdAt }: NewWebhookKey) =>
    all(addKey, { id, shopId, sealedSecret, createdAt })

  function* webhookKeys(shopId: string, now: number): Command<WebhookKey[]> {
    return (yield* all(keys.live, { shopId, now })).map(webhookKeyFrom)
  }

  return {
    /** The live keys that sign a shop's webhooks, newest first. */
    webhookKeys: read(webhookKeys),

    /** Adds a key if the shop has none. Resolves with the live ones; with none if there is no such shop. */
    ensureWebhookKey: write(function* (
      shopId: string,
      key: NewWebhookKey,
      by: string = byProvider,
    ): Command<WebhookKey[]> {
      yield* alone()
      const known = yield* webhookKeys(shopId, key.now)
      if (known.length > 0) return known
      yield* holding(administration)
      const there = yield* webhookKeys(shopId, key.now)
      if (there.length > 0 || !(yield* first(shopOf, { shopId }))) return there
      yield* add(shopId, key)
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.added' })
      return yield* webhookKeys(shopId, key.now)
    }),

    /** Adds a key. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
    rotateWebhookKey: write(function* (
      shopId: string,
      key: NewWebhookKey,
      oldEndsAt: number,
      by: string = byProvider,
    ): Command<void> {
      yield* alone(administration)
      if (!(yield* first(shopOf, { shopId }))) return
      const [newest] = yield* webhookKeys(shopId, key.now)
      yield* keys.replace(shopId, newest?.id, oldEndsAt)
      yield* add(shopId, key)
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.rotated', oldEndsAt })
    }),
  }
}

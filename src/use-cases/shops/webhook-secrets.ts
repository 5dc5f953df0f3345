import { webhookSecret } from '../../shops/seal.ts'
import { type NewWebhookKey, StoreUnavailable, type WebhookKey } from '../../store.ts'
import type { Workings } from '../workings.ts'

const secretBytes = 32

/** A secret that signs a shop's webhooks, for the receiver. */
export interface WebhookSecret {
  /** `whsec_` and base64. */
  secret: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** Its end; the newest has none. */
  expiresAt: number | undefined
}

const rowOf = (id: string) => ({ kind: 'webhook key', key: id }) as const

export function newWebhookKey(
  { world, seal }: Workings,
  shopId: string,
): { key: NewWebhookKey; secret: string } {
  // The row is bound to its id, and so to its shop.
  const id = `${shopId}.${world.token(12)}`
  const secret = webhookSecret(world.token(secretBytes))
  return { key: { id, sealed: seal.close(secret, rowOf(id)), now: world.now() }, secret }
}

/** The live secrets of a shop, newest first. The first call creates one, with `by` as its author. */
export async function webhookSecretsOf(
  workings: Workings,
  shopId: string,
  by?: string,
): Promise<WebhookSecret[]> {
  const { store, world } = workings
  const there = await store.webhookKeys(shopId, world.now())
  const keys =
    there.length > 0 ? there : await store.ensureWebhookKey(shopId, newWebhookKey(workings, shopId).key, by)
  return keys.map((key) => opened(workings, shopId, key))
}

function opened({ seal }: Workings, shopId: string, { id, sealed, ...times }: WebhookKey): WebhookSecret {
  if (!id.startsWith(`${shopId}.`))
    throw new StoreUnavailable(
      `A webhook secret of shop ${shopId} belongs to another one. Restore webhook_keys`,
    )
  return { secret: seal.open(sealed, rowOf(id)), ...times }
}

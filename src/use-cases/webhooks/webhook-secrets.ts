import { signatureHeaders, webhookId, webhookSecret } from '../../shops/webhook-signature.ts'
import { type NewWebhookKey, type OwedWebhook, StoreUnavailable, type WebhookKey } from '../../store.ts'
import type { Workings } from '../workings.ts'

const secretBytes = 32
/** How long another process may still use a replaced secret, in milliseconds. */
const rememberFor = 5_000
const rememberAtMost = 10_000

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

/** Signs webhooks, and caches each shop's secrets for five seconds. */
export class WebhookSigner {
  readonly #workings: Workings
  readonly #remembered = new Map<string, { until: number; secrets: WebhookSecret[] }>()

  constructor(workings: Workings) {
    this.#workings = workings
  }

  /** The signature headers of one try that begins now; none if webhooks are not signed. */
  async headersOf(owed: OwedWebhook, body: string): Promise<Record<string, string>> {
    const { signsWebhooks, world, publicUrl } = this.#workings
    if (!signsWebhooks) return {}
    const { shopId, orderId, version } = owed
    const now = world.now()
    const live = (await this.#secrets(shopId, now)).filter(({ expiresAt = now + 1 }) => expiresAt > now)
    const id = webhookId(publicUrl, shopId, orderId, version)
    return signatureHeaders(
      id,
      now,
      body,
      live.map(({ secret }) => secret),
    )
  }

  async #secrets(shopId: string, now: number): Promise<WebhookSecret[]> {
    const known = this.#remembered.get(shopId)
    if (known && now < known.until) return known.secrets
    const secrets = await webhookSecretsOf(this.#workings, shopId)
    if (this.#remembered.size >= rememberAtMost) this.#remembered.clear()
    this.#remembered.set(shopId, { until: now + rememberFor, secrets })
    return secrets
  }
}

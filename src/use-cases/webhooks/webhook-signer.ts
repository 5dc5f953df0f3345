import { signatureHeaders, webhookId } from '../../shops/seal.ts'
import type { OwedWebhook } from '../../store-port.ts'
import { type WebhookSecret, webhookSecretsOf } from '../shops/shop-view.ts'
import type { Workings } from '../workings.ts'

/** How long another process may still use a replaced secret, in milliseconds. */
const rememberFor = 5_000
const rememberAtMost = 10_000

/** Signs webhooks, and caches each shop's secrets for five seconds. */
export class WebhookSigner {
  readonly #workings: Workings
  readonly #remembered = new Map<string, { until: number; secrets: WebhookSecret[] }>()

  constructor(workings: Workings) {
    this.#workings = workings
  }

  /** The signature headers of one try that begins now. `undefined` if webhooks are not signed. */
  headersOf(owed: OwedWebhook, body: string): Promise<Record<string, string>> | undefined {
    return this.#workings.signsWebhooks ? this.#sign(owed, body) : undefined
  }

  async #sign({ shopId, orderId, version }: OwedWebhook, body: string): Promise<Record<string, string>> {
    const { world, publicUrl } = this.#workings
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

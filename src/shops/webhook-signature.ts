import { createHmac, hash } from 'node:crypto'

// The form of Standard Webhooks (standardwebhooks.com), so that receivers verify with a library of their language.

/** A secret as receivers take it: `whsec_` and base64. `random`: 32 random bytes in base64url. */
export const webhookSecret = (random: string): string =>
  `whsec_${Buffer.from(random, 'base64url').toString('base64')}`

/**
 * The id of one message: the same for each try of it, and different for every shop, order and status version. `sender` is the provider's
 * address, because two providers may use the same id of a shop.
 */
export function webhookId(sender: string, shopId: string, orderId: string, version: number): string {
  const named = JSON.stringify([sender, shopId, orderId, version])
  return `msg_${hash('sha256', named, 'base64url').slice(0, 32)}`
}

/** The headers that sign one try. `at` is its time in milliseconds since 1970. Every live secret signs, so that a secret can be changed. */
export function signatureHeaders(
  id: string,
  at: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

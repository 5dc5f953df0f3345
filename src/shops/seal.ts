import { createHmac, hash } from 'node:crypto'

/** Tokens are 256 random bits. They are looked up by their hash, so that a copy of the store opens no endpoint. */
export const tokenBytes = 32

/** An invalid token is not looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

/** Removes the secret part of tokens from a text with endpoints, such as a line for the shell. */
export const withoutToken = (text: string): string => text.replace(/(\/[ew]\/[\w-]{4})[\w-]{12,}/g, '$1...')

export const isPageToken = (text: string): boolean => /^[\w-]{1,128}$/.test(text)

export interface SealedRow {
  kind: 'endpoint' | 'push address' | 'shop' | 'key' | 'webhook key'
  key: string
}

/** The row of an endpoint's token. Its shop is part of the key: an endpoint moved to another shop does not open. */
export const endpointRow = (shopId: string, tokenHash: string): SealedRow => ({
  kind: 'endpoint',
  key: `${shopId}.${tokenHash}`,
})

/** The row of the token in a push address, with its shop and adapter. */
export const pushAddressRow = (shopId: string, adapter: string, tokenHash: string): SealedRow => ({
  kind: 'push address',
  key: `${shopId}.${adapter}.${tokenHash}`,
})

export const pageKeyRow = { kind: 'key', key: 'pages' } as const

/** Encrypts stored secrets that must be readable again: endpoint tokens, settings and credentials of shops, the key of page tokens. */
export interface Seal {
  /** Seals a text for one row: in any other row it does not open. */
  close(text: string, row: SealedRow): string
  /** Throws a `StoreUnavailable` for a text that was sealed with an unknown secret or for another row, or was changed since. */
  open(sealed: string, row: SealedRow): string
  /** Whether the text was sealed with the newest secret, for a row. */
  isCurrent(sealed: string): boolean
  /** Seals with the newest previous secret, if there is one, until `useNewest` is called. */
  holdBack(): void
  useNewest(): void
  usesNewest(): boolean
  /** The ids of the secrets whose texts it opens, newest first. */
  opens(): readonly string[]
  /** The beginning of every text that was sealed with the newest secret. */
  beginning(): string
}

/** The public secret of development, which protects nothing. */
export const developmentSecret = 'development-only-secret-that-protects-nothing'

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

import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto'
import { StoreUnavailable } from '../store/connection.ts'
import type { World } from '../world.ts'

/** Tokens are 256 random bits. They are looked up by their hash, so that a copy of the store opens no endpoint. */
export const tokenBytes = 32
/** An invalid token is not looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)
export const hashToken = (token: string): string => hash('sha256', token, 'base64url')
/** Removes the secret part of tokens from a text with endpoints, such as a line for the shell. */
export const withoutToken = (text: string): string => text.replace(/(\/[ew]\/[\w-]{4})[\w-]{12,}/g, '$1...')
export const isPageToken = (text: string): boolean => /^[\w-]{1,128}$/.test(text)

export interface SealedRow<Kind = 'endpoint' | 'push address' | 'shop' | 'key' | 'webhook key'> {
  kind: Kind
  key: string
}

const row = (kind: SealedRow['kind'], ...key: string[]): SealedRow => ({ kind, key: key.join('.') })
/** The row of an endpoint's token. Its shop is part of the key: an endpoint moved to another shop does not open. */
export const endpointRow = (shopId: string, tokenHash: string): SealedRow =>
  row('endpoint', shopId, tokenHash)
/** The row of the token in a push address, with its shop and adapter. */
export const pushAddressRow = (shopId: string, adapter: string, tokenHash: string): SealedRow =>
  row('push address', shopId, adapter, tokenHash)

export const pageKeyRow = { kind: 'key', key: 'pages' } as const

/** Encrypts stored secrets that must be readable again: endpoint tokens, settings and credentials of shops, the key of page tokens. */
export interface Seal {
  /** Seals a text for one row: in any other row it does not open. */
  close(text: string, row: SealedRow<string>): string
  /** Throws a `StoreUnavailable` for a text that was sealed with an unknown secret or for another row, or was changed since. */
  open(sealed: string, row: SealedRow<string>): string
  /** Seals with the newest previous secret, if there is one, until `useNewest` is called. */
  holdBack(): void
  useNewest(): void
  usesNewest(): boolean
  /** The ids of the secrets whose texts it opens, newest first. */
  opens(): readonly string[]
  /** The beginning of every text that was sealed with the newest secret. */
  beginning(): string
}

export type Sealing = { world: Pick<World, 'now' | 'token'>; seal: Seal }

/** A new address with its token, which is stored as its hash and encrypted. */
export function newAddress({ world, seal }: Sealing, rowOf: (tokenHash: string) => SealedRow) {
  const token = world.token(tokenBytes)
  const tokenHash = hashToken(token)
  return { tokenHash, sealedToken: seal.close(token, rowOf(tokenHash)), now: world.now(), token }
}

export const newEndpoint = (workings: Sealing, shopId: string) =>
  newAddress(workings, (tokenHash) => endpointRow(shopId, tokenHash))

/** The public secret of development, which protects nothing. */
export const developmentSecret = 'development-only-secret-that-protects-nothing'

// The form of Standard Webhooks (standardwebhooks.com), so that receivers verify with a library of their language.

/** A secret as receivers take it: `whsec_` and base64. `random`: 32 random bytes in base64url. */
export const webhookSecret = (random: string): string =>
  `whsec_${Buffer.from(random, 'base64url').toString('base64')}`

/** The id of one message, for all its tries. `sender`, the provider's address: two providers may use one id of a shop. */
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

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** The parts of a text that is encrypted: its initialisation vector, its bytes and its tag. `beside` is authenticated with it. */
export function encrypted(text: string, key: Buffer, beside: string): Buffer[] {
  const iv = randomBytes(ivBytes)
  const encrypting = createCipheriv(cipher, key, iv).setAAD(Buffer.from(beside))
  return [iv, Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()]), encrypting.getAuthTag()]
}

/** Throws for parts that were changed, or do not belong to this key and what stood beside. */
export function decrypted([iv, text, tag]: readonly Buffer[], key: Buffer, beside: string): string {
  const decrypting = createDecipheriv(cipher, key, iv!, { authTagLength: tagBytes })
  decrypting.setAAD(Buffer.from(beside)).setAuthTag(tag!)
  return Buffer.concat([decrypting.update(text!), decrypting.final()]).toString('utf8')
}

export const changedText = (of: string, cause: unknown): StoreUnavailable =>
  new StoreUnavailable(
    `The sealed text of ${of} was changed, or is in the wrong row of the store. Restore it from a backup.`,
    { cause },
  )

/** The row of a sealed content, such as `push default.psp.4nF`: in any other row it does not open. */
type ContentRow = `${'push' | 'attempt' | 'page'} ${string}`

/**
 * Seals what the store has many of: pushes that wait, the data that adapters keep with attempts, and the state of pages. Its key follows from the key of page
 * tokens, which lies sealed in the store. So a new secret seals that key anew, and none of these rows.
 */
export class ContentSeal {
  #key: Buffer | undefined

  constructor(key?: string) {
    if (key !== undefined) this.setKey(key)
  }

  /** Sets the key of page tokens, in base64url. Before that nothing is sealed or opened. */
  setKey(key: string): void {
    this.#key = Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64url'), '', 'purveyor content', 32))
  }

  get isOpen(): boolean {
    return this.#key !== undefined
  }

  close(content: unknown, row: ContentRow): string {
    return Buffer.concat(encrypted(JSON.stringify(content), this.#opened(), row)).toString('base64url')
  }

  /** Throws a `StoreUnavailable` for a text of another store or row, or one that was changed. */
  open(sealed: string, row: ContentRow): unknown {
    const bytes = Buffer.from(sealed, 'base64url')
    const key = this.#opened()
    const parts = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, -tagBytes), bytes.subarray(-tagBytes)]
    try {
      return JSON.parse(decrypted(parts, key, row))
    } catch (cause) {
      throw changedText(row, cause)
    }
  }

  #opened(): Buffer {
    if (!this.#key) throw new StoreUnavailable('The store is not open: start the provider first.')
    return this.#key
  }
}

/** A payment service's request, unchanged. */
interface PushContent {
  /** In base64: its signature covers exactly these bytes. */
  body: string
  headers: Record<string, string>
  query: string
}

/** Where resource events stand among pushes, in place of an adapter's name. No adapter can have it. */
export const fromPlatform = '@platform'
type Named = { shopId: string; adapter: string; key: string }
const pushRow = ({ shopId, adapter, key }: Named) => `push ${shopId}.${adapter}.${key}` as const

export const sealContent = (seal: ContentSeal, push: Named, content: PushContent): string =>
  seal.close(content, pushRow(push))

/** Throws a `StoreUnavailable` for a text of another store or row. */
export const openContent = (seal: ContentSeal, push: Named & { sealed: string }): PushContent =>
  seal.open(push.sealed, pushRow(push)) as PushContent

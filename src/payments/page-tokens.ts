import { hash } from 'node:crypto'
import { hashToken } from '../shops/tokens.ts'
import { StoreUnavailable } from '../store.ts'
import { type Attempt, inOrder } from './payment.ts'

/** How long the secret part of a page token and its hash are: 32 bytes in base64url. */
const secretLength = 43
/** Of SHA-256. */
const blockBytes = 64

/**
 * Makes the tokens that open hosted pages: the attempt's moment and an HMAC of its id under a random key, so that a repeated start gets
 * the same address although the store keeps only its hash.
 */
export class PageTokens {
  #pads: { inner: Buffer; outer: Buffer } | undefined

  constructor(key?: string) {
    if (key !== undefined) this.setKey(key)
  }

  /** Takes 32 random bytes in base64url, or any up to 64. Until then there are no tokens. */
  setKey(key: string): void {
    const bytes = Buffer.from(key, 'base64url')
    this.#pads = { inner: padded(bytes, 0x36), outer: padded(bytes, 0x5c) }
  }

  of({ id, openedAt }: Pick<Attempt, 'id' | 'openedAt'>): string {
    if (!this.#pads) throw new StoreUnavailable('The store is not open: start the provider first.')
    const { inner, outer } = this.#pads
    const first = hash('sha256', Buffer.concat([inner, Buffer.from(id)]), 'buffer')
    return inOrder(openedAt, hash('sha256', Buffer.concat([outer, first]), 'base64url'))
  }

  hashOf(attempt: Pick<Attempt, 'id' | 'openedAt'>): string {
    return hashPageToken(this.of(attempt))
  }
}

/** The key as HMAC (RFC 2104) has it in its two hashes. By hand, because `createHmac` takes 30 µs for each token and this takes 5. */
function padded(key: Buffer, pad: number): Buffer {
  return Buffer.alloc(blockBytes)
    .fill(key, 0, key.length)
    .map((byte) => byte ^ pad) as Buffer
}

/** What the store keeps of a page token. The moment stays in front, so that the newest stand side by side in an index. */
export const hashPageToken = (token: string): string => token.slice(0, -secretLength) + hashToken(token)

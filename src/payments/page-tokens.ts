import { createHmac } from 'node:crypto'
import { hashToken } from '../shops/tokens.ts'
import { StoreUnavailable } from '../store.ts'
import { type Attempt, inOrder } from './payment.ts'

/** How long the secret part of a page token and its hash are: 32 bytes in base64url. */
const secretLength = 43

/**
 * Makes the tokens that open hosted pages: the attempt's moment and an HMAC of its id under a random key, so that a repeated start gets
 * the same address although the store keeps only its hash.
 */
export class PageTokens {
  #key: Buffer | undefined

  constructor(key?: string) {
    if (key !== undefined) this.setKey(key)
  }

  /** Takes 32 random bytes in base64url. Until then there are no tokens. */
  setKey(key: string): void {
    this.#key = Buffer.from(key, 'base64url')
  }

  of({ id, openedAt }: Pick<Attempt, 'id' | 'openedAt'>): string {
    if (!this.#key) throw new StoreUnavailable('The store is not open: start the provider first.')
    return inOrder(openedAt, createHmac('sha256', this.#key).update(id).digest('base64url'))
  }

  hashOf(attempt: Pick<Attempt, 'id' | 'openedAt'>): string {
    return hashPageToken(this.of(attempt))
  }
}

/** What the store keeps of a page token. The moment stays in front, so that the newest stand side by side in an index. */
export const hashPageToken = (token: string): string => token.slice(0, -secretLength) + hashToken(token)

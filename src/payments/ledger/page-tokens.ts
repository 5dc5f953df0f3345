import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { hashToken } from '../../shops/seal.ts'
import { StoreUnavailable } from '../../store.ts'
import { type Attempt, inOrder } from './payment.ts'

/** The length of the secret part of a page token and of its hash: 32 bytes in base64url. */
const secretLength = 43

/**
 * Creates the tokens of hosted pages: the attempt's time and an HMAC of its id under a random key. So a repeated start gets the same address,
 * although the store keeps only its hash. Those of shared push addresses are made alike.
 */
export class PageTokens {
  #key: KeyObject | undefined

  constructor(key?: string) {
    if (key !== undefined) this.setKey(key)
  }

  /** Sets the key: 32 random bytes in base64url, or any other number. Before that there are no tokens. */
  setKey(key: string): void {
    this.#key = createSecretKey(key, 'base64url')
  }

  of({ id, openedAt }: Pick<Attempt, 'id' | 'openedAt'>): string {
    return inOrder(openedAt, this.#secretOf(id))
  }

  /** The token of the push address of an adapter that all shops share. It lasts as long as the store. */
  ofPushes(adapter: string): string {
    return this.#secretOf(`push ${adapter}`)
  }

  #secretOf(name: string): string {
    if (!this.#key) throw new StoreUnavailable('The store is not open: start the provider first.')
    return createHmac('sha256', this.#key).update(name).digest('base64url')
  }

  hashOf(attempt: Pick<Attempt, 'id' | 'openedAt'>): string {
    return hashPageToken(this.of(attempt))
  }
}

/** The stored form of a page token. The time comes first, so that the newest are adjacent in an index. */
export const hashPageToken = (token: string): string => token.slice(0, -secretLength) + hashToken(token)

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** The row of a sealed text, such as `push default.psp.4nF`: in any other row it does not open. */
type Row = `${'push' | 'attempt' | 'page'} ${string}`

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

  /** Whether it has its key. */
  get isOpen(): boolean {
    return this.#key !== undefined
  }

  /** Seals what JSON can hold. */
  close(content: unknown, row: Row): string {
    const iv = randomBytes(ivBytes)
    const encrypting = createCipheriv(cipher, this.#opened(), iv).setAAD(Buffer.from(row))
    const encrypted = [encrypting.update(JSON.stringify(content), 'utf8'), encrypting.final()]
    return Buffer.concat([iv, ...encrypted, encrypting.getAuthTag()]).toString('base64url')
  }

  /** Throws a `StoreUnavailable` for a text of another store or row, or one that was changed. */
  open(sealed: string, row: Row): unknown {
    const bytes = Buffer.from(sealed, 'base64url')
    const key = this.#opened()
    try {
      const decrypting = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
      decrypting.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-tagBytes))
      const text = decrypting.update(bytes.subarray(ivBytes, -tagBytes))
      return JSON.parse(Buffer.concat([text, decrypting.final()]).toString('utf8'))
    } catch (cause) {
      const message = `The sealed text of ${row} was changed, or is in the wrong row of the store. Restore it from a backup.`
      throw new StoreUnavailable(message, { cause })
    }
  }

  #opened(): Buffer {
    if (!this.#key) throw new StoreUnavailable('The store is not open: start the provider first.')
    return this.#key
  }
}

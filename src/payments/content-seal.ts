import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { StoreUnavailable } from '../store.ts'

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

  close(text: string, row: Row): string {
    const iv = randomBytes(ivBytes)
    const encrypting = createCipheriv(cipher, this.#opened(), iv).setAAD(Buffer.from(row))
    const encrypted = [encrypting.update(text, 'utf8'), encrypting.final()]
    return Buffer.concat([iv, ...encrypted, encrypting.getAuthTag()]).toString('base64url')
  }

  /** Throws a `StoreUnavailable` for a text of another store or row, or one that was changed. */
  open(sealed: string, row: Row): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const key = this.#opened()
    try {
      const decrypting = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
      decrypting.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-tagBytes))
      const text = decrypting.update(bytes.subarray(ivBytes, -tagBytes))
      return Buffer.concat([text, decrypting.final()]).toString('utf8')
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

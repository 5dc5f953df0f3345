import { hash } from 'node:crypto'
import { StoreUnavailable } from '../store.ts'

/** Encrypts what a command must be able to read again, such as endpoint tokens (JWE, A256GCM). */
export interface Seal {
  close(text: string): Promise<string>
  open(sealed: string): Promise<string>
}

export function seal(secret: string): Seal {
  const key = hash('sha256', `purveyor seal ${secret}`, 'buffer')
  return {
    async close(text) {
      const { CompactEncrypt } = await import('jose')
      const plaintext = new TextEncoder().encode(text)
      return new CompactEncrypt(plaintext).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
    },
    async open(sealed) {
      const { compactDecrypt } = await import('jose')
      try {
        return new TextDecoder().decode((await compactDecrypt(sealed, key)).plaintext)
      } catch (cause) {
        throw new StoreUnavailable(
          'The store was written with another secret. Set PURVEYOR_SECRET to the one it was made with.',
          { cause },
        )
      }
    },
  }
}

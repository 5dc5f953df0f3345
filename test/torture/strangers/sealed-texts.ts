import { hash, scryptSync } from 'node:crypto'
import { CompactEncrypt } from 'jose'

/** The key that a secret is stretched to, and its name. */
export function stretchedKey(secret: string): { key: Buffer; id: string } {
  const bytes = scryptSync(secret, 'purveyor seal', 41, { N: 8192, r: 5, p: 1 })
  return { key: bytes.subarray(0, 32), id: bytes.subarray(32).toString('base64url') }
}

/** The key of texts that are not bound to a row. */
export const plainKey = (secret: string): Buffer => hash('sha256', `purveyor seal ${secret}`, 'buffer')

/** As texts were sealed before they were bound to their rows. */
export const unboundText = (text: string, secret: string): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({
      alg: 'dir',
      enc: 'A256GCM',
      kid: hash('sha256', plainKey(secret), 'base64url').slice(0, 12),
    })
    .encrypt(plainKey(secret))

import { scryptSync } from 'node:crypto'

/** The key that a secret is stretched to, and its name. */
export function stretchedKey(secret: string): { key: Buffer; id: string } {
  const bytes = scryptSync(secret, 'purveyor seal', 41, { N: 8192, r: 5, p: 1 })
  return { key: bytes.subarray(0, 32), id: bytes.subarray(32).toString('base64url') }
}

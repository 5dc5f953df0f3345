import { hash } from 'node:crypto'
import type { Seal } from '../shops/seal.ts'
import { StoreUnavailable } from '../store.ts'

/**
 * Seals with JWE (A256GCM) under a key made of the secret. What was sealed with the previous secret still opens, so that a
 * secret is changed without a gap.
 */
export function seal(secret: string, previousSecret?: string): Seal {
  const newest = keyOf(secret)
  const keys = previousSecret === undefined ? [newest] : [newest, keyOf(previousSecret)]
  return {
    async close(text) {
      const { CompactEncrypt } = await import('jose')
      const header = { alg: 'dir', enc: 'A256GCM', kid: newest.id }
      return new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(newest.key)
    },
    async open(sealed) {
      const { compactDecrypt } = await import('jose')
      const key = keys.find(({ id }) => id === keyIdOf(sealed))
      try {
        if (!key) throw new Error('it was sealed with a secret that is not known')
        return new TextDecoder().decode((await compactDecrypt(sealed, key.key)).plaintext)
      } catch (cause) {
        throw new StoreUnavailable(
          'The store was written with another secret. Set PURVEYOR_SECRET to the one it was made with, or PURVEYOR_PREVIOUS_SECRET while you change it.',
          { cause },
        )
      }
    },
    isCurrent: (sealed) => keyIdOf(sealed) === newest.id,
  }
}

interface Key {
  id: string
  key: Buffer
}

function keyOf(secret: string): Key {
  const key = hash('sha256', `purveyor seal ${secret}`, 'buffer')
  return { key, id: hash('sha256', key, 'base64url').slice(0, 12) }
}

function keyIdOf(sealed: string): unknown {
  const [header = ''] = sealed.split('.', 1)
  try {
    return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown }).kid
  } catch {
    return undefined
  }
}

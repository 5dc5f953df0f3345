import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Seal } from '../shops/seal.ts'
import { StoreUnavailable } from '../store.ts'

// JWE in its compact form (RFC 7516: `dir` and A256GCM), written out here although jose knows it: jose encrypts with WebCrypto
// only, and Node 24 ends the process when such a call comes back while a TLS connection that failed has left an error behind.

const cipher = 'aes-256-gcm'
const tagBytes = 16

/**
 * Seals under a key made of the secret. What was sealed with the previous secret still opens, so that a secret is changed
 * without a gap.
 */
export function seal(secret: string, previousSecret?: string): Seal {
  const newest = keyOf(secret)
  const keys = previousSecret === undefined ? [newest] : [newest, keyOf(previousSecret)]
  const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: newest.id })).toString(
    'base64url',
  )
  return {
    close(text) {
      const iv = randomBytes(12)
      const encrypting = createCipheriv(cipher, newest.key, iv).setAAD(Buffer.from(header))
      const encrypted = Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()])
      const parts = [iv, encrypted, encrypting.getAuthTag()].map((part) => part.toString('base64url'))
      return `${header}..${parts.join('.')}`
    },
    open(sealed) {
      const key = keys.find(({ id }) => id === keyIdOf(sealed))
      try {
        if (!key) throw new Error('it was sealed with a secret that is not known')
        return opened(sealed, key.key)
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

function opened(sealed: string, key: Buffer): string {
  const [header = '', none, ...parts] = sealed.split('.')
  const [iv, encrypted, tag] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (none !== '' || parts.length !== 3 || tag?.length !== tagBytes) throw new Error('it is no compact JWE')
  const decrypting = createDecipheriv(cipher, key, iv!, { authTagLength: tagBytes })
  decrypting.setAAD(Buffer.from(header)).setAuthTag(tag)
  return Buffer.concat([decrypting.update(encrypted!), decrypting.final()]).toString('utf8')
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

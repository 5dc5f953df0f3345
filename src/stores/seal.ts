import { hash, scryptSync } from 'node:crypto'
import {
  changedText,
  decrypted,
  developmentSecret,
  encrypted,
  type Seal,
  type SealedRow,
} from '../shops/seal.ts'
import { StoreUnavailable } from '../store.ts'

// JWE (RFC 7516: `dir` and A256GCM) with the row as its additional authenticated data, written as the compact form writes it: the row
// itself is not repeated. Written out here although jose knows it: jose encrypts with WebCrypto only, and Node 24 ends the process
// when such a call comes back while a TLS connection that failed has left an error behind.

const keyBytes = 32
const idBytes = 9

interface Key {
  id: string
  key: Buffer
}

/**
 * Seals with a key derived from the secret. Texts sealed with a previous secret still open, so that a secret changes without a gap. A key
 * is derived at its first use, which takes less than 30 ms per secret.
 */
export function seal(secret: string, ...previous: readonly string[]): Seal {
  const newest = once(() => stretchedKey(secret))
  const keys = once(() => [newest(), ...previous.map(stretchedKey)])
  /** The index of the secret that seals. */
  let closing = 0
  const headers = once(() =>
    keys().map(({ id }) => base64url(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: id }))),
  )

  return {
    close(text, row) {
      const { key } = closing === 0 ? newest() : keys()[closing]!
      const header = headers()[closing]!
      const parts = encrypted(text, key, additional(header, row)).map(base64url)
      return `${header}..${parts.join('.')}`
    },
    open(sealed, row) {
      const id = keyIdOf(sealed)
      const key = keys().find((one) => one.id === id)
      if (!key) throw madeWithAnother(secret, id)
      try {
        const [header = '', none, ...parts] = sealed.split('.')
        if (none !== '' || parts.length !== 3) throw new Error('it is not a JWE')
        const bytes = parts.map((part) => Buffer.from(part, 'base64url'))
        return decrypted(bytes, key.key, additional(header, row))
      } catch (cause) {
        throw changedText(nameOf(row), cause)
      }
    },
    holdBack() {
      closing = Math.min(1, previous.length)
    },
    useNewest() {
      closing = 0
    },
    usesNewest: () => closing === 0,
    opens: () => keys().map(({ id }) => id),
    beginning: () => `${headers()[0]}..`,
  }
}

/** The additional authenticated data of RFC 7516 (5.1, step 14). */
const additional = (header: string, { kind, key }: SealedRow<string>) =>
  `${header}.${base64url(`${kind}:${key}`)}`

/**
 * The key and its name, both out of scrypt, so that each guess at the secret costs the whole of it, also a guess by the name. There is
 * no salt by store: it would have to be read before anything opens, and production takes long random secrets only. The secret of
 * development is in the source, and stretching protects nothing of it.
 */
function stretchedKey(secret: string): Key {
  const bytes =
    secret === developmentSecret
      ? hash('sha512', secret, 'buffer')
      : scryptSync(secret, 'purveyor seal', keyBytes + idBytes, { N: 8192, r: 5, p: 1 })
  return {
    key: bytes.subarray(0, keyBytes),
    id: base64url(bytes.subarray(keyBytes, keyBytes + idBytes)),
  }
}

function keyIdOf(sealed: string): unknown {
  const [header = ''] = sealed.split('.', 1)
  try {
    return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown }).kid
  } catch {
    return undefined
  }
}

/** Explains a store of development without a secret that is opened with one, and the reverse case. */
function madeWithAnother(secret: string, id: unknown): StoreUnavailable {
  const elsewhere = 'give this provider a store of its own in PURVEYOR_DATABASE_URL, such as sqlite:./data/'
  const message =
    id === stretchedKey(developmentSecret).id
      ? `The store was created in development without PURVEYOR_SECRET, so its secret is public. Delete the store if its data does not matter, or ${elsewhere}live.db`
      : secret === developmentSecret
        ? `The store was created with a PURVEYOR_SECRET, and this is development without one. Set it, or ${elsewhere}dev.db`
        : 'The store was written with another secret. Set PURVEYOR_SECRET to the one it was created with, or set PURVEYOR_PREVIOUS_SECRET while you change it.'
  return new StoreUnavailable(message)
}

/** For a token not even its hash. */
function nameOf({ kind, key }: SealedRow<string>): string {
  if (kind === 'shop' || kind === 'key') return `${kind} ${key}`
  const [shop] = key.split('.', 1)
  return `${kind === 'endpoint' ? 'an' : 'a'} ${kind} of shop ${shop}`
}

const base64url = (text: string | Buffer): string => Buffer.from(text as string).toString('base64url')

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

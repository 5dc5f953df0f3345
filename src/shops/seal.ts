/** The row of a sealed text: its kind and its key. */
export interface SealedRow {
  kind: 'endpoint' | 'push address' | 'shop' | 'key' | 'webhook key'
  key: string
}

/** The row of an endpoint's token. Its shop is part of the key: an endpoint moved to another shop does not open. */
export const endpointRow = (shopId: string, tokenHash: string): SealedRow => ({
  kind: 'endpoint',
  key: `${shopId}.${tokenHash}`,
})

/** The row of the token in a push address, with its shop and adapter. */
export const pushAddressRow = (shopId: string, adapter: string, tokenHash: string): SealedRow => ({
  kind: 'push address',
  key: `${shopId}.${adapter}.${tokenHash}`,
})

/** The row of the key of page tokens. */
export const pageKeyRow = { kind: 'key', key: 'pages' } as const

/** Encrypts stored secrets that must be readable again: endpoint tokens, settings and credentials of shops, the key of page tokens. */
export interface Seal {
  /** Seals a text for one row: in any other row it does not open. */
  close(text: string, row: SealedRow): string
  /** Throws a `StoreUnavailable` for a text that was sealed with an unknown secret or for another row, or was changed since. */
  open(sealed: string, row: SealedRow): string
  /** Whether the text was sealed with the newest secret, for a row. */
  isCurrent(sealed: string): boolean
  /** Seals with the newest previous secret, if there is one, until `useNewest` is called. */
  holdBack(): void
  useNewest(): void
  /** Whether it seals with the newest secret. */
  usesNewest(): boolean
  /** The ids of the secrets whose texts it opens, newest first. */
  opens(): readonly string[]
  /** The beginning of every text that was sealed with the newest secret. */
  beginning(): string
}

/** The public secret of development, which protects nothing. */
export const developmentSecret = 'development-only-secret-that-protects-nothing'

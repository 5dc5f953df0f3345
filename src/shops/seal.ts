/** The row that a sealed text stands in: what it is of, and its key. */
export interface SealedRow {
  kind: 'endpoint' | 'push address' | 'shop' | 'key' | 'webhook key'
  key: string
}

/** The row of an endpoint's token. Its shop is part of the key: an endpoint that is moved to another shop does not open. */
export const endpointRow = (shopId: string, tokenHash: string): SealedRow => ({
  kind: 'endpoint',
  key: `${shopId}.${tokenHash}`,
})

/** The row of the token in a push address, with its shop and adapter. */
export const pushAddressRow = (shopId: string, adapter: string, tokenHash: string): SealedRow => ({
  kind: 'push address',
  key: `${shopId}.${adapter}.${tokenHash}`,
})

/** Encrypts what is kept and must be readable again: endpoint tokens, settings and credentials of shops, the key of page tokens. */
export interface Seal {
  /** Seals a text for one row: in any other row it does not open. */
  close(text: string, row: SealedRow): string
  /**
   * Throws a `StoreUnavailable` for what was closed with a secret that is not known or for another row, was changed since, or is
   * not bound to a row.
   */
  open(sealed: string, row: SealedRow): string
  /** Whether it was closed with the newest secret, for a row. */
  isCurrent(sealed: string): boolean
  /** Closes with the newest previous secret, where there is one, until `useNewest` is called. */
  holdBack(): void
  useNewest(): void
  /** Whether it closes with the newest secret. */
  usesNewest(): boolean
  /** The ids of the secrets whose texts it opens, the newest first. */
  opens(): readonly string[]
  /** How every text begins that was closed with the newest secret. */
  beginning(): string
  /** Whether it is bound to a row. What was sealed before rows were bound is not. */
  isBound(sealed: string): boolean
  /** Opens what is not bound, to seal it anew. Nothing else may call it: such a text opens wherever it stands. */
  openUnbound(sealed: string): string
}

/** What protects nothing, so that development needs no secret. */
export const developmentSecret = 'development-only-secret-that-protects-nothing'

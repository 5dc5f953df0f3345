import type { AuditEntry } from '../audit.ts'
import type { SealedRow } from '../shops/seal.ts'

/** The audit trail, everything that is stored encrypted, and what is forgotten. */
export interface AdministrationStore {
  /** The newest entries of a shop's audit trail, newest last. The trail outlives its shop. */
  auditTrail(filter: AuditFilter): Promise<AuditEntry[]>
  /** Deletes up to `limit` entries from before the given time. Resolves with their number. */
  pruneAuditTrail(prune: { before: number; limit: number }): Promise<number>

  /** All sealed texts, to be sealed again. */
  sealed(): Promise<Sealed[]>
  /** Up to `limit` texts with another beginning, after the given one or from the first on. */
  sealedOtherwise(page: { beginning: string; after: SealedRow | undefined; limit: number }): Promise<Sealed[]>
  /** The number of texts with another beginning. */
  countSealedOtherwise(beginning: string): Promise<number>
  /** Replaces sealed texts, except those that have changed meanwhile. */
  reseal(anew: readonly SealedAnew[]): Promise<void>
  /** A key of the provider, sealed. */
  key(name: string): Promise<string | undefined>
  /** Adds a key, or resolves with the existing one and changes nothing. */
  ensureKey(name: string, key: { sealed: string; now: number }): Promise<string>

  /**
   * Deletes deliveries and pushes from before the given time, `limit` of each at most (default 1,000), and empty lanes. Resolves with whether
   * more may be left: other commands go on in between.
   */
  forget(before: number, limit?: number): Promise<boolean>
}

export interface AuditFilter {
  shopId: string
  /** Only entries from this moment on. */
  since?: number | undefined
  limit: number
}

export interface Sealed extends SealedRow {
  sealed: string
}

export interface SealedAnew {
  was: Sealed
  sealed: string
}

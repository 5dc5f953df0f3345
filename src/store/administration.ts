import type { SealedRow } from '../shops/seal.ts'

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

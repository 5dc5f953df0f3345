/** Encrypts what is kept and must be readable again: endpoint tokens, settings and credentials of shops. */
export interface Seal {
  close(text: string): string
  /** Throws a `StoreUnavailable` for what was closed with a secret that is not known, or was changed since. */
  open(sealed: string): string
  /** Whether it was closed with the newest secret. */
  isCurrent(sealed: string): boolean
}

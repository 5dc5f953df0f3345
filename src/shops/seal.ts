/** Encrypts what is kept and must be readable again: endpoint tokens, settings and credentials of shops. */
export interface Seal {
  close(text: string): Promise<string>
  /** Rejects with a `StoreUnavailable` when it was closed with a secret that is not known. */
  open(sealed: string): Promise<string>
  /** Whether it was closed with the newest secret. */
  isCurrent(sealed: string): boolean
}

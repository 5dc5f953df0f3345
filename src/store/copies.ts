/** A note of `purveyor db copy` in a store. Times are in milliseconds since 1970. */
export interface CopyMark {
  /** Whether this store was copied, or is a copy. */
  role: 'source' | 'copy'
  /** The same in both stores. */
  copyId: string
  /** The other store, as it is shown: without a password. */
  other: string
  /** Of a source: `moved`. Of a copy: `finished`, or `retired` once the source serves again. */
  state: 'moved' | 'finished' | 'retired'
  beganAt: number
  endedAt?: number | undefined
  /** When the first provider started on this copy. */
  servedAt?: number | undefined
}

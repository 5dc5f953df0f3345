import { PurveyorError } from '../errors/errors.ts'

/** The store itself: where it stands, what time it is there, and whether it works. */
export interface StoreConnection {
  /** Nothing outlives this process; for tests. */
  readonly volatile?: boolean
  /** Faults of its place that do not stop it, each with a remedy. Logged at the start, and shown by `doctor`. */
  readonly warnings?: readonly string[]
  /** The clock that all processes of this store share, in milliseconds since 1970. Default: the machine's clock. */
  now?(): number
  /**
   * Opens the store and brings its tables up to date. With `serves` for a node that goes on: rejects before anything is written where a server
   * takes too few connections for one more.
   */
  open(as?: { serves?: boolean }): Promise<void>
  close(): Promise<void>
  /** Rejects if the store cannot be reached, or accepts no writes. It writes at most once a second, and only if that is in doubt. */
  check(): Promise<void>
  /** The bytes that are free on the disk of this machine that holds the store, `undefined` if the system does not say. Not set for a server. */
  freeBytes?(): Promise<number | undefined>
  /** Sets the receiver of faults around the store, which become log lines and metrics. */
  watch?(report: (trouble: StoreTrouble) => void): void
}

/** An event around the store outside any call, for the log. */
export type StoreTrouble =
  /** Another client has locked a row: commands about it wait, and only they fail. Without an order it is a row that the orders of a shop share. */
  | { code: 'ROW_LOCKED'; shop?: string; order?: string }
  /** A page of a SQLite file cannot be read: commands that need it fail, all others continue. */
  | { code: 'STORE_DAMAGED' }
  /** A command begins again, because of something that passes. */
  | { code: 'COMMAND_RETRIED'; reason: RetryReason }

/**
 * `held`: another transaction holds the same order, push or lane. `lock`: it waited too long for a lock. `conflict`: a deadlock or a conflict
 * of transactions. `connection`: the connection failed, or the server accepts no more of them.
 */
export type RetryReason = 'held' | 'lock' | 'conflict' | 'connection'

/** The store cannot be reached, is locked for too long or is full. Nothing was changed. */
export class StoreUnavailable extends PurveyorError {
  override readonly name = 'StoreUnavailable'
  constructor(message: string, options?: ErrorOptions) {
    super('STORE_UNAVAILABLE', message, options)
  }
}

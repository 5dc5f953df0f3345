/** Counts failures of payment services: calls of `start`, and pushes that were refused. */
export interface ServiceFailureStore {
  /** Stores what a node has counted, in place of what it stored of the same kind, adapter and shop before. */
  noteServiceFailures(node: string, failures: readonly ServiceFailures[]): Promise<void>
  /** Those whose last failure was at or after a moment, the earliest first failure first. Each node has its own. */
  serviceFailures(filter: ServiceFailureFilter): Promise<ServiceFailures[]>
}

/** `start`: the adapter's `start` failed or took too long. `push`: its `push.verify` did not accept a push. */
export type ServiceFailureKind = 'start' | 'push'

export interface ServiceFailureKey {
  kind: ServiceFailureKind
  adapter: string
  shopId: string
}

/** The failures of one payment service for one shop, as one node saw them. Times are milliseconds since 1970. */
export interface ServiceFailures extends ServiceFailureKey {
  firstAt: number
  lastAt: number
  /** The first success after the last failure. Not set where there was none. */
  okAt: number | undefined
  calls: number
  /** The last failure, in words. */
  failure: string
}

export interface ServiceFailureFilter {
  kind: ServiceFailureKind
  shopId?: string | undefined
  adapter?: string | undefined
  since: number
}

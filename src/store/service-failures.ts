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

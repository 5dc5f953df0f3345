import type { PaymentStatus } from './contract/index.ts'
import { PurveyorError } from './errors/errors.ts'
import type { AnomalyKind } from './payments/ledger/anomalies.ts'
import type { MoneyWord, ReportWord } from './payments/ledger/report.ts'

export * from './store/connection.ts'

declare const opaque: unique symbol

/**
 * Stores shops, payments and owed webhooks: `sqliteStore()`, `postgresStore()` or `memoryStore()`. A store shows no members, because the
 * interface between Purveyor and its stores may change in any release.
 */
export interface Store {
  readonly [opaque]?: never
}

/** Anomalies of one kind and adapter have one cause while no pause between them is longer than this, in milliseconds. */
export const sameCauseWithin = 30 * 60_000

/** One thing that changed about a payment: an attempt was opened, or something was reported about it. */
export interface PaymentChange {
  /** Its place in the feed: give it as `after` to read what follows. */
  cursor: string
  shop: string
  orderId: string
  attempt: string
  /** Milliseconds since 1970. */
  at: number
  kind: 'opened' | ReportWord
  /** The payment service's id of the movement. */
  event: string | undefined
  /** The amount of the attempt with `opened`, otherwise that of the report. */
  amount: string | undefined
  currency: string | undefined
  /** The payment's status after it. */
  status: PaymentStatus
}

/** One payment of a list. */
export interface PaymentSummary {
  shop: string
  orderId: string
  status: PaymentStatus
  /** The amount of the newest attempt. */
  amount: string
  currency: string
  adapter: string
  /** The id of the payment method. */
  method: string
  orderNumber: string | undefined
  /** Milliseconds since 1970; `changedAt` is when the status last changed, `lastAt` when anything about it happened last. */
  openedAt: number
  changedAt: number
  lastAt: number
  /**
   * Whether the shop knows the status: `none` is owed yet, a webhook is `owed`, was given up (`dead`), was `accepted`, or the shop has `read` the
   * status since.
   */
  webhook: 'none' | 'owed' | 'dead' | 'accepted' | 'read'
  /** The kinds of its open anomalies. */
  review: AnomalyKind[]
  /** The words about its money that were reported after it was received. */
  moved: MoneyWord[]
}

/** A change of the hosts that a shop may name. */
export interface HostsChange {
  /** The hosts to accept, such as `shop.example`. Default: none. */
  add?: readonly string[]
  /** The hosts to accept no longer. Default: none. */
  remove?: readonly string[]
  /** Removes every host that is not in `add`. Default false. */
  only?: boolean
  /** From now on no other host is accepted. Default: as before. */
  confirm?: boolean
}

/** The shop was removed or does not serve, or the order was erased: nothing was written. */
export class Gone extends PurveyorError {
  override readonly name = 'Gone'
  constructor() {
    super('UNKNOWN_PAYMENT', 'The shop was removed or disabled, or the order was erased')
  }
}

/** Shops of these names exist already, and nothing was added. */
export class ShopsExist extends Error {
  override readonly name = 'ShopsExist'
  readonly shopIds: readonly string[]
  constructor(shopIds: readonly string[]) {
    super(`These shops exist already: ${shopIds.join(', ')}`)
    this.shopIds = shopIds
  }
}

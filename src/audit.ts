import type { AnomalyKind } from './payments/anomaly-kinds.ts'
import type { PaymentReport } from './payments/facts.ts'

/**
 * What was changed, with the names of things and never the value of a setting, a token or a credential. Free text, such as the note of
 * an anomaly, stays with the anomaly or the payment and is erased with it.
 */
export type AuditAction =
  | {
      action: 'shop.added'
      platformId?: string
      hosts?: readonly string[]
      /** What was set from the start, by path. */
      settings?: readonly string[]
    }
  | { action: 'shop.disabled' | 'shop.enabled' | 'shop.removed' }
  | { action: 'platform.bound'; platformId: string }
  | { action: 'platform.unbound' }
  | {
      action: 'endpoint.rotated'
      /** When the old one ends, in milliseconds since 1970. */
      oldEndsAt: number
    }
  | { action: 'push_address.added'; adapter: string }
  | { action: 'webhook_secret.added' }
  | {
      action: 'webhook_secret.rotated'
      /** When the old one ends, in milliseconds since 1970. */
      oldEndsAt: number
    }
  | { action: 'hosts.added' | 'hosts.removed'; hosts: readonly string[] }
  | { action: 'hosts.confirmed' }
  | {
      action: 'settings.saved'
      /** The paths that are not what they were, such as `units.weight` and `adapters.courier.account`. */
      changed: readonly string[]
    }
  | { action: 'anomaly.closed'; order: string; attempt: string; kind: AnomalyKind; anomaly: string }
  | {
      action: 'payment.reported'
      order: string
      attempt: string
      status: PaymentReport['status'] | 'unknown'
      amount?: string
      currency?: string
    }
  | { action: 'payment.erased'; order: string }
  | {
      /** By `purveyor db prune`. What the retention erases by itself is not listed. */
      action: 'payments.pruned'
      count: number
      /** Their status changed last before this moment, in milliseconds since 1970. */
      before: number
    }
  | { action: 'webhook.replayed'; order: string }
  | {
      action: 'lane.opened'
      kind: 'webhook' | 'push' | 'rates'
      /** The host of the receiver, or the adapter. */
      to: string
    }

/** One change, who made it and when. It is stored in the same commit as the change. */
export type AuditEntry = AuditAction & {
  shop: string
  /** Milliseconds since 1970. */
  at: number
  /** The system user of a command, `by` as it was given in code, `code` where it was not, or `provider` for what it does itself. */
  by: string
}

/** Changes that the provider makes by itself: the first shop, a host that is noted, an endpoint that is bound. */
export const byProvider = 'provider'
/** Changes that code makes without saying for whom. */
export const byCode = 'code'

/** A name of 1 to 200 characters that prints as it is: no control characters, no breaks, nothing that turns the direction of text. */
export const isAuthor = (by: unknown): by is string =>
  typeof by === 'string' &&
  /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,200}$/u.test(by) &&
  by.trim() !== ''

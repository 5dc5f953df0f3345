import { PurveyorError } from './errors/errors.ts'
import type { AnomalyKind } from './payments/ledger/anomalies.ts'
import type { MoneyRequestKind } from './payments/ledger/movements.ts'
import type { ReportWord } from './payments/ledger/report.ts'

/**
 * One change, with the names of things and never the value of a setting, a token or a credential. Free text, such as the note of an
 * anomaly, stays with the anomaly or the payment and is erased with it.
 */
export type AuditAction =
  | {
      action: 'shop.added'
      platformId?: string
      hosts?: readonly string[]
      /** The paths of the first settings. */
      settings?: readonly string[]
    }
  | { action: 'shop.disabled' | 'shop.enabled' | 'shop.removed' }
  | { action: 'platform.unbound' | 'webhook_secret.added' | 'hosts.confirmed' }
  | { action: 'platform.bound'; platformId: string }
  | {
      action: 'endpoint.rotated' | 'webhook_secret.rotated'
      /** The end of the old one, in milliseconds since 1970. */
      oldEndsAt: number
    }
  | { action: 'push_address.added'; adapter: string }
  | { action: 'hosts.added' | 'hosts.removed'; hosts: readonly string[] }
  | {
      action: 'settings.saved'
      /** The paths whose values changed, such as `units.weight` and `adapters.courier.account`. */
      changed: readonly string[]
    }
  | { action: 'anomaly.closed'; order: string; attempt: string; kind: AnomalyKind; anomaly: string }
  | {
      action: 'payment.reported'
      order: string
      attempt: string
      status: ReportWord
      amount?: string
      currency?: string
    }
  | {
      /** A payment service was asked for a refund or a capture. */
      action: 'money.asked'
      kind: MoneyRequestKind
      order: string
      attempt: string
      amount: string
      currency: string
    }
  | { action: 'payment.erased' | 'webhook.replayed'; order: string }
  | {
      /** Written by `purveyor db prune`. Payments that the retention erases are not listed. */
      action: 'payments.pruned'
      count: number
      /** Their status changed last before this moment, in milliseconds since 1970. */
      before: number
    }
  | {
      /** A node uses a tariff, or another file of an adapter, that it did not use before. It concerns no shop. */
      action: 'tariff.loaded'
      adapter: string
      file: string
      /** The beginning of its SHA-256, in hex. */
      digest: string
      node: string
    }
  | { action: 'console.link_made'; name: string; role: string }
  | { action: 'console.signed_in'; role: string }
  | { action: 'console.reason'; why: string }
  | {
      action: 'console.signed_out'
      /** Not set for somebody who signed out alone. */
      name?: string
    }
  | {
      action: 'lane.opened'
      kind: 'webhook' | 'push' | 'rates'
      /** The host of the receiver, or the adapter. */
      to: string
      why?: string
    }

/** One change with its author and time, stored in the same commit as the change. */
export type AuditEntry = AuditAction & {
  shop: string
  /** Milliseconds since 1970. */
  at: number
  /** The system user of a command, the `by` given in code (default `code`), or `provider` for its own changes. */
  by: string
}

/** Changes that the provider makes by itself: it adds the first shop, notes a host or binds an endpoint. */
export const byProvider = 'provider'
/** Changes by code that gives no `by`. */
const byCode = 'code'

/** A name of 1 to 200 characters that prints as it is: no control characters, no breaks, nothing that changes the direction of text. */
export const isAuthor = (by: unknown): by is string =>
  typeof by === 'string' &&
  /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,200}$/u.test(by) &&
  by.trim() !== ''

/** The author of a change, for the audit trail. */
export interface By {
  /** A name of 1 to 200 characters. Default `code`. Rejects with `AUTHOR_INVALID` for anything else. */
  by?: string
}

export function authorOf(by: string | undefined): string {
  if (by === undefined) return byCode
  if (isAuthor(by)) return by
  throw new PurveyorError('AUTHOR_INVALID')
}

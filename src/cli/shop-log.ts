import type { AuditEntry } from '../audit.ts'
import { hasCode } from '../errors.ts'
import { counted, printable } from '../printable.ts'
import { print } from './print.ts'
import { UsageError } from './usage.ts'
import { type ProviderOption, withProvider } from './with-provider.ts'

export interface LogOptions extends ProviderOption {
  since?: number
  limit: number
}

/** Prints the audit trail of a shop, newest last. Ends with exit code 1 for a shop that never existed. */
export function log(id: string, { since, limit, ...options }: LogOptions): Promise<void> {
  return withProvider(options, async ({ shops }) => {
    const entries = await shops.log(id, { since, limit }).catch((error: unknown) => {
      if (!hasCode(error, 'UNKNOWN_SHOP')) throw error
      const message = `There is no shop ${id}, and the audit trail has no entry for it. See: purveyor shop list`
      throw Object.assign(new UsageError(message), { exitCode: 1 })
    })
    print(options.json, entries, () =>
      entries.length === 0
        ? `Nothing of shop ${id} was changed${since === undefined ? '' : ' since then'}.`
        : entries.map(lineOf),
    )
  })
}

export const lineOf = (entry: AuditEntry): string =>
  printable(`${iso(entry.at)}  ${entry.by}  ${words(entry)}`)

const iso = (at: number): string => new Date(at).toISOString()

/** Describes an entry in plain words. */
function words(entry: AuditEntry): string {
  switch (entry.action) {
    case 'shop.added':
      return ['added the shop', ...startOf(entry)].join(', ')
    case 'shop.disabled':
      return 'disabled the shop'
    case 'shop.enabled':
      return 'enabled the shop'
    case 'shop.removed':
      return 'removed the shop'
    case 'platform.bound':
      return `bound the endpoint to platform shop ${entry.platformId}`
    case 'platform.unbound':
      return 'let the endpoint bind to another platform shop'
    case 'endpoint.rotated':
      return `made a new endpoint; the old one ends at ${iso(entry.oldEndsAt)}`
    case 'push_address.added':
      return `made the push address of ${entry.adapter}`
    case 'webhook_secret.added':
      return 'made the webhook secret'
    case 'webhook_secret.rotated':
      return `made a new webhook secret; the old one ends at ${iso(entry.oldEndsAt)}`
    case 'hosts.added':
      return `added the hosts ${entry.hosts.join(', ')}`
    case 'hosts.removed':
      return `removed the hosts ${entry.hosts.join(', ')}`
    case 'hosts.confirmed':
      return 'closed the list of hosts'
    case 'settings.saved':
      return `saved the settings; changed: ${listed(entry.changed)}`
    case 'anomaly.closed':
      return `closed the anomaly ${entry.kind} (${entry.anomaly}) of order ${entry.order}`
    case 'payment.reported':
      return `reported ${[entry.status, entry.amount, entry.currency].filter(Boolean).join(' ')} for order ${entry.order}, attempt ${entry.attempt}`
    case 'payment.erased':
      return `erased order ${entry.order}`
    case 'payments.pruned':
      return `erased ${counted(entry.count, 'payment')} at rest since before ${iso(entry.before)}`
    case 'webhook.replayed':
      return `sent the webhook of order ${entry.order} again`
    case 'lane.opened':
      return `opened the lane of ${laneWords[entry.kind]} ${entry.to}`
  }
}

function startOf({
  platformId,
  hosts,
  settings,
}: Extract<AuditEntry, { action: 'shop.added' }>): (string | false)[] {
  return [
    platformId !== undefined && `platform shop ${platformId}`,
    hosts !== undefined && `hosts ${listed(hosts)}`,
    settings !== undefined && `settings ${listed(settings)}`,
  ].filter(Boolean)
}

const laneWords = { webhook: 'webhooks to', push: 'pushes through', rates: 'rates of' }

const listed = (names: readonly string[]): string => names.join(', ') || 'none'

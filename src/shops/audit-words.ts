import type { AuditEntry } from '../audit.ts'
import { counted, printable } from '../printable.ts'

/** An entry of the audit trail as the rest of a sentence that begins with its author. */
export const auditWords = (entry: AuditEntry): string =>
  printable((words[entry.action] as (entry: AuditEntry) => string)(entry))

const iso = (at: number): string => new Date(at).toISOString()
type Entry<Action extends AuditEntry['action']> = AuditEntry & { action: Action }

const words: { [Action in AuditEntry['action']]: (entry: Entry<Action>) => string } = {
  'shop.added'({ platformId, hosts, settings }) {
    const platform = platformId !== undefined && `platform shop ${platformId}`
    const given = [hosts && `hosts ${listed(hosts)}`, settings && `settings ${listed(settings)}`]
    return ['added the shop', platform, ...given].filter(Boolean).join(', ')
  },
  'shop.disabled': () => 'disabled the shop',
  'shop.enabled': () => 'enabled the shop',
  'shop.removed': () => 'removed the shop',
  'platform.bound': ({ platformId }) => `bound the endpoint to platform shop ${platformId}`,
  'platform.unbound': () => 'let the endpoint bind to another platform shop',
  'endpoint.rotated': ({ oldEndsAt }) => `made a new endpoint; the old one ends at ${iso(oldEndsAt)}`,
  'push_address.added': ({ adapter }) => `made the push address of ${adapter}`,
  'webhook_secret.added': () => 'made the webhook secret',
  'webhook_secret.rotated': ({ oldEndsAt: end }) =>
    `made a new webhook secret; the old one ends at ${iso(end)}`,
  'hosts.added': ({ hosts }) => `added the hosts ${hosts.join(', ')}`,
  'hosts.removed': ({ hosts }) => `removed the hosts ${hosts.join(', ')}`,
  'hosts.confirmed': () => 'closed the list of hosts',
  'settings.saved': ({ changed }) => `saved the settings; changed: ${listed(changed)}`,
  'anomaly.closed': ({ kind, anomaly, order }) => `closed the anomaly ${kind} (${anomaly}) of order ${order}`,
  'payment.reported': ({ status, amount, currency, order, attempt }) =>
    `reported ${[status, amount, currency].filter(Boolean).join(' ')} for order ${order}, attempt ${attempt}`,
  'money.asked': ({ kind, amount, currency, order, attempt }) =>
    `asked for a ${kind} of ${amount} ${currency} for order ${order}, attempt ${attempt}`,
  'payment.erased': ({ order }) => `erased order ${order}`,
  'payments.pruned': ({ count, before }) =>
    `erased ${counted(count, 'payment')} at rest since before ${iso(before)}`,
  'webhook.replayed': ({ order }) => `sent the webhook of order ${order} again`,
  'lane.opened': ({ kind, to, why }) =>
    `opened the lane of ${laneWords[kind]} ${to}${why === undefined ? '' : `: ${why}`}`,
  'tariff.loaded': ({ adapter, file, digest, node }) =>
    `adapter ${adapter} uses ${file} with SHA-256 ${digest} on node ${node}`,
  'console.link_made': ({ name, role }) => `made a link into the console for ${name} as ${role}`,
  'console.signed_in': ({ role }) => `signed in to the console as ${role}`,
  'console.reason': ({ why }) => `gave the reason: ${why}`,
  'console.signed_out': ({ name }) => `signed ${name ? `${name} ` : ''}out of the console everywhere`,
}
const laneWords = { webhook: 'webhooks to', push: 'pushes through', rates: 'rates of' }
const listed = (names: readonly string[]): string => names.join(', ') || 'none'

import type { AuditEntry } from '../../audit.ts'
import { hasCode } from '../../errors/errors.ts'
import { counted, printable } from '../../printable.ts'
import type { DriftRecord } from '../../store-port.ts'
import { expectShop, storeTime } from '../provider/store.ts'
import { limit, moment, ofShop, onStore, parsed } from '../table.ts'
import { print, printTable } from '../terminal/print.ts'
import { checkFailed } from '../terminal/usage.ts'

/** The audit trail. Ends with exit code 1 for a shop that never existed. */
export const log = ofShop({
  description: 'list who changed what and when, newest last',
  examples: ['purveyor shop log bikes --since 7d'],
  options: {
    '--since <time>': parsed('only changes since then: 2h, 7d or a date', moment),
    ...limit,
  },
  async run({ shop: id, since, limit, json }, { shops }, inspection) {
    const from = since?.(storeTime(await inspection().openStore()))
    const entries = await shops.log(id, { since: from, limit }).catch((error: unknown) => {
      if (!hasCode(error, 'UNKNOWN_SHOP')) throw error
      const says = `There is no shop ${id}, and the audit trail has no entry for it.`
      throw checkFailed(`${says} See: purveyor shop list`)
    })
    const none = `Nothing of shop ${id} was changed${since === undefined ? '' : ' since then'}.`
    print(json, entries, () => (entries.length === 0 ? none : entries.map(lineOf)))
  },
})

export function lineOf(entry: AuditEntry): string {
  const wordsOf = words[entry.action] as (entry: AuditEntry) => string
  return printable(`${iso(entry.at)}  ${entry.by}  ${wordsOf(entry)}`)
}

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
  'webhook_secret.rotated': ({ oldEndsAt }) =>
    `made a new webhook secret; the old one ends at ${iso(oldEndsAt)}`,
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
  'lane.opened': ({ kind, to }) => `opened the lane of ${laneWords[kind]} ${to}`,
}

const laneWords = { webhook: 'webhooks to', push: 'pushes through', rates: 'rates of' }

const listed = (names: readonly string[]): string => names.join(', ') || 'none'

export const drift = onStore({
  description: "list where the messages of the shops' platforms differ from the contract",
  examples: ['purveyor shop drift bikes'],
  arguments: { '[shop]': 'the id of the shop; default: all' },
  options: limit,
  async run({ shop, limit, json }, store) {
    await expectShop(store, shop)
    const found = await store.drifts({ shopId: shop, limit })
    printTable(json, found, 'No message differed from the contract.', {
      ...{ shop: 'shopId', message: 'message', field: 'path' },
      kind: ({ kind }) => (kind === 'true' ? 'true or false' : kind),
      became: (one) => becameWords[one.became] ?? one.became,
      ...{ messages: 'count', last: 'lastAt' },
    })
  },
})

const becameWords: Record<DriftRecord['became'], string> = {
  ignored: 'ignored: the contract has no such field',
  read: 'read, though in another form',
  cut: 'cut: only a part was read',
  rounded: 'rounded to the decimals of its currency',
  lost: 'lost: its form cannot be read',
  refused: 'the message was refused for it',
}

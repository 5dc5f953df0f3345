import { type AnomalyKind, anomalyKinds } from '../../payments/ledger/anomalies.ts'
import { counted } from '../../printable.ts'
import { sameCauseWithin } from '../../store.ts'
import type { AnomalyCause, AnomalyChoice } from '../../store-port.ts'
import { limit, moment, oneOf, onlyShop, onStore, parsed } from '../table.ts'
import { type Cells, print, printTable, time } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'

/** The most that are closed in one commit. */
const batch = 500

const anomalies = onStore({
  description: 'list the open anomalies, grouped by cause',
  examples: ['purveyor payments anomalies', 'purveyor payments anomalies --each --shop bikes'],
  options: {
    '--each': 'one line per anomaly',
    '--all': 'one line per anomaly, closed ones included',
    ...onlyShop,
    ...limit,
  },
  async run({ each, all = false, shop, limit, json }, store) {
    if (each || all) {
      const found = await store.anomalies({ shopId: shop, closed: all, limit })
      const cells: Cells<(typeof found)[number]> = {
        ...{ id: 'id', opened: 'openedAt', shop: 'shopId', order: 'orderId', what: 'kind' },
        ...moneyCells,
        closed: ({ closedAt, note = '' }) => (closedAt === undefined ? '' : `${time(closedAt)} ${note}`),
      }
      const remedies = remediesOf(found.filter(({ closedAt }) => closedAt === undefined))
      return printTable(json, found, none, cells, remedies)
    }
    const found = await store.anomalyCauses({ shopId: shop, within: sameCauseWithin, limit })
    const many = found.filter(({ count }) => count > 1)
    const cells: Cells<AnomalyCause> = {
      ...{ id: 'id', opened: 'openedAt' },
      last: ({ count, lastOpenedAt }) => (count > 1 ? time(lastOpenedAt) : ''),
      shop: ({ shopId, shops }) => shopId ?? `${shops} shops`,
      ...{ order: 'orderId', adapter: 'adapter', what: 'kind', count: 'count' },
      ...moneyCells,
    }
    printTable(json, found, none, cells, [
      many.length > 0 &&
        'Anomalies with one cause share a line; --each lists every one with its money. To close them:',
      ...many.map((cause) => `  ${closing(cause, shop)} --dry-run`),
      ...remediesOf(found),
    ])
  },
})

const none = 'There are no anomalies.'

type Shown = Pick<AnomalyCause, 'kind' | 'expected' | 'received' | 'stake' | 'currency' | 'remedy'>

const moneyCells = {
  'at stake': ({ stake, currency }: Shown) => (stake === undefined ? '' : `${stake} ${currency}`),
  money: ({ received, expected }: Shown) =>
    received === undefined ? '' : `received ${received}, expected ${expected ?? 'nothing'}`,
}

const remediesOf = (listed: readonly Shown[]) =>
  new Set(listed.map(({ kind, remedy }) => `To do, ${kind}: ${remedy}`))

function closing({ kind, adapter, shopId, lastOpenedAt }: AnomalyCause, shop = shopId): string {
  const ofAdapter = adapter === undefined ? '' : ` --adapter ${adapter}`
  const ofShop = shop === undefined ? '' : ` --shop ${shop}`
  // In whole seconds, after the last of them.
  const before = new Date(1_000 * Math.floor(lastOpenedAt / 1_000 + 1)).toISOString().replace('.000Z', 'Z')
  return `purveyor payments close-anomalies --kind ${kind}${ofAdapter}${ofShop} --before ${before}`
}

const closeMany = onStore({
  description: 'close all anomalies of one cause',
  examples: [
    'purveyor payments close-anomalies --kind start_unknown --before 2h --note "the service has no such payment"',
  ],
  options: {
    '--kind <kind>': oneOf('of this kind', Object.keys(anomalyKinds) as AnomalyKind[], { required: true }),
    '--adapter <name>': 'only those of this payment adapter',
    ...onlyShop,
    '--before <time>': parsed('only those opened before then: 2h or a date; default: now', moment),
    '--note <text>': 'what you found and did',
    '--dry-run': 'list the anomalies without closing them',
  },
  async run({ kind, adapter, shop, note = '', dryRun = false, json, by, ...options }, store, now) {
    if (!dryRun && note.trim() === '')
      throw new UsageError(
        'Add --note with what you found and did, or list the anomalies first with --dry-run.',
      )
    const before = options.before?.(now) ?? now
    const choice: AnomalyChoice = { kind, adapter, shopId: shop, before, limit: batch }
    if (dryRun) {
      const chosen = await store.chooseAnomalies({ ...choice, limit: 100_000 })
      const shops = new Set(chosen.map(({ shopId }) => shopId)).size
      return print(json, { dryRun, count: chosen.length, shops, before, anomalies: chosen }, () => [
        `${chosen.length} ${kind} in ${counted(shops, 'shop')} would be closed:`,
        ...chosen.slice(0, 20).map(({ shopId, orderId }) => `  shop ${shopId}, order ${orderId}`),
        chosen.length > 20 && `  and ${chosen.length - 20} more`,
      ])
    }
    let closed = 0
    for (let more = batch; more === batch; closed += more)
      more = await store.closeAnomalies(choice, note, now, by)
    print(json, { dryRun, closed, kind, adapter, shop, before }, () => `Closed ${closed} ${kind}.`)
  },
})

const closeOne = onStore({
  description: 'close one anomaly after you resolved it',
  examples: ['purveyor payments close-anomaly 0a1b2c3d4e --note "refunded by hand"'],
  arguments: { '<id>': 'an id from `payments anomalies`' },
  options: { '--note <text>': { description: 'what you found and did', required: true } },
  async run({ id, note, json, by }, store, now) {
    const closed = await store.closeAnomaly(id, note, now, by)
    if (!closed) throw new UsageError(`There is no anomaly ${id}. See: purveyor payments anomalies`)
    print(json, closed, () => `Closed ${closed.kind} of order ${closed.orderId} in shop ${closed.shopId}.`)
  },
})

export const anomalyCommands = { anomalies, 'close-anomalies': closeMany, 'close-anomaly': closeOne }

import { type AnomalyKind, anomalyKinds } from '../../payments/anomaly-kinds.ts'
import { counted } from '../../printable.ts'
import { type AnomalyCause, type AnomalyChoice, sameCauseWithin } from '../../store.ts'
import type { Moment } from '../commands/option-values.ts'
import { type Listing, withShop } from '../shop-choice.ts'
import { storeTime, withStore } from '../store.ts'
import { systemUser } from '../system-user.ts'
import { print, table, time } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'

/** The most that are closed in one commit. */
const batch = 500

interface AnomalyListing extends Listing {
  each?: boolean
  all?: boolean
}

export const anomalies = (options: AnomalyListing): Promise<void> =>
  options.each || options.all ? oneByOne(options) : causes(options)

/** Lists open anomalies, those of one cause in one line. */
function causes({ shop, limit, json }: Listing): Promise<void> {
  return withShop(shop, async (store) => {
    const found = await store.anomalyCauses({ shopId: shop, within: sameCauseWithin, limit })
    const many = found.filter(({ count }) => count > 1)
    print(json, found, () => [
      ...table(found, 'There are no anomalies.', {
        id: ({ id }) => id,
        opened: ({ openedAt }) => time(openedAt),
        last: ({ count, lastOpenedAt }) => (count > 1 ? time(lastOpenedAt) : ''),
        shop: ({ shopId, shops }) => shopId ?? `${shops} shops`,
        order: ({ orderId }) => orderId,
        adapter: ({ adapter }) => adapter,
        what: ({ kind }) => kind,
        count: ({ count }) => count,
        ...moneyCells,
      }),
      ...(many.length > 0
        ? ['Anomalies with one cause share a line; --each lists every one with its money. To close them:']
        : []),
      ...many.map((cause) => `  ${closing(cause, shop)} --dry-run`),
      ...remediesOf(found),
    ])
  })
}

type Shown = Pick<AnomalyCause, 'kind' | 'expected' | 'received' | 'stake' | 'currency' | 'remedy'>

const moneyCells = {
  'at stake': ({ stake, currency }: Shown) => (stake === undefined ? '' : `${stake} ${currency}`),
  money: ({ received, expected }: Shown) =>
    received === undefined ? '' : `received ${received}, expected ${expected ?? 'nothing'}`,
}

/** The next step for each kind that is listed. */
const remediesOf = (listed: readonly Shown[]): string[] =>
  [...new Map(listed.map(({ kind, remedy }) => [kind, remedy]))].map(
    ([kind, remedy]) => `To do, ${kind}: ${remedy}`,
  )

const closing = ({ kind, adapter, shopId, lastOpenedAt }: AnomalyCause, shop: string | undefined): string =>
  [
    `purveyor payments close-anomalies --kind ${kind}`,
    ...(adapter === undefined ? [] : [`--adapter ${adapter}`]),
    ...((shop ?? shopId) === undefined ? [] : [`--shop ${shop ?? shopId}`]),
    // In whole seconds, after the last of them.
    `--before ${new Date(1_000 * Math.floor(lastOpenedAt / 1_000 + 1)).toISOString().replace('.000Z', 'Z')}`,
  ].join(' ')

/** One line per anomaly; `all` includes closed ones. */
function oneByOne({ shop, all, limit, json }: AnomalyListing): Promise<void> {
  return withShop(shop, async (store) => {
    const found = await store.anomalies({ shopId: shop, closed: all === true, limit })
    const open = found.filter(({ closedAt }) => closedAt === undefined)
    print(json, found, () => [
      ...table(found, 'There are no anomalies.', {
        id: ({ id }) => id,
        opened: ({ openedAt }) => time(openedAt),
        shop: ({ shopId }) => shopId,
        order: ({ orderId }) => orderId,
        what: ({ kind }) => kind,
        ...moneyCells,
        closed: ({ closedAt, note = '' }) => (closedAt === undefined ? '' : `${time(closedAt)} ${note}`),
      }),
      ...remediesOf(open),
    ])
  })
}

interface Closing {
  kind: string
  adapter?: string
  shop?: string
  /** Default: now. */
  before?: Moment
  note?: string
  dryRun?: boolean
  json?: boolean
}

/** Closes all open anomalies that match a filter, each with an entry in the audit trail of its shop. */
export function closeMany({ kind, adapter, shop, note, json, ...options }: Closing): Promise<void> {
  const { dryRun = false } = options
  if (!Object.hasOwn(anomalyKinds, kind))
    throw new UsageError(`--kind takes ${Object.keys(anomalyKinds).join(', ')}.`)
  if (!dryRun && (note === undefined || note.trim() === ''))
    throw new UsageError(
      'Add --note with what you found and did, or list the anomalies first with --dry-run.',
    )
  return withShop(shop, async (store, now) => {
    const before = options.before?.(now) ?? now
    const choice: AnomalyChoice = { kind: kind as AnomalyKind, adapter, shopId: shop, before, limit: batch }
    if (dryRun) {
      const most = 100_000
      const chosen = await store.chooseAnomalies({ ...choice, limit: most })
      const shops = new Set(chosen.map(({ shopId }) => shopId)).size
      const orders = chosen.slice(0, 20).map(({ shopId, orderId }) => `  shop ${shopId}, order ${orderId}`)
      print(json, { dryRun, count: chosen.length, shops, before, anomalies: chosen }, () => [
        `${chosen.length} ${kind} in ${counted(shops, 'shop')} would be closed:`,
        ...orders,
        ...(chosen.length > orders.length ? [`  and ${chosen.length - orders.length} more`] : []),
      ])
      return
    }
    const by = systemUser()
    let closed = 0
    for (;;) {
      const more = await store.closeAnomalies(choice, note!, storeTime(store), by)
      closed += more
      if (more < batch) break
    }
    print(json, { dryRun, closed, kind, adapter, shop, before }, () => `Closed ${closed} ${kind}.`)
  })
}

export function closeOne(id: string, { note, json }: { note: string; json?: boolean }): Promise<void> {
  return withStore(async (store) => {
    const closed = await store.closeAnomaly(id, note, storeTime(store), systemUser())
    if (!closed) throw new UsageError(`There is no anomaly ${id}. See: purveyor payments anomalies`)
    print(json, closed, () => `Closed ${closed.kind} of order ${closed.orderId} in shop ${closed.shopId}.`)
  })
}

import { counted } from '../../printable.ts'
import type { LaneFailure, StorePort, Unread } from '../../store.ts'
import { allShops, type LaneName, type LaneView } from '../../use-cases/lane-view.ts'
import { type LaneOpened, listLanes, openLane } from '../../use-cases/lanes.ts'
import type { Moment } from '../commands/option-values.ts'
import { standstill } from '../nodes/nodes.ts'
import { type Listing, withShop } from '../shop-choice.ts'
import { storeTime, withStore } from '../store.ts'
import { systemUser } from '../system-user.ts'
import { print, table, time, when } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'
import { endedWords, failureOf, laneLines, nextTryOf, processes } from './lines.ts'

const kinds: readonly LaneName['kind'][] = ['webhook', 'push', 'rates', 'starts']
const most = 100_000
const mostReasons = 5
/** In milliseconds. */
const day = 24 * 3_600_000

const shown = ({ kind, shopId: shop, to, ...lane }: LaneView) => ({ kind, shop, to, ...lane })

interface LaneListing extends Listing {
  kind?: string
  since?: Moment
  all?: boolean
}

/** Calls that wait longer are listed in lanes in which nothing fails too, in milliseconds. */
const usual = 60_000

export function list({ kind, shop, since, all, limit, json }: LaneListing): Promise<void> {
  const only = kind === undefined ? undefined : kindOf(kind)
  return withShop(shop, async (store, now) => {
    const endedSince = since?.(now) ?? now - day
    const found = await listLanes(store, { kind: only, shopId: shop, endedSince, now, limit })
    const unread = only === undefined || only === 'webhook' ? await store.unread({ shopId: shop, limit }) : []
    const still = await standstill(store)
    const busy = found.filter(({ state, waiting }) => state !== 'open' || waiting > 0)
    const lanes = all ? busy : busy.filter((lane) => isUnusual(lane, now))
    const healthy = busy.length - lanes.length
    const none = healthy === 0 ? 'no calls are waiting' : 'no call waits for over a minute'
    print(json, (since === undefined ? lanes : found).map(shown), () => [
      ...table(lanes, `No lane is closed, and ${none}.`, {
        kind: ({ kind }) => kind,
        shop: ({ shopId }) => shopId,
        to: ({ to }) => to,
        state: ({ state }) => state,
        since: ({ since }) => when(since),
        'next try': (lane) => nextTryOf(lane, now),
        waiting: ({ waiting }) => waiting,
        'last failure': failureOf,
      }),
      ...(shop !== undefined && lanes.some(({ shopId }) => shopId === allShops)
        ? ['', `${allShops}: the adapter as a whole, for all shops.`]
        : []),
      ...(healthy === 0
        ? []
        : [
            '',
            `${counted(healthy, 'other lane')} ${healthy === 1 ? 'has' : 'have'} calls under way. To list ${healthy === 1 ? 'it' : 'them'} too: purveyor lanes list --all`,
          ]),
      ...still,
      ...unreadLines(unread, now),
      ...pastOutages(found, endedSince, shop),
    ])
  })
}

/** Whether it is closed or slow, calls in it fail, or one waits for long. */
const isUnusual = ({ state, failures = 0, refused, since = 0 }: LaneView, now: number): boolean =>
  state !== 'open' || failures > 0 || refused > 0 || now - since > usual

/** Webhooks that shops accepted without reading the status after them: no lane holds them. */
function unreadLines(unread: readonly Unread[], now: number): string[] {
  if (unread.length === 0) return []
  const lines = unread.map(({ shopId, orders, orderId, acceptedAt, remindAt }) => {
    const next =
      remindAt === undefined ? 'no more reminders' : `next reminder ${time(Math.max(remindAt, now))}`
    return `  shop ${shopId}: ${counted(orders, 'order')} since ${time(acceptedAt)}, ${next}: purveyor webhooks show ${orderId} --shop ${shopId}`
  })
  return ['', 'Accepted by the shop, and its status not read:', ...lines]
}

/** Outages that ended since a moment, the last first: of all shops, or those that concern one. */
function pastOutages(lanes: readonly LaneView[], since: number, shop: string | undefined): string[] {
  const past = lanes
    .flatMap((lane) => lane.outages.map((outage) => ({ lane, outage })))
    .filter(({ outage }) => outage.endedAt >= since)
    .toSorted((one, other) => other.outage.endedAt - one.outage.endedAt)
  if (past.length === 0) return []
  const lines = past.map(
    ({ lane, outage }) =>
      `  ${time(outage.beganAt)} to ${time(outage.endedAt)}, ${endedWords(lane, outage, shop)}, ${outage.failure ?? 'no reason noted'}: purveyor lanes show ${lane.kind} ${lane.shopId} ${lane.to}`,
  )
  return ['', `Ended since ${time(since)}:`, ...lines]
}

export function show(kind: string, shop: string, to: string, { json }: { json?: boolean }): Promise<void> {
  const lane = { kind: kindOf(kind), shopId: shop, to }
  return withStore(async (store) => {
    const found = await laneOf(store, lane)
    if (!found) throw new UsageError(unknown(lane))
    const failures = await failuresOf(store, lane)
    const still = await standstill(store)
    print(json, { ...shown(found), waitingFailures: failures }, () => [
      ...laneLines(found, failures, storeTime(store)),
      ...still,
    ])
  })
}

const failuresOf = async (store: StorePort, { kind, ...lane }: LaneName): Promise<LaneFailure[]> =>
  kind === 'rates' || kind === 'starts' ? [] : store.laneFailures({ kind, ...lane }, mostReasons)

/** Opens a lane: the running provider tries its waiting calls within seconds. */
export function open(kind: string, shop: string, to: string, { json }: { json?: boolean }): Promise<void> {
  const lane = { kind: kindOf(kind), shopId: shop, to }
  if (lane.kind === 'starts')
    throw new UsageError(
      `Nothing holds starts back, so there is no lane to open: each call of a shop reaches ${to}. See: purveyor lanes show starts ${shop} ${to}`,
    )
  return withStore(async (store) => {
    const before = await laneOf(store, lane)
    const opened = await openLane(store, lane, storeTime(store), { by: systemUser() })
    if (!opened) throw new UsageError(unknown(lane))
    const { due: waiting, nodes } = opened
    const counted = lane.kind === 'rates' ? { nodes } : { waiting }
    print(json, { kind: lane.kind, shop, to, opened: true, ...counted }, () =>
      lane.kind === 'rates'
        ? [
            `${processes(nodes)} will ask ${to} again within 5 s, also before the end of a wait that it asked for. If it still fails, the lane closes again.`,
          ]
        : openedLines(opened, before?.waiting ?? waiting),
    )
  })
}

function openedLines({ due }: LaneOpened, waiting: number): string[] {
  const is = due === 1 ? 'is' : 'are'
  const apart = waiting - due
  return [
    `The lane is open. ${counted(due, 'call')} ${is} tried now. If they fail, it closes again.`,
    ...(apart > 0
      ? [
          `${counted(apart, 'call')} ${apart === 1 ? 'has' : 'have'} a first try that is due later. For one order: purveyor webhooks replay`,
        ]
      : []),
  ]
}

async function laneOf(store: StorePort, { kind, shopId, to }: LaneName): Promise<LaneView | undefined> {
  const of = shopId === allShops ? undefined : shopId
  const filter = { kind, shopId: of, to, endedSince: 0, limit: most }
  const lanes = await listLanes(store, { ...filter, now: storeTime(store) })
  return lanes.find((lane) => lane.shopId === shopId && lane.to === to)
}

function kindOf(kind: string): LaneName['kind'] {
  const known = kinds.find((one) => one === kind)
  if (known) return known
  throw new UsageError(`A lane is one of ${kinds.join(', ')}.`)
}

const unknown = ({ kind, shopId, to }: LaneName): string =>
  kind === 'starts'
    ? `No start of ${shopId === allShops ? 'any shop' : `shop ${shopId}`} by ${to} failed within 30 days. See: purveyor lanes list`
    : `No ${kind} lane of shop ${shopId} to ${to} is closed or has calls waiting. See: purveyor lanes list`

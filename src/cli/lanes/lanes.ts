import { counted } from '../../printable.ts'
import type { Unread } from '../../store.ts'
import type { StorePort } from '../../store-port.ts'
import { allShops, type LaneName, type LaneView } from '../../use-cases/lane-view.ts'
import { onStore } from '../kinds.ts'
import { standstill } from '../nodes/nodes.ts'
import { limit, moment, onlyShop } from '../options.ts'
import { systemUser } from '../system-user.ts'
import { type Command, parsed } from '../table.ts'
import { print, table, time, when } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'
import { endedWords, failureOf, laneLines, nextTryOf, processes } from './lines.ts'

const kinds: readonly LaneName['kind'][] = ['webhook', 'push', 'rates', 'starts']

const most = 100_000

const mostReasons = 5

/** In milliseconds. */
const day = 24 * 3_600_000

/** Calls that wait longer are listed in lanes in which nothing fails too, in milliseconds. */
const usual = 60_000

const shown = ({ kind, shopId: shop, to, ...lane }: LaneView) => ({ kind, shop, to, ...lane })

const kindWords = 'webhook, push, rates or starts'
const lane = {
  '<kind>': kindWords,
  '<shop>': 'the id of the shop; @all for rates or starts of all shops',
  '<to>': 'the host of the receiver, or the adapter',
}

const list = onStore({
  description: 'list lanes that are closed, fail or wait for over a minute, and payment services that fail',
  examples: ['purveyor lanes list', 'purveyor lanes list --kind rates --since 30d'],
  options: {
    '--kind <kind>': kindWords,
    ...onlyShop,
    '--since <time>': parsed('also outages that ended since then: 2h, 30d or a date; default: 24h', moment),
    '--all': 'also lanes in which nothing fails, with calls under way',
    ...limit,
  },
  async run({ kind, shop, since, all, limit, json }, store, now) {
    const only = kind === undefined ? undefined : kindOf(kind)
    const { listLanes } = await import('../../use-cases/lanes.ts')
    const endedSince = since?.(now) ?? now - day
    const found = await listLanes(store, { kind: only, shopId: shop, endedSince, now, limit })
    const unread = only === undefined || only === 'webhook' ? await store.unread({ shopId: shop, limit }) : []
    const still = await standstill(store)
    const busy = found.filter(({ state, waiting }) => state !== 'open' || waiting > 0)
    const lanes = all ? busy : busy.filter((lane) => isUnusual(lane, now))
    const healthy = busy.length - lanes.length
    const none = healthy === 0 ? 'no calls are waiting' : 'no call waits for over a minute'
    const isOfAll = shop !== undefined && lanes.some(({ shopId }) => shopId === allShops)
    const [have, them] = healthy === 1 ? ['has', 'it'] : ['have', 'them']
    const others = `${counted(healthy, 'other lane')} ${have} calls under way. To list ${them} too: purveyor lanes list --all`
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
      ...(isOfAll ? ['', `${allShops}: the adapter as a whole, for all shops.`] : []),
      ...(healthy === 0 ? [] : ['', others]),
      ...still,
      ...unreadLines(unread, now),
      ...pastOutages(found, endedSince, shop),
    ])
  },
})

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

const show = onStore({
  description: 'show one lane: why it fails, and its outages of the last 30 days',
  examples: ['purveyor lanes show webhook bikes hooks.bikes.example'],
  arguments: lane,
  async run({ kind: named, shop: shopId, to, json }, store, now) {
    const kind = kindOf(named)
    const found = await laneOf(store, { kind, shopId, to }, now)
    if (!found) throw unknown({ kind, shopId, to })
    const failures =
      kind === 'rates' || kind === 'starts' ? [] : await store.laneFailures({ kind, shopId, to }, mostReasons)
    const still = await standstill(store)
    print(json, { ...shown(found), waitingFailures: failures }, () => [
      ...laneLines(found, failures, now),
      ...still,
    ])
  },
})

/** The running provider tries the waiting calls of a lane that is opened within seconds. */
const open = onStore({
  description: 'open a closed lane and try its waiting calls now',
  examples: ['purveyor lanes open webhook bikes hooks.bikes.example'],
  arguments: lane,
  async run({ kind: named, shop, to, json }, store, now) {
    const kind = kindOf(named)
    if (kind === 'starts')
      throw new UsageError(
        `Nothing holds starts back, so there is no lane to open: each call of a shop reaches ${to}. See: purveyor lanes show starts ${shop} ${to}`,
      )
    const { openLane } = await import('../../use-cases/lanes.ts')
    const before = await laneOf(store, { kind, shopId: shop, to }, now)
    const opened = await openLane(store, { kind, shopId: shop, to }, now, { by: systemUser() })
    if (!opened) throw unknown({ kind, shopId: shop, to })
    const { due, nodes } = opened
    print(json, { kind, shop, to, opened: true, ...(kind === 'rates' ? { nodes } : { waiting: due }) }, () =>
      kind === 'rates'
        ? `${processes(nodes)} will ask ${to} again within 5 s, also before the end of a wait that it asked for. If it still fails, the lane closes again.`
        : openedLines(due, (before?.waiting ?? due) - due),
    )
  },
})

function openedLines(due: number, later: number): string[] {
  const is = due === 1 ? 'is' : 'are'
  return [
    `The lane is open. ${counted(due, 'call')} ${is} tried now. If they fail, it closes again.`,
    ...(later > 0
      ? [
          `${counted(later, 'call')} ${later === 1 ? 'has' : 'have'} a first try that is due later. For one order: purveyor webhooks replay`,
        ]
      : []),
  ]
}

async function laneOf(
  store: StorePort,
  { kind, shopId, to }: LaneName,
  now: number,
): Promise<LaneView | undefined> {
  const { listLanes } = await import('../../use-cases/lanes.ts')
  const of = shopId === allShops ? undefined : shopId
  const lanes = await listLanes(store, { kind, shopId: of, to, endedSince: 0, limit: most, now })
  return lanes.find((lane) => lane.shopId === shopId && lane.to === to)
}

const unknown = ({ kind, shopId, to }: LaneName): UsageError =>
  new UsageError(
    kind === 'starts'
      ? `No start of ${shopId === allShops ? 'any shop' : `shop ${shopId}`} by ${to} failed within 30 days. See: purveyor lanes list`
      : `No ${kind} lane of shop ${shopId} to ${to} is closed or has calls waiting. See: purveyor lanes list`,
  )

function kindOf(kind: string): LaneName['kind'] {
  const known = kinds.find((one) => one === kind)
  if (known) return known
  throw new UsageError(`A lane is one of ${kinds.join(', ')}.`)
}

export const command: Command = {
  description:
    'inspect lanes: webhooks of a shop to a host, pushes through an adapter, rates from an adapter, failing starts',
  commands: { list, show, open },
}

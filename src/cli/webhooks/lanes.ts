import { counted } from '../../printable.ts'
import type { StorePort } from '../../store-port.ts'
import { allShops, type LaneName, type LaneView, listLanes, openLane } from '../../webhooks/lanes.ts'
import { standstill } from '../serve/nodes.ts'
import { group, limit, moment, oneOf, onlyShop, onStore, parsed } from '../table.ts'
import { print, table, time, when } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'
import { below, endedWords, failureOf, laneLines, minute, nextTryOf } from './lane-words.ts'

const kinds = ['webhook', 'push', 'rates', 'starts'] as const

const day = 24 * 60 * minute

const lane = {
  '<kind>': oneOf('of calls', kinds),
  '<shop>': 'the id of the shop; @all for rates or starts of all shops',
  '<to>': 'the host of the receiver, or the adapter',
}

const shown = ({ kind, shopId: shop, to, ...lane }: LaneView) => ({ kind, shop, to, ...lane })

const list = onStore({
  description: 'list lanes that are closed, fail or wait for over a minute, and payment services that fail',
  examples: ['purveyor lanes list', 'purveyor lanes list --kind rates --since 30d'],
  options: {
    '--kind <kind>': oneOf('only these', kinds),
    ...onlyShop,
    '--since <time>': parsed('also outages that ended since then: 2h, 30d or a date; default: 24h', moment),
    '--all': 'also lanes in which nothing fails, with calls under way',
    ...limit,
  },
  async run({ kind: only, shop, since, all, limit, json }, store, now) {
    const endedSince = since?.(now) ?? now - day
    const found = await listLanes(store, { kind: only, shopId: shop, endedSince, now, limit })
    const unread = only === undefined || only === 'webhook' ? await store.unread({ shopId: shop, limit }) : []
    const still = await standstill(store)
    const busy = found.filter(({ state, waiting }) => state !== 'open' || waiting > 0)
    // Closed or slow, with calls that fail, or with one that waits for over a minute.
    const lanes = busy.filter(
      ({ state, failures = 0, refused, since = 0 }) =>
        all || state !== 'open' || failures > 0 || refused > 0 || now - since > minute,
    )
    const healthy = busy.length - lanes.length
    const none = healthy === 0 ? 'no calls are waiting' : 'no call waits for over a minute'
    const isOfAll = shop !== undefined && lanes.some(({ shopId }) => shopId === allShops)
    const have = counted(healthy, 'other lane has', 'other lanes have')
    const them = healthy === 1 ? 'it' : 'them'
    const others = `${have} calls under way. To list ${them} too: purveyor lanes list --all`
    // Webhooks that shops accepted without reading the status after them: no lane holds them.
    const accepted = unread.map(({ shopId, orders, orderId, acceptedAt, remindAt }) => {
      const next = remindAt ? `next reminder ${time(Math.max(remindAt, now))}` : 'no more reminders'
      return `  shop ${shopId}: ${counted(orders, 'order')} since ${time(acceptedAt)}, ${next}: purveyor webhooks show ${orderId} --shop ${shopId}`
    })
    print(json, (since === undefined ? lanes : found).map(shown), () => [
      ...table(lanes, `No lane is closed, and ${none}.`, {
        ...{ kind: 'kind', shop: 'shopId', to: 'to', state: 'state' },
        since: ({ since }) => when(since),
        'next try': (lane) => nextTryOf(lane, now),
        waiting: 'waiting',
        'last failure': failureOf,
      }),
      ...below(isOfAll ? [`${allShops}: the adapter as a whole, for all shops.`] : []),
      ...below(healthy === 0 ? [] : [others]),
      ...still,
      ...below(accepted, 'Accepted by the shop, and its status not read:'),
      ...below(pastOutages(found, endedSince, shop), `Ended since ${time(endedSince)}:`),
    ])
  },
})

/** Outages that ended since a moment, the last first: of all shops, or those that concern one. */
const pastOutages = (lanes: readonly LaneView[], since: number, shop: string | undefined): string[] =>
  lanes
    .flatMap((lane) => lane.outages.map((outage) => ({ lane, outage })))
    .filter(({ outage }) => outage.endedAt >= since)
    .toSorted((one, other) => other.outage.endedAt - one.outage.endedAt)
    .map(({ lane, outage }) => {
      const { beganAt, endedAt, failure = 'no reason noted' } = outage
      const more = `purveyor lanes show ${lane.kind} ${lane.shopId} ${lane.to}`
      return `  ${time(beganAt)} to ${time(endedAt)}, ${endedWords(lane, outage, shop)}, ${failure}: ${more}`
    })

const show = onStore({
  description: 'show one lane: why it fails, and its outages of the last 30 days',
  examples: ['purveyor lanes show webhook bikes hooks.bikes.example'],
  arguments: lane,
  async run({ kind, shop: shopId, to, json }, store, now) {
    const found = await laneOf(store, { kind, shopId, to }, now)
    if (!found) throw unknown({ kind, shopId, to })
    const waits = kind === 'webhook' || kind === 'push'
    const waitingFailures = waits ? await store.laneFailures({ kind, shopId, to }, 5) : []
    const lines = [...laneLines(found, waitingFailures, now), ...(await standstill(store))]
    print(json, { ...shown(found), waitingFailures }, () => lines)
  },
})

/** The running provider tries the waiting calls of a lane that is opened within seconds. */
const open = onStore({
  description: 'open a closed lane and try its waiting calls now',
  examples: ['purveyor lanes open webhook bikes hooks.bikes.example'],
  arguments: lane,
  async run({ kind, shop, to, json, by }, store, now) {
    if (kind === 'starts')
      throw new UsageError(
        `Nothing holds starts back, so there is no lane to open: each call of a shop reaches ${to}. See: purveyor lanes show starts ${shop} ${to}`,
      )
    const name = { kind, shopId: shop, to }
    const before = await laneOf(store, name, now)
    const opened = await openLane(store, name, now, { by })
    if (!opened) throw unknown(name)
    const { due, nodes } = opened
    const later = (before?.waiting ?? due) - due
    const result = { kind, shop, to, opened: true, ...(kind === 'rates' ? { nodes } : { waiting: due }) }
    print(json, result, () => [
      kind === 'rates'
        ? `${counted(nodes, 'process', 'processes')} will ask ${to} again within 5 s, even if it asked for a longer wait. If it still fails, the lane closes again.`
        : due === 0
          ? 'The lane is open. No call waits for it now.'
          : `The lane is open. ${counted(due, 'call is', 'calls are')} tried now. If they fail, it closes again.`,
      later > 0 &&
        `${counted(later, 'call has', 'calls have')} a first try that is due later. For one order: purveyor webhooks replay`,
    ])
  },
})

async function laneOf(store: StorePort, name: LaneName, now: number): Promise<LaneView | undefined> {
  const { kind, shopId, to } = name
  const of = { kind, to, shopId: shopId === allShops ? undefined : shopId }
  const lanes = await listLanes(store, { ...of, endedSince: 0, limit: 100_000, now })
  return lanes.find((lane) => lane.shopId === shopId && lane.to === to)
}

function unknown({ kind, shopId, to }: LaneName): UsageError {
  const shop = shopId === allShops ? 'any shop' : `shop ${shopId}`
  const says =
    kind === 'starts'
      ? `No start of ${shop} by ${to} failed within 30 days.`
      : `No ${kind} lane of shop ${shopId} to ${to} is closed or has calls waiting.`
  return new UsageError(`${says} See: purveyor lanes list`)
}

export const command = group(
  'inspect lanes: webhooks of a shop to a host, pushes through an adapter, rates from an adapter, failing starts',
  { list, show, open },
)

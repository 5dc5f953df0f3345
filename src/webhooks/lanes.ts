import { authorOf, type By } from '../audit.ts'
import { failsUntil, outageOf, type ServiceOutage, serviceOutages } from '../payments/service-failures.ts'
import type {
  BreakerKey,
  BreakerRecord,
  LaneFilter,
  LaneKind,
  LaneRecord,
  Outage,
  StorePort,
} from '../store-port.ts'

/** Stands for the id of a shop in a lane of every shop: rates or starts of an adapter. No shop can have it. */
export const allShops = '@all'

/**
 * Webhooks of a shop to a host, pushes of a shop through a payment adapter, rates of an adapter whose breaker is open, or starts of a payment
 * adapter that fail.
 */
export interface LaneName {
  kind: LaneKind | 'rates' | 'starts'
  shopId: string
  /** The host of the receiver, or the adapter. */
  to: string
}

/** A lane with waiting or skipped calls, for people. Times are milliseconds since 1970. */
export interface LaneView extends LaneName {
  /**
   * Closed: the other side fails, and single calls probe it. Probing: such a call is open now. Slow: most calls of a rate adapter fail or
   * take over 1 s. Failing: starts of a payment adapter fail; nothing holds them back.
   */
  state: 'open' | 'closed' | 'probing' | 'slow' | 'failing'
  /** When its calls began to fail, also before it closed; if none failed, the time since which the oldest call waits. */
  since: number | undefined
  /** When it closed. Not set for rates, which are left alone from `since` on. */
  closedAt: number | undefined
  /** The time of the next try, never in the past. Not set if nothing waits. */
  nextTryAt: number | undefined
  /** If that is now: since when it is due. Longer than a call takes, no node makes it. */
  dueSince?: number | undefined
  waiting: number
  /** How many of them were refused on their own, so that the lane stays open and each has a schedule of its own. */
  refused: number
  /** Failed calls since the last success, or since starts began to fail. Not counted for rates. */
  failures: number | undefined
  /** In an open lane whose calls fail beside others that go well: the most frequent reason of those that wait. */
  lastFailure: string | undefined
  /** For starts: when the last one failed, and for which shops some did, those with the most first; also where the lane is that of one shop. */
  lastFailedAt?: number | undefined
  shops?: readonly string[] | undefined
  /** For rates: the number of nodes that skip the adapter or find it slow. */
  nodes?: number | undefined
  /** The times in which it was closed or slow before, the last one first. Of webhooks and pushes only the last one is kept. */
  outages: readonly PastOutage[]
}

export interface PastOutage extends Outage {
  /** For starts: the shops whose starts failed in it, those with the most first; also where the lane is that of one shop. */
  shops?: readonly string[]
}

export type LanesAsked = Omit<LaneFilter, 'kind'> & { kind?: LaneName['kind'] | undefined }

/** Lanes that are closed or have waiting calls, longest wait first. */
export async function listLanes(store: StorePort, { kind, ...filter }: LanesAsked): Promise<LaneView[]> {
  const { now, limit } = filter
  const ofRates = kind === undefined || kind === 'rates'
  const { shopId, to: adapter, endedSince: since } = filter
  const [lanes, breakers, ended, starts] = await Promise.all([
    kind === 'rates' || kind === 'starts' ? [] : store.lanes({ ...filter, kind }),
    ofRates ? store.breakers(filter) : [],
    ofRates && since !== undefined ? store.rateOutages({ shopId, adapter, since }) : [],
    kind === undefined || kind === 'starts' ? startLanes(store, filter) : [],
  ])
  const views = [...lanes.map((lane) => viewOf(lane, now)), ...rateViews(breakers, ended, now), ...starts]
  const oldestFirst = views.sort((one, other) => (one.since ?? now) - (other.since ?? now)).slice(0, limit)
  return Promise.all(oldestFirst.map((view) => withReason(store, view)))
}

/** A lane without a failure may have waiting calls that failed: refused ones leave none there, and a success of another call removes it. */
async function withReason(store: StorePort, view: LaneView): Promise<LaneView> {
  const { kind, shopId, to, waiting, lastFailure } = view
  if (kind === 'rates' || kind === 'starts' || waiting === 0 || lastFailure !== undefined) return view
  const [most] = await store.laneFailures({ kind, shopId, to }, 1)
  return { ...view, lastFailure: most?.failure }
}

export interface LaneOpened {
  /** The number of calls due now. Rates have no waiting calls. */
  due: number
  /** The number of nodes that call the rate adapter again. */
  nodes: number
}

/** Opens a lane: its waiting calls are tried at once. Resolves with `undefined` if there is no such lane. */
export async function openLane(
  store: StorePort,
  { kind, shopId, to }: LaneName,
  now: number,
  { by, why }: By & { why?: string } = {},
): Promise<LaneOpened | undefined> {
  const author = authorOf(by)
  // Nothing holds them back.
  if (kind === 'starts') return undefined
  if (kind === 'rates') {
    const breaker = { adapter: to, shopId: shopId === allShops ? undefined : shopId }
    const nodes = await store.releaseBreakers(breaker, now, author)
    return nodes === 0 ? undefined : { due: 0, nodes }
  }
  const due = await store.openLane({ kind, shopId, to }, now, author, why)
  return due === undefined ? undefined : { due, nodes: 0 }
}

function viewOf(lane: LaneRecord, now: number): LaneView {
  const { kind, shopId, to, waiting, refused, failures, failingSince, lastFailure, closedAt, lastOutage } =
    lane
  const isClosed = lane.probeAt !== undefined
  // Any webhook that waits in a closed lane probes it.
  const earliest = kind === 'webhook' && isClosed ? 0 : lane.dueAt
  const dueAt = lane.dueAt === undefined ? undefined : Math.max(earliest!, lane.probeAt ?? 0)
  return {
    ...{ kind, shopId, to, waiting, refused, failures, lastFailure, closedAt },
    outages: lastOutage ? [lastOutage] : [],
    state: !isClosed ? 'open' : lane.open > 0 ? 'probing' : 'closed',
    since: failingSince ?? closedAt ?? lane.waitingSince,
    nextTryAt: dueAt === undefined ? undefined : Math.max(dueAt, now),
    dueSince: dueAt === undefined || dueAt > now ? undefined : dueAt,
  }
}

type RateOutage = BreakerKey & Outage

const keyOf = ({ adapter, shopId = '' }: BreakerKey) => `${adapter} ${shopId}`

/** Rate adapters that are skipped or slow, and those that were. */
function rateViews(breakers: readonly BreakerRecord[], ended: readonly RateOutage[], now: number) {
  const past = Map.groupBy(ended, keyOf)
  const failing = new Set(breakers.map(keyOf))
  const works = [...past].flatMap(([key, [one]]) => (one && !failing.has(key) ? one : []))
  return [...breakers, ...works].map((one) => rateView(one, past.get(keyOf(one)) ?? [], now))
}

function rateView(
  of: BreakerKey & Partial<BreakerRecord>,
  past: readonly RateOutage[],
  now: number,
): LaneView {
  const { adapter, shopId = allShops, since, nextTry, lastFailure, nodes } = of
  return {
    ...{ kind: 'rates', shopId, to: adapter, since, lastFailure, nodes },
    state: nodes === undefined ? 'open' : nextTry === undefined ? 'slow' : 'closed',
    nextTryAt: nextTry === undefined ? undefined : Math.max(nextTry, now),
    waiting: 0,
    refused: 0,
    failures: undefined,
    closedAt: undefined,
    outages: past
      .filter(({ endedAt }) => since === undefined || endedAt < since)
      .map(({ adapter: _, shopId: __, ...outage }) => outage)
      .toReversed(),
  }
}

/** Payment adapters whose starts fail, for all shops or one; and with `endedSince` those whose starts failed. */
async function startLanes(
  store: StorePort,
  { shopId, to: adapter, endedSince, now }: Omit<LanesAsked, 'kind'>,
): Promise<LaneView[]> {
  const since = Math.min(endedSince ?? now, now - failsUntil)
  const outages = await serviceOutages(store, { kind: 'start', adapter, since, now })
  // Of an outage of several shops the part of one, which may be over before the others.
  const ofShop = outages.flatMap((outage) => {
    if (shopId === undefined) return outage
    const part = outage.shops.find((one) => one.shopId === shopId)
    return part ? { ...outageOf([part], now), shops: outage.shops } : []
  })
  return [...Map.groupBy(ofShop, (one) => one.adapter)]
    .map(([to, of]) => ({ shopId: shopId ?? allShops, to, ...startLane(of) }))
    .filter(
      ({ state, outages: past }) => state === 'failing' || (endedSince !== undefined && past.length > 0),
    )
}

const shopsOf = ({ shops }: ServiceOutage): string[] => shops.map(({ shopId }) => shopId)

/** `of` are the outages of one adapter, the first one first. */
function startLane(of: readonly ServiceOutage[]): Omit<LaneView, 'shopId' | 'to'> {
  const current = of.find(({ failing }) => failing)
  const past = of.filter((one) => one !== current)
  return {
    ...{ kind: 'starts', closedAt: undefined, nextTryAt: undefined, waiting: 0, refused: 0 },
    state: current ? 'failing' : 'open',
    since: current?.firstAt,
    failures: current?.calls,
    lastFailure: current?.failure,
    lastFailedAt: current?.lastAt,
    shops: current && shopsOf(current),
    outages: past.toReversed().map((one) => {
      const { firstAt: beganAt, lastAt, okAt, failure, calls } = one
      return { beganAt, endedAt: okAt ?? lastAt, failure, calls, shops: shopsOf(one) }
    }),
  }
}

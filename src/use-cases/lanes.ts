import type { BreakerKey, BreakerRecord, LaneFilter, LaneRecord, Outage, StorePort } from '../store-port.ts'
import { allShops, type LaneName, type LaneView } from './lane-view.ts'
import { quietAfter } from './rates/slow-adapters.ts'
import { authorOf, type By } from './shops/audit.ts'
import { startLanes } from './start-lanes.ts'

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
  { by }: By = {},
): Promise<LaneOpened | undefined> {
  const author = authorOf(by)
  // Nothing holds them back.
  if (kind === 'starts') return undefined
  if (kind === 'rates') {
    const breaker = { adapter: to, shopId: shopId === allShops ? undefined : shopId }
    const nodes = await store.releaseBreakers(breaker, now, author)
    return nodes === 0 ? undefined : { due: 0, nodes }
  }
  const due = await store.openLane({ kind, shopId, to }, now, author)
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
function rateViews(
  breakers: readonly BreakerRecord[],
  ended: readonly RateOutage[],
  now: number,
): LaneView[] {
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
  const { adapter, shopId = allShops, since, nextTry, lastFailure, nodes, lastCallAt } = of
  const isQuiet = lastCallAt !== undefined && now - lastCallAt > quietAfter
  const slowState = isQuiet ? 'idle' : 'slow'
  return {
    ...{ kind: 'rates', shopId, to: adapter, since, lastFailure, nodes },
    ...(lastCallAt !== undefined && nextTry === undefined && { lastCallAt }),
    state: nodes === undefined ? 'open' : nextTry === undefined ? slowState : 'closed',
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

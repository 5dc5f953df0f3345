import type { BreakerRecord, LaneFilter, LaneKind, LaneRecord, StorePort } from '../store.ts'
import { authorOf, type By } from './shops/audit.ts'

/** Stands for the shop of a lane of rates that is closed for every shop. No shop has such a name. */
export const allShops = '@all'

/**
 * Webhooks of a shop to a host, pushes of a shop through a payment adapter, or rates of a shop, or of all, from a rate adapter whose
 * breaker is open.
 */
export interface LaneName {
  kind: LaneKind | 'rates'
  shopId: string
  /** The host of the receiver, or the adapter. */
  to: string
}

/** A lane in which calls wait or are left out, as a person sees it. Times are milliseconds since 1970. */
export interface LaneView extends LaneName {
  /** Closed: the other side fails, and single calls probe it. Probing: such a call is open now. */
  state: 'open' | 'closed' | 'probing'
  /** Since when it is closed, or since when the oldest call waits in an open one. */
  since: number | undefined
  /** When something is tried next, never in the past. Not set where nothing waits. */
  nextTryAt: number | undefined
  waiting: number
  /** Failed calls since the last success. Not counted for rates. */
  failures: number | undefined
  lastFailure: string | undefined
  /** Of rates: how many nodes leave the adapter alone. */
  nodes?: number
}

export type LanesAsked = Omit<LaneFilter, 'kind'> & { kind?: LaneName['kind'] | undefined }

/** Lanes that are closed or in which something waits, the one that waits longest first. */
export async function listLanes(store: StorePort, { kind, ...filter }: LanesAsked): Promise<LaneView[]> {
  const { now, limit } = filter
  const [lanes, breakers] = await Promise.all([
    kind === 'rates' ? [] : store.lanes({ ...filter, kind }),
    kind === undefined || kind === 'rates' ? store.breakers(filter) : [],
  ])
  const views = [...lanes.map((lane) => viewOf(lane, now)), ...breakers.map((one) => breakerView(one, now))]
  return views.sort((one, other) => (one.since ?? now) - (other.since ?? now)).slice(0, limit)
}

/** What the opening of a lane did. */
export interface LaneOpened {
  /** How many calls are due now. Nothing waits for rates. */
  due: number
  /** How many nodes ask the rate adapter again. */
  nodes: number
}

/** Opens a lane: what waits in it is tried at once. Resolves with `undefined` where there is no such lane. */
export async function openLane(
  store: StorePort,
  { kind, shopId, to }: LaneName,
  now: number,
  { by }: By = {},
): Promise<LaneOpened | undefined> {
  const author = authorOf(by)
  if (kind === 'rates') {
    const breaker = { adapter: to, shopId: shopId === allShops ? undefined : shopId }
    const nodes = await store.releaseBreakers(breaker, now, author)
    return nodes === 0 ? undefined : { due: 0, nodes }
  }
  const due = await store.openLane({ kind, shopId, to }, now, author)
  return due === undefined ? undefined : { due, nodes: 0 }
}

function viewOf(lane: LaneRecord, now: number): LaneView {
  const { kind, shopId, to, waiting, failures, lastFailure, closedAt, waitingSince } = lane
  const isClosed = lane.probeAt !== undefined
  return {
    ...{ kind, shopId, to, waiting, failures, lastFailure },
    state: !isClosed ? 'open' : lane.open > 0 ? 'probing' : 'closed',
    since: isClosed ? (closedAt ?? waitingSince) : waitingSince,
    nextTryAt: lane.dueAt === undefined ? undefined : Math.max(lane.dueAt, lane.probeAt ?? 0, now),
  }
}

function breakerView(breaker: BreakerRecord, now: number): LaneView {
  const { adapter, shopId = allShops, since, nextTry, lastFailure, nodes } = breaker
  return {
    ...{ kind: 'rates', shopId, to: adapter, state: 'closed', since, lastFailure, nodes },
    nextTryAt: Math.max(nextTry, now),
    waiting: 0,
    failures: undefined,
  }
}

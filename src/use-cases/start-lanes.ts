import type { StorePort } from '../store-port.ts'
import { allShops, type LaneView } from './lane-view.ts'
import { failsUntil, type ServiceOutage, serviceOutages } from './payments/service-failures.ts'

export interface StartLanesAsked {
  shopId?: string | undefined
  /** Only this adapter. */
  to?: string | undefined
  /** Also adapters whose last outage ended at or after this time. */
  endedSince?: number | undefined
  now: number
}

/** Payment adapters whose starts fail, for all shops or one; and with `endedSince` those whose starts failed. */
export async function startLanes(
  store: StorePort,
  { shopId, to: adapter, endedSince, now }: StartLanesAsked,
): Promise<LaneView[]> {
  const since = Math.min(endedSince ?? now, now - failsUntil)
  const filter = { kind: 'start', adapter, since, now } as const
  const [outages, ofAll] = await Promise.all([
    serviceOutages(store, { ...filter, shopId }),
    shopId === undefined ? [] : serviceOutages(store, filter),
  ])
  /** An outage of one shop may be part of one of several. */
  const shopsOf = ({ adapter, firstAt, lastAt, shops }: ServiceOutage): string[] => {
    const whole = ofAll.find(
      (one) => one.adapter === adapter && one.firstAt <= lastAt && one.lastAt >= firstAt,
    )
    return (whole?.shops ?? shops).map((one) => one.shopId)
  }
  return [...Map.groupBy(outages, (one) => one.adapter).values()]
    .map((of) => viewOf(of, shopId, shopsOf))
    .filter(
      ({ state, outages: past }) => state === 'failing' || (endedSince !== undefined && past.length > 0),
    )
}

/** `of` are the outages of one adapter, the first one first. */
function viewOf(
  of: readonly ServiceOutage[],
  shopId: string | undefined,
  shopsOf: (outage: ServiceOutage) => string[],
): LaneView {
  const current = of.find(({ failing }) => failing)
  return {
    ...{ kind: 'starts', shopId: shopId ?? allShops, to: of[0]!.adapter },
    state: current ? 'failing' : 'open',
    since: current?.firstAt,
    ...{ closedAt: undefined, nextTryAt: undefined, waiting: 0, refused: 0 },
    failures: current?.calls,
    lastFailure: current?.failure,
    lastFailedAt: current?.lastAt,
    shops: current && shopsOf(current),
    outages: of
      .filter((one) => one !== current)
      .map((one) => ({
        ...{ beganAt: one.firstAt, endedAt: one.okAt ?? one.lastAt, failure: one.failure, calls: one.calls },
        shops: shopsOf(one),
      }))
      .toReversed(),
  }
}

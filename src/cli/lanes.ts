import type { LaneKey, LaneKind, Store } from '../store.ts'
import { type LaneView, listLanes, openLane } from '../use-cases/lanes.ts'
import { print, table, time } from './print.ts'
import { storeTime, withStore } from './store.ts'
import { systemUser } from './system-user.ts'
import { UsageError } from './usage.ts'

// Webhooks and pushes wait in lanes of the store. Breakers of rate adapters are in the memory of each process that serves, where no
// command reaches them: its metrics count them, and they try again by themselves within seconds.

const kinds: readonly LaneKind[] = ['webhook', 'push']
const most = 100_000

interface Listing {
  kind?: string
  shop?: string
  limit: number
  json?: boolean
}

const shown = ({ kind, shopId: shop, to, ...lane }: LaneView) => ({ kind, shop, to, ...lane })

export function list({ kind, shop, limit, json }: Listing): Promise<void> {
  const only = kind === undefined ? undefined : kindOf(kind)
  return withStore(async (store) => {
    const found = await listLanes(store, { kind: only, shopId: shop, now: storeTime(store), limit })
    print(json, found.map(shown), () => [
      ...table(
        ['kind', 'shop', 'to', 'state', 'since', 'next try', 'waiting', 'last failure'],
        found.map((lane) => [
          lane.kind,
          lane.shopId,
          lane.to,
          lane.state,
          when(lane.since),
          when(lane.nextTryAt),
          String(lane.waiting),
          lane.lastFailure ?? '',
        ]),
        'Nothing waits, and no lane is closed.',
      ),
      breakers,
    ])
  })
}

const when = (at: number | undefined): string => (at === undefined ? '' : time(at))

const breakers =
  'Breakers of rate adapters are in the memory of each process that serves: see purveyor_rate_breakers_open of its /metrics, and provider.rates.openBreakers().'

export function show(kind: string, shop: string, to: string, { json }: { json?: boolean }): Promise<void> {
  const lane = { kind: kindOf(kind), shopId: shop, to }
  return withStore(async (store) => {
    const found = await laneOf(store, lane)
    if (!found) throw new UsageError(unknown(lane))
    const { state, since, nextTryAt, waiting, failures, lastFailure } = found
    const what =
      found.kind === 'webhook' ? `webhooks of shop ${shop} to ${to}` : `pushes of shop ${shop} through ${to}`
    print(json, shown(found), () => [
      `Lane of ${what}: ${state}`,
      ...(since === undefined ? [] : [`  since     ${time(since)}`]),
      `  waiting   ${waiting}`,
      ...(nextTryAt === undefined ? [] : [`  next try  ${time(nextTryAt)}`]),
      `  failed    ${failures} in a row${lastFailure === undefined ? '' : `, last: ${lastFailure}`}`,
      ...(state === 'open' ? [] : ['', `Try all of it now: purveyor lanes open ${found.kind} ${shop} ${to}`]),
    ])
  })
}

/** Opens a lane: the running provider tries what waits in it within seconds. */
export function open(kind: string, shop: string, to: string, { json }: { json?: boolean }): Promise<void> {
  const lane = { kind: kindOf(kind), shopId: shop, to }
  return withStore(async (store) => {
    const before = await laneOf(store, lane)
    if (!(await openLane(store, lane, storeTime(store), { by: systemUser() })))
      throw new UsageError(unknown(lane))
    const waiting = before?.waiting ?? 0
    print(json, { kind: lane.kind, shop, to, opened: true, waiting }, () => [
      `The lane is open. ${waiting} ${waiting === 1 ? 'call is' : 'calls are'} tried now; if the other side still fails, it closes again.`,
    ])
  })
}

async function laneOf(store: Store, { kind, shopId, to }: LaneKey): Promise<LaneView | undefined> {
  const lanes = await listLanes(store, { kind, shopId, now: storeTime(store), limit: most })
  return lanes.find((lane) => lane.shopId === shopId && lane.to === to)
}

function kindOf(kind: string): LaneKind {
  const known = kinds.find((one) => one === kind)
  if (known) return known
  throw new UsageError(`A lane is one of ${kinds.join(', ')}. ${breakers}`)
}

const unknown = ({ kind, shopId, to }: LaneKey): string =>
  `Nothing waits in a lane of kind ${kind} of shop ${shopId} to ${to}, and it is not closed. See: purveyor lanes list`

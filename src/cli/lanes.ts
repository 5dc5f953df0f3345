import type { StorePort } from '../store.ts'
import {
  allShops,
  type LaneName,
  type LaneOpened,
  type LaneView,
  listLanes,
  openLane,
} from '../use-cases/lanes.ts'
import { print, table, time } from './print.ts'
import { expectShop } from './shop-choice.ts'
import { storeTime, withStore } from './store.ts'
import { systemUser } from './system-user.ts'
import { UsageError } from './usage.ts'

const kinds: readonly LaneName['kind'][] = ['webhook', 'push', 'rates']
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
    await expectShop(store, shop)
    const found = await listLanes(store, { kind: only, shopId: shop, now: storeTime(store), limit })
    print(json, found.map(shown), () =>
      table(
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
        'No lane is closed, and no calls are waiting.',
      ),
    )
  })
}

const when = (at: number | undefined): string => (at === undefined ? '' : time(at))

export function show(kind: string, shop: string, to: string, { json }: { json?: boolean }): Promise<void> {
  const lane = { kind: kindOf(kind), shopId: shop, to }
  return withStore(async (store) => {
    const found = await laneOf(store, lane)
    if (!found) throw new UsageError(unknown(lane))
    const { state, since, nextTryAt, nodes } = found
    print(json, shown(found), () => [
      `Lane of ${wordsOf(lane)}: ${state}`,
      ...(since === undefined ? [] : [`  since     ${time(since)}`]),
      ...(nodes === undefined ? [`  waiting   ${found.waiting}`] : [`  closed on ${processes(nodes)}`]),
      ...(nextTryAt === undefined ? [] : [`  next try  ${time(nextTryAt)}`]),
      `  failed    ${failureOf(found)}`,
      ...(state === 'open'
        ? []
        : ['', `To try the waiting calls now: purveyor lanes open ${kind} ${shop} ${to}`]),
    ])
  })
}

function failureOf({ failures, lastFailure }: LaneView): string {
  if (failures === undefined) return `last: ${lastFailure}`
  return `${failures} in a row${lastFailure === undefined ? '' : `, last: ${lastFailure}`}`
}

/** Opens a lane: the running provider tries its waiting calls within seconds. */
export function open(kind: string, shop: string, to: string, { json }: { json?: boolean }): Promise<void> {
  const lane = { kind: kindOf(kind), shopId: shop, to }
  return withStore(async (store) => {
    const before = await laneOf(store, lane)
    const opened = await openLane(store, lane, storeTime(store), { by: systemUser() })
    if (!opened) throw new UsageError(unknown(lane))
    const { due: waiting, nodes } = opened
    const counted = lane.kind === 'rates' ? { nodes } : { waiting }
    print(json, { kind: lane.kind, shop, to, opened: true, ...counted }, () =>
      lane.kind === 'rates'
        ? [`${processes(nodes)} will ask ${to} again within 5 s. If it still fails, the lane closes again.`]
        : openedLines(opened, before?.waiting ?? waiting),
    )
  })
}

function openedLines({ due }: LaneOpened, waiting: number): string[] {
  const calls = (count: number) => `${count} ${count === 1 ? 'call' : 'calls'}`
  const is = due === 1 ? 'is' : 'are'
  const apart = waiting - due
  return [
    `The lane is open. ${calls(due)} ${is} tried now. If they fail, it closes again.`,
    ...(apart > 0
      ? [
          `${calls(apart)} failed separately or have a retry time of their own. For one order: purveyor webhooks replay`,
        ]
      : []),
  ]
}

async function laneOf(store: StorePort, { kind, shopId, to }: LaneName): Promise<LaneView | undefined> {
  const of = shopId === allShops ? undefined : shopId
  const lanes = await listLanes(store, { kind, shopId: of, now: storeTime(store), limit: most })
  return lanes.find((lane) => lane.shopId === shopId && lane.to === to)
}

function wordsOf({ kind, shopId, to }: LaneName): string {
  if (kind === 'webhook') return `webhooks of shop ${shopId} to ${to}`
  if (kind === 'push') return `pushes of shop ${shopId} through ${to}`
  return `rates of ${shopId === allShops ? 'all shops' : `shop ${shopId}`} from ${to}`
}

const processes = (count: number): string => `${count} ${count === 1 ? 'process' : 'processes'}`

function kindOf(kind: string): LaneName['kind'] {
  const known = kinds.find((one) => one === kind)
  if (known) return known
  throw new UsageError(`A lane is one of ${kinds.join(', ')}.`)
}

const unknown = ({ kind, shopId, to }: LaneName): string =>
  `No ${kind} lane of shop ${shopId} to ${to} is closed or has calls waiting. See: purveyor lanes list`

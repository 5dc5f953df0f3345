import { counted } from '../../printable.ts'
import type { LaneFailure, Outage, StorePort, Unread } from '../../store-port.ts'
import { allShops, type LaneName, type LaneView, type PastOutage } from '../../use-cases/lanes.ts'
import { firstOf } from '../provider/store.ts'
import { standstill } from '../serve/nodes.ts'
import { systemUser } from '../serve/system-user.ts'
import { type Command, limit, moment, oneOf, onlyShop, onStore, parsed } from '../table.ts'
import { type Line, print, table, time, when } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'

const kinds: readonly LaneName['kind'][] = ['webhook', 'push', 'rates', 'starts']

const most = 100_000

const mostReasons = 5

const day = 24 * 3_600_000

/** Calls that wait longer are listed in lanes in which nothing fails too, in milliseconds. */
const usual = 60_000

const shown = ({ kind, shopId: shop, to, ...lane }: LaneView) => ({ kind, shop, to, ...lane })

const lane = {
  '<kind>': oneOf('of calls', kinds),
  '<shop>': 'the id of the shop; @all for rates or starts of all shops',
  '<to>': 'the host of the receiver, or the adapter',
}

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
    const { listLanes } = await import('../../use-cases/lanes.ts')
    const endedSince = since?.(now) ?? now - day
    const found = await listLanes(store, { kind: only, shopId: shop, endedSince, now, limit })
    const unread = only === undefined || only === 'webhook' ? await store.unread({ shopId: shop, limit }) : []
    const still = await standstill(store)
    const busy = found.filter(({ state, waiting }) => state !== 'open' || waiting > 0)
    // Closed or slow, with calls that fail, or with one that waits for long.
    const lanes = busy.filter(
      ({ state, failures = 0, refused, since = 0 }) =>
        all || state !== 'open' || failures > 0 || refused > 0 || now - since > usual,
    )
    const healthy = busy.length - lanes.length
    const none = healthy === 0 ? 'no calls are waiting' : 'no call waits for over a minute'
    const isOfAll = shop !== undefined && lanes.some(({ shopId }) => shopId === allShops)
    const [have, them] = healthy === 1 ? ['has', 'it'] : ['have', 'them']
    const others = `${counted(healthy, 'other lane')} ${have} calls under way. To list ${them} too: purveyor lanes list --all`
    print(json, (since === undefined ? lanes : found).map(shown), () => [
      ...table(lanes, `No lane is closed, and ${none}.`, {
        ...{ kind: 'kind', shop: 'shopId', to: 'to', state: 'state' },
        since: ({ since }) => when(since),
        'next try': (lane) => nextTryOf(lane, now),
        waiting: 'waiting',
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
  async run({ kind, shop: shopId, to, json }, store, now) {
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
  async run({ kind, shop, to, json }, store, now) {
    if (kind === 'starts')
      throw new UsageError(
        `Nothing holds starts back, so there is no lane to open: each call of a shop reaches ${to}. See: purveyor lanes show starts ${shop} ${to}`,
      )
    const { openLane } = await import('../../use-cases/lanes.ts')
    const before = await laneOf(store, { kind, shopId: shop, to }, now)
    const opened = await openLane(store, { kind, shopId: shop, to }, now, { by: systemUser() })
    if (!opened) throw unknown({ kind, shopId: shop, to })
    const { due, nodes } = opened
    const later = (before?.waiting ?? due) - due
    print(
      json,
      { kind, shop, to, opened: true, ...(kind === 'rates' ? { nodes } : { waiting: due }) },
      () => [
        kind === 'rates'
          ? `${processes(nodes)} will ask ${to} again within 5 s, also before the end of a wait that it asked for. If it still fails, the lane closes again.`
          : `The lane is open. ${counted(due, 'call is', 'calls are')} tried now. If they fail, it closes again.`,
        later > 0 &&
          `${counted(later, 'call has', 'calls have')} a first try that is due later. For one order: purveyor webhooks replay`,
      ],
    )
  },
})

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

export const command: Command = {
  description:
    'inspect lanes: webhooks of a shop to a host, pushes through an adapter, rates from an adapter, failing starts',
  commands: { list, show, open },
}

const mostShops = 10

const callsOf = (count: number, kind: LaneName['kind']): string =>
  kind === 'push' ? counted(count, 'push', 'pushes') : counted(count, kind)

const processes = (count: number): string => counted(count, 'process', 'processes')

/** A call that is due for longer than this is overdue, in milliseconds: no call takes so long. */
const minute = 60_000

const nextTryOf = ({ nextTryAt, dueSince }: LaneView, now: number): string =>
  dueSince !== undefined && now - dueSince > minute ? `due since ${time(dueSince)}` : when(nextTryAt)

/** One lane with its state, why it fails, its last outage, and the commands that come next. */
export function laneLines(lane: LaneView, failures: readonly LaneFailure[], now: number): Line[] {
  const { state, since, closedAt, nextTryAt, nodes, waiting, refused, outages, kind, lastCallAt } = lane
  const { shops = [] } = lane
  const failed = failedOf(lane)
  const unsure = state === 'idle' ? ': nobody has asked since, so it may be well again' : ''
  return [
    `Lane of ${laneWords(lane)}: ${state}`,
    since !== undefined && `  since     ${time(since)}`,
    closedAt !== undefined && `  closed    ${time(closedAt)}`,
    kind !== 'rates' && kind !== 'starts' && `  waiting   ${waiting}`,
    refused > 0 &&
      `  refused   ${refused}, each on its own${state === 'open' ? ', so the lane stays open' : ''}`,
    nodes !== undefined && `  ${state} on ${processes(nodes)}`,
    nextTryAt !== undefined && `  next try  ${nextTryOf(lane, now)}`,
    failed !== undefined && `  failed    ${failed}`,
    lastCallAt !== undefined && `  last call ${time(lastCallAt)}${unsure}`,
    shops.length > 0 && `  shops     ${firstOf(shops, mostShops)}`,
    ...failures.map(({ failure, calls, orderId }) => {
      const such = orderId === undefined ? '' : `, such as order ${orderId}`
      return `  ${callsOf(calls, kind)}: ${failure.replace(/\.$/, '')}${such}`
    }),
    ...outages.map((outage) => `  outage    ${outageOf(outage, lane)}`),
    ...stepsOf(lane),
  ]
}

/** From when to when a lane was closed or slow, why, and what it meant for its calls. */
function outageOf({ beganAt, endedAt, failure, calls }: Outage, { kind }: LaneName): string {
  const became =
    kind === 'rates'
      ? ''
      : kind === 'starts'
        ? `; ${counted(calls, 'start')} failed`
        : `; ${callsOf(calls, kind)} waited at the end and ${calls === 1 ? 'was' : 'were'} tried then; none was lost`
  return `${time(beganAt)} to ${time(endedAt)}, last: ${failure ?? 'no reason noted'}${became}`
}

/** The last failure, and how many calls were refused on their own; of starts how many failed, for how many shops and until when. */
export function failureOf(lane: LaneView): string | undefined {
  const { kind, shopId, lastFailure, failures = 0, shops = [], lastFailedAt, lastCallAt, refused } = lane
  if (refused > 0) return `${lastFailure ?? 'refused'} (${refused} on their own)`
  if (lastCallAt !== undefined) return `${lastFailure}; the last call ${time(lastCallAt)}`
  if (kind !== 'starts' || lastFailedAt === undefined) return lastFailure
  const others = shops.length - 1
  const whose =
    shopId === allShops
      ? counted(shops.length, 'shop')
      : `this shop${others > 0 ? `, and some of ${counted(others, 'other')}` : ''}`
  return `${lastFailure}; ${counted(failures, 'start')} of ${whose}, the last ${time(lastFailedAt)}`
}

function failedOf(lane: LaneView): string | undefined {
  const { kind, failures, lastFailure, refused } = lane
  if (kind === 'starts') return failureOf(lane)
  if (failures === 0 && refused > 0) return undefined
  const last = lastFailure === undefined ? [] : [`last: ${lastFailure}`]
  return [...(failures === undefined ? [] : [`${failures} in a row`]), ...last].join(', ') || undefined
}

function stepsOf({ kind, shopId, to, state, waiting }: LaneView): Line[] {
  if (waiting === 0 && state === 'open') return []
  const open = `purveyor lanes open ${kind} ${shopId} ${to}`
  const steps: Record<LaneName['kind'], Line[]> = {
    starts: [
      'To look at: the status page of the payment service, and the keys of the shops if it fails for some of them',
      `The log line "payment start failed" has the error of ${to}`,
      'To see one payment: purveyor payments find <order>',
      'purveyor explain PAYMENT_START_TIMEOUT says what to do',
    ],
    rates: [
      state === 'closed' && `To ask ${to} again now: ${open}`,
      state === 'idle' &&
        `To ask ${to} now: purveyor doctor --shop ${shopId === allShops ? '<shop>' : shopId}`,
      'To look at: its status page',
    ],
    webhook: [
      `To try the waiting calls now: ${open}`,
      `To see the orders: purveyor webhooks list --shop ${shopId}`,
      `To send one again: purveyor webhooks replay <order> --shop ${shopId}`,
    ],
    push: [
      `To try the waiting calls now: ${open}`,
      `To look at: the settings of the shop for ${to}, and the status page of the payment service`,
      `To ask about one order: purveyor payments ask <order> --shop ${shopId}`,
    ],
  }
  return ['', ...steps[kind]]
}

export function laneWords({ kind, shopId, to }: LaneName): string {
  if (kind === 'webhook') return `webhooks of shop ${shopId} to ${to}`
  if (kind === 'push') return `pushes of shop ${shopId} through ${to}`
  const whose = shopId === allShops ? 'all shops' : `shop ${shopId}`
  return kind === 'starts' ? `starts of ${whose} by ${to}` : `rates of ${whose} from ${to}`
}

/** As `laneWords`, of an outage: its starts by the number of shops, and that it concerns the adapter as a whole among those of one `shop`. */
function endedWords(lane: LaneName, { shops = [] }: PastOutage, shop: string | undefined): string {
  const { kind, shopId, to } = lane
  if (kind === 'starts' && shopId === allShops)
    return `starts of ${shops.length === 1 ? `shop ${shops[0]}` : counted(shops.length, 'shop')} by ${to}`
  const words = laneWords(lane)
  if (kind === 'starts' && shops.length > 1)
    return `${words} (and of ${counted(shops.length - 1, 'other shop')})`
  return shopId === allShops && shop !== undefined ? `${words} (the adapter as a whole)` : words
}

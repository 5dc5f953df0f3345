import { counted } from '../../printable.ts'
import type { LaneFailure, Outage } from '../../store.ts'
import { allShops, type LaneName, type LaneView, type PastOutage } from '../../use-cases/lane-view.ts'
import { time, when } from '../terminal/print.ts'

const mostShops = 10

/** `1 push`, `2 pushes`, `2 webhooks`. */
const callsOf = (count: number, kind: LaneName['kind']): string =>
  kind === 'push' ? counted(count, 'push', 'pushes') : counted(count, kind)

export const processes = (count: number): string => counted(count, 'process', 'processes')

/** A call that is due for longer than this is overdue, in milliseconds: no call takes so long. */
const minute = 60_000

/** The time of the next try, or since when it is overdue. */
export const nextTryOf = ({ nextTryAt, dueSince }: LaneView, now: number): string =>
  dueSince !== undefined && now - dueSince > minute ? `due since ${time(dueSince)}` : when(nextTryAt)

/** One lane with its state, why it fails, its last outage, and the commands that come next. */
export function laneLines(lane: LaneView, failures: readonly LaneFailure[], now: number): string[] {
  const { state, since, closedAt, nextTryAt, nodes, waiting, refused, outages, kind } = lane
  return [
    `Lane of ${laneWords(lane)}: ${state}`,
    ...(since === undefined ? [] : [`  since     ${time(since)}`]),
    ...(closedAt === undefined ? [] : [`  closed    ${time(closedAt)}`]),
    ...(kind === 'rates' || kind === 'starts' ? [] : [`  waiting   ${waiting}`]),
    ...(refused === 0
      ? []
      : [`  refused   ${refused}, each on its own${state === 'open' ? ', so the lane stays open' : ''}`]),
    ...(nodes === undefined ? [] : [`  ${state} on ${processes(nodes)}`]),
    ...(nextTryAt === undefined ? [] : [`  next try  ${nextTryOf(lane, now)}`]),
    ...failedOf(lane).map((text) => `  failed    ${text}`),
    ...lastCallOf(lane),
    ...shopsOf(lane),
    ...failures.map((one) => `  ${reasonOf(one, lane)}`),
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
export function failureOf({
  kind,
  shopId,
  lastFailure,
  failures = 0,
  shops = [],
  lastFailedAt,
  lastCallAt,
  refused,
}: LaneView): string | undefined {
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

function failedOf(lane: LaneView): string[] {
  const { kind, failures, lastFailure, refused } = lane
  if (kind === 'starts') return [failureOf(lane) ?? []].flat()
  if (failures === 0 && refused > 0) return []
  if (failures === undefined) return lastFailure === undefined ? [] : [`last: ${lastFailure}`]
  return [`${failures} in a row${lastFailure === undefined ? '' : `, last: ${lastFailure}`}`]
}

function lastCallOf({ lastCallAt, state }: LaneView): string[] {
  if (lastCallAt === undefined) return []
  const since = state === 'idle' ? ': nobody has asked since, so it may be well again' : ''
  return [`  last call ${time(lastCallAt)}${since}`]
}

function shopsOf({ shops = [] }: LaneView): string[] {
  const more = shops.length > mostShops ? `, and ${shops.length - mostShops} more` : ''
  return shops.length === 0 ? [] : [`  shops     ${shops.slice(0, mostShops).join(', ')}${more}`]
}

const reasonOf = ({ failure, calls, orderId }: LaneFailure, { kind }: LaneName): string =>
  `${callsOf(calls, kind)}: ${failure.replace(/\.$/, '')}${orderId === undefined ? '' : `, such as order ${orderId}`}`

function stepsOf({ kind, shopId, to, state, waiting }: LaneView): string[] {
  const open = `purveyor lanes open ${kind} ${shopId} ${to}`
  if (kind === 'starts') return state === 'open' ? [] : ['', ...startSteps(to)]
  if (kind === 'rates')
    return [
      ...(state === 'open' ? [] : ['']),
      ...(state === 'closed' ? [`To ask ${to} again now: ${open}`] : []),
      ...(state === 'idle'
        ? [`To ask ${to} now: purveyor doctor --shop ${shopId === allShops ? '<shop>' : shopId}`]
        : []),
      ...(state === 'open' ? [] : ['To look at: its status page']),
    ]
  if (waiting === 0 && state === 'open') return []
  const look =
    kind === 'webhook'
      ? [
          `To see the orders: purveyor webhooks list --shop ${shopId}`,
          `To send one again: purveyor webhooks replay <order> --shop ${shopId}`,
        ]
      : [
          `To look at: the settings of the shop for ${to}, and the status page of the payment service`,
          `To ask about one order: purveyor payments ask <order> --shop ${shopId}`,
        ]
  return ['', `To try the waiting calls now: ${open}`, ...look]
}

const startSteps = (to: string): string[] => [
  `To look at: the status page of the payment service, and the keys of the shops if it fails for some of them`,
  `The log line "payment start failed" has the error of ${to}`,
  'To see one payment: purveyor payments find <order>',
  'purveyor explain PAYMENT_START_TIMEOUT says what to do',
]

/** Such as `webhooks of shop bikes to hooks.bikes.example`. */
function laneWords({ kind, shopId, to }: LaneName): string {
  if (kind === 'webhook') return `webhooks of shop ${shopId} to ${to}`
  if (kind === 'push') return `pushes of shop ${shopId} through ${to}`
  const whose = shopId === allShops ? 'all shops' : `shop ${shopId}`
  return kind === 'starts' ? `starts of ${whose} by ${to}` : `rates of ${whose} from ${to}`
}

/** As `laneWords`, of an outage: its starts by the number of shops, and that it concerns the adapter as a whole among those of one `shop`. */
export function endedWords(lane: LaneName, { shops = [] }: PastOutage, shop: string | undefined): string {
  const { kind, shopId, to } = lane
  if (kind === 'starts' && shopId === allShops)
    return `starts of ${shops.length === 1 ? `shop ${shops[0]}` : counted(shops.length, 'shop')} by ${to}`
  const words = laneWords(lane)
  if (kind === 'starts' && shops.length > 1)
    return `${words} (and of ${counted(shops.length - 1, 'other shop')})`
  return shopId === allShops && shop !== undefined ? `${words} (the adapter as a whole)` : words
}

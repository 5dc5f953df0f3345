import { counted } from '../../printable.ts'
import type { LaneFailure, Outage } from '../../store-port.ts'
import { allShops, type LaneName, type LaneView, type PastOutage } from '../../webhooks/lanes.ts'
import { firstOf } from '../provider/store.ts'
import { type Line, time, when } from '../terminal/print.ts'

/** A call that is due for longer is overdue, in milliseconds: no call takes so long. */
export const minute = 60_000

/** Lines below an empty one, if there are some. */
export const below = (lines: string[], ...titles: string[]): string[] =>
  lines.length === 0 ? [] : ['', ...titles, ...lines]

/** The calls of a kind, and what stands between them and their other side. */
const kindWords = {
  webhook: ['webhooks', 'to'],
  push: ['pushes', 'through'],
  rates: ['rates', 'from'],
  starts: ['starts', 'by'],
} as const

export const nextTryOf = ({ nextTryAt, dueSince }: LaneView, now: number): string =>
  dueSince !== undefined && now - dueSince > minute ? `due since ${time(dueSince)}` : when(nextTryAt)

/** One lane with its state, why it fails, its outages, and the commands that come next. */
export function laneLines(lane: LaneView, failures: readonly LaneFailure[], now: number): Line[] {
  const { state, since, closedAt, nextTryAt, nodes, waiting, refused, outages, kind } = lane
  const { shops = [] } = lane
  const failed = failedOf(lane)
  return [
    `Lane of ${laneWords(lane)}: ${state}`,
    since !== undefined && `  since     ${time(since)}`,
    closedAt !== undefined && `  closed    ${time(closedAt)}`,
    kind !== 'rates' && kind !== 'starts' && `  waiting   ${waiting}`,
    refused > 0 &&
      `  refused   ${refused}, each on its own${state === 'open' ? ', so the lane stays open' : ''}`,
    nodes !== undefined && `  ${state} on ${counted(nodes, 'process', 'processes')}`,
    nextTryAt !== undefined && `  next try  ${nextTryOf(lane, now)}`,
    failed !== undefined && `  failed    ${failed}`,
    shops.length > 0 && `  shops     ${firstOf(shops, 10)}`,
    ...failures.map(({ failure, calls, orderId }) => {
      const such = orderId === undefined ? '' : `, such as order ${orderId}`
      return `  ${counted(calls, kind, kindWords[kind][0])}: ${failure.replace(/\.$/, '')}${such}`
    }),
    ...outages.map((outage) => `  outage    ${outageOf(outage, lane)}`),
    ...below(stepsOf(lane)),
  ]
}

/** From when to when a lane was closed or slow, why, and what it meant for its calls. */
function outageOf({ beganAt, endedAt, failure, calls }: Outage, { kind }: LaneName): string {
  const waited = `${counted(calls, kind, kindWords[kind][0])} waited at the end and ${calls === 1 ? 'was' : 'were'} tried then; none was lost`
  const became = kind === 'starts' ? `; ${counted(calls, 'start')} failed` : `; ${waited}`
  return `${time(beganAt)} to ${time(endedAt)}, last: ${failure ?? 'no reason noted'}${kind === 'rates' ? '' : became}`
}

/** The last failure, and how many calls were refused on their own; of starts how many failed, for how many shops and until when. */
export function failureOf(lane: LaneView): string | undefined {
  const { kind, shopId, lastFailure, failures = 0, shops = [], lastFailedAt, refused } = lane
  if (refused > 0) return `${lastFailure ?? 'refused'} (${refused} on their own)`
  if (kind !== 'starts' || lastFailedAt === undefined) return lastFailure
  const others = shops.length - 1
  const ofShop = `this shop${others > 0 ? `, and some of ${counted(others, 'other')}` : ''}`
  const whose = shopId === allShops ? counted(shops.length, 'shop') : ofShop
  return `${lastFailure}; ${counted(failures, 'start')} of ${whose}, the last ${time(lastFailedAt)}`
}

function failedOf(lane: LaneView): string | undefined {
  const { kind, failures, lastFailure, refused } = lane
  if (kind === 'starts') return failureOf(lane)
  if (failures === 0 && refused > 0) return undefined
  const times = failures !== undefined && `${failures} in a row`
  return [times, lastFailure && `last: ${lastFailure}`].filter(Boolean).join(', ') || undefined
}

function stepsOf({ kind, shopId, to, state, waiting }: LaneView): string[] {
  if (waiting === 0 && state === 'open') return []
  const open = `purveyor lanes open ${kind} ${shopId} ${to}`
  const asking = state === 'closed' ? [`To ask ${to} again now: ${open}`] : []
  const steps: Record<LaneName['kind'], string[]> = {
    starts: [
      'Check the status page of the payment service, and the keys of the shops if only some of them fail',
      `The log line "payment start failed" has the error of ${to}`,
      'To see one payment: purveyor payments find <order>',
      'purveyor explain PAYMENT_START_TIMEOUT says what to do',
    ],
    rates: [...asking, 'Check its status page'],
    webhook: [
      `To try the waiting calls now: ${open}`,
      `To see the orders: purveyor webhooks list --shop ${shopId}`,
      `To send one again: purveyor webhooks replay <order> --shop ${shopId}`,
    ],
    push: [
      `To try the waiting calls now: ${open}`,
      `Check the settings of the shop for ${to}, and the status page of the payment service`,
      `To ask about one order: purveyor payments ask <order> --shop ${shopId}`,
    ],
  }
  return steps[kind]
}

export function laneWords({ kind, shopId, to }: LaneName): string {
  const whose = shopId === allShops ? 'all shops' : `shop ${shopId}`
  const [calls, between] = kindWords[kind]
  return `${calls} of ${whose} ${between} ${to}`
}

/** As `laneWords`, of an outage: its starts by the number of shops, and that it concerns the adapter as a whole among those of one `shop`. */
export function endedWords(lane: LaneName, { shops = [] }: PastOutage, shop: string | undefined): string {
  const { kind, shopId, to } = lane
  const whose = shops.length === 1 ? `shop ${shops[0]}` : counted(shops.length, 'shop')
  if (kind === 'starts' && shopId === allShops) return `starts of ${whose} by ${to}`
  const others =
    kind === 'starts' && shops.length > 1 ? ` (and of ${counted(shops.length - 1, 'other shop')})` : ''
  return laneWords(lane) + (shopId === allShops && shop !== undefined ? ' (the adapter as a whole)' : others)
}

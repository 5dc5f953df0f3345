import { html } from 'hono/html'
import { empty, facts, head, type Look, pill } from '../../http/pages/parts/facts.ts'
import { filters } from '../../http/pages/parts/forms.ts'
import { table } from '../../http/pages/parts/table.ts'
import { counted, duration } from '../../printable.ts'
import type { MinuteSum, StorePort } from '../../store-port.ts'
import { type LaneView, listLanes } from '../../webhooks/lanes.ts'
import { type Fill, hour, inSteps, minute, strip } from '../drawings.ts'
import { confirm, reasonField, select, textBox } from '../fields.ts'
import { columns, crumbs, section, total } from '../parts.ts'
import type { ConsoleParts, Page, View } from '../view.ts'

const day = 24 * hour

const states = { '': 'Every state', closed: 'Closed', open: 'Waiting' }

/** One sentence about a lane in which calls fail. */
export function laneSentence({ kind, shopId, to, state }: LaneView): string {
  if (kind === 'webhook') return `${shopId} accepts no webhook at ${to}`
  if (kind === 'push') return `Pushes of ${to} for ${shopId} cannot be processed`
  if (kind === 'starts') return `Payments cannot be started by ${to}`
  return state === 'slow'
    ? `Rate adapter ${to} answers slowly`
    : `Rate adapter ${to} is left alone after failures`
}

const stateOf = ({ state, waiting, refused }: LaneView): [Look, string] => {
  if (state === 'closed' || state === 'probing') return ['bad', 'Closed']
  if (refused > 0) return ['wait', 'Refuses some']
  return waiting > 0 ? ['wait', 'Waits'] : ['good', 'Accepts']
}

/** Receivers that webhooks went to in 24 h or wait for, those with the longest wait first. */
export async function webhooksPage({ store }: ConsoleParts, view: View): Promise<Page> {
  const { shop: shopId, state } = view.asked('shop', 'state')
  const [lanes, deliveries, unread] = await Promise.all([
    listLanes(store, { kind: 'webhook', now: view.now, limit: 200, shopId }),
    store.minutes('delivery', 30, view.now - day),
    store.unread({ limit: 200, shopId }),
  ])
  const byLane = Map.groupBy(deliveries, ({ label }) => label)
  const known = new Map(lanes.map((lane) => [`${lane.shopId} ${lane.to}`, lane]))
  const quiet = [...byLane.keys()].filter(
    (label) => !known.has(label) && (!shopId || label.startsWith(`${shopId} `)),
  )
  const notRead = new Set(unread.map((one) => one.shopId))
  const rows = [
    ...lanes
      .filter((lane) => !state || (state === 'closed') === (lane.state !== 'open'))
      .map((lane) => rowOf(view, lane, byLane, notRead)),
    ...(state ? [] : quiet.slice(0, 200).map((label) => quietRow(view, label, byLane, notRead))),
  ]
  const waiting = total(lanes, 'waiting')
  const closed = lanes.filter((lane) => lane.state !== 'open').length
  const says =
    waiting === 0
      ? 'Every webhook was accepted.'
      : `${counted(waiting, 'webhook waits', 'webhooks wait')}; ${counted(closed, 'receiver is closed', 'receivers are closed')}.`
  const fields = html`${textBox('shop', 'Shop', shopId)}${select('state', 'State', states, state)}`
  return {
    title: 'Webhooks',
    live: true,
    content: html`${head('Webhooks', says)}
${filters(view.at('/webhooks'), 'Filter receivers', fields, view.at('/webhooks'))}
<div id="lanes" data-live>${table('Receivers', columnsOf, rows, { none: empty('No webhook was sent in 24 h, and none waits.') })}
<p class="legend"><span>Each mark is half an hour:</span><span>green accepted</span><span>amber some refused</span><span>red failed</span><span>grey no call</span></p></div>`,
  }
}

const columnsOf = {
  Receiver: 'first',
  State: 'state',
  '24 hours': 'text',
  Waiting: 'right',
  'Next try': '',
} as const

type ByLane = ReadonlyMap<string, readonly MinuteSum[]>

function rowOf(view: View, lane: LaneView, byLane: ByLane, notRead: ReadonlySet<string>) {
  const { shopId, to, waiting, nextTryAt } = lane
  const [look, words] = stateOf(lane)
  const isUnread = look === 'good' && notRead.has(shopId)
  const link = html`<a class="to" href="${view.lane(shopId, to)}">${shopId}</a> <small>${to}</small>`
  const state = isUnread ? pill('wait', 'Accepts, not read') : pill(look, words)
  return {
    opens: true,
    cells: [
      link,
      state,
      dayOf(byLane.get(`${shopId} ${to}`) ?? [], view.now),
      String(waiting),
      nextTryAt === undefined ? '–' : view.time(nextTryAt),
    ],
  }
}

function quietRow(view: View, label: string, byLane: ByLane, notRead: ReadonlySet<string>) {
  const [shopId = '', to = ''] = label.split(' ')
  const lane = { kind: 'webhook', shopId, to, state: 'open', waiting: 0, refused: 0 } as LaneView
  return rowOf(view, lane, byLane, notRead)
}

/** The last 24 hours of one receiver. */
function dayOf(sums: readonly MinuteSum[], now: number) {
  const fillOf = ([sum]: readonly MinuteSum[]): Fill => {
    if (!sum || sum.count === 0) return 'l'
    return sum.failed === 0 ? 'g' : sum.failed < sum.count ? 'w' : 'b'
  }
  const all = counted(total(sums, 'count'), 'delivery', 'deliveries')
  return strip(
    `24 hours, half an hour each: ${all}, ${total(sums, 'failed')} of them failed`,
    inSteps(sums, now, fillOf, { step: 30 * minute, count: 48 }),
  )
}

/** One receiver: since when and why its webhooks wait, and the button that tries them all. */
export async function lanePage(
  { store }: ConsoleParts,
  view: View,
  { shop: shopId = '', host: to = '' }: Readonly<Record<string, string>>,
): Promise<Page | undefined> {
  const [[lane], deliveries] = await Promise.all([
    listLanes(store, { kind: 'webhook', shopId, to, now: view.now, limit: 1 }),
    store.minutes('delivery', 30, view.now - day),
  ])
  const own = deliveries.filter(({ label }) => label === `${shopId} ${to}`)
  if (!lane && own.length === 0) return undefined
  const title = `${shopId}, ${to}`
  const strip = html`<p class="slim">${dayOf(own, view.now)}</p>`
  const back = crumbs(['Webhooks', view.at('/webhooks')])
  if (!lane) return { title, content: html`${back}${head(title, 'Every webhook was accepted.')}${strip}` }
  const failures = await store.laneFailures({ kind: 'webhook', shopId, to }, 20)
  const { state, since, closedAt, waiting, nextTryAt, outages, failures: inRow = 0 } = lane
  const says =
    closedAt === undefined
      ? 'Open: every webhook is sent as it comes.'
      : html`Closed since ${view.time(closedAt)} after ${inRow} failures in a row. One probe every few minutes; the first 2xx sends everything at once.`
  const [outage] = outages
  return {
    title,
    live: true,
    content: html`${back}<div id="lane" data-live>${head(html`${title} ${pill(...stateOf(lane))}`, says)}${strip}</div>
${columns(
  html`${section('Why the calls fail', failures.length === 0 ? empty('No call that waits has failed.') : failuresTable(view, shopId, failures))}
${waiting === 0 && state === 'open' ? '' : openForm(view, lane)}
${section('Orders that wait', await waitingTable(store, view, shopId, to))}`,
  section(
    'Receiver',
    facts({
      Shop: html`<a href="${view.shop(shopId)}">${shopId}</a>`,
      Waiting:
        waiting === 0
          ? 'none'
          : html`${counted(waiting, 'order')}${since === undefined ? '' : `, since ${duration(view.now - since)}`}`,
      'Next try': nextTryAt === undefined ? 'none' : view.time(nextTryAt),
      'Last outage': outage
        ? html`${view.time(outage.beganAt)} for ${duration(outage.endedAt - outage.beganAt)}, ${counted(outage.calls, 'call')}`
        : 'none in 30 days',
      'Gives up': 'after 14 days, as a dead letter',
    }),
  ),
)}`,
  }
}

const openForm = (view: View, { shopId, to, waiting }: LaneView) => {
  const fields = html`<p class="hint">${counted(waiting, 'webhook goes', 'webhooks go')} to ${to} at once, a few at a time. If the first fails, the others wait again.</p>${reasonField('why-open')}`
  const send = `Send ${counted(waiting, 'webhook')}`
  const form = view.form('open', `${view.lane(shopId, to)}/open`, send, fields, false)
  return confirm('try-all', `Try all ${waiting} now`, form)
}

const failuresTable = (
  view: View,
  shopId: string,
  failures: Awaited<ReturnType<StorePort['laneFailures']>>,
) =>
  table(
    'Why the calls fail',
    { Failure: 'first', Orders: 'right', 'Such as': '' },
    failures.map(({ failure, calls, orderId }) => [
      failure,
      String(calls),
      orderId === undefined ? '' : html`order <a href="${view.payment(shopId, orderId)}">${orderId}</a>`,
    ]),
  )

async function waitingTable(store: StorePort, view: View, shopId: string, to: string) {
  const owed = (await store.webhooks({ shopId, limit: 1_000 })).filter(
    ({ webhookUrl }) => URL.parse(webhookUrl)?.host === to,
  )
  const rows = owed.slice(0, 50).map(({ orderId, status, state, tries, dueAt, lastFailure }) => ({
    opens: true,
    cells: [
      html`<a class="to" href="${view.payment(shopId, orderId)}">${orderId}</a>`,
      pill(state === 'dead' ? 'bad' : 'wait', state === 'dead' ? 'Given up' : 'Waits'),
      status,
      counted(tries, 'failure'),
      dueAt === undefined ? '–' : view.time(dueAt),
    ],
    under: lastFailure ?? '',
  }))
  return table(
    'Orders that wait',
    { Order: 'first', State: 'state', Status: '', Tries: '', 'Next try': '' },
    rows,
    { none: empty('No order waits.') },
  )
}

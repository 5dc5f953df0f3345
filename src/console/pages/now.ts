import { html } from 'hono/html'
import { empty, head } from '../../http/pages/parts/facts.ts'
import { table } from '../../http/pages/parts/table.ts'
import { isSilent, nodesOf } from '../../observability/list-nodes.ts'
import type { MoneyRequest } from '../../payments/ledger/movements.ts'
import { type ServiceOutage, serviceOutages } from '../../payments/service-failures.ts'
import { capitalised, counted, duration } from '../../printable.ts'
import { sameCauseWithin } from '../../store.ts'
import type { MinuteSum, StorePort } from '../../store-port.ts'
import { type LaneView, listLanes } from '../../webhooks/lanes.ts'
import { bars, type Fill, figure, hour, inSteps, line, share } from '../drawings.ts'
import { amountOf, queue, section, total, type Waits } from '../parts.ts'
import type { ConsoleParts, Page, View } from '../view.ts'
import { causeOf, sorted, stakeWords } from './anomalies.ts'
import { laneSentence } from './webhooks.ts'

/** Most causes and lanes that the page shows: the others are on pages of their own. */
const most = 20

/** The things that need a person: red with money, red, amber with money, amber. Then the last hour, and what runs by itself. */
export async function nowPage({ store, workings }: ConsoleParts, view: View): Promise<Page> {
  const { now } = view
  const since = now - hour
  const [causes, lanes, unanswered, nodes, troubles, refused, waiting, requests, deliveries, ended] =
    await Promise.all([
      store.anomalyCauses({ within: sameCauseWithin, limit: 500 }),
      listLanes(store, { now, limit: 200 }),
      store.unansweredRequests(now - underWay, most),
      store.nodes(now - 900_000),
      store.countPushTroubles(now - 24 * hour),
      refusedPushes(store, now),
      store.countWaiting(now),
      store.minutes('request', 1, since),
      store.minutes('delivery', 1, since),
      store.countChanged(since),
    ])
  const needs: Waits[] = [
    ...sorted(causes)
      .slice(0, most)
      .map((one) => causeOf(view, one)),
    ...lanes
      .filter(({ state }) => state !== 'open')
      .slice(0, most)
      .map((lane) => laneWaits(view, lane)),
    ...unanswered.map((one) => unansweredWaits(view, one)),
    ...troubleWaits(view, troubles),
    ...refused.map((one) => refusedWaits(view, one)),
    ...nodesOf(nodes, now)
      .filter(isSilent)
      .map((node) => ({
        look: 'wait' as const,
        sentence: `Node ${node.host} is silent`,
        href: view.at('/health'),
        facts: html`Last seen ${view.time(node.seenAt)} · other nodes take over its work within 30 s`,
      })),
  ].sort((one, other) => weight(other) - weight(one))
  const count = total(causes, 'count') + needs.length - Math.min(causes.length, most)
  const says =
    needs.length === 0
      ? 'Nothing needs a person. Everything runs by itself.'
      : `${counted(count, 'thing needs', 'things need')} a person. ${stakeWords(causes)}Everything else runs by itself.`
  const { deadline } = workings.rates
  return {
    title: 'Now',
    live: true,
    content: html`<div id="now" data-live>${head('Now', says, html`<p class="hint">${view.time(now)} · ${view.day(now)}</p>`)}</div>
${section('Needs a person', html`<div id="needs" data-live>${needs.length === 0 ? empty('Nothing waits for a person.') : queue(needs)}</div>`)}
${section(
  'Last hour',
  html`<div class="charts" id="hour" data-live>${startsFigure(requests, now)}${endedFigure(ended)}${timesFigure('Rates, p95', requests, 'POST /e/:token/shipment_methods', now, deadline)}${deliveriesFigure(deliveries, now)}</div>`,
)}
${section('Runs by itself', html`<div id="runs" data-live>${waitingTable(view, waiting)}</div>`)}`,
  }
}

/** A refund or a capture may be under way for so long, in milliseconds. */
const underWay = 60_000

const unansweredWaits = (view: View, { kind, shopId, orderId, askedAt, ...money }: MoneyRequest): Waits => ({
  look: 'wait',
  sentence: `A ${kind} of order ${orderId} has no answer`,
  href: view.payment(shopId, orderId),
  facts: html`Asked ${view.time(askedAt)} · ask again at its payment: the key is the same, so it moves nothing twice`,
  stake: amountOf(money),
})

/** Adapters whose last push for a shop was refused within a day. */
export async function refusedPushes(store: StorePort, now: number): Promise<ServiceOutage[]> {
  const outages = await serviceOutages(store, { kind: 'push', since: now - 24 * hour, now })
  return outages.filter(({ shops }) => shops.some(({ okAt = 0, lastAt }) => okAt < lastAt))
}

const refusedWaits = (view: View, { adapter, calls, failure, lastAt, shops }: ServiceOutage): Waits => ({
  look: 'wait',
  sentence: `${counted(calls, 'push', 'pushes')} of ${adapter} could not be verified`,
  href: view.at('/health'),
  facts: html`${failure} · for ${shops[0]!.shopId}${shops.length > 1 ? ` and ${counted(shops.length - 1, 'other shop')}` : ''} · the last ${view.time(lastAt)} · nothing of them is stored`,
})

const weight = ({ look, stake = '' }: Waits): number =>
  (look === 'bad' ? 2 : 0) + (String(stake) === '' ? 0 : 1)

function laneWaits(view: View, lane: LaneView): Waits {
  const { kind, shopId, to, since = view.now, nextTryAt, lastFailure, waiting } = lane
  const href = kind === 'webhook' ? view.lane(shopId, to) : view.at(kind === 'rates' ? '/rates' : '/health')
  const waits = waiting > 0 ? ` · ${counted(waiting, 'call waits', 'calls wait')}` : ''
  const next = nextTryAt === undefined ? '' : html` · next try ${view.time(nextTryAt)}`
  return {
    look: kind === 'rates' ? 'wait' : 'bad',
    sentence: laneSentence(lane),
    href,
    facts: html`${lastFailure ?? 'no reason noted'} since ${view.time(since)}${waits}${next}`,
  }
}

/** The words for pushes in trouble: for one, for several, and what follows. */
const troubleWords = {
  given_up: ['was given up', 'were given up', 'What they say of money is not in the ledger.'],
  unmatched: [
    'names no payment that is here',
    'name no payment that is here',
    'Money without an order: search its reference.',
  ],
  failed: ['failed and is tried again', 'failed and are tried again', ''],
} as const

const troubleWaits = (view: View, troubles: Partial<Record<string, number>>): Waits[] =>
  Object.entries(troubleWords).flatMap(([outcome, [one, several, more]]) => {
    const number = troubles[outcome] ?? 0
    if (number === 0) return []
    return {
      look: outcome === 'given_up' ? 'bad' : 'wait',
      sentence: counted(number, `push ${one}`, `pushes ${several}`),
      href: view.at('/health'),
      facts: `In the last 24 h. ${more}`.trim(),
    }
  })

export const countOf = (rows: readonly MinuteSum[]): number => total(rows, 'count')

const startsFigure = (requests: readonly MinuteSum[], now: number) =>
  barsFigure('Payments started', 'a', inSteps(ofRoute(requests, 'POST /e/:token/payment'), now, countOf))

const ofRoute = (rows: readonly MinuteSum[], route: string) => rows.filter(({ label }) => label === route)

export function barsFigure(name: string, fill: Fill, perOne: readonly number[], ofAll = '') {
  const all = perOne.reduce((sum, value) => sum + value, 0)
  const label = `${name} in each of the last 60 minutes: ${all} in all, ${Math.max(...perOne)} at most`
  const marks = perOne.map((value) => ({ value, fill }))
  return figure(name, `${all.toLocaleString('en')}${ofAll}`, bars(label, marks))
}

function endedFigure({ paid = 0, cancelled = 0, expired = 0 }: Partial<Record<string, number>>) {
  const all = paid + cancelled + expired
  const label = `Of ${counted(all, 'payment')} that ended ${paid} were paid, ${cancelled} cancelled and ${expired} expired`
  const drawing = share(label, [
    { value: paid, fill: 'g' },
    { value: cancelled, fill: 'p' },
    { value: expired, fill: 'w' },
  ])
  const part = all === 0 ? '–' : `${((100 * paid) / all).toFixed(1)} %`
  return figure('Paid, of those that ended', part, drawing, [`${cancelled} cancelled`, `${expired} expired`])
}

/** The longest times of a route over an hour, beside its deadline. */
export function timesFigure(
  name: string,
  rows: readonly MinuteSum[],
  route: string,
  now: number,
  limit?: number,
) {
  const highest = (some: readonly MinuteSum[]) => Math.max(0, ...some.map(({ p95 }) => p95)) || undefined
  const values = inSteps(ofRoute(rows, route), now, highest)
  const newest = values.findLast((value) => value !== undefined)
  const deadline = limit === undefined ? '' : `; the deadline is ${limit}`
  const label = `${name} in milliseconds over an hour, at most ${Math.max(0, ...values.map((value) => value ?? 0))}${deadline}`
  const shown = newest === undefined ? '–' : `${newest.toLocaleString('en')} ms`
  return figure(name, shown, line(label, values, limit))
}

function deliveriesFigure(deliveries: readonly MinuteSum[], now: number) {
  const accepted = inSteps(deliveries, now, (some) => countOf(some) - total(some, 'failed'))
  return barsFigure('Webhooks accepted', 'g', accepted, ` of ${countOf(deliveries).toLocaleString('en')}`)
}

const works = {
  webhook: ['Webhooks to shops', 'each shop is called again on its schedule'],
  push: ['Pushes of payment services', 'processed as they come'],
  check: ['Payments to ask about', 'asked by schedule'],
} as const

type Waiting = Awaited<ReturnType<ConsoleParts['store']['countWaiting']>>

function waitingTable(view: View, waiting: Waiting) {
  const rows = waiting.map(({ kind, open, closed, dueSince, lanesClosed }) => {
    const [name, does] = works[kind]
    const probes = lanesClosed > 0 ? `; ${counted(lanesClosed, 'closed lane')} probed` : ''
    const late = dueSince === undefined ? '' : duration(Math.max(0, view.now - dueSince))
    return [name, String(open + closed), late, capitalised(`${does}${probes}`)]
  })
  return table(
    'Work in progress',
    { What: 'first', Waits: 'right', 'Due since': '', 'Next step': 'text' },
    rows,
  )
}

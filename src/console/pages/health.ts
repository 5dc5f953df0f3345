import { html } from 'hono/html'
import { problems } from '../../errors/problems.ts'
import { empty, head, pill } from '../../http/pages/parts/facts.ts'
import { table } from '../../http/pages/parts/table.ts'
import { codeOf, isSilent, nodesOf, versionsOf } from '../../observability/list-nodes.ts'
import type { ServiceOutage } from '../../payments/service-failures.ts'
import { counted, duration } from '../../printable.ts'
import { nodeLives, secretChange } from '../../shops/rotate-secret.ts'
import type { PushRecord, StorePort } from '../../store-port.ts'
import { type LaneView, listLanes } from '../../webhooks/lanes.ts'
import { hour, inSteps, minute } from '../drawings.ts'
import { type Stands, section, tasks, total } from '../parts.ts'
import type { ConsoleParts, Page, View } from '../view.ts'
import { barsFigure, countOf, refusedPushes, timesFigure } from './now.ts'
import { pushRow } from './payments.ts'
import { laneSentence } from './webhooks.ts'

/** Whether it is us: the nodes, the last hour over all of them, what is to do, and pushes in trouble. */
export async function healthPage({ store, workings }: ConsoleParts, view: View): Promise<Page> {
  const { now } = view
  const [seen, requests, adapters, troubled, refused, waiting, lanes] = await Promise.all([
    store.nodes(now - 900_000),
    store.minutes('request', 1, now - hour),
    store.minutes('adapter', 1, now - hour),
    troubledPushes(store),
    refusedPushes(store, now),
    store.countWaiting(now),
    listLanes(store, { now, limit: 200 }),
  ])
  const nodes = nodesOf(seen, now)
  const running = nodes.filter(({ runs }) => runs)
  const silent = nodes.filter(isSilent)
  const toDo = await thingsToDo(workings, view, { nodes, waiting, lanes })
  const says =
    running.length === 0
      ? 'No node runs on this store.'
      : `${counted(running.length, 'node runs', 'nodes run')}${silent.length > 0 ? `, ${counted(silent.length, 'is silent', 'are silent')}` : ''}. ${toDo.length === 0 ? 'Nothing is to do.' : `${counted(toDo.length, 'thing is', 'things are')} to do.`}`
  const { deadline } = workings.rates
  const failed = inSteps(adapters, now, (rows) => total(rows, 'failed'))
  return {
    title: 'Health',
    live: true,
    content: html`<div id="health" data-live>${head('Health', says)}
${section('Nodes', html`${nodesTable(view, nodes)}<p class="hint">Work of a silent node is taken over within 30 s. Facts of a payment name the process that learned them by its first 8 characters.</p>`)}
${section(
  'Last hour',
  html`<div class="charts">${barsFigure('Requests', 'a', inSteps(requests, now, countOf))}${timesFigure('Payment start, p95', requests, 'POST /e/:token/payment', now, workings.payments.deadlines.start)}${timesFigure('Status read, p95', requests, 'GET /e/:token/payment/:id', now)}${timesFigure('Rates, p95', requests, 'POST /e/:token/shipment_methods', now, deadline)}${barsFigure('Failed calls of adapters', 'w', failed)}</div>`,
)}
${section('To do', toDo.length === 0 ? empty('Nothing is to do.', 'purveyor doctor checks the machine, the network and the configuration too.') : tasks(toDo))}
${section('Pushes in trouble', pushesTable(view, troubled, refused))}</div>`,
  }
}

async function troubledPushes(store: ConsoleParts['store']): Promise<PushRecord[]> {
  const found = await Promise.all(
    (['given_up', 'unmatched', 'failed'] as const).map((outcome) => store.pushes({ outcome, limit: 20 })),
  )
  return found.flat()
}

function nodesTable(view: View, nodes: ReturnType<typeof nodesOf>) {
  const rows = nodes.map((node) => [
    html`<strong>${node.host}</strong> <small>pid ${node.pid} · ${node.processes.map(({ id }) => id).join(', ')}</small>`,
    node.died
      ? pill('bad', 'Died')
      : isSilent(node)
        ? pill('wait', `Silent for ${duration(view.now - node.seenAt)}`)
        : pill('good', 'Works'),
    codeOf(node),
    String(node.workers),
    view.time(node.since),
    view.time(node.seenAt),
  ])
  const columns = { Node: 'first', State: 'state', Version: '', Workers: '', Since: '', Seen: '' } as const
  return table('Nodes', columns, rows, {
    none: empty('No node runs on this store.', 'Start the provider: purveyor serve.'),
  })
}

interface Found {
  nodes: ReturnType<typeof nodesOf>
  waiting: Awaited<ReturnType<StorePort['countWaiting']>>
  lanes: readonly LaneView[]
}

async function thingsToDo(
  workings: ConsoleParts['workings'],
  view: View,
  { nodes, waiting, lanes }: Found,
): Promise<Stands[]> {
  const toDo: Stands[] = []
  const add = (name: string, says: Stands['says']) => toDo.push({ name, says, state: pill('wait', 'To do') })
  if (!nodes.some(({ runs }) => runs))
    add('Nodes', html`No node was seen in ${nodeLives / 1_000} s. Start the provider.`)
  for (const { host } of nodes.filter(isSilent))
    add('Nodes', html`A process on ${host} has written nothing for 35 s. Look at its machine.`)
  const versions = versionsOf(nodes)
  if (versions.length > 1) add('Versions', html`Nodes run ${versions.join(' and ')}. Finish the upgrade.`)
  for (const { kind, dueSince } of waiting)
    if (dueSince !== undefined && view.now - dueSince > minute)
      add('Work that is late', html`A ${kind} is due since ${view.time(dueSince)} and no node makes it.`)
  for (const lane of lanes)
    if (lane.state !== 'open' && (lane.kind === 'push' || lane.kind === 'starts'))
      add(
        'Payment service',
        html`${laneSentence(lane)}: ${lane.lastFailure ?? 'no reason noted'}, since ${view.time(lane.since ?? view.now)}.`,
      )
  const { seal } = workings
  if (seal.opens().length > 1) {
    const left = (await secretChange(workings))?.left ?? 0
    if (left > 0)
      add(
        'Secret',
        html`The previous secret still opens ${counted(left, 'text')}. They are encrypted anew by themselves; then remove PURVEYOR_PREVIOUS_SECRET.`,
      )
  }
  return toDo
}

const pushesTable = (view: View, pushes: readonly PushRecord[], refused: readonly ServiceOutage[]) =>
  table(
    'Pushes in trouble',
    { Push: 'first', State: 'state', Shop: '', Came: '', Names: '' },
    [
      ...refused.flatMap(({ adapter, shops }) =>
        shops.map(({ shopId, calls, lastAt, failure }) => ({
          cells: [
            html`${adapter} <small>${counted(calls, 'call')}</small>`,
            pill('bad', 'Not verified'),
            html`<a href="${view.shop(shopId)}">${shopId}</a>`,
            view.time(lastAt),
            '',
          ],
          under: `${failure}. ${problems.PUSH_NOT_VERIFIED.remedy}`,
        })),
      ),
      ...pushes.map((push) => {
        const { cells, under } = pushRow(view, push)
        const search = (name: string) => html`<a href="${view.at('/payments', { q: name })}">${name}</a> `
        return { cells: [...cells, push.names.slice(0, 3).map(search)], under }
      }),
    ],
    { none: empty('Every push of the last 30 days went well.') },
  )

import type { Registry } from '@prometheus-io/client'
import type { Parts } from '../parts.ts'
import type { Counts } from '../store-port.ts'
import { collecting, type Figures } from './collected.ts'
import { nodesOf, thisMachine } from './list-nodes.ts'

/** How long the store's figures are cached, in milliseconds. */
const askedFor = 1_000
/** The limit for the store, in milliseconds. The other metrics do not wait longer for it. */
const storePatience = 1_000

const lateBy = (since: number | undefined, now: number): number =>
  since === undefined ? 0 : Math.max(0, now - since) / 1_000

/** Reads the figures of the store. `undefined`: it does not answer; `purveyor_store_up` reports it, the other metrics are still served. */
function storeReader({ store, world }: Parts<'store' | 'world'>) {
  const tooLate = () =>
    new Promise<never>((_resolve, reject) => setTimeout(reject, storePatience, new Error('too late')).unref())
  const ask = async () => {
    try {
      const counts = Promise.all([store.countAll(world.now()), store.nodes(0), store.check()])
      const [{ webhooks, ...others }, nodes] = await Promise.race([counts, tooLate()])
      return { ...webhooks, ...others, nodes }
    } catch {
      return undefined
    }
  }
  let asked: { at: number; answer: ReturnType<typeof ask> } | undefined
  return () => {
    if (!asked || performance.now() - asked.at > askedFor) asked = { at: performance.now(), answer: ask() }
    return asked.answer
  }
}

type Stored = NonNullable<Awaited<ReturnType<ReturnType<typeof storeReader>>>>
type Label = 'kind' | 'lane'
type Read = Figures<Label> | number

/** Metrics of the store's content. Every process of one store reports the same: use the maximum of several, not the sum. */
export function watchStore(workings: Parts<'store' | 'world'>, registers: Registry[]): void {
  const { world } = workings
  const stored = storeReader(workings)
  const max = collecting(registers, 'max')
  const labelled = (name: string, help: string, labelNames: Label[], read: (stored: Stored) => Read) =>
    max(name, help, labelNames, async () => {
      const now = await stored()
      return now && read(now)
    })
  const plain = (name: string, help: string, read: (stored: Stored) => number) =>
    labelled(name, help, [], read)

  plain('purveyor_webhooks_owed', 'Webhooks that are still to be delivered', ({ owed }) => owed)
  plain(
    'purveyor_oldest_owed_webhook_seconds',
    'How long the oldest of these webhooks has waited; 0 if there is none',
    ({ owedSince }) => lateBy(owedSince, world.now()),
  )
  plain(
    'purveyor_webhooks_unread',
    'Webhooks that a shop accepted 15 minutes ago or more, and has not read the status since',
    ({ unread }) => unread,
  )
  plain('purveyor_dead_letters', 'Webhooks that were given up and not sent again', ({ dead }) => dead)
  plain(
    'purveyor_nodes_silent',
    'Processes of all machines that have not written to the store for 35 s to 15 minutes: they hang, cannot write, or were killed and not replaced',
    ({ nodes }) => nodesOf(nodes, world.now(), thisMachine).reduce((sum, { silent }) => sum + silent, 0),
  )
  labelled(
    'purveyor_waiting',
    'Waiting webhooks and pushes by the state of their lane, and payment checks that are due',
    ['kind', 'lane'],
    ({ waiting }) =>
      waiting.flatMap(({ kind, open, closed }) => [
        [{ kind, lane: 'open' }, open] as const,
        ...(kind === 'check' ? [] : [[{ kind, lane: 'closed' }, closed] as const]),
      ]),
  )
  labelled(
    'purveyor_lag_seconds',
    'How long the earliest call has been due, closed lanes left out; 0 if none is late',
    ['kind'],
    ({ waiting }) => waiting.map(({ kind, dueSince }) => [{ kind }, lateBy(dueSince, world.now())] as const),
  )
  labelled(
    'purveyor_lanes_closed',
    'Closed lanes: their other side fails, so only single calls probe them',
    ['kind'],
    ({ waiting }) =>
      waiting.flatMap(({ kind, lanesClosed }) =>
        kind === 'check' ? [] : [[{ kind }, lanesClosed] as const],
      ),
  )
  labelled(
    'purveyor_anomalies_open',
    'Open anomalies by kind: payments that need review',
    ['kind'],
    ({ anomalies }) => byKind(anomalies),
  )
  labelled(
    'purveyor_anomaly_causes',
    'Causes of open anomalies by kind, among the newest 5,000: anomalies of one outage have one cause',
    ['kind'],
    ({ causes }) => byKind(causes),
  )
  collecting(registers, 'min')(
    'purveyor_store_up',
    '1 while the store answers and accepts writes',
    [],
    async () => ((await stored()) ? 1 : 0),
  )
}

const byKind = (counts: Counts['anomalies']) =>
  Object.entries(counts).map(([kind, count]) => [{ kind }, count] as const)

import { Gauge, type Registry } from '@prometheus-io/client'
import type { Waiting } from '../store.ts'
import type { Workings } from '../use-cases/workings.ts'

/** For so many milliseconds the store is not asked again, whoever looks. */
const askedFor = 1_000
/** How long the store may take, in milliseconds: the rest of the numbers does not wait for one that is away. */
const storePatience = 1_000

type WaitLabel = 'kind' | 'lane'
type ReadWaiting = (waiting: Waiting) => (readonly [Partial<Record<WaitLabel, string>>, number])[]

const lateBy = (since: number | undefined, now: number): number =>
  since === undefined ? 0 : Math.max(0, now - since) / 1_000

/** What the store holds. Every process on one store reports the same: take the highest of several, not their sum. */
export function watchStore({ store, world }: Workings, register: Registry): void {
  const tooLate = () =>
    new Promise<never>((_resolve, reject) => setTimeout(reject, storePatience, new Error('too late')).unref())
  const ask = async () => {
    try {
      const counts = Promise.all([
        store.countWebhooks(),
        store.countAnomalies(),
        store.countUnread(world.now()),
        store.countWaiting(world.now()),
        store.check(),
      ])
      const [webhooks, anomalies, unread, waiting] = await Promise.race([counts, tooLate()])
      return { ...webhooks, anomalies, unread, waiting }
    } catch {
      // `purveyor_store_up` reports it; the other metrics are served all the same.
      return undefined
    }
  }
  let asked: { at: number; answer: ReturnType<typeof ask> } | undefined
  const stored = () => {
    if (!asked || performance.now() - asked.at > askedFor) asked = { at: performance.now(), answer: ask() }
    return asked.answer
  }
  type Stored = NonNullable<Awaited<ReturnType<typeof ask>>>
  const gauge = (name: string, help: string, read: (stored: Stored) => number): Gauge => {
    const made: Gauge = new Gauge({
      registers: [register],
      aggregator: 'max',
      name,
      help,
      async collect() {
        const now = await stored()
        if (now) made.set(read(now))
        else made.remove()
      },
    })
    return made
  }
  gauge('purveyor_webhooks_owed', 'Webhooks that are owed', ({ owed }) => owed)
  gauge(
    'purveyor_oldest_owed_webhook_seconds',
    'For how long the oldest of them is owed; 0 when none is',
    ({ owedSince }) => lateBy(owedSince, world.now()),
  )
  gauge(
    'purveyor_webhooks_unread',
    'Webhooks that a shop accepted 15 minutes ago or more, without reading the status since',
    ({ unread }) => unread,
  )
  gauge(
    'purveyor_dead_letters',
    'Webhooks that were given up, until somebody sends them again',
    ({ dead }) => dead,
  )
  const waits = (name: string, help: string, labels: WaitLabel[], read: ReadWaiting): void => {
    const made: Gauge<WaitLabel> = new Gauge({
      registers: [register],
      aggregator: 'max',
      name,
      help,
      labelNames: labels,
      async collect() {
        made.reset()
        const waiting = (await stored())?.waiting ?? []
        for (const one of waiting) for (const [on, value] of read(one)) made.set(on, value)
      },
    })
  }
  waits(
    'purveyor_waiting',
    'Webhooks, pushes and checks of payments that wait, by the state of their lane; of checks those that are due',
    ['kind', 'lane'],
    ({ kind, open, closed }) => [
      [{ kind, lane: 'open' }, open],
      ...(kind === 'check' ? [] : [[{ kind, lane: 'closed' }, closed] as const]),
    ],
  )
  waits(
    'purveyor_lag_seconds',
    'For how long the earliest call that could be made is due; closed lanes do not count; 0 when none is late',
    ['kind'],
    ({ kind, dueSince }) => [[{ kind }, lateBy(dueSince, world.now())]],
  )
  waits(
    'purveyor_lanes_closed',
    'Lanes whose other side fails, so that single calls probe them',
    ['kind'],
    ({ kind, lanesClosed }) => (kind === 'check' ? [] : [[{ kind }, lanesClosed]]),
  )
  const anomalies: Gauge<'kind'> = new Gauge({
    registers: [register],
    aggregator: 'max',
    name: 'purveyor_anomalies_open',
    help: 'Open anomalies by kind: payments that need review, until a person closes them',
    labelNames: ['kind'],
    async collect() {
      anomalies.reset()
      for (const [kind, count] of Object.entries((await stored())?.anomalies ?? {}))
        anomalies.set({ kind }, count)
    },
  })
  const up: Gauge = new Gauge({
    registers: [register],
    aggregator: 'min',
    name: 'purveyor_store_up',
    help: '1 while the store answers and takes writes',
    async collect() {
      up.set((await stored()) ? 1 : 0)
    },
  })
}

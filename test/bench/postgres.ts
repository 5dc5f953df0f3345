import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { postgresStore } from '../../src/stores/postgres.ts'
import { type PostgresServer, startPostgres } from '../postgres.ts'
import { printResult } from '../results/line.ts'
import { graphileDeliveries } from './postgres/graphile.ts'
import { deliverer } from './webhooks/deliverer.ts'

// Payment starts per second on PostgreSQL by 1, 2 and 4 nodes, each a process with 32 concurrent callers, beside the same rows
// by the bare driver in one process. Deliveries per second beside graphile-worker, which makes the same calls as jobs.

const callers = 32
const lanes = 100
const warmUp = 2_000
/** The orders of one node stay clear of those of the next. */
const ordersEach = 100_000_000

export async function run(quick: boolean): Promise<void> {
  const starts = quick ? 1_600 : 9_600
  const calls = quick ? 1_000 : 5_000
  const rounds = quick ? 3 : 5
  const server = await startPostgres()
  const receiver = fork(new URL('./webhooks/receiver.ts', import.meta.url))
  const nodes: ChildProcess[] = []
  const results = {
    nodes_1: [],
    nodes_2: [],
    nodes_4: [],
    raw: [],
    deliveries: [],
    graphile_worker: [],
  } as Record<string, number[]>
  try {
    const [{ url }] = (await once(receiver, 'message')) as [{ url: string }]
    const ours = await emptied(server)
    for (let number = 0; number < 4; number++)
      nodes.push(await node('purveyor', ours, (number + 1) * ordersEach))
    const raw = await node('raw', await emptied(server), 0)
    nodes.push(raw)
    // Measures a node that has run for a while.
    await startsPerSecond(nodes, warmUp * nodes.length)

    for (let round = 0; round < rounds; round++) {
      results.nodes_1!.push(await startsPerSecond(nodes.slice(0, 1), starts))
      results.nodes_2!.push(await startsPerSecond(nodes.slice(0, 2), starts))
      results.nodes_4!.push(await startsPerSecond(nodes.slice(0, 4), starts))
      results.raw!.push(await startsPerSecond([raw], starts))
      results.deliveries!.push(await deliveriesPerSecond(await server.database(), url, calls))
      results.graphile_worker!.push(await graphileDeliveries(await server.database(), url, calls))
    }
    print(results, { starts, calls, rounds })
  } finally {
    await Promise.all(
      nodes.map((child) => {
        child.disconnect()
        return once(child, 'exit')
      }),
    )
    receiver.disconnect()
    await server.remove()
  }
}

/** A database with the tables of the store. */
async function emptied(server: PostgresServer): Promise<string> {
  const url = await server.database()
  const store = postgresStore({ url })
  await store.open()
  await store.close()
  return url
}

async function node(kind: 'purveyor' | 'raw', url: string, first: number): Promise<ChildProcess> {
  const child = fork(new URL('./postgres/node.ts', import.meta.url), [kind, url, String(first)])
  await once(child, 'message')
  return child
}

async function startsPerSecond(nodes: readonly ChildProcess[], starts: number): Promise<number> {
  const since = performance.now()
  await Promise.all(
    nodes.map((child) => {
      const done = once(child, 'message')
      child.send({ starts: starts / nodes.length, callers })
      return done
    }),
  )
  return (starts / (performance.now() - since)) * 1000
}

async function deliveriesPerSecond(databaseUrl: string, url: string, calls: number): Promise<number> {
  const delivery = await deliverer({ url, calls, lanes, hanging: 0, databaseUrl })
  const since = performance.now()
  await delivery.until(calls)
  const perSecond = (calls / (performance.now() - since)) * 1000
  await delivery.close()
  return perSecond
}

const median = (list: number[]) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]!
const round2 = (value: number) => Math.round(value * 100) / 100

function print(
  results: Record<string, number[]>,
  about: { starts: number; calls: number; rounds: number },
): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  console.log(
    `${about.rounds} rounds of ${about.starts} payment starts, ${callers} callers for each node, and ${about.calls} calls for ${lanes} shops, Node ${process.versions.node}, ${availableParallelism()} cores, commit ${commit}`,
  )
  for (const [name, list] of Object.entries(results)) {
    console.log(
      `  ${name.padEnd(15)} ${Math.round(median(list)).toString().padStart(6)} per second   ${Math.round(Math.min(...list))} - ${Math.round(Math.max(...list))}`,
    )
  }
  const of = (name: string) => median(results[name]!)
  printResult({
    bench: 'postgres',
    vs_raw: round2(of('nodes_1') / of('raw')),
    nodes_2: round2(of('nodes_2') / of('nodes_1')),
    nodes_4: round2(of('nodes_4') / of('nodes_1')),
    vs_graphile_worker: round2(of('deliveries') / of('graphile_worker')),
  })
}

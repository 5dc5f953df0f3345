import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '../postgres.ts'
import { printResult } from '../results/line.ts'
import { median, perSecond, printSpreads, rounded, sorted } from './measure.ts'
import { graphileDeliveries } from './postgres/graphile.ts'
import type { NodeTask } from './postgres/node.ts'
import { deliverer } from './webhooks/deliverer.ts'
import { openReceiver } from './webhooks/open-receiver.ts'

// Payment starts per second on PostgreSQL by 1, 2 and 4 nodes, each a process with 32 concurrent callers, beside the same rows by the bare
// driver in as many processes; on a server near by and on one whose answers take 1 and 5 ms longer. How long a start takes at 60 a second on
// four nodes that are 5 ms away. Deliveries per second beside graphile-worker, which makes the same calls as jobs.

const callers = 32
const lanes = 100
const warmUp = 500
/** Rounds of deliveries that are not counted: each side runs for a while first, as the nodes do. */
const warmRounds = 5
/** A round takes half a second and differs by a third, so there are twice as many, and one for the middle. */
const deliveryRounds = (rounds: number) => rounds * 2 + 1
const delays = [0, 1, 5]
const counts = [1, 2, 4]
const paceOfAll = 60
const paceBesideFrozen = 200
/** The orders of one node stay clear of those of the next. */
const ordersEach = 100_000_000

type Results = Record<string, number[]>

export async function run(quick: boolean): Promise<void> {
  const sizes = quick
    ? { starts: 800, calls: 1_000, rounds: 3, seconds: 5 }
    : { starts: 4_800, calls: 5_000, rounds: 5, seconds: 30 }
  await using server = await startPostgres()
  const results: Results = {}
  for (const delay of delays) await measureStarts(server, delay, sizes, results)
  await measureDeliveries(server, sizes, results)
  print(results, sizes)
}

type Sizes = { starts: number; calls: number; rounds: number; seconds: number }

async function measureStarts(
  server: PostgresServer,
  delay: number,
  { starts, rounds, seconds }: Sizes,
  results: Results,
): Promise<void> {
  const network = fork(new URL('./postgres/delay.ts', import.meta.url), [String(server.port), String(delay)])
  const children: ChildProcess[] = [network]
  await using ends = new AsyncDisposableStack()
  ends.defer(async () => {
    const ended = children.map((child) => once(child, 'exit'))
    for (const child of children) child.disconnect()
    await Promise.all(ended)
  })
  const [port] = (await once(network, 'message')) as [number]
  const nodesOf = async (kind: 'purveyor' | 'raw') => {
    const url = Object.assign(new URL(await server.databaseWithTables()), { port: String(port) }).href
    const nodes: ChildProcess[] = []
    for (let number = 1; number <= counts.at(-1)!; number++) {
      nodes.push(await node(kind, url, number * ordersEach))
      children.push(nodes.at(-1)!)
    }
    // Measures nodes that have run for a while.
    await startsPerSecond(nodes, warmUp * nodes.length)
    return nodes
  }
  const [ours, raw] = [await nodesOf('purveyor'), await nodesOf('raw')]
  for (let round = 0; round < rounds; round++)
    for (const count of counts) {
      const name = `${count} nodes, ${delay} ms`
      add(results, name, await startsPerSecond(ours.slice(0, count), starts))
      add(results, `${name}, bare`, await startsPerSecond(raw.slice(0, count), starts))
    }
  if (delay === delays.at(-1)) results.paced = await paced(ours, paceOfAll, seconds)
  if (delay === 0)
    for (let round = 0; round < rounds; round++)
      add(results, 'frozen', await besideFrozen(ours.slice(0, 2), Math.min(seconds, 10)))
}

async function measureDeliveries(
  server: PostgresServer,
  { calls, rounds }: Sizes,
  results: Results,
): Promise<void> {
  await using receiver = await openReceiver()
  for (let round = -warmRounds; round < deliveryRounds(rounds); round++) {
    const ours = await deliveriesPerSecond(await server.database(), receiver.url, calls)
    const theirs = await graphileDeliveries(await server.database(), receiver.url, calls)
    if (round < 0) continue
    add(results, 'deliveries', ours)
    add(results, 'graphile-worker', theirs)
  }
}

const add = (results: Results, name: string, value: number) =>
  (results[name] = [...(results[name] ?? []), value])

async function node(kind: 'purveyor' | 'raw', url: string, first: number): Promise<ChildProcess> {
  const child = fork(new URL('./postgres/node.ts', import.meta.url), [kind, url, String(first)])
  await once(child, 'message')
  return child
}

async function ask<Answer>(child: ChildProcess, task: NodeTask): Promise<Answer> {
  const answer = once(child, 'message')
  child.send(task)
  return (await answer)[0] as Answer
}

const startsPerSecond = (nodes: readonly ChildProcess[], starts: number): Promise<number> =>
  perSecond(starts, () =>
    Promise.all(nodes.map((child) => ask(child, { starts: starts / nodes.length, callers }))),
  )

/**
 * How much longer the slowest hundredth of 200 starts a second takes on a node while another one, which was writing, stands still. `seconds`
 * before it and meanwhile.
 */
async function besideFrozen([one, other]: readonly ChildProcess[], seconds: number): Promise<number> {
  const p99 = async () => nearWorst(await paced([one!], paceBesideFrozen, seconds))
  const [before] = await Promise.all([p99(), paced([other!], paceOfAll, seconds)])
  const writing = paced([other!], paceOfAll, 1)
  await sleep(500)
  other!.kill('SIGSTOP')
  const meanwhile = await p99()
  other!.kill('SIGCONT')
  await writing
  return meanwhile / before
}

/** How long each start took, in milliseconds, at so many a second of all nodes. */
async function paced(nodes: readonly ChildProcess[], pace: number, seconds: number): Promise<number[]> {
  const took = nodes.map((child) => ask<number[]>(child, { perSecond: pace / nodes.length, seconds }))
  return (await Promise.all(took)).flat()
}

async function deliveriesPerSecond(databaseUrl: string, url: string, calls: number): Promise<number> {
  const delivery = await deliverer({ url, calls, lanes, hanging: 0, databaseUrl })
  const speed = await perSecond(calls, () => delivery.until(calls))
  await delivery.close()
  return speed
}

const nearWorst = (took: readonly number[]) => sorted(took)[Math.floor(took.length * 0.99)]!

function print({ paced: took = [], frozen = [], ...results }: Results, about: Sizes): void {
  console.log(
    `${about.rounds} rounds of ${about.starts} payment starts, ${callers} callers for each node, and ${deliveryRounds(about.rounds)} rounds of ${about.calls} calls for ${lanes} shops:`,
  )
  printSpreads(results, 'per second')
  const of = (name: string) => median(results[name]!)
  const besideBare = (delay: number) =>
    counts.map((count) =>
      rounded(of(`${count} nodes, ${delay} ms`) / of(`${count} nodes, ${delay} ms, bare`)),
    )
  const [one, two, four] = besideBare(0)
  printResult({
    bench: 'postgres',
    vs_raw: one,
    nodes_2: two,
    nodes_4: four,
    delay_1: besideBare(1),
    delay_5: besideBare(5),
    paced_p50_ms: rounded(median(took)),
    paced_p99_ms: rounded(nearWorst(took)),
    frozen_p99_ratio: rounded(median(frozen)),
    vs_graphile_worker: rounded(of('deliveries') / of('graphile-worker')),
  })
}

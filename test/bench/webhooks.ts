import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { printResult, spread } from '../results/line.ts'
import { deliverer } from './webhooks/deliverer.ts'

// Deliveries per second to a receiver in a process of its own: every call claimed, made, noted and settled on SQLite with
// FULL. Beside it a bare undici loop with as many calls open at a time, which notes nothing.

const lanes = 100
const openAtOnce = 256
/** Rounds that are not counted: deliveries and the bare loop run for a while first. */
const warmRounds = 3
/** How long after its end the connections of a part are closed, in milliseconds: the next part does not pay for it. */
const closedAfter = 250

export async function run(quick: boolean): Promise<void> {
  const calls = quick ? 2_000 : 10_000
  const rounds = quick ? 3 : 5
  const receiver = fork(new URL('./webhooks/receiver.ts', import.meta.url))
  const [{ url }] = (await once(receiver, 'message')) as [{ url: string }]
  const results = { purveyor: [], with_hanging: [], raw: [] } as Record<string, number[]>
  try {
    for (let round = 0; round < warmRounds; round++) {
      await bareLoop(url, calls)
      await deliveries(url, calls, 0)
    }
    for (let round = 0; round < rounds; round++) {
      results.purveyor!.push(await deliveries(url, calls, 0))
      results.with_hanging!.push(await deliveries(url, calls, 1))
      results.raw!.push(await bareLoop(url, calls))
    }
    print(results, calls, rounds)
  } finally {
    receiver.disconnect()
  }
}

/** Calls per second until every receiver that answers got its webhook; `hanging`: how many of the 100 shops never answer. */
async function deliveries(url: string, calls: number, hanging: number): Promise<number> {
  const delivery = await deliverer({ url, calls, lanes, hanging })
  const delivered = calls - (calls / lanes) * hanging
  const since = performance.now()
  await delivery.until(delivered)
  const perSecond = (delivered / (performance.now() - since)) * 1000
  await delivery.close()
  await sleep(closedAfter)
  return perSecond
}

async function bareLoop(url: string, calls: number): Promise<number> {
  const { origin } = new URL(url)
  const pool = new Pool(origin, { connections: openAtOnce })
  let left = calls
  const since = performance.now()
  await Promise.all(
    Array.from({ length: openAtOnce }, async () => {
      while (left-- > 0) {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ order_id: left })
        const answer = await pool.request({ method: 'POST', path: '/webhook?order=1', headers, body })
        await answer.body.dump()
      }
    }),
  )
  const perSecond = (calls / (performance.now() - since)) * 1000
  await pool.close()
  await sleep(closedAfter)
  return perSecond
}

const median = (list: number[]) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]!
const round2 = (value: number) => Math.round(value * 100) / 100

function print(results: Record<string, number[]>, calls: number, rounds: number): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  console.log(
    `${rounds} rounds of ${calls} calls for ${lanes} shops, Node ${process.versions.node}, ${availableParallelism()} cores, commit ${commit}`,
  )
  for (const [name, list] of Object.entries(results))
    console.log(
      `  ${name.padEnd(13)} ${Math.round(median(list)).toString().padStart(6)} per second   ${Math.round(Math.min(...list))} - ${Math.round(Math.max(...list))}`,
    )
  const of = (name: string) => median(results[name]!)
  printResult({
    bench: 'webhooks',
    per_second: spread(results.purveyor!),
    per_second_with_hanging: spread(results.with_hanging!),
    vs_raw: round2(of('purveyor') / of('raw')),
    with_hanging: round2(of('with_hanging') / of('purveyor')),
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { printResult, spread } from '../results/line.ts'
import { times } from '../together.ts'
import { median, perSecond, printSpreads, rounded } from './measure.ts'
import { deliverer } from './webhooks/deliverer.ts'
import { openReceiver } from './webhooks/open-receiver.ts'

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
  await using receiver = await openReceiver()
  const { url } = receiver
  const results = { purveyor: [], with_hanging: [], raw: [] } as Record<string, number[]>
  for (let round = 0; round < warmRounds; round++) {
    await bareLoop(url, calls)
    await deliveries(url, calls, 0)
  }
  for (let round = 0; round < rounds; round++) {
    results.purveyor!.push(await deliveries(url, calls, 0))
    results.with_hanging!.push(await deliveries(url, calls, 1))
    results.raw!.push(await bareLoop(url, calls))
  }
  console.log(`${rounds} rounds of ${calls} calls for ${lanes} shops:`)
  printSpreads(results, 'per second')
  const of = (name: string) => median(results[name]!)
  printResult({
    bench: 'webhooks',
    per_second: spread(results.purveyor!),
    per_second_with_hanging: spread(results.with_hanging!),
    vs_raw: rounded(of('purveyor') / of('raw')),
    with_hanging: rounded(of('with_hanging') / of('purveyor')),
  })
}

/** Calls per second until every receiver that answers got its webhook; `hanging`: how many of the 100 shops never answer. */
async function deliveries(url: string, calls: number, hanging: number): Promise<number> {
  const delivery = await deliverer({ url, calls, lanes, hanging })
  const delivered = calls - (calls / lanes) * hanging
  const speed = await perSecond(delivered, () => delivery.until(delivered))
  await delivery.close()
  await sleep(closedAfter)
  return speed
}

async function bareLoop(url: string, calls: number): Promise<number> {
  const pool = new Pool(new URL(url).origin, { connections: openAtOnce })
  const headers = { 'content-type': 'application/json' }
  let order_id = calls
  const call = async () => {
    const body = JSON.stringify({ order_id: --order_id })
    const answer = await pool.request({ method: 'POST', path: '/webhook?order=1', headers, body })
    await answer.body.dump()
  }
  const speed = await perSecond(calls, () => times(calls, openAtOnce, call))
  await pool.close()
  await sleep(closedAfter)
  return speed
}

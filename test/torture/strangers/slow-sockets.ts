import { Agent } from 'node:http'
import { askRates } from './ask-rates.ts'
import { atPercent, start, startProvider } from './processes.ts'

export interface SlowReport {
  sockets: number
  /** When the last one was closed, in seconds. */
  last_closed_s: number
  still_open: number
  /** The slowest hundredth of normal calls beside them, against the same without them. */
  p99_ratio: number
}

export interface FloodReport {
  calls: number
  refused: number
  /** Calls of the other shop that were not answered 201. */
  failed: number
  p99_ratio: number
}

async function timed(port: number, path: string, calls: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const times: number[] = []
  let failed = 0
  for (let number = 0; number < calls; number++) {
    const { status, ms } = await askRates(port, path, agent)
    if (status !== 201) failed++
    times.push(ms)
    await new Promise((resolve) => setTimeout(resolve, 6))
  }
  agent.destroy()
  return { times, failed }
}

function ratioOfP99(beside: readonly { times: number[] }[], calm: readonly { times: number[] }[]): number {
  const p99 = (runs: readonly { times: number[] }[]) =>
    atPercent(
      runs.flatMap(({ times }) => times),
      99,
    )
  return Math.round((p99(beside) / p99(calm)) * 100) / 100
}

/** Normal calls, six times as many as `calls`, beside sockets that never come to an end; all of those are closed in the end. */
export async function trySlowSockets(sockets: number, calls = 400): Promise<SlowReport> {
  const { port, endpoints, end } = await startProvider()
  const [endpoint] = endpoints
  await timed(port, endpoint, Math.min(calls, 300))
  const calm = [
    await timed(port, endpoint, calls),
    await timed(port, endpoint, calls),
    await timed(port, endpoint, calls),
  ]
  const noise = start('./noise.ts', ['slow', String(port), endpoint, String(sockets)])
  await noise.line()
  const beside = [
    await timed(port, endpoint, calls),
    await timed(port, endpoint, calls),
    await timed(port, endpoint, calls),
  ]
  const report = JSON.parse(await noise.line()) as { last_closed_s: number; still_open: number }
  await end()
  return { sockets, ...report, p99_ratio: ratioOfP99(beside, calm) }
}

/** One shop calls ten times as often as it may; another one calls as it always does. */
export async function tryFlood(rounds: number): Promise<FloodReport> {
  const { port, endpoints, end } = await startProvider()
  const [flooding, other] = endpoints
  await timed(port, other, 300)
  const calm: { times: number[] }[] = []
  const beside: { times: number[] }[] = []
  let [calls, refused, failed] = [0, 0, 0]
  // By turns, so that what else the machine does is in both.
  for (let round = 0; round < rounds; round++) {
    const without = await timed(port, other, 300)
    const noise = start('./noise.ts', ['flood', String(port), flooding, '2000'])
    await noise.line()
    const within = await timed(port, other, 300)
    noise.child.stdin!.end()
    const counts = JSON.parse(await noise.line()) as { calls: number; refused: number }
    calls += counts.calls
    refused += counts.refused
    calm.push(without)
    beside.push(within)
    failed += without.failed + within.failed
  }
  await end()
  return { calls, refused, failed, p99_ratio: ratioOfP99(beside, calm) }
}

import { Agent } from 'node:http'
import { askRates } from './ask-rates.ts'
import { atPercent, start, startProvider } from './processes.ts'

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

type Runs = Awaited<ReturnType<typeof timed>>[]

/** The slowest hundredth of normal calls beside something, against the same without it. */
function ratioOfP99(beside: Runs, calm: Runs): number {
  const [during, before] = [beside, calm].map((runs) => {
    const all = runs.flatMap(({ times }) => times)
    return atPercent(all, 99)
  })
  return Math.round((during! / before!) * 100) / 100
}

/** Normal calls, six times as many as `calls`, beside sockets that never come to an end; all of those are closed in the end. */
export async function trySlowSockets(sockets: number, calls = 400) {
  const { port, endpoints, end } = await startProvider()
  const [endpoint] = endpoints
  await timed(port, endpoint, Math.min(calls, 300))
  const threeRuns = async () => {
    const runs: Runs = []
    while (runs.length < 3) runs.push(await timed(port, endpoint, calls))
    return runs
  }
  const calm = await threeRuns()
  const noise = start('./noise.ts', ['slow', String(port), endpoint, String(sockets)])
  await noise.line()
  const beside = await threeRuns()
  // When the last one was closed, in seconds.
  const report = JSON.parse(await noise.line()) as { last_closed_s: number; still_open: number }
  await end()
  const violations = report.still_open > 0 ? [`${report.still_open} slow sockets are still open`] : []
  return { sockets, ...report, p99_ratio: ratioOfP99(beside, calm), violations }
}

/** One shop calls ten times as often as it may; another one calls as it always does. */
export async function tryFlood(rounds: number) {
  const { port, endpoints, end } = await startProvider()
  const [flooding, other] = endpoints
  await timed(port, other, 300)
  const [calm, beside]: [Runs, Runs] = [[], []]
  let [calls, refused] = [0, 0]
  // By turns, so that what else the machine does is in both.
  for (let round = 0; round < rounds; round++) {
    calm.push(await timed(port, other, 300))
    const noise = start('./noise.ts', ['flood', String(port), flooding, '2000'])
    await noise.line()
    beside.push(await timed(port, other, 300))
    noise.child.stdin!.end()
    const counts = JSON.parse(await noise.line()) as { calls: number; refused: number }
    calls += counts.calls
    refused += counts.refused
  }
  await end()
  const failed = [...calm, ...beside].reduce((sum, run) => sum + run.failed, 0)
  const violations = failed > 0 ? [`${failed} calls of a shop beside one that floods were not answered`] : []
  return { calls, refused, failed, p99_ratio: ratioOfP99(beside, calm), violations }
}

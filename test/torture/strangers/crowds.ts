import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { payment, shopUrls } from '../../http/messages.ts'
import { startPostgres } from '../../postgres.ts'
import { temporaryFolder } from '../../temporary.ts'
import { askFor, askRates } from './ask-rates.ts'
import { atPercent, type StartedProvider, start, startVisitedProvider } from './processes.ts'

/** What a crowd asks for, again and again. `carts` are those of one shop, at the limits of size and rate. */
export const crowds = ['page', 'live', 'ready', 'ready/rates', 'openapi', 'unknown', 'carts'] as const
type CrowdOf = (typeof crowds)[number]

/** In milliseconds: the most that the median of other shops may be beside a crowd, on two quiet cores. */
const mostMs = { rates: 10, starts: 25, ready: 1_000 }
const mostMemory = 64

type Percentiles = ReturnType<typeof percentiles>
type Times<Figure = Percentiles> = Record<'rates' | 'starts' | 'ready', Figure>

const orderOf = (id: number) => JSON.stringify({ ...payment({ id, method: 'page:page' }), ...shopUrls })

/** Calls of another shop and of a balancer at a steady pace, however long an answer takes. */
async function callAsOthers({ port, endpoints: [, other] }: StartedProvider, seconds: number, from: number) {
  const agent = new Agent({ keepAlive: true })
  const failed: string[] = []
  const calls: Times<Promise<number>[]> = { rates: [], starts: [], ready: [] }
  const note = async (kind: keyof Times, call: Promise<{ status: number; ms: number }>) => {
    const { status, ms } = await call.catch((error: Error) => ({ status: error.message, ms: 0 }))
    if (status !== (kind === 'ready' ? 200 : 201)) failed.push(`${kind} ${status}`)
    return ms
  }
  const began = performance.now()
  for (let due = 0; due < seconds * 1_000; due += 40) {
    await delay(Math.max(0, began + due - performance.now()))
    const start = () => askFor(port, `${other}/payment`, agent, orderOf(from + due))
    calls.rates.push(note('rates', askRates(port, other, agent)))
    if (due % 80 === 0) calls.starts.push(note('starts', start()))
    if (due % 200 === 0) calls.ready.push(note('ready', askFor(port, '/health/ready', agent)))
  }
  const times = async (all: Promise<number>[]) => percentiles(await Promise.all(all))
  const [rates, starts, ready] = [calls.rates, calls.starts, calls.ready].map(times)
  const found = { rates: await rates!, starts: await starts!, ready: await ready! }
  agent.destroy()
  return { times: found, failed }
}

/** One crowd beside another shop, in a provider of its own on a store of this address. */
async function tryCrowd(
  of: CrowdOf,
  store: string,
  { connections, seconds }: { connections: number; seconds: number },
) {
  const provider = await startVisitedProvider(store)
  const { port, endpoints } = provider
  const agent = new Agent()
  const started = await askFor(port, `${endpoints[0]}/payment`, agent, orderOf(1))
  const page = new URL(JSON.parse(started.text).payment_url).pathname
  const paths: Record<CrowdOf, string> = {
    page,
    unknown: `/p/${'x'.repeat(43)}`,
    openapi: '/openapi.json',
    live: '/health/live',
    ready: '/health/ready',
    'ready/rates': '/health/ready/rates',
    carts: endpoints[0],
  }
  await callAsOthers(provider, Math.min(2, seconds), 1_000)
  await provider.look()
  const calm = await callAsOthers(provider, seconds, 100_000)
  const before = await provider.look()
  const number = String(of === 'carts' ? 200 : connections)
  const crowd = start('./noise.ts', [of === 'carts' ? 'carts' : 'visit', String(port), paths[of], number])
  await crowd.line()
  const beside = await callAsOthers(provider, seconds, 200_000)
  const after = await provider.look()
  crowd.child.stdin!.end()
  /** Answers to the crowd, by status, and its connections that were cut. */
  type Noise = { statuses: Record<string, number>; cut: number }
  const { statuses, cut } = JSON.parse(await crowd.line()) as Noise
  const memory = after.peak_mb - before.peak_mb
  await provider.end()
  const ratio = (kind: keyof Times) => rounded(beside.times[kind].p50_ms / calm.times[kind].p50_ms)
  const violations = [...calm.failed, ...beside.failed]
    .slice(0, 3)
    .map((what) => `${of}: a call of others failed: ${what}`)
  if (cut > 0) violations.push(`${of}: ${cut} connections were cut`)
  for (const kind of ['rates', 'starts', 'ready'] as const)
    if (beside.times[kind].p50_ms > mostMs[kind])
      violations.push(`${of}: held up others: ${kind} p50 ${beside.times[kind].p50_ms} ms`)
  if (memory > mostMemory) violations.push(`${of}: ${connections} connections cost ${memory} MB`)
  return {
    ...{ of, connections, calm: calm.times, beside: beside.times },
    // The medians beside the crowd against those without it.
    ratios: { rates: ratio('rates'), starts: ratio('starts'), ready: ratio('ready') },
    // CPU time of single turns of its event loop: the work that a call waits for, also where the machine is busy with others.
    turns: { calm: percentiles(before.turns), beside: percentiles(after.turns) },
    ...{ memory_mb: memory, statuses, cut, violations },
  }
}

/** Every crowd on both engines, or those that are named, one after the other. */
export async function runCrowds(size: { connections: number; seconds: number }, named: readonly string[]) {
  await using postgres = await startPostgres()
  using folder = temporaryFolder()
  const reports: (Awaited<ReturnType<typeof tryCrowd>> & { engine: string })[] = []
  for (const of of crowds.filter((one) => named.length === 0 || named.includes(one))) {
    const file = `sqlite:${folder.at(`${of.replace('/', '-')}.db`)}`
    reports.push({ engine: 'sqlite', ...(await tryCrowd(of, file, size)) })
    reports.push({ engine: 'postgres', ...(await tryCrowd(of, await postgres.databaseWithTables(), size)) })
    for (const report of reports.slice(-2)) console.log(JSON.stringify(report))
  }
  return reports
}

const percentiles = (each: number[]) => ({
  p50_ms: rounded(atPercent(each, 50)),
  p99_ms: rounded(atPercent(each, 99)),
})

const rounded = (value: number): number => Math.round(value * 100) / 100

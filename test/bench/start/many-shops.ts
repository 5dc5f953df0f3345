import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Pool } from 'undici'
import { createProvider } from '../../../src/index.ts'
import { hashToken } from '../../../src/shops/seal.ts'
import { together } from '../../together.ts'
import { quote } from '../http/quote.ts'
import { median, rounded } from '../measure.ts'

/** So many shops are looked up, and the metrics are read so often. */
const lookedUp = 200
const reads = 5
const atOnce = 16
/** So many calls come first. */
const warmUp = 3_000
/** The figures of the store are kept for a second. */
const metricsAreOld = 1_100

/** Adds shops to a store. Resolves with the tokens of their endpoints. */
export async function addShops(store: string, secret: string, shops: number): Promise<string[]> {
  const logger = pino({ level: 'silent' })
  const rates = { name: 'bench', quote: () => [] }
  const provider = createProvider({ store, secret, development: true, logger, rates })
  const list = Array.from({ length: shops }, (_, number) => ({
    id: `shop-${String(number).padStart(5, '0')}`,
    hosts: [`shop-${number}.example`, `www.shop-${number}.example`],
  }))
  const added = await provider.shops.addAll(list)
  await provider.stop()
  return added.map(({ endpoint }) => endpoint.split('/').at(-1)!)
}

/** What a provider takes beside so many shops: its start, its metrics, a look-up, and the memory of each shop that has called. */
export async function figuresOf(store: string, secret: string, tokens: readonly string[]): Promise<Answer> {
  const child = fork(new URL('./provider.ts', import.meta.url), {
    env: { ...process.env, STORE: store, SECRET: secret },
    execArgv: ['--expose-gc'],
  })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the provider ended with ${code}`)
  })
  died.catch(() => {})
  const answered = async () => ((await Promise.race([once(child, 'message'), died])) as [Answer])[0]
  const ask = (name: string, given?: string[]) => {
    child.send({ name, given })
    return answered()
  }
  try {
    const { port, ...start } = await answered()
    const metrics: Answer[] = []
    for (let read = 0; read < reads; read++) {
      await sleep(metricsAreOld)
      metrics.push(await ask('metrics'))
    }
    const some = Array.from({ length: lookedUp }, (_, at) => hashToken(tokens[(at * 7_919) % tokens.length]!))
    const { ms: lookUp } = await ask('lookUp', some)
    const call = caller(port!)
    // What every call loads and compiles is there before memory is compared.
    await call(tokens.slice(0, 1), warmUp)
    const before = await ask('memory')
    const first = await cpuOf(ask, () => call(tokens, tokens.length))
    const after = await ask('memory')
    const again = await cpuOf(ask, () => call(tokens, tokens.length))
    call.end()
    const each = (name: 'heapUsed' | 'rss') =>
      rounded((after[name]! - before[name]!) / 1_024 / (tokens.length - 1))
    return {
      start_ms: Math.round(start.start_ms!),
      start_cpu_ms: Math.round(start.start_cpu_ms!),
      metrics_ms: rounded(median(metrics.map(({ ms }) => ms!))),
      metrics_cpu_ms: rounded(median(metrics.map(({ cpu }) => cpu!))),
      metrics_bytes: metrics.at(-1)!.bytes!,
      lookup_ms: rounded(lookUp!),
      first_call_us: Math.round(first / tokens.length),
      next_call_us: Math.round(again / tokens.length),
      heap_kb_per_shop: each('heapUsed'),
      rss_kb_per_shop: each('rss'),
    }
  } finally {
    await end(child)
  }
}

type Answer = Record<string, number>

async function cpuOf(ask: (name: string) => Promise<Answer>, work: () => Promise<void>): Promise<number> {
  const { us: before } = await ask('cpu')
  await work()
  return (await ask('cpu')).us! - before!
}

/** Asks for rates of one shop after the other, over 16 connections. */
function caller(port: number) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: atOnce })
  const headers = { 'content-type': 'application/json' }
  const call = async (tokens: readonly string[], calls: number): Promise<void> =>
    together(atOnce, Array(calls).keys(), async (number) => {
      const path = `/e/${tokens[number % tokens.length]}/shipment_methods`
      const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: quote })
      await body.dump()
      if (statusCode !== 201) throw new Error(`answered ${statusCode}`)
    })
  return Object.assign(call, { end: () => void pool.destroy() })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
}

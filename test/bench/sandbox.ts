import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ProviderProcess } from '../../src/cli/provider/process.ts'
import { createSandbox, pressOnPage } from '../../src/sandbox/index.ts'
import { builtPackage } from '../built.ts'
import { postJson } from '../http/post.ts'
import { printResult } from '../results/line.ts'
import { temporaryFolder } from '../temporary.ts'
import { times } from '../together.ts'
import { median } from './measure.ts'

// (a) how long `purveyor sandbox` of the built package takes from its start as a process to its ready line, and how much CPU time; (b) how many whole checkouts it plays in a
// minute beside template full, which has a process and a SQLite file of its own; (c) how its memory grows while a client lists a million
// products by since_id.

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const providerFile = fileURLToPath(new URL('./sandbox/provider.ts', import.meta.url))
const atOnce = 4

export async function run(quick: boolean): Promise<void> {
  const built = join(await builtPackage(), 'dist/cli/main.js')
  const starts: { ms: number; cpuMs: number }[] = []
  // The first one keeps what it compiled.
  for (let round = 0; round <= (quick ? 3 : 9); round++) starts.push(await startOnce(built))
  starts.shift()
  const ready = Math.round(median(starts.map(({ ms }) => ms)))
  const cpu = Math.round(median(starts.map(({ cpuMs }) => cpuMs)))
  console.log(`ready after ${starts.map(({ ms }) => Math.round(ms)).join(', ')} ms, ${cpu} ms of CPU time`)
  const { checkouts, seconds, faults } = await checkoutsOf(quick ? 100 : 1_000)
  console.log(
    `${checkouts} orders from cart to paid in ${seconds.toFixed(1)} s, ${atOnce} at once, ${faults} faults`,
  )
  const products = quick ? 100_000 : 1_000_000
  const walk = await walkOf(products)
  console.log(
    `${products} products by since_id in ${walk.seconds.toFixed(1)} s, ${walk.served} served; memory ${walk.memory.join(', ')} MB on the way`,
  )
  printResult({
    bench: 'sandbox',
    start_ms: ready,
    start_cpu_ms: cpu,
    products_served: walk.served,
    memory_growth_mb: walk.memory.at(-1)! - walk.memory[0]!,
    checkouts_per_minute: Math.round((checkouts / seconds) * 60),
    faults,
  })
}

/** Resolves once it has printed its ready line. */
async function startSandbox(program: string, ...more: string[]) {
  const child = spawn(process.execPath, [program, 'sandbox', '--port', '0', '--json', ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  type Ready = { sandbox: string; api: Record<'baseUrl' | 'key' | 'secret', string> }
  return { child, ready: JSON.parse(String(line)) as Ready }
}

async function startOnce(program: string): Promise<{ ms: number; cpuMs: number }> {
  const since = performance.now()
  const { child } = await startSandbox(program)
  const ms = performance.now() - since
  const cpuMs = cpuMsOf(child.pid!)
  child.kill()
  await once(child, 'exit')
  return { ms, cpuMs }
}

/** The CPU time of a process so far, in milliseconds, of user and system. Linux counts it in steps of 10 ms. */
function cpuMsOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11)
  return (Number(user) + Number(system)) * 10
}

/** A client lists every product of a shop with many. `memory`: of the shop's process after each fifth of the way, in MB. */
async function walkOf(products: number) {
  using folder = temporaryFolder()
  const seed = folder.at('products.ndjson')
  const description = 'x'.repeat(200)
  const file = createWriteStream(seed)
  for (let id = 1; id <= products; id++) {
    const line = JSON.stringify({ id, title: `Product ${id}`, priceExcl: 9.5, weight: 100, description })
    if (!file.write(`${line}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
  const { child, ready } = await startSandbox(main, '--seed', seed)
  const { sandbox, api } = ready
  const authorization = `Basic ${Buffer.from(`${api.key}:${api.secret}`).toString('base64')}`
  const memory: number[] = []
  const since = performance.now()
  let served = 0
  for (let last = 0, calls = 0; ; calls++) {
    // Before the limit of calls in 5 minutes, an hour and a day.
    if (calls % 250 === 0) await postJson(`${sandbox}/clock`, { by: '3h' })
    const url = `${api.baseUrl}/en/products.json?limit=250&since_id=${last}`
    const answer = await fetch(url, { headers: { authorization } })
    const page = ((await answer.json()) as { products: { id: number }[] }).products
    if (page.length === 0) break
    served += page.length
    last = page.at(-1)!.id
    if (served % (products / 5) === 0) memory.push(residentMb(child.pid!))
  }
  const seconds = (performance.now() - since) / 1000
  child.kill()
  await once(child, 'exit')
  return { served, seconds, memory }
}

const residentMb = (pid: number): number =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024)

async function checkoutsOf(checkouts: number) {
  using folder = temporaryFolder()
  const env = { PORT: '0', PURVEYOR_DATABASE_URL: `sqlite:${folder.at('provider.db')}` }
  const provider = new ProviderProcess(providerFile, { env })
  const { endpoint, services } = await provider.start()
  const shop = createSandbox({ endpoint, services })
  await shop.listen()
  const one = async () => {
    await shop.estimate({ country: 'nl', zipcode: '1016GV' })
    const order = await shop.checkout().placeOrder()
    await pressOnPage(order.paymentUrl!, 'paid')
    const { status } = await shop.returnToShop(order.id)
    if (status !== 'paid') throw new Error(`order ${order.number} is ${status}`)
  }
  const since = performance.now()
  await times(checkouts, atOnce, one)
  const seconds = (performance.now() - since) / 1000
  const faults = shop.calls.reduce((sum, call) => sum + call.faults.length, 0)
  await shop.close()
  await provider.stop()
  return { checkouts, seconds, faults }
}

import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { payment } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { end } from '../../journey/project.ts'
import { sharedPostgres } from '../../postgres.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { commandsIn, folderWith, saying, serving } from '../command.ts'

/** A provider that says which process it is, and pays the orders that the test names. */
const source = `import { createProvider } from 'purveyor'
const provider = createProvider({
  http: { limits: { perSecond: 100_000, burst: 100_000, concurrent: 1_000 } },
  rates: { name: 'pid', quote: () => [{ id: String(process.pid), title: 'pid', price_incl: 1, price_excl: 1, tax_rate: 0 }] },
  payments: {
    name: 'psp',
    methods: () => [{ id: 'card', title: 'Card' }],
    idempotency: { ttl: 3_600_000 },
    start: ({ idempotencyKey }) => ({ redirect: 'http://127.0.0.1:9/' + idempotencyKey, reference: idempotencyKey }),
    status: ({ amount, currency }) => ({ status: 'paid', amount, currency }),
  },
})
export default provider
`
const checkout = { shop: { language: 'en', currency: 'eur' }, quote: { id: 1, price_incl: 1, price_excl: 1 } }

async function pidOf(endpoint: string): Promise<string> {
  // On a connection of its own: those that are kept stay with the process that has them.
  const body = { ...checkout, shipping_address: { country: 'nl' } }
  const answer = await postJson(`${endpoint}/shipment_methods`, body, { connection: 'close' })
  const { shipment_methods } = (await answer.json()) as { shipment_methods: { id: string }[] }
  return shipment_methods[0]!.id
}

/** How many quotes `/metrics` counts. */
async function countQuotes(endpoint: string): Promise<number> {
  const line = /^purveyor_request_duration_seconds_count\{.*shipment_methods.*\} (\d+)$/m
  return Number(line.exec(await metricsOf(endpoint))?.[1])
}

async function metricsOf(endpoint: string): Promise<string> {
  const signal = AbortSignal.timeout(4_000)
  const asked = fetch(new URL('/metrics', endpoint), { headers: { connection: 'close' }, signal })
  return asked.then((answer) => answer.text()).catch(() => '')
}

/** A shop that keeps the orders of the webhooks it gets. */
async function shopThatListens() {
  const heard: string[] = []
  const webhook_url = await serveOrigin(async (req, res) => {
    heard.push(String(((await json(req)) as { order_id: number }).order_id))
    res.end()
  }, atEnd)
  return { heard, webhook_url }
}

/** A folder with the provider, and a database of its own. */
async function onServer() {
  const env = { PURVEYOR_DATABASE_URL: await (await sharedPostgres()).databaseWithTables() }
  return { cwd: folderWith({ 'provider.ts': source }), env }
}

describe('several processes on one database', () => {
  test('workers that cannot start end the command, with the sentence and the exit code of one', async () => {
    const env = { PURVEYOR_DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x' }
    const run = commandsIn(folderWith({ 'provider.ts': source }), env)
    const { code, err } = await run('serve --development --workers 2 --port 0')
    expect(code).toBe(3)
    expect(err.match(/PostgreSQL server cannot be reached/g)).toHaveLength(1)
    expect(err).not.toContain('replaces it')
  })

  test('workers share a port, one that is killed is replaced, and SIGHUP renews them without a failed call', async () => {
    const patient = { timeout: 120_000, interval: 500 }
    const { cwd, env } = await onServer()
    const { ready, child, ended, printed } = serving(cwd, env, '--workers', '2')
    const { endpoint, workers } = await ready
    expect(workers).toBe(2)
    const pids = async () => {
      const seen = new Set<string>()
      for (let call = 0; call < 20; call++) seen.add(await pidOf(endpoint))
      return seen
    }
    // The system hands out connections as it likes: on a busy machine one worker may get many in a row.
    const before = new Set<string>()
    let quotes = 0
    for (; before.size < 2 && quotes < 2_000; quotes++) before.add(await pidOf(endpoint))
    expect(before.size).toBe(2)
    // Each worker serves the numbers of both.
    for (let ask = 0; ask < 4; ask++) expect(await countQuotes(endpoint)).toBe(quotes)
    const [victim, other] = before
    // A hanging worker does not block the numbers of the others.
    process.kill(Number(other), 'SIGSTOP')
    const silent = async () => /^purveyor_workers_silent (\d)/m.exec(await metricsOf(endpoint))?.[1]
    await expect.poll(silent, patient).toBe('1')
    process.kill(Number(other), 'SIGCONT')
    process.kill(Number(victim), 'SIGKILL')
    await printed('another one replaces it', 'stderr')
    await expect.poll(async () => (await pids()).size, patient).toBe(2)
    expect(await pids()).not.toContain(victim)

    // Twenty-five payments a second, while every process is renewed.
    const { webhook_url } = await shopThatListens()
    const old = await pids()
    const calls: Promise<number | string>[] = []
    child.kill('SIGHUP')
    for (let id = 1; id <= 100; id++) {
      const call = postJson(`${endpoint}/payment`, { ...payment({ id }), webhook_url })
      calls.push(call.then(({ status }) => status, String))
      await delay(40)
    }
    expect((await Promise.all(calls)).filter((status) => status !== 201)).toEqual([])
    await expect.poll(async () => [...(await pids())].some((pid) => old.has(pid)), patient).toBe(false)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('what a killed node owed is delivered by another one once its lease has ended', async () => {
    const { cwd, env } = await onServer()
    const { heard, webhook_url } = await shopThatListens()
    const first = serving(cwd, env)
    const { endpoint } = await first.ready
    const second = serving(cwd, env)
    const token = /\/e\/[\w-]+$/.exec(endpoint)?.[0]
    const { url } = await second.ready

    expect((await postJson(`${endpoint}/payment`, { ...payment({ id: 7 }), webhook_url })).status).toBe(201)
    // The other node has the payment too, at the same endpoint.
    first.child.kill('SIGKILL')
    const answer = await fetch(`${url}${token}/payment/7`)
    expect(await answer.json()).toEqual({ status: 'paid' })
    await expect.poll(() => heard, { timeout: 600_000 }).toEqual(['7'])
    await end(second.child)
  })

  test('the commands work on the database of the nodes', async () => {
    const { cwd, env } = await onServer()
    const node = serving(cwd, env)
    const { endpoint } = await node.ready
    await postJson(`${endpoint}/payment`, payment({ id: 9 }))
    const run = commandsIn(cwd, env)
    expect(await run.out('payments list')).toMatch(/\b9\b.*pending/)
    const migrated = await commandsIn(cwd, { ...env, PURVEYOR_SECRET: 'x'.repeat(16) }).out('db migrate')
    expect(migrated).toMatch(/^postgres:\/\/purveyor:\.\.\.@127\.0\.0\.1:\d+\/\w+ is up to date\.$/)
    expect(await run('db backup copy.db')).toMatchObject(saying(2, 'pg_dump'))
    const wrong = { PURVEYOR_DATABASE_URL: 'postgres://purveyor:swordfish@127.0.0.1:9/nowhere' }
    const refused = await commandsIn(cwd, wrong)('serve --development --port 0')
    const away =
      /^purveyor: The PostgreSQL server cannot be reached \(ECONNREFUSED\)\. Check PURVEYOR_DATABASE_URL/
    expect(refused).toMatchObject(saying(3, away))
    expect(refused.err).not.toContain('swordfish')
    await end(node.child)
  })
})

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { StoreTrouble } from '../../src/store.ts'
import { type PostgresOptions, postgresStore } from '../../src/stores/postgres.ts'
import { paymentBody } from '../../src/testing/index.ts'
import { postJson } from '../http/post.ts'
import { listening } from '../listening.ts'
import { noPool, startPool } from '../pgbouncer.ts'
import { connectTo, type SharedPostgres, sharedPostgres } from '../postgres.ts'
import { serveOrigin } from '../serve-origin.ts'
import { asReported, claim, delivered, endpoint, open, paid, redirect, times } from './cases/store-case.ts'
import { clientOf, opened } from './opened.ts'

let server: SharedPostgres

beforeAll(async () => {
  if (!noPool) server = await sharedPostgres()
})

async function pooled(options: Parameters<typeof startPool>[1]) {
  const pool = await startPool(server.port, options)
  onTestFinished(() => pool.remove())
  return pool
}
const nodeOn = (options: PostgresOptions) => opened(postgresStore(options))

/** A shop that notes for which orders its webhook is called. */
async function startShop() {
  const called: string[] = []
  const shop = await serveOrigin((request, response) => {
    called.push(new URL(request.url!, 'http://shop').searchParams.get('order')!)
    request.resume().on('end', () => response.end('ok'))
  })
  return { called, webhook: `${shop}/webhook` }
}

/** A provider on one store, as it runs on each of several nodes. `started` is called with each call of its payment service. */
function startNode(url: string, started: () => void) {
  return listening({
    secret: 'a secret of tests, 32 characters',
    store: url,
    payments: {
      name: 'psp',
      methods: () => [{ id: 'card', title: 'Card' }],
      idempotency: { ttl: 86_400_000 },
      start({ idempotencyKey }) {
        started()
        return { redirect: `https://psp.example/${idempotencyKey}` }
      },
    },
  })
}

/** The answer to the start of a payment. */
async function startPayment(endpoint: string, webhook: string, id: number) {
  const redirectUrl = `http://127.0.0.1/return?order=${id}`
  const body = paymentBody({ id, redirectUrl, webhookUrl: `${webhook}?order=${id}` })
  const answer = await postJson(`${endpoint}/payment`, body)
  await answer.arrayBuffer()
  return answer.status
}

describe.skipIf(noPool)('nodes behind a pool of transactions', () => {
  test('answer each of many starts, deliver each webhook, and go on when the pool was killed', async () => {
    const pool = await pooled({ connections: 3 })
    const direct = await server.databaseWithTables()
    const url = pool.through(direct)
    let calls = 0
    const nodes = [await startNode(url, () => calls++), await startNode(url, () => calls++)]
    const { called, webhook } = await startShop()
    const orders = Array.from({ length: 120 }, (_, index) => index + 1)
    const startOf = (id: number) => startPayment(nodes[id % 2]!.endpoint, webhook, id)
    const statuses = await Promise.all(orders.slice(0, 80).map(startOf))
    expect(statuses.filter((status) => status !== 201)).toEqual([])

    const others = orders.slice(80)
    const answering = Promise.all(others.map(startOf))
    // Their attempts are stored, and what the payment service has answered is not.
    await expect.poll(() => calls, { interval: 1 }).toBeGreaterThan(80)
    await pool.kill()
    const answers = await answering
    expect(answers.filter((status) => status !== 201 && status !== 503)).toEqual([])
    await pool.start()
    for (const id of others) await expect.poll(() => startOf(id)).toBe(201)

    const { provider } = nodes[0]!
    const report = { status: 'paid', amount: '29.34', currency: 'eur' } as const
    // A node that finds its connections cut, or too many before it, says that the store cannot be used: report again.
    const reports = orders.map((id) =>
      expect.poll(() => provider.payments.report({ orderId: `${id}` }, report)).toBe('paid'),
    )
    await Promise.all(reports)
    await expect.poll(() => new Set(called).size).toBe(orders.length)
    const { rows } = await (await clientOf(direct)).query(
      'select count(*)::int as attempts, count(distinct order_id)::int as orders from attempts',
    )
    expect(rows).toEqual([{ attempts: orders.length, orders: orders.length }])
  })

  test('make the tables once, and leave no lock and no setting in the sessions of others', async () => {
    const pool = await pooled({ connections: 2 })
    const direct = await server.database()
    const url = pool.through(direct)
    const stores = await Promise.all(Array.from({ length: 4 }, () => nodeOn({ url })))
    await stores[0]!.ensureShop('default', endpoint('h'))
    for (const store of stores) expect((await store.shops()).map(({ id }) => id)).toEqual(['default'])

    const others = await Promise.all([clientOf(url), clientOf(url)])
    const found = await Promise.all(
      others.map((one) =>
        one.query(`select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' ' ||
          current_setting('enable_seqscan') || ' ' || (select count(*) from pg_locks where locktype = 'advisory') as kept,
          pg_sleep(0.2)`),
      ),
    )
    expect(found.map(({ rows }) => rows[0].kept)).toEqual(['0 0 on 0', '0 0 on 0'])
  })

  test('have their settings in each transaction: they wait briefly for locks, and scan no table', async () => {
    const pool = await pooled({ connections: 2 })
    const direct = await server.databaseWithTables()
    const store = await nodeOn({ url: pool.through(direct) })
    const troubles: StoreTrouble[] = []
    store.watch?.((trouble) => troubles.push(trouble))
    const { attempt } = await store.openAttempt(open({ orderId: 'locked' }))
    await store.noteStart(attempt, redirect, times(0))

    const stranger = await clientOf(direct)
    await stranger.query('begin')
    await stranger.query(`select 1 from payments where order_id = 'locked' for update`)
    const waiting = store.learn('default', 'locked', attempt.id, [paid], asReported)
    await expect.poll(() => troubles.map(({ code }) => code)).toContain('ROW_LOCKED')
    await stranger.query('rollback')
    expect((await waiting).payment.status).toBe('paid')

    // A table of one row is scanned, unless that is forbidden.
    await stranger.query('analyze attempts')
    const scans = async () => {
      await pool.kill()
      await pool.start()
      const query = `select seq_scan from pg_stat_user_tables where relname = 'attempts'`
      return Number((await stranger.query<{ seq_scan: string }>(query)).rows[0]!.seq_scan)
    }
    const before = await scans()
    for (let round = 0; round < 3; round++) {
      expect(await store.attemptByReference('default', 'psp', 'tr_1')).toBeDefined()
      expect(await store.payment('default', 'locked')).toBeDefined()
    }
    const plain = await connectTo(direct)
    await plain.query(`select * from attempts where reference = 'tr_1'`)
    await plain.end()
    await expect.poll(scans).toBe(before + 1)
  })

  test('go on when the address says that names are remembered, and they are not', async () => {
    const pool = await pooled({ connections: 2 })
    const url = `${pool.through(await server.databaseWithTables())}?prepared_statements=true`
    const stores = await Promise.all([nodeOn({ url }), nodeOn({ url, preparedStatements: true })])
    const orders = Array.from({ length: 40 }, (_, order) => `${order}`)
    const attempts = await Promise.all(
      orders.map((orderId, index) => stores[index % 2]!.openAttempt(open({ orderId }))),
    )
    expect(attempts.map(({ payment }) => payment.attempts.length)).toEqual(orders.map(() => 1))
    for (const { attempt, payment } of attempts)
      await stores[1]!.learn('default', payment.orderId, attempt.id, [paid], asReported)
    const owed = await stores[0]!.claimWebhooks({ ...claim, limit: 40, perLane: 40 })
    await stores[0]!.settleWebhooks(owed.map((one) => ({ owed: one, call: delivered() })))
    expect(await stores[1]!.countWebhooks()).toMatchObject({ owed: 0, dead: 0 })
  })
})

describe.skipIf(noPool)('a pool that cannot be used', () => {
  test('gives each statement a session: the start is refused before anything is written', async () => {
    const pool = await pooled({ mode: 'statement' })
    const direct = await server.database()
    for (const asked of ['', '?prepared_statements=true', '?prepared_statements=false'])
      await expect(postgresStore({ url: pool.through(direct) + asked }).open()).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringMatching(/refuses transactions\. Set its pool_mode to transaction/),
      })
    const query = `select relname from pg_class where relnamespace = 'public'::regnamespace`
    expect((await (await clientOf(direct)).query(query)).rows).toEqual([])
  })

  test('has no such database, or no more room: its words are in the error', async () => {
    const pool = await pooled({ more: ['max_db_connections = 1', 'max_client_conn = 1'] })
    const url = pool.through(await server.database())
    await clientOf(url)
    const opening = postgresStore({ url }).open()
    await expect(opening).rejects.toThrow(/The pool in front .* refuses .*max_client_conn/)
  })
})

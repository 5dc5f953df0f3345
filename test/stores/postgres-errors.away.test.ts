import supertest from 'supertest'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { StoreUnavailable } from '../../src/store.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { isRetryable, kindByState } from '../../src/stores/postgres-errors.ts'
import { payment } from '../http/messages.ts'
import { listening } from '../listening.ts'
import { connectTo, type PostgresServer, startPostgres } from '../postgres.ts'
import { open } from './cases/store-case.ts'

let server: PostgresServer
let admin: Awaited<ReturnType<typeof connectTo>>
/** The address of a user with the rights of a provider: limits do not hold for a superuser. */
let address: URL
let name: string

beforeAll(async () => {
  server = await startPostgres()
  address = new URL(await server.databaseWithTables())
  name = address.pathname.slice(1)
  const owner = await connectTo(`${address}`)
  await owner.query(`create role node login password 'of node'; grant all on all tables in schema public to node;
    grant all on all sequences in schema public to node`)
  await owner.end()
  admin = await byOwner('postgres')
  address.username = 'node'
  address.password = 'of node'
})
afterAll(async () => {
  await admin.end()
  await server.remove()
})

async function opened() {
  const store = postgresStore({ url: `${address}`, connections: 3 })
  await store.open()
  onTestFinished(() => store.close())
  return store
}

let orders = 0
const startIn = (store: Awaited<ReturnType<typeof opened>>, orderId = `order-${++orders}`) =>
  store.openAttempt(open({ orderId, attemptId: orderId }))

/** A connection to a database, with the rights of its owner. */
const byOwner = (database: string) =>
  connectTo(`${Object.assign(new URL(database, address), { username: 'purveyor', password: 'of tests' })}`)

/** Statements in the database of the provider, by its owner. */
async function inDatabase(statements: string): Promise<void> {
  const owner = await byOwner(name)
  await owner.query(statements)
  await owner.end()
}
const endSessions = () =>
  admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'node'`)
const administer = (statement: () => string) => () => admin.query(statement())

describe('a database that is away is an error of its own, and heals alone', () => {
  test.each<[what: string, state: string, hurt: () => Promise<unknown>, heal: () => Promise<unknown>]>([
    [
      'is read-only for new sessions',
      '25006',
      administer(() => `alter database ${name} set default_transaction_read_only = on`),
      administer(() => `alter database ${name} reset default_transaction_read_only`),
    ],
    [
      'refuses the user',
      '28000',
      administer(() => 'alter role node nologin'),
      administer(() => 'alter role node login'),
    ],
    [
      'refuses the password',
      '28P01',
      administer(() => `alter role node password 'another'`),
      administer(() => `alter role node password 'of node'`),
    ],
    [
      'has no such database',
      '3D000',
      administer(() => `alter database ${name} rename to elsewhere`),
      administer(() => `alter database elsewhere rename to ${name}`),
    ],
    [
      'has a table without rights',
      '42501',
      () => inDatabase('revoke insert on payments from node'),
      () => inDatabase('grant insert on payments to node'),
    ],
    [
      'has no table',
      '42P01',
      () => inDatabase('alter table attempts rename to elsewhere'),
      () => inDatabase('alter table elsewhere rename to attempts'),
    ],
    [
      'has no connection left',
      '53300',
      administer(() => 'alter role node connection limit 0'),
      administer(() => 'alter role node connection limit -1'),
    ],
    [
      'accepts no connections',
      '55000',
      administer(() => `alter database ${name} allow_connections false`),
      administer(() => `alter database ${name} allow_connections true`),
    ],
  ])('%s (%s)', async (_what, state, hurt, heal) => {
    const store = await opened()
    await startIn(store)
    await endSessions()
    await hurt()
    await endSessions()
    const refused = await Promise.allSettled([1, 2, 3].map(() => startIn(store)))
    for (const outcome of refused)
      expect(outcome).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE', cause: { code: state } } })
    await heal()
    await expect.poll(() => startIn(store).catch(() => undefined)).toBeDefined()
  })

  test('becomes a standby, and is promoted', async () => {
    const store = await opened()
    await startIn(store, 'before')
    const { provider, endpoint } = await listening({
      store,
      payments: {
        name: 'psp',
        methods: () => [{ id: 'card', title: 'Card' }],
        start: () => ({ redirect: 'https://psp.example/1' }),
        status: () => ({ status: 'pending' }),
      },
    })
    const answer = () => supertest(endpoint).post('/payment').send(payment())
    await admin.end()
    await server.demote()
    admin = await byOwner('postgres')
    const refused = await Promise.allSettled([1, 2, 3].map(() => startIn(store)))
    for (const outcome of refused)
      expect(outcome).toMatchObject({
        reason: {
          code: 'STORE_UNAVAILABLE',
          message: 'The database accepts no writes: it is read-only, or a standby. Name the primary.',
        },
      })
    await expect(startIn(store)).rejects.toMatchObject({ cause: { code: '25006' } })
    await expect(store.check()).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await store.payment('default', 'before')).toBeDefined()
    const { status, headers } = await answer()
    expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
    await admin.query('select pg_promote()')
    await startIn(store)
    expect((await answer()).status).toBe(201)
    await provider.stop()
  })

  test('crashes with one of its processes', async () => {
    const store = await opened()
    await startIn(store)
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where usename = 'node' limit 1`,
    )
    process.kill(rows[0]!.pid, 'SIGKILL')
    const starting = await Promise.allSettled(Array.from({ length: 30 }, () => startIn(store)))
    for (const outcome of starting)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailable)
    await expect.poll(() => startIn(store).catch(() => undefined)).toBeDefined()
    await admin.end()
    admin = await byOwner('postgres')
  })
})

test('each SQLSTATE that blames no command is retried once it may be over, and is away otherwise', async () => {
  const codes = [...kindByState.keys()].map((state) => state.padEnd(5, '0'))
  await inDatabase(`create function fails_once() returns trigger language plpgsql security definer as $$ begin
      if new.order_id like '_____' and nextval('tries_' || lower(new.order_id)) = 1
      then raise exception 'the first time' using errcode = new.order_id; end if; return new; end $$;
    create trigger fails_once before insert on payments for each row execute function fails_once();
    ${codes.map((code) => `create sequence tries_${code}`).join(';')}`)
  for (const code of codes) {
    const store = await opened()
    const outcome = await startIn(store, code).then(
      () => 'opened',
      (error: unknown) => (error instanceof StoreUnavailable ? 'away' : error),
    )
    const error = { code, severity: 'ERROR' }
    expect([code, outcome]).toEqual([code, isRetryable(error) ? 'opened' : 'away'])
  }
})

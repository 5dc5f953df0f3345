import supertest from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRetryable, kindByState } from '../../../src/store/postgres/errors.ts'
import { StoreUnavailable } from '../../../src/store.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { payment } from '../../http/messages.ts'
import { listening } from '../../listening.ts'
import { connectTo, type PostgresServer, startPostgres } from '../../postgres.ts'
import { open } from '../../stores/cases/store-case.ts'
import { opened } from '../../stores/opened.ts'

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

const nodeOn = () => opened(postgresStore({ url: `${address}`, connections: 3 }))

let orders = 0
const startIn = (store: StorePort, orderId = `order-${++orders}`) => store.openAttempt(open({ orderId }))
const startThree = (store: StorePort) => Promise.allSettled([1, 2, 3].map(() => startIn(store)))

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
/** Carries out a statement of the table below: where it stands in the database of the provider, or about that. */
const carryOut = (statement: string) =>
  /^alter (database|role)/.test(statement)
    ? admin.query(statement.replace('this', name))
    : inDatabase(statement)

describe('a database that is away is an error of its own, and heals alone', () => {
  test.each([
    // It is read-only for new sessions.
    ['25006', 'alter database this', 'set default_transaction_read_only = on', 'reset all'],
    ['28000', 'alter role node', 'nologin', 'login'],
    ['28P01', 'alter role node', "password 'another'", "password 'of node'"],
    // There is no such database.
    ['3D000', 'alter database', 'this rename to elsewhere', 'elsewhere rename to this'],
    ['42501', '', 'revoke insert on payments from node', 'grant insert on payments to node'],
    ['42P01', 'alter table', 'attempts rename to elsewhere', 'elsewhere rename to attempts'],
    ['53300', 'alter role node', 'connection limit 0', 'connection limit -1'],
    ['55000', 'alter database this', 'allow_connections false', 'allow_connections true'],
  ])('%s: %s %s', async (state, of, hurt, heal) => {
    const store = await nodeOn()
    await startIn(store)
    await endSessions()
    await carryOut(`${of} ${hurt}`)
    await endSessions()
    for (const outcome of await startThree(store))
      expect(outcome).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE', cause: { code: state } } })
    await carryOut(`${of} ${heal}`)
    await expect.poll(() => startIn(store).catch(() => undefined)).toBeDefined()
  })

  test('becomes a standby, and is promoted', async () => {
    const store = await nodeOn()
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
    const message = 'The database accepts no writes: it is read-only, or a standby. Name the primary.'
    // An open connection learns it by its command, and one that opens by its look at the server.
    const reason = { code: 'STORE_UNAVAILABLE', message }
    for (const outcome of await startThree(store)) expect(outcome).toMatchObject({ reason })
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
    const store = await nodeOn()
    await startIn(store)
    const anyOfIts = `select pid from pg_stat_activity where usename = 'node' limit 1`
    const { rows } = await admin.query<{ pid: number }>(anyOfIts)
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
    const store = await nodeOn()
    const outcome = await startIn(store, code).then(
      () => 'opened',
      (error: unknown) => (error instanceof StoreUnavailable ? 'away' : error),
    )
    const error = { code, severity: 'ERROR' }
    expect([code, outcome]).toEqual([code, isRetryable(error) ? 'opened' : 'away'])
  }
})

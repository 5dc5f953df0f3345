import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseNames, type SystemLookup } from '../../../src/store/postgres/names.ts'
import { PostgresServer } from '../../../src/store/postgres/server.ts'
import { folderWith } from '../../folder.ts'
import { sharedPostgres } from '../../postgres.ts'
import { openServer } from '../../serve-origin.ts'

const here = [{ address: '127.0.0.1', family: 4 }]

/** Looks a name up, as a connection does. Resolves with its addresses, or with the code of the failure. */
const find = (names: DatabaseNames, host = 'db.internal', all = true): Promise<unknown> =>
  new Promise((resolve) => {
    names.lookup(host, { all }, (error, found) => resolve(error ? error.code : found))
  })

const fault = (code: string) => Object.assign(new Error('no answer'), { code })
const failing = (code: string) => Promise.reject(fault(code))

/** Names of a clock and a lookup that the test moves and answers, and how often it was asked. */
function answered(answer: SystemLookup = async () => here) {
  const by = { now: 0, asked: 0, answer }
  const lookup: SystemLookup = (...given) => {
    by.asked++
    return by.answer(...given)
  }
  return { by, names: new DatabaseNames(lookup, () => by.now) }
}

/** Connects to a host through the names. Resolves with `open`, or with the code of the failure. */
const connected = (names: DatabaseNames, port: number, host = 'db.internal') =>
  new Promise((resolve) => {
    const socket = names.stream().on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    onTestFinished(() => void socket.destroy())
    socket.once('connect', () => resolve('open')).connect(port, host)
  })

/** A lookup that holds a thread of the process, as that of the system does, until it is let go. */
function hangingLookup() {
  const pipe = join(folderWith(), 'silent')
  execFileSync('mkfifo', [pipe])
  const lookup: SystemLookup = async () => {
    await (await open(pipe, 'r')).close()
    return here
  }
  const letGo = () => {
    const writer = openSync(pipe, 'r+')
    setTimeout(() => closeSync(writer), 100)
  }
  return { lookup, letGo }
}

test('ten connections whose name hangs hold one thread of the process, and files are read beside them', async () => {
  const { lookup, letGo } = hangingLookup()
  const { port } = await openServer(createServer())
  const { names, by } = answered(lookup)
  const opened = Promise.all(Array.from({ length: 10 }, () => connected(names, port)))
  const late = new Promise((resolve) => setTimeout(resolve, 2_000, 'no thread is left'))
  const read = await Promise.race([readFile(new URL(import.meta.url), 'utf8'), late])
  letGo()
  expect(read).toContain('hold one thread')
  expect(await opened).toEqual(Array(10).fill('open'))
  expect(by.asked).toBe(1)
})

test('the ten connections of a node share one lookup of their host, and look again after 5 s', async () => {
  const url = new URL(await (await sharedPostgres()).databaseWithTables())
  url.hostname = 'db.internal'
  url.searchParams.set('sslmode', 'disable')
  const hosts: string[] = []
  const { names, by } = answered(async (host) => {
    hosts.push(host)
    await new Promise((resolve) => setTimeout(resolve, 50))
    return here
  })
  const server = new PostgresServer(url.href, { connections: 10, prepares: undefined }, names)
  await server.open(async () => {})
  onTestFinished(() => server.close(Promise.resolve()))
  const ask = () =>
    server.connected(async (connection) => (await connection.query('select pg_sleep(0.05)')).rowCount)
  const atOnce = () => Promise.all(Array.from({ length: 10 }, ask))
  expect(hosts).toEqual(['db.internal'])
  by.now = 5_000
  expect(await atOnce()).toEqual(Array(10).fill(1))
  expect(hosts).toEqual(['db.internal', 'db.internal'])
})

test('the last addresses stay in use while the system is silent or fails, until the name is gone', async () => {
  const { names, by } = answered()
  expect(await find(names)).toEqual(here)
  expect(await find(names, 'db.internal', false)).toBe('127.0.0.1')
  expect(by.asked).toBe(1)

  by.now = 5_000
  const silent = Promise.withResolvers<typeof here>()
  by.answer = () => silent.promise
  const began = performance.now()
  expect(await Promise.all([find(names), find(names)])).toEqual([here, here])
  expect(performance.now() - began).toBeGreaterThan(400)
  by.now += 10_000
  expect(await find(names)).toEqual(here)
  expect(by.asked).toBe(2)
  silent.reject(fault('EAI_AGAIN'))
  by.answer = () => failing('EAI_AGAIN')
  for (let call = 0; call < 3; call++) expect(await find(names)).toEqual(here)

  const moved = [{ address: '::1', family: 6 }]
  by.answer = async () => moved
  await find(names)
  expect(await find(names)).toEqual(moved)

  by.now += 5_000
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
    by.answer = () => failing(code)
    expect(await find(names)).toBe(code)
  }
})

test('a name that was never found fails as the system says, for all who wait, and is asked for again', async () => {
  const { names, by } = answered(() => failing('EAI_AGAIN'))
  expect(await Promise.all([find(names), find(names)])).toEqual(['EAI_AGAIN', 'EAI_AGAIN'])
  expect(await find(names)).toBe('EAI_AGAIN')
  expect(by.asked).toBe(2)
})

test('a connection that fails has the name looked up again, and an address needs no lookup', async () => {
  let connections = 0
  const { port } = await openServer(createServer(() => connections++))
  // Nothing listens at the first one.
  const { names, by } = answered(async () => [{ address: `127.0.0.${by.asked === 1 ? 2 : 1}`, family: 4 }])
  expect(await connected(names, port)).toBe('ECONNREFUSED')
  expect(await connected(names, port)).toBe('open')
  expect(await connected(names, port, '127.0.0.1')).toBe('open')
  expect([by.asked, connections]).toEqual([2, 2])
})

test('names of this machine are found as the system finds them', async () => {
  expect(await find(new DatabaseNames(), 'localhost')).toContainEqual(here[0])
})

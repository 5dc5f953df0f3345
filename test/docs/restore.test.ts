// The steps of docs/backup.md on both engines: what a copy holds is served again, and nothing that came after it.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { paymentBody } from '../../src/testing/index.ts'
import { atEnd } from '../at-end.ts'
import { commandsIn, folderWith, providerSource, serving } from '../cli/command.ts'
import { doctor } from '../cli/doctor/found.ts'
import { postJson, statusOf } from '../http/post.ts'
import { end, run } from '../journey/project.ts'
import { freePort } from '../ports.ts'

interface Backup {
  /** The address of the store in use. */
  store: string
  copy(): Promise<unknown>
  /** Puts the copy in place and resolves with the address of its store. */
  restore(): Promise<string>
}

const environment = (store: string) => ({
  PURVEYOR_DATABASE_URL: store,
  PURVEYOR_SECRET: 'the secret of a restore, which is long enough',
  // Nothing is sent to the host of the shop.
  PURVEYOR_NAME_SERVERS: '127.0.0.1',
})

async function start(endpoint: string, id: number): Promise<void> {
  expect((await postJson(`${endpoint}/payment`, paymentBody({ id }))).status).toBe(201)
}

/** Orders 1001 and 1002: the first is paid before the copy is made, the second starts after it. */
async function restored(cwd: string, { store, copy, restore }: Backup): Promise<void> {
  const live = (at: string) => ({ ...environment(at), PURVEYOR_PUBLIC_URL: 'https://provider.example.org' })
  const before = serving(cwd, environment(store))
  const { endpoint } = await before.ready
  await start(endpoint, 1001)
  await commandsIn(cwd, live(store))('payments report 1001 paid --amount 29.34 --currency eur')
  await copy()
  await start(endpoint, 1002)
  await end(before.child)

  const again = await restore()
  const { of } = await doctor(cwd, live(again), '--production')
  for (const part of ['store', 'sealed texts']) expect(of(part)).toMatchObject({ verdict: 'ok' })

  const after = serving(cwd, environment(again))
  const served = (await after.ready).endpoint
  // The shop goes on with the address that it has registered.
  expect(new URL(served).pathname).toBe(new URL(endpoint).pathname)
  expect(await statusOf(served, 1001)).toBe('paid')
  expect((await fetch(`${served}/payment/1002`)).status).toBe(404)
  await end(after.child)
}

test('a copy of a SQLite store is restored', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const file = join(cwd, 'data/purveyor.db')
  const store = 'sqlite:./data/purveyor.db'
  await restored(cwd, {
    store,
    copy: () => commandsIn(cwd, environment(store))('db backup copy.db'),
    async restore() {
      for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true })
      copyFileSync(join(cwd, 'copy.db'), file)
      return store
    },
  })
})

/** `pg_dump` refuses a newer server, so a server of its own version is needed. */
const tools = globSync('/usr/lib/postgresql/*/bin').find((folder) =>
  ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
)

async function startServer(bin: string): Promise<string> {
  const folder = folderWith()
  // PostgreSQL refuses to run as root.
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {}
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  const initial = ['--pgdata', data, '--username', 'purveyor', '--auth', 'trust', '--locale', 'C']
  await run(join(bin, 'initdb'), initial, user)
  const port = String(await freePort())
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', port, '-k', folder, '-h', '127.0.0.1'], user)
  atEnd(async () => {
    server.kill('SIGINT')
    if (server.exitCode === null) await once(server, 'exit')
  })
  const url = `postgres://purveyor@127.0.0.1:${port}`
  await vi.waitFor(() => run(join(bin, 'psql'), [`${url}/postgres`, '--command', 'select 1']), 60_000)
  return url
}

test.runIf(tools)('a dump of a PostgreSQL store is restored', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const server = await startServer(tools!)
  const tool = (name: string, ...args: string[]) => run(join(tools!, name), args, { cwd })
  await restored(cwd, {
    store: `${server}/postgres`,
    copy: () => tool('pg_dump', '--format=custom', '--file=provider.dump', `${server}/postgres`),
    async restore() {
      const database = `${server}/provider_restored`
      await tool('createdb', `--maintenance-db=${server}/postgres`, 'provider_restored')
      await tool('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${database}`, 'provider.dump')
      return database
    },
  })
})

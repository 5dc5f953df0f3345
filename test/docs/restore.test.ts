// The steps of docs/backup.md on both engines: what a copy holds is served again, and nothing that came after it.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { paymentBody } from '../../src/testing/index.ts'
import { folderWith, providerSource, purveyor, running } from '../cli/command.ts'
import { end } from '../journey/project.ts'
import { freePort } from '../ports.ts'

const run = promisify(execFile)
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const close of ends) await close()
})

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

async function serving(cwd: string, store: string) {
  const words = ['serve', '--development', '--show-endpoint', '--json', '--port', '0']
  const { child, ready } = running(words, { cwd, env: environment(store) })
  const { endpoint } = await ready
  return { endpoint, stop: () => end(child) }
}

async function start(endpoint: string, id: number): Promise<void> {
  const body = JSON.stringify(paymentBody({ id }))
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${endpoint}/payment`, { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
}

/** Orders 1001 and 1002: the first is paid before the copy is made, the second starts after it. */
async function restored(cwd: string, { store, copy, restore }: Backup): Promise<void> {
  const command = (words: string, at: string) =>
    purveyor(words.split(' '), {
      cwd,
      env: { ...environment(at), PURVEYOR_PUBLIC_URL: 'https://provider.example.org' },
    })
  const before = await serving(cwd, store)
  await start(before.endpoint, 1001)
  await command('payments report 1001 paid --amount 29.34 --currency eur', store)
  await copy()
  await start(before.endpoint, 1002)
  await before.stop()

  const again = await restore()
  const { stdout } = await command('doctor --production --json', again)
  const { results } = JSON.parse(stdout) as { results: { name: string; verdict: string }[] }
  for (const part of ['store', 'sealed texts'])
    expect(results.find(({ name }) => name === part)).toMatchObject({ verdict: 'ok' })

  const after = await serving(cwd, again)
  // The shop goes on with the address that it has registered.
  expect(new URL(after.endpoint).pathname).toBe(new URL(before.endpoint).pathname)
  const paid = await fetch(`${after.endpoint}/payment/1001`)
  expect(await paid.json()).toEqual({ status: 'paid' })
  expect((await fetch(`${after.endpoint}/payment/1002`)).status).toBe(404)
  await after.stop()
}

test('a copy of a SQLite store is restored', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const file = join(cwd, 'data/purveyor.db')
  const store = 'sqlite:./data/purveyor.db'
  await restored(cwd, {
    store,
    copy: () => purveyor(['db', 'backup', 'copy.db'], { cwd, env: environment(store) }),
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
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-restore-'))
  // PostgreSQL refuses to run as root.
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {}
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  const initial = ['--pgdata', data, '--username', 'purveyor', '--auth', 'trust', '--locale', 'C']
  await run(join(bin, 'initdb'), initial, user)
  const port = String(await freePort())
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', port, '-k', folder, '-h', '127.0.0.1'], user)
  ends.push(async () => {
    server.kill('SIGINT')
    if (server.exitCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true })
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

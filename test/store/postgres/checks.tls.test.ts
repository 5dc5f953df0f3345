import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { folderWith } from '../../folder.ts'
import { sharedPostgres } from '../../postgres.ts'
import { openServer } from '../../serve-origin.ts'
import { opened } from '../../stores/opened.ts'

const startOf = (url: string) =>
  postgresStore({ url })
    .open()
    .then(
      () => 'opened',
      (error: Error) => error.message,
    )

const inTheClear = /on (\S+) would not be encrypted.*sslmode=verify-full.*sslmode=disable/

describe('a connection to another machine', () => {
  afterEach(() => vi.unstubAllEnvs())

  test.each([
    'postgres://a:swordfish@db.invalid/x',
    'postgres://a:swordfish@192.0.2.1:5432/x?options=sslmode',
    'postgres://a:swordfish@[2001:db8::1]/x',
    'postgresql://a:swordfish@db.invalid/x?sslmode=',
    'postgres://a:swordfish@localhost/x?host=db.invalid',
    'postgres://a:swordfish@localhost.evil.invalid/x',
    'postgres://a:swordfish@127.0.0.1.invalid/x?ssl=0',
  ])('is refused without TLS: %s', async (url) => {
    const says = await startOf(url)
    expect(says).toMatch(inTheClear)
    expect(says).not.toContain('swordfish')
  })

  test.each(['db.invalid', 'localhost'])('is refused with an unknown sslmode, by name: %s', async (host) => {
    expect(await startOf(`postgres://a:swordfish@${host}/x?sslmode=verify_full`)).toBe(
      'sslmode=verify_full in PURVEYOR_DATABASE_URL is not a mode. Write verify-full, no-verify or disable.',
    )
  })

  test('is not made in the clear by the environment', async () => {
    vi.stubEnv('PGSSLMODE', 'disable')
    expect(await startOf('postgres://a:b@db.invalid/x')).toMatch(inTheClear)
    vi.stubEnv('PGHOST', 'db.invalid')
    expect(await startOf('postgres://a:b@/x')).toMatch(inTheClear)
  })

  const modes = ['sslmode=disable', 'sslmode=verify-full', 'sslmode=no-verify', 'ssl=true']
  test.each(modes)('is tried once it says how: %s', async (mode) => {
    const says = await startOf(`postgres://a:b@db.invalid/x?${mode}`)
    expect(says).toMatch(/cannot be reached \((ENOTFOUND|EAI_AGAIN)\)/)
  })

  test.each([
    ['postgres://a:b@127.0.0.1:9/x', 'ECONNREFUSED'],
    ['postgres://a:b@[::1]:9/x', 'ECONNREFUSED|EADDRNOTAVAIL'],
    ['postgres://a:b@localhost:9/x', 'ECONNREFUSED'],
    ['postgres://a:b@x/x?host=/nowhere/at/all', 'ENOENT'],
  ])('that stays on this machine needs none: %s', async (url, code) => {
    expect(await startOf(url)).toMatch(new RegExp(`cannot be reached \\((${code})\\)`))
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** Speaks TLS in front of a server that does not, as PostgreSQL asks for it. */
async function tlsInFront(port: number, files: { key: string; cert: string }): Promise<number> {
  const identity = { key: readFileSync(files.key), cert: readFileSync(files.cert) }
  const server = createServer((client) => {
    client.on('error', () => {})
    client.once('data', () => {
      client.write('S')
      const secure = new TLSSocket(client, { isServer: true, ...identity })
      const upstream = connect(port, '127.0.0.1')
      for (const one of [secure, upstream]) one.on('error', () => {})
      secure.pipe(upstream).pipe(secure)
    })
  })
  return (await openServer(server)).port
}

test.skipIf(!hasOpenssl)('a certificate counts only from an authority that is named', async () => {
  const server = await sharedPostgres()
  const folder = folderWith()
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  execFileSync(
    'openssl',
    [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' '),
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', files.key, '-out', files.cert],
    ],
    { stdio: 'ignore' },
  )
  const url = new URL(await server.databaseWithTables())
  url.hostname = 'localhost'
  url.searchParams.set('sslmode', 'verify-full')
  expect(await startOf(url.href)).toMatch(/has no TLS. Give it a certificate/)
  url.port = String(await tlsInFront(server.port, files))
  expect(await startOf(url.href)).toMatch(/does not prove who it is \(DEPTH_ZERO_SELF_SIGNED_CERT\)/)
  const says = (given: Record<string, string>) => {
    const asked = new URL(url)
    for (const [name, value] of Object.entries(given)) asked.searchParams.set(name, value)
    return startOf(asked.href)
  }
  const [missing, empty] = [join(folder, 'missing.pem'), join(folder, 'empty.pem')]
  writeFileSync(empty, 'x')
  const named = 'named in PURVEYOR_DATABASE_URL is'
  expect(await says({ sslrootcert: missing })).toContain(
    `The certificate file ${missing} ${named} not there. Check sslrootcert`,
  )
  expect(await says({ sslrootcert: folder })).toContain(
    `A certificate file ${named} a folder. Check sslrootcert`,
  )
  const pem = /holds no certificate or key as PEM text/
  expect(await says({ sslrootcert: files.cert, sslcert: empty, sslkey: empty })).toMatch(pem)
  url.searchParams.set('sslrootcert', files.cert)
  expect(await (await opened(postgresStore({ url: url.href }))).shops()).toEqual([])
  url.hostname = '127.0.0.1'
  expect(await startOf(url.href)).toMatch(/does not prove who it is \(ERR_TLS_CERT_ALTNAME_INVALID\)/)
})

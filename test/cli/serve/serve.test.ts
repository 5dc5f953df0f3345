import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { checkout } from '../../http/messages.ts'
import { openServer } from '../../serve-origin.ts'
import { callOn } from '../call-on.ts'
import { commandsIn, folderWith, production, providerSource, running, saying, serving } from '../command.ts'

const call = 'export default createProvider('
const broken: [string, string, string[]][] = [
  ['a syntax error', call, ['provider.ts', ':1', call]],
  ['an enum', 'enum Colour { Red }\nexport default Colour', ['provider.ts:1', 'enum']],
  ['no default export', 'export const provider = 1', ['exports no provider', call]],
  ['a default export that is no provider', 'export default { rates: [] }', ['exports no provider']],
]
const folderOf = (source = providerSource()) => folderWith({ 'provider.ts': source })

describe.concurrent('serve', () => {
  test.for(broken)('%s in the provider file is named, without a stack', async ([_what, source, words]) => {
    const { code, out, err } = await commandsIn(folderOf(source))('serve --port 0')
    for (const word of words) expect(err).toContain(word)
    expect(err).not.toContain('    at ')
    expect([code, out]).toEqual([2, ''])
  })

  test('what the provider file throws comes with its stack', async () => {
    const cwd = folderOf("\nthrow new Error('no tariffs')\nexport default 1")
    const says = /purveyor: no tariffs[\s\S]*provider\.ts:2/
    expect(await commandsIn(cwd)('serve --port 0')).toMatchObject(saying(3, says))
  })

  test.for(['option', 'environment', 'code'])('a port that is taken, named by %s', async (by) => {
    const { port } = await openServer(createServer(), atEnd)
    const inCode = by === 'code' ? ` port: ${port},` : ''
    const cwd = folderOf(providerSource().replace('createProvider({', `createProvider({${inCode}`))
    const env: Record<string, string> = by === 'environment' ? { PORT: String(port) } : {}
    const option = by === 'option' ? ` --port ${port}` : ''
    const err = `purveyor: Port ${port} is in use. Choose another one with --port.`
    expect(await commandsIn(cwd, env)(`serve --development${option}`)).toEqual({ code: 3, out: '', err })
  })

  test('one message names every setting that is wrong', async () => {
    const cwd = folderOf()
    const addresses = {
      PURVEYOR_PUBLIC_URL: 'http://provider.example',
      PURVEYOR_DATABASE_URL: 'mysql://localhost',
    }
    const env = { ...addresses, PORT: 'eighty', PURVEYOR_SECRT: 'swordfish' }
    const { code, out, err } = await commandsIn(cwd, env)('serve')
    // No line of the code is at fault.
    expect(err.split('\n')).toEqual([
      'purveyor: The configuration has problems:',
      '  - store (PURVEYOR_DATABASE_URL) must be sqlite: and a path, such as sqlite:./data/purveyor.db, or postgres://user:password@host/database',
      '  - port (PORT) must be a number',
      '  - secret (PURVEYOR_SECRET) is required in production: set it to 32 random characters or more, such as `openssl rand -hex 32` prints',
      '  - publicUrl (PURVEYOR_PUBLIC_URL) must be an https address in production, because shops call no other: put a TLS proxy in front, and set it to an address such as https://pay.example.com',
      '  - PURVEYOR_SECRT is not a setting: did you mean PURVEYOR_SECRET?',
      'This is production, because NODE_ENV is production, as `purveyor serve` sets it.',
      'Code: CONFIGURATION_INVALID. More: purveyor explain CONFIGURATION_INVALID',
    ])
    expect([code, out]).toEqual([3, ''])
    expect(existsSync(join(cwd, 'data'))).toBe(false)
  })

  test('a setting that is wrong in the code is shown with its line', async () => {
    const wrong = "createProvider({ publicUrl: 'ftp://x.example',"
    const cwd = folderOf(providerSource().replace('createProvider({', wrong))
    const says = /publicUrl \(PURVEYOR_PUBLIC_URL\) must be an https address[\s\S]*provider\.ts:\d+:\d+/
    expect((await commandsIn(cwd, production)('serve')).err).toMatch(says)
  })

  test('.env is read, and the environment has the last word', async () => {
    const cwd = folderWith({
      'src/provider.ts': providerSource(),
      '.env': 'PURVEYOR_PUBLIC_URL=https://from.file\nPORT=eighty\n',
    })
    const env = { PURVEYOR_SECRET: production.PURVEYOR_SECRET, PORT: '0' }
    const { ready } = running('serve --json --show-endpoint', { cwd, env })
    expect((await ready).endpoint).toMatch(/^https:\/\/from\.file\/e\/[\w-]{43}$/)
  })

  test('asked to stop, it answers what is open, takes nothing new and ends well', async () => {
    const source = providerSource().replace(
      'quote: () => [method]',
      `quote() {
        console.log('asked')
        return new Promise((resolve) => process.once('SIGTERM', () => setImmediate(resolve, [method])))
      }`,
    )
    const { child, ready, ended, printed } = serving(folderOf(source))
    const { endpoint } = await ready
    // Kept alive by its last answer, the connection must not hold up the end.
    const answered = callOn(new Agent({ keepAlive: true }), `${endpoint}/shipment_methods`, checkout)
    await printed('asked')
    child.kill('SIGTERM')
    const { status, body } = await answered
    expect([status, JSON.parse(body)]).toMatchObject([201, { shipment_methods: [{ id: 'door' }] }])
    expect(await ended).toEqual([0, null])
    await expect(fetch(endpoint)).rejects.toThrow()
  })

  test('an idle connection does not hold up the end', async () => {
    const { child, ready, ended, output } = serving(folderOf())
    const { url } = await ready
    const agent = new Agent({ keepAlive: true })
    await Promise.all([once(agent, 'free'), callOn(agent, `${url}/health/ready`)])
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(output.stderr).toBe('')
    agent.destroy()
  })
})

describe.concurrent('db migrate', () => {
  test('makes the tables, and does nothing the second time', async () => {
    const cwd = folderWith()
    const run = commandsIn(cwd)
    const out = 'sqlite:./data/purveyor.db is up to date.'
    expect(await run('db migrate')).toEqual({ code: 0, out, err: '' })
    const again = { database: 'sqlite:./data/purveyor.db', migrated: true }
    expect(await run.json('db migrate')).toEqual(again)
    expect(existsSync(join(cwd, 'data/purveyor.db'))).toBe(true)
  })

  test('needs no secret in production', async () => {
    const cwd = folderWith({ '.env': 'PURVEYOR_DATABASE_URL=sqlite:./orders.db\n' })
    const env = { NODE_ENV: 'production', PURVEYOR_PUBLIC_URL: production.PURVEYOR_PUBLIC_URL }
    expect(await commandsIn(cwd, env)('db migrate')).toMatchObject({ code: 0, err: '' })
    expect(existsSync(join(cwd, 'orders.db'))).toBe(true)
  })

  test('a file that is no database is a problem of the machine', async () => {
    const text = 'this is no database, and it is long enough to be read as one'
    const { code, err } = await commandsIn(folderWith({ 'data/purveyor.db': text }))('db migrate')
    expect(code).toBe(3)
    expect(err).not.toContain('    at ')
  })
})

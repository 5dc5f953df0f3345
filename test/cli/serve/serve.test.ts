import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { checkout } from '../../http/messages.ts'
import { closed } from '../../ports.ts'
import { folderWith, production, providerSource, purveyor, running, serving } from '../command.ts'

const broken: [string, string, string[]][] = [
  [
    'a syntax error',
    'export default createProvider(',
    ['provider.ts', ':1', 'export default createProvider('],
  ],
  ['an enum', 'enum Colour { Red }\nexport default Colour', ['provider.ts:1', 'enum']],
  [
    'no default export',
    'export const provider = 1',
    ['exports no provider', 'export default createProvider('],
  ],
  ['a default export that is no provider', 'export default { rates: [] }', ['exports no provider']],
]

describe.concurrent('serve', () => {
  test.for(broken)('%s in the provider file is named, without a stack', async ([_what, source, words]) => {
    const cwd = folderWith({ 'provider.ts': source })
    const { code, stdout, stderr } = await purveyor(['serve', '--port', '0'], { cwd })
    for (const word of words) expect(stderr).toContain(word)
    expect(stderr).not.toContain('    at ')
    expect([code, stdout]).toEqual([2, ''])
  })

  test('what the provider file throws comes with its stack', async () => {
    const cwd = folderWith({ 'provider.ts': "\nthrow new Error('no tariffs')\nexport default 1" })
    const { code, stderr } = await purveyor(['serve', '--port', '0'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain('purveyor: no tariffs')
    expect(stderr).toContain('provider.ts:2')
  })

  test.for(['option', 'environment', 'code'])('a port that is taken, named by %s', async (by) => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    try {
      const source = providerSource()
      const cwd = folderWith({
        'provider.ts':
          by === 'code' ? source.replace('createProvider({', `createProvider({ port: ${port},`) : source,
      })
      const { code, stdout, stderr } = await purveyor(
        ['serve', '--development', ...(by === 'option' ? ['--port', String(port)] : [])],
        { cwd, env: by === 'environment' ? { PORT: String(port) } : {} },
      )
      expect(stderr).toBe(`purveyor: Port ${port} is in use. Choose another one with --port.\n`)
      expect([code, stdout]).toEqual([3, ''])
    } finally {
      holder.close()
    }
  })

  test('one message names every setting that is wrong', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { code, stdout, stderr } = await purveyor(['serve'], {
      cwd,
      env: {
        PORT: 'eighty',
        PURVEYOR_PUBLIC_URL: 'http://provider.example',
        PURVEYOR_DATABASE_URL: 'mysql://localhost',
        PURVEYOR_SECRT: 'swordfish',
      },
    })
    // No line of the code is at fault.
    expect(stderr.split('\n')).toEqual([
      'purveyor: The configuration has problems:',
      '  - store (PURVEYOR_DATABASE_URL) must be sqlite: and a path, such as sqlite:./data/purveyor.db, or postgres://user:password@host/database',
      '  - port (PORT) must be a number',
      '  - secret (PURVEYOR_SECRET) is required in production: set it to 32 random characters or more, such as `openssl rand -hex 32` prints',
      '  - publicUrl (PURVEYOR_PUBLIC_URL) must be an https address in production, because shops call no other: put a TLS proxy in front, and set it to an address such as https://pay.example.com',
      '  - PURVEYOR_SECRT is not a setting: did you mean PURVEYOR_SECRET?',
      'This is production, because NODE_ENV is production, as `purveyor serve` sets it.',
      'Code: CONFIGURATION_INVALID. More: purveyor explain CONFIGURATION_INVALID',
      '',
    ])
    expect([code, stdout]).toEqual([3, ''])
    expect(existsSync(join(cwd, 'data'))).toBe(false)
  })

  test('a setting that is wrong in the code is shown with its line', async () => {
    const source = providerSource().replace(
      'createProvider({',
      "createProvider({ publicUrl: 'ftp://x.example',",
    )
    const { stderr } = await purveyor(['serve'], {
      cwd: folderWith({ 'provider.ts': source }),
      env: production,
    })
    expect(stderr).toMatch(
      /publicUrl \(PURVEYOR_PUBLIC_URL\) must be an https address[\s\S]*provider\.ts:\d+:\d+/,
    )
  })

  test('.env is read, and the environment has the last word', async () => {
    const cwd = folderWith({
      'src/provider.ts': providerSource(),
      '.env': 'PURVEYOR_PUBLIC_URL=https://from.file\nPORT=eighty\n',
    })
    const { ready } = running(['serve', '--json', '--show-endpoint'], {
      cwd,
      env: { PURVEYOR_SECRET: production.PURVEYOR_SECRET, PORT: '0' },
    })
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
    const cwd = folderWith({ 'provider.ts': source })
    const { child, ready, ended, printed } = serving(cwd)
    const { endpoint } = await ready
    const open = request(`${endpoint}/shipment_methods`, {
      method: 'POST',
      // Kept alive by its last answer, the connection must not hold up the end.
      agent: new Agent({ keepAlive: true }),
      headers: { 'content-type': 'application/json' },
    })
    open.end(JSON.stringify(checkout))
    await printed('asked')
    child.kill('SIGTERM')
    const [answer] = (await once(open, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(201)
    expect(await json(answer)).toMatchObject({ shipment_methods: [{ id: 'door' }] })
    expect(await ended).toEqual([0, null])
    await expect(fetch(endpoint)).rejects.toThrow()
  })

  test('a call on a connection that was idle when the end began is answered, as the last one', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { child, ready, ended } = serving(cwd)
    const { url } = await ready
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const call = async (path: string) => {
      const [answer] = await once(request(`${url}${path}`, { agent }).end(), 'response')
      answer.resume()
      await once(answer, 'end')
      return answer
    }
    expect((await call('/health/live')).headers.connection).toBe('keep-alive')
    child.kill('SIGTERM')
    await closed(url)
    const last = await call('/health/live')
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close'])
    expect(await ended).toEqual([0, null])
  })

  test('an idle connection does not hold up the end', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { child, ready, ended, output } = serving(cwd)
    const { url } = await ready
    const agent = new Agent({ keepAlive: true })
    const [answer] = await once(request(`${url}/health/ready`, { agent }).end(), 'response')
    answer.resume()
    await once(agent, 'free')
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(output.stderr).toBe('')
    agent.destroy()
  })
})

describe.concurrent('db migrate', () => {
  test('makes the tables, and does nothing the second time', async () => {
    const cwd = folderWith()
    const migrate = (...more: string[]) => purveyor(['db', 'migrate', ...more], { cwd })
    const [first, second] = [await migrate(), await migrate('--json')]
    expect(first).toEqual({
      code: 0,
      signal: null,
      stdout: 'sqlite:./data/purveyor.db is up to date.\n',
      stderr: '',
    })
    expect(second.code).toBe(0)
    expect(JSON.parse(second.stdout)).toEqual({ database: 'sqlite:./data/purveyor.db', migrated: true })
    expect(existsSync(join(cwd, 'data/purveyor.db'))).toBe(true)
  })

  test('needs no secret in production', async () => {
    const cwd = folderWith({ '.env': 'PURVEYOR_DATABASE_URL=sqlite:./orders.db\n' })
    const env = { NODE_ENV: 'production', PURVEYOR_PUBLIC_URL: production.PURVEYOR_PUBLIC_URL }
    const { code, stderr } = await purveyor(['db', 'migrate'], { cwd, env })
    expect([code, stderr]).toEqual([0, ''])
    expect(existsSync(join(cwd, 'orders.db'))).toBe(true)
  })

  test('a file that is no database is a problem of the machine', async () => {
    const cwd = folderWith({
      'data/purveyor.db': 'this is no database, and it is long enough to be read as one',
    })
    const { code, stderr } = await purveyor(['db', 'migrate'], { cwd })
    expect(code).toBe(3)
    expect(stderr).not.toContain('    at ')
  })
})

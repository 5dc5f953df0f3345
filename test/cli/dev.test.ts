import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { seededAddress, seededCustomer } from '../../src/messages/people.ts'
import { checkout } from '../http/messages.ts'
import { postForm } from '../http/post.ts'
import { isLong, sized } from '../long.ts'
import { callOn } from './call-on.ts'
import { commandsIn, folderWith, providerSource, running, saying } from './command.ts'

const dev = (cwd: string, env: Record<string, string> = {}) => running('dev --port 0 --json', { cwd, env })

/** A folder with this provider, `dev` of which runs, and what saves it. */
function devOf(source = providerSource(), more: Record<string, string> = {}) {
  const cwd = folderWith({ 'provider.ts': source, ...more })
  const save = (text: string) => writeFileSync(join(cwd, 'provider.ts'), text)
  return { cwd, save, ...dev(cwd) }
}

const random = /^[\da-f]{32}$/
const address = /^http:\/\/127\.0\.0\.1:\d+$/

/** What a start prints without the words about one that takes more than 10 s, as any start does on a busy machine. */
const inTime = ({ stdout, stderr }: { stdout: string; stderr: string }) => ({
  stdout: stdout.replace(
    /^\{"ready":false.*\n|^A shop is ready\. [\s\S]*?(?=^Your provider and|^The built-in sample)/m,
    '',
  ),
  stderr: stderr.replace(
    /^purveyor: The provider is not running: it is still starting.*\nThe first start takes longest.*\n/,
    '',
  ),
})

describe.concurrent('dev', () => {
  test('the ready line has full addresses and nothing else', async () => {
    const { ready, child, ended, output } = dev(folderWith())
    const line = await ready
    expect(line).toEqual({
      ...{ ready: true, services: ['rates', 'payments'], estimates: true },
      url: expect.stringMatching(address),
      endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/e\/[\w-]{43}$/),
      sandbox: expect.stringMatching(address),
      api: {
        baseUrl: `${line.sandbox}/api`,
        key: expect.stringMatching(random),
        secret: expect.stringMatching(random),
        appSecret: expect.stringMatching(random),
      },
    })
    expect(Object.keys(line)).toEqual(['ready', 'url', 'endpoint', 'services', 'estimates', 'sandbox', 'api'])
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(inTime(output)).toEqual({ stdout: `${JSON.stringify(line)}\n`, stderr: '' })
    await expect(fetch(line.url)).rejects.toThrow()
  })

  test('a person reads at most eight lines; the port of .env counts, and the shop takes the next one', async () => {
    const { port, close } = await freePairWithOneTaken()
    close()
    const { printed, output } = running('dev', { cwd: folderWith({ '.env': `PORT=${port}\n` }) })
    // On a slow machine the shop opens before it.
    await printed('The built-in sample is ready')
    await printed('Ctrl+C stops.\n')
    expect(output.stdout).toMatch(new RegExp(`^ +Provider +http://127\\.0\\.0\\.1:${port}$`, 'm'))
    expect(output.stdout).toMatch(new RegExp(`^ +Shop +http://127\\.0\\.0\\.1:${port + 1} `, 'm'))
    expect(inTime(output).stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(8)
    expect(output.stdout).toMatch(/API +http:.*\/api +key [\da-f]{32}, secret [\da-f]{32}\n/)
    expect(inTime(output).stderr).toBe('')
  })

  test('after a change the provider is back at its address, and the shop keeps its order', async ({
    expect,
  }) => {
    const { cwd, save, ready, printed, child, ended } = devOf()
    const { url, sandbox } = await ready
    const order = await placeOrder(sandbox)
    const estimated = () => page(`${sandbox}/?zipcode=1012LG`)
    expect(await estimated()).toContain('At your door')

    save(providerSource('At the neighbours'))
    await printed(`Changed provider.ts: the provider runs again at ${url} (`, 'stderr')
    // One save may be seen as two.
    await expect.poll(estimated).toContain('At the neighbours')

    // Editors that save safely write another file and put it in the place of the first.
    writeFileSync(join(cwd, 'provider.ts~'), providerSource('At the station'))
    renameSync(join(cwd, 'provider.ts~'), join(cwd, 'provider.ts'))
    await printed(`Changed provider.ts: the provider runs again at ${url} (`, 'stderr')
    await expect.poll(estimated).toContain('At the station')
    expect(await page(`${sandbox}/orders/${order}/return`)).toContain('is pending')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])

    // The provider keeps the payments of that shop: an order of the next one must not be paid by them.
    const next = dev(cwd)
    expect(await placeOrder((await next.ready).sandbox)).not.toBe(order)
  })

  test('a save resets no call: neither one that takes as long as a shop waits, nor one on a connection that was idle', async () => {
    const source = `import { existsSync } from 'node:fs'
let answer = () => {}
process.on('SIGTERM', () => {
  console.log('stopping')
  while (existsSync('data/block')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  // Longer than a production provider finishes its calls.
  setTimeout(answer, 5_000)
})
${providerSource().replace(
  'quote: () => [method]',
  `quote() {
    console.log('asked')
    return existsSync('data/hold') ? new Promise((resolve) => { answer = () => resolve([method]) }) : [method]
  }`,
)}`
    const { cwd, save, ready, printed } = devOf(source, { 'data/hold': '' })
    const { endpoint } = await ready
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (sent?: () => void) => callOn(agent, `${endpoint}/shipment_methods`, checkout, sent)
    const slow = ask()
    await printed('asked')
    save(`${source}//`)
    expect(await slow).toMatchObject({ status: 201 })

    await printed('Changed provider.ts', 'stderr')
    rmSync(join(cwd, 'data/hold'))
    expect(await ask()).toMatchObject({ status: 201 })
    writeFileSync(join(cwd, 'data/block'), '')
    save(source)
    await printed('stopping')
    await printed('stopping')
    expect(await ask(() => rmSync(join(cwd, 'data/block')))).toMatchObject({ status: 201 })
  })

  // One session for all of it: each start of `dev` is two processes.
  test('what is installed, data and texts are no change; a provider that broke, was killed or hangs at its start is back after the change that repairs it', async () => {
    const working = `${providerSource()}\nconsole.log('running as', process.pid, 'now')\n`
    const cwd = join(
      folderWith({
        // Wherever the project lies.
        'data/shop/provider.ts': working,
        'data/shop/tariffs.csv': 'nl,5',
        'data/shop/node_modules/a/index.js': '1',
        'data/shop/dist/b.js': '1',
      }),
      'data/shop',
    )
    const save = (text: string) => writeFileSync(join(cwd, 'provider.ts'), text)
    const { ready, printed, output } = dev(cwd)
    const { url } = await ready
    await printed(' now\n')
    for (const name of 'node_modules/a/index.js dist/b.js data/c.json notes.md node_modules/d.js'.split(' '))
      writeFileSync(join(cwd, name), '2')
    writeFileSync(join(cwd, 'tariffs.csv'), 'nl,6')
    await printed(`Changed tariffs.csv: the provider runs again at ${url} (`, 'stderr')
    expect(output.stderr.match(/Changed /g)).toHaveLength(1)
    await printed(' now\n')

    save('export default createProvider(')
    await printed('Waiting for the next change.\n', 'stderr')
    expect(output.stderr).toContain('Expression expected')
    save(working)
    await printed(`Changed provider.ts: the provider runs again at ${url} (`, 'stderr')

    await printed(' now\n')
    const pids = [...output.stdout.matchAll(/running as (\d+) now\n/g)].map(([, pid]) => Number(pid))
    process.kill(pids.at(-1)!, 'SIGKILL')
    save(providerSource())
    await printed(`Changed provider.ts: the provider runs again at ${url} (`, 'stderr')
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)

    save('\nconst missing = 2\nif (missing) process.exit(1)')
    await printed('Waiting for the next change.\n', 'stderr')
    expect(output.stderr).toMatch(
      /The provider is not running: the code called process\.exit\(1\)\n {2}provider\.ts:3:22\n {2}2 \| [^\n]+\n {2}3 \| if [^\n]+\n[^\n]+\nThrow an error instead/,
    )

    // As dead as in an endless loop, without its load.
    save("console.log('hanging')\nAtomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)")
    await printed('hanging')
    save(providerSource())
    await printed('the provider runs again', 'stderr')
  })

  test('without a store on disk the endpoint changes, and the shop calls the new one', async ({ expect }) => {
    const { save, ready, printed } = devOf(undefined, { '.env': 'PURVEYOR_DATABASE_URL=sqlite::memory:\n' })
    const { sandbox } = await ready
    save(providerSource('Changed'))
    await printed('the provider runs again', 'stderr')
    await expect.poll(() => page(`${sandbox}/?zipcode=1012LG`)).toContain('Changed')
  })

  test('a provider that is still starting when dev is killed does not stay behind', async ({ expect }) => {
    const { cwd, child, printed, ended } = devOf(`import { writeFileSync } from 'node:fs'
${providerSource()}
process.on('exit', (code) => writeFileSync('ended', String(code)))
console.log('starting')
await new Promise((resolve) => process.once('disconnect', resolve))
`)
    await printed('starting')
    child.kill('SIGKILL')
    await ended
    await expect.poll(() => existsSync(join(cwd, 'ended')), { timeout: 120_000 }).toBe(true)
    expect(readFileSync(join(cwd, 'ended'), 'utf8')).toBe('0')
  })

  const broken = [
    ['a syntax error', 'export default createProvider(', 'Expression expected', /provider\.ts:1\b/],
    ['no default export', 'export const provider = 1', 'exports no provider', undefined],
    ['an error', "\nthrow new TypeError('no key')", 'TypeError: no key', /provider\.ts:2:7\b/],
  ] as const
  test.for(broken.slice(0, sized(1, 3)))(
    'a provider that starts with %s has a shop, and joins it after the change that repairs it',
    async ([_what, source, words, place], { expect }) => {
      const { save, printed, output } = devOf(source)
      await printed('"ready":false')
      await printed('Waiting for the next change.\n', 'stderr')
      expect(output.stderr).toContain(words)
      if (place) expect(output.stderr).toMatch(place)
      const { sandbox } = JSON.parse(output.stdout)
      const answer = await fetch(sandbox)
      expect(answer.status).toBe(503)
      const shown = (await answer.text()).replaceAll('&#39;', "'").replaceAll('&quot;', '"')
      expect(shown).toContain('The provider is not running')
      expect(shown).toContain(words)
      expect((await fetch(`${sandbox}/log`)).status).toBe(200)
      save(providerSource('Repaired'))
      await printed('"ready":true')
      expect(JSON.parse(output.stdout.split('\n')[1]!).sandbox).toBe(sandbox)
      expect(await page(`${sandbox}/?zipcode=1012LG`)).toContain('Repaired')
    },
  )

  test('wrong settings are named, and so is their repair', async () => {
    const wrong = 'PURVEYOR_PUBLIC_URL=nowhere\nPORT=eighty\nPURVEYOR_LOGLEVEL=info\n'
    const cwd = folderWith({ '.env': wrong })
    const { printed, output } = running('dev --json', { cwd })
    await printed('Waiting for the next change.\n', 'stderr')
    expect(output.stderr).toContain('publicUrl (PURVEYOR_PUBLIC_URL) must be an http or https address')
    expect(output.stderr).toContain('port (PORT) must be a number')
    expect(output.stderr).toContain('PURVEYOR_LOGLEVEL is not a setting: did you mean PURVEYOR_LOG_LEVEL?')
    expect(output.stderr).not.toContain('    at ')
    writeFileSync(join(cwd, '.env'), 'PORT=0')
    await printed('the provider runs again', 'stderr')
  })

  test.runIf(isLong)('a port that is taken is named with code 3, also behind a slow start', async () => {
    const { port, close } = await freePairWithOneTaken(0)
    const slow = `await new Promise((resolve) => setTimeout(resolve, 12_000))\n${providerSource()}`
    const cwd = folderWith({ 'provider.ts': slow })
    const ended = await commandsIn(cwd)(`dev --port ${port}`)
    close()
    expect(ended).toMatchObject(saying(3, `Port ${port} is in use.`))
    expect(ended.err).not.toContain('Waiting for the next change')
  })

  test.for(['provider', 'shop'])('a port that is taken for the %s is named', async (whose) => {
    const { port, close } = await freePairWithOneTaken(whose === 'provider' ? 0 : 1)
    const run = commandsIn(folderWith(), { npm_lifecycle_event: 'start' })
    const { code, out, err } = await run(`dev --port ${port}`)
    close()
    // A start that takes longer than ten seconds is one that the shop shows.
    const shown = out.startsWith('A shop is ready.') ? '' : out
    expect(err).toMatch(
      whose === 'provider'
        ? `Port ${port} is in use. Choose another one with --port`
        : `Port ${port + 1}, the port of the shop, is in use. Choose another one with --port: npm start -- --port 4000`,
    )
    expect([code, shown]).toEqual([3, ''])
  })
})

const page = async (url: string) => (await fetch(url)).text()

/** Goes through the checkout of the shop with what it filled in. Returns the number of the order in its address. */
async function placeOrder(sandbox: string): Promise<string> {
  const { url } = await fetch(`${sandbox}/checkout`)
  const answer = await postForm(`${url}/order`, { ...seededCustomer, ...seededAddress, language: 'en' })
  const [, order] = /^\/orders\/(\d+)\/payment$/.exec(answer.headers.get('location') ?? '') ?? []
  expect(order).toBeDefined()
  return order!
}

/** Two ports in a row that are free but for the one at `taken`, which is held until `close`. */
async function freePairWithOneTaken(taken?: 0 | 1): Promise<{ port: number; close: () => void }> {
  for (;;) {
    // Below the range that port 0 takes from, so that no other test gets them meanwhile.
    const port = 20_000 + 2 * Math.floor(Math.random() * 6_000)
    const pair = await Promise.allSettled([hold(port), hold(port + 1)])
    const free = pair.every(({ status }) => status === 'fulfilled')
    const servers = pair.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
    const held = free && taken !== undefined ? servers[taken] : undefined
    for (const server of servers) if (server && server !== held) await once(server.close(), 'close')
    if (free) return { port, close: () => held?.close() }
  }
}

async function hold(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

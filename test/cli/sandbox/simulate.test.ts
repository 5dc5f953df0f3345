import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { repository } from '../../journey/project.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { folderWith, onTerminal, providerSource, purveyor, running, saying } from '../command.ts'

const full = join(repository, 'templates/full/provider.ts')
const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1)!)

describe.concurrent('simulate', () => {
  test('every scenario holds for template full, on a clock that is moved', async () => {
    const cwd = folderWith()
    const { code, stdout, stderr } = await purveyor(
      ['simulate', 'run', '--all', '--provider', full, '--json'],
      { cwd },
    )
    const { passed, failed, skipped, scenarios } = lastLine(stdout)
    // It has methods of neither kind.
    const skips = ['pickup', 'cash-on-delivery']
    expect(
      scenarios.filter(
        ({ name, result }: { name: string; result: string }) => result !== 'passed' && !skips.includes(name),
      ),
    ).toEqual([])
    expect([failed, skipped, code, stderr]).toEqual([0, skips.length, 0, ''])
    expect(passed).toBeGreaterThanOrEqual(50)
    // Nothing is left behind: the store was in memory.
    expect(readdirSync(cwd)).toEqual([])
  })

  test('a terminal shows how many scenarios are done, and which one runs', async () => {
    const endpoint = await serveOrigin((_req, res) => {
      setTimeout(() => res.writeHead(201).end('{"shipment_methods":[]}'), 700)
    }, atEnd)
    const args = ['simulate', 'run', 'letter', 'heavy', '--endpoint', endpoint, '--for', 'rates']
    expect(await onTerminal(args, [])).toContain('Playing scenarios: 1 of 2, heavy')
  })

  test('one order is pending, and paid five seconds later', async () => {
    const args = ['simulate', 'order', '--status', 'pending', '--then', 'paid', '--after', '5s']
    const { code, stdout } = await purveyor([...args, '--json'], { cwd: folderWith() })
    expect([code, lastLine(stdout)]).toMatchObject([0, { passed: 1, failed: 0, order: { status: 'paid' } }])
  })

  test('an order that ends otherwise fails with what was seen', async () => {
    const args = ['simulate', 'order', '--status', 'pending', '--then', 'expired', '--after', '1m']
    const { code, stdout } = await purveyor(args, { cwd: folderWith() })
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/provider calls +POST webhooks[\s\S]*The order is paid, not expired\.\n$/),
    ])
  })

  test('what a provider has nothing for is skipped, and a page that does not open fails', async () => {
    const ratesOnly = `import { createProvider } from 'purveyor'
import { flatRate } from 'purveyor/rates'
export default createProvider({ rates: flatRate({ id: 'door', title: 'Door', excl: '5.00', taxRate: '0.21' }) })
`
    const rates = await purveyor(['simulate', 'run', 'paid'], {
      cwd: folderWith({ 'provider.ts': ratesOnly }),
    })
    expect([rates.code, rates.stdout]).toEqual([
      1,
      expect.stringMatching(
        /skipped +paid +No active[\s\S]*0 failed, 1 skipped\nNothing was tested: No active service is registered for payments\.\n/,
      ),
    ])
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const closed = await purveyor(['simulate', 'run', 'paid'], { cwd })
    expect([closed.code, closed.stdout]).toEqual([
      1,
      expect.stringContaining('The payment page at 127.0.0.1:9 does not open'),
    ])
  })

  test('settings, products and the chosen method come from options, and mistakes in them are named', async () => {
    const settings = `import { createProvider, price, rateAdapter, z } from 'purveyor'
export default createProvider({ rates: rateAdapter({ name: 'courier', settings: z.object({ least: z.number() }), estimate: 'quote',
  quote: ({ quote, shop }, { settings }) => (quote.weight ?? 0) < settings.least ? [] : ['slow', 'fast'].map((id) => (
    { id, title: id, is_pickup: id === 'fast', ...price({ excl: '5', taxRate: '0.21', currency: shop.currency }) })) }) })
`
    const cwd = folderWith({
      'provider.ts': settings,
      'settings.json': '{"adapters":{"courier":{"least":20000}}}',
      'shop.json':
        '{"products":[{"id":7,"title":"Chair","weight":6000}],"cart":[{"product":7,"quantity":4}]}',
      'seeds/products.json': '[{"id":7,"title":"Chair","weight":6000}]',
      'seeds/cart.json': '[{"product":7,"quantity":4}]',
      'heavy.json': '{"products":[{"weight":"heavy"}]}',
      'none.json': '{"products":[{"id":7}],"cart":[{"product":8}]}',
      'nobody.json': '{"adapters":{"nobody":{}}}',
    })
    const run = (...args: string[]) => purveyor(['simulate', 'run', 'order-shipped', ...args], { cwd })
    const light = await run('--settings', 'settings.json')
    expect([light.code, light.stdout]).toEqual([1, expect.stringContaining('has no first shipment method')])
    const seeded = await run('--settings', 'settings.json', '--seed', 'shop.json', '--method', 'fast')
    expect([seeded.code, seeded.stdout]).toEqual([0, expect.stringContaining('1 passed, 0 failed')])
    const folder = await run('--settings', 'settings.json', '--seed', 'seeds', '--method', 'fast')
    expect([folder.code, folder.stdout]).toEqual([0, expect.stringContaining('1 passed, 0 failed')])
    for (const [args, says] of [
      [['--seed', 'heavy.json'], 'products, record 1: weight must be a number'],
      [['--seed', 'none.json'], 'none.json: cart[0].product is the id of one of the products'],
      [['--seed', 'nowhere.json'], 'There is no file nowhere.json. Name one'],
      [['--settings', 'nobody.json'], 'adapters.nobody is not an adapter of this provider'],
      [
        ['--settings', 'settings.json', '--endpoint', 'http://127.0.0.1:9'],
        "'--settings <file>' cannot be used with option '--endpoint <url>'",
      ],
    ] as const)
      expect(await run(...args)).toMatchObject(saying(2, says))
  })

  test('scenarios are listed, and one that there is not is named', async () => {
    const listed = await purveyor(['simulate', 'list'])
    expect(listed.stdout).toMatch(/^name +what happens\npaid +The customer pays and returns\n/)
    expect(JSON.parse((await purveyor(['simulate', 'list', '--json'])).stdout).length).toBeGreaterThanOrEqual(
      20,
    )
    expect(await purveyor(['simulate', 'run', 'nothing'])).toMatchObject(
      saying(2, 'There is no scenario "nothing"'),
    )
    expect(await purveyor(['simulate', 'run'])).toMatchObject(saying(2, '--all'))
    expect(await purveyor(['simulate', 'order', '--after', 'soon'])).toMatchObject({ code: 2 })
    expect(await purveyor(['simulate', 'order', '--status', 'lost'])).toMatchObject({ code: 2 })
  })

  test('a session is recorded, and replayed against a provider that has changed', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    await purveyor(['simulate', 'run', 'asked-twice', '--record', 'session'], { cwd })
    const [first = ''] = readdirSync(join(cwd, 'session')).sort()
    // Both kinds of methods are asked for at the same moment.
    expect(first).toMatch(/^0001-(payment|shipment)_methods\.json$/)
    const same = await purveyor(['simulate', 'replay', 'session'], { cwd })
    expect([same.code, same.stdout]).toEqual([0, expect.stringMatching(/\d+ the same, 0 different\n$/)])

    writeFileSync(join(cwd, 'provider.ts'), providerSource('At the station'))
    const changed = await purveyor(['simulate', 'replay', 'session'], { cwd })
    expect(changed.code).toBe(1)
    expect(changed.stdout).toContain('shipment_methods[0].title: "At your door" before, "At the station" now')
    expect(readFileSync(join(cwd, 'session', first), 'utf8')).not.toContain('Noor')
    expect(
      await purveyor(['simulate', 'replay', 'session', '--record', './session/'], { cwd }),
    ).toMatchObject(saying(2, 'the folder that is replayed'))
    expect(await purveyor(['simulate', 'replay', 'nowhere'], { cwd })).toMatchObject(
      saying(2, 'There is no folder nowhere'),
    )
    // A further recording goes into the same folder.
    const before = readdirSync(join(cwd, 'session'))
    await purveyor(['simulate', 'run', 'asked-twice', '--record', 'session'], { cwd })
    expect(readdirSync(join(cwd, 'session')).length).toBeGreaterThan(before.length)
  })

  test('a file as the folder of a recording is refused before anything starts', async () => {
    const cwd = folderWith({ 'provider.ts': 'throw new Error("started")', 'calls/0001-x.json': '{}' })
    const says = 'purveyor: calls/0001-x.json is a file. Name a folder for the recording.\n'
    for (const args of [
      ['simulate', 'run', 'paid'],
      ['simulate', 'order'],
      ['sandbox', '--port', '0'],
      ['dev', '--provider', 'provider.ts'],
    ]) {
      const run = await purveyor([...args, '--record', 'calls/0001-x.json'], { cwd, patience: 20_000 })
      expect([args, run.code, run.stderr]).toEqual([args, 2, says])
    }
    const missing = join('calls', '0001-x.json', 'deeper')
    expect(await purveyor(['simulate', 'run', 'paid', '--record', missing], { cwd })).toMatchObject({
      code: 2,
      stderr: `purveyor: ${missing} cannot be made: calls/0001-x.json is a file. Name another folder.\n`,
    })
  })
})

describe.concurrent('sandbox', () => {
  const free = ['--port', '0', '--json']

  test('the shop runs alone, and its switches and clock are set from outside', async () => {
    const { ready, child, ended } = running(['sandbox', ...free], { cwd: folderWith() })
    const { sandbox: url, api } = (await ready) as unknown as { sandbox: string; api: { baseUrl: string } }
    expect(api.baseUrl).toBe(`${url}/api`)
    const env = { PURVEYOR_SANDBOX_URL: url }
    const shown = await purveyor(['sandbox', 'switches'], { env })
    expect(shown.stdout).toMatch(/webhook +accepted +late refused limited gone/)
    const set = await purveyor(['sandbox', 'switches', 'webhook=refused', '--json'], { env })
    expect(JSON.parse(set.stdout)).toContainEqual(
      expect.objectContaining({ name: 'webhook', value: 'refused' }),
    )
    const back = await purveyor(['sandbox', 'switches', 'reset', '--url', url])
    expect(back.stdout).toMatch(/webhook +accepted/)
    const before = Date.now()
    const moved = await purveyor(['sandbox', 'clock', '1d', '--json'], { env })
    expect(Date.parse(JSON.parse(moved.stdout).now) - before).toBeGreaterThanOrEqual(24 * 3_600_000)
    for (const [args, code, says] of [
      [['switches', 'webhook'], 2, 'name=value'],
      [['switches', 'webhook=gladly'], 2, 'is one of accepted, late'],
      [['clock', 'soon'], 2, '1month'],
      [['clock', '1d', '--url', 'http://127.0.0.1:9'], 3, 'No sandbox answers at http://127.0.0.1:9'],
    ] as const)
      expect(await purveyor(['sandbox', ...args], { env })).toMatchObject({
        code,
        stderr: expect.stringContaining(says),
      })
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('a person reads the credentials, also as an environment for shop connect', async () => {
    const { printed, output } = running(['sandbox', '--port', '0'], { cwd: folderWith() })
    await printed('Ctrl+C stops.\n')
    const [, key, secret] = /key ([\da-f]{32}), secret ([\da-f]{32})\n/.exec(output.stdout) ?? []
    expect(key).not.toBe(secret)
    expect(output.stdout).toContain(`KEY=${key} PURVEYOR_PLATFORM_SECRET=${secret}\n`)
    expect(output.stdout).toMatch(/callbacks are signed with [\da-f]{32}\n/)
  })

  test('what it cannot run with is said in a sentence', async () => {
    for (const [args, code, says] of [
      [['http://provider.example/e/x'], 2, 'must use https'],
      [['nowhere'], 2, 'must be an https address'],
      [['--file', '/dev/null/shop.db'], 3, 'in a folder that this user may write to'],
    ] as const)
      expect(await purveyor(['sandbox', ...args, ...free])).toMatchObject({
        code,
        stderr: expect.stringContaining(says),
      })
    const production = await purveyor(['sandbox', ...free], { env: { NODE_ENV: 'production' } })
    expect(production).toMatchObject(saying(2, 'for development'))
  })
})

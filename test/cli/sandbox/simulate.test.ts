import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { repository } from '../../journey/project.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { commandsIn, folderWith, onTerminal, printing, providerSource, running, saying } from '../command.ts'

const full = join(repository, 'templates/full/provider.ts')
const lastLine = (out: string) => JSON.parse(out.split('\n').at(-1)!)

describe.concurrent('simulate', () => {
  test('every scenario holds for template full, on a clock that is moved', async () => {
    const cwd = folderWith()
    const { code, out, err } = await commandsIn(cwd)(`simulate run --all --provider ${full} --json`)
    const { passed, failed, scenarios } = lastLine(out)
    const left = scenarios.filter(({ result }: { result: string }) => result !== 'passed')
    // It has methods of neither kind.
    expect(left.map(({ name }: { name: string }) => name).sort()).toEqual(['cash-on-delivery', 'pickup'])
    expect([failed, code, err]).toEqual([0, 0, ''])
    expect(passed).toBeGreaterThanOrEqual(50)
    // Nothing is left behind: the store was in memory.
    expect(readdirSync(cwd)).toEqual([])
  })

  test('a terminal shows how many scenarios are done, and which one runs', async () => {
    const endpoint = await serveOrigin((_req, res) => {
      setTimeout(() => res.writeHead(201).end('{"shipment_methods":[]}'), 700)
    }, atEnd)
    const shown = await onTerminal(`simulate run letter heavy --endpoint ${endpoint} --for rates`, [])
    expect(shown).toContain('Playing scenarios: 1 of 2, heavy')
  })

  test('one order is pending, and paid five seconds later', async () => {
    const line = 'simulate order --status pending --then paid --after 5s --json'
    const { code, out } = await commandsIn(folderWith())(line)
    expect([code, lastLine(out)]).toMatchObject([0, { passed: 1, failed: 0, order: { status: 'paid' } }])
  })

  test('an order that ends otherwise fails with what was seen', async () => {
    const ended = await commandsIn(folderWith())('simulate order --status pending --then expired --after 1m')
    const says = /provider calls +POST webhooks[\s\S]*The order is paid, not expired\.$/
    expect(ended).toMatchObject(printing(1, says))
  })

  test('what a provider has nothing for is skipped, and a page that does not open fails', async () => {
    const ratesOnly = `import { createProvider } from 'purveyor'
import { flatRate } from 'purveyor/rates'
export default createProvider({ rates: flatRate({ id: 'door', title: 'Door', excl: '5.00', taxRate: '0.21' }) })
`
    for (const [source, says] of [
      [
        ratesOnly,
        /skipped +paid +No active[\s\S]*0 failed, 1 skipped\nNothing was tested: No active service is registered for payments\.$/m,
      ],
      [providerSource(), 'The payment page at 127.0.0.1:9 does not open'],
    ] as const) {
      const ended = await commandsIn(folderWith({ 'provider.ts': source }))('simulate run paid')
      expect(ended).toMatchObject(printing(1, says))
    }
  })

  test('settings, products and the chosen method come from options, and mistakes in them are named', async () => {
    const settings = `import { createProvider, price, rateAdapter, z } from 'purveyor'
export default createProvider({ rates: rateAdapter({ name: 'courier', settings: z.object({ least: z.number() }), estimate: 'quote',
  quote: ({ quote, shop }, { settings }) => (quote.weight ?? 0) < settings.least ? [] : ['slow', 'fast'].map((id) => (
    { id, title: id, is_pickup: id === 'fast', ...price({ excl: '5', taxRate: '0.21', currency: shop.currency }) })) }) })
`
    const products = [{ id: 7, title: 'Chair', weight: 6000 }]
    const cart = [{ product: 7, quantity: 4 }]
    const cwd = folderWith({
      'provider.ts': settings,
      'settings.json': { adapters: { courier: { least: 20_000 } } },
      'shop.json': { products, cart },
      'seeds/products.json': products,
      'seeds/cart.json': cart,
      'heavy.json': { products: [{ weight: 'heavy' }] },
      'none.json': { products: [{ id: 7 }], cart: [{ product: 8 }] },
      'nobody.json': { adapters: { nobody: {} } },
    })
    const run = (options: string) => commandsIn(cwd)(`simulate run order-shipped ${options}`)
    expect(await run('--settings settings.json')).toMatchObject(printing(1, 'has no first shipment method'))
    for (const seed of ['shop.json', 'seeds'])
      expect(await run(`--settings settings.json --seed ${seed} --method fast`)).toMatchObject(
        printing(0, '1 passed, 0 failed'),
      )
    for (const [options, says] of [
      ['--seed heavy.json', 'products, record 1: weight must be a number'],
      ['--seed none.json', 'none.json: cart[0].product must be the id of one of the products'],
      ['--seed nowhere.json', 'nowhere.json is not there: paths begin at'],
      ['--settings nobody.json', 'adapters.nobody is not an adapter of this provider'],
      [
        '--settings settings.json --endpoint http://127.0.0.1:9',
        "option '--settings <file>' cannot be used with option '--endpoint <url>'",
      ],
    ] as const)
      expect(await run(options)).toMatchObject(saying(2, says))
  })

  test('scenarios are listed, and one that there is not is named', async () => {
    const run = commandsIn()
    const listed = /^name +what happens\npaid +The customer pays and returns\n/
    expect(await run.out('simulate list')).toMatch(listed)
    expect((await run.json('simulate list')).length).toBeGreaterThanOrEqual(20)
    expect(await run('simulate run nothing')).toMatchObject(saying(2, 'There is no scenario "nothing"'))
    expect(await run('simulate run')).toMatchObject(saying(2, '--all'))
    expect((await run('simulate order --after soon')).code).toBe(2)
    expect((await run('simulate order --status lost')).code).toBe(2)
  })

  test('a session is recorded, and replayed against a provider that has changed', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const run = commandsIn(cwd)
    await run('simulate run asked-twice --record session')
    const [first = ''] = readdirSync(join(cwd, 'session')).sort()
    // Both kinds of methods are asked for at the same moment.
    expect(first).toMatch(/^0001-(payment|shipment)_methods\.json$/)
    const replay = (options: string) => run(`simulate replay ${options}`)
    expect(await replay('session')).toMatchObject(printing(0, /\d+ the same, 0 different$/))

    writeFileSync(join(cwd, 'provider.ts'), providerSource('At the station'))
    const changed = 'shipment_methods[0].title: "At your door" before, "At the station" now'
    expect(await replay('session')).toMatchObject(printing(1, changed))
    expect(readFileSync(join(cwd, 'session', first), 'utf8')).not.toContain('Noor')
    const into = await replay('session --record ./session/')
    expect(into).toMatchObject(saying(2, 'the folder that is replayed'))
    expect(await replay('nowhere')).toMatchObject(saying(2, 'The recording nowhere is not there'))
    // A further recording goes into the same folder.
    const before = readdirSync(join(cwd, 'session'))
    await run('simulate run asked-twice --record session')
    expect(readdirSync(join(cwd, 'session')).length).toBeGreaterThan(before.length)
  })

  test('a file as the folder of a recording is refused before anything starts', async () => {
    const cwd = folderWith({ 'provider.ts': 'throw new Error("started")', 'calls/0001-x.json': '{}' })
    const says = 'calls/0001-x.json cannot hold a recording (EEXIST'
    const run = (line: string) => commandsIn(cwd)(`${line} --record calls/0001-x.json`)
    for (const line of [
      'simulate run paid',
      'simulate order',
      'sandbox --port 0',
      'dev --provider provider.ts',
    ])
      expect(await run(line), line).toMatchObject(saying(2, says))
  })
})

describe.concurrent('sandbox', () => {
  test('the shop runs alone, and its switches and clock are set from outside', async () => {
    const { ready, child, ended } = running('sandbox --port 0 --json', { cwd: folderWith() })
    const { sandbox: url, api } = (await ready) as unknown as { sandbox: string; api: { baseUrl: string } }
    expect(api.baseUrl).toBe(`${url}/api`)
    const run = commandsIn(undefined, { PURVEYOR_SANDBOX_URL: url })
    expect(await run.out('sandbox switches')).toMatch(/webhook +accepted +late refused limited gone/)
    const set = expect.objectContaining({ name: 'webhook', value: 'refused' })
    expect(await run.json('sandbox switches webhook=refused')).toContainEqual(set)
    expect(await commandsIn().out(`sandbox switches reset --url ${url}`)).toMatch(/webhook +accepted/)
    const before = Date.now()
    const { now } = await run.json('sandbox clock 1d')
    expect(Date.parse(now) - before).toBeGreaterThanOrEqual(24 * 3_600_000)
    for (const [line, code, says] of [
      ['switches webhook', 2, 'name=value'],
      ['switches webhook=gladly', 2, 'takes accepted, late'],
      ['clock soon', 2, '1month'],
      ['clock 1d --url http://127.0.0.1:9', 3, 'No sandbox answers at http://127.0.0.1:9'],
    ] as const)
      expect(await run(`sandbox ${line}`)).toMatchObject(saying(code, says))
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('a person reads the credentials, also as an environment for shop connect', async () => {
    const { printed, output } = running('sandbox --port 0', { cwd: folderWith() })
    await printed('Ctrl+C stops.\n')
    const [, key, secret] = /key ([\da-f]{32}), secret ([\da-f]{32})\n/.exec(output.stdout) ?? []
    expect(key).not.toBe(secret)
    expect(output.stdout).toContain(`KEY=${key} PURVEYOR_PLATFORM_SECRET=${secret}\n`)
    expect(output.stdout).toMatch(/callbacks are signed with [\da-f]{32}\n/)
  })

  test('what it cannot run with is said in a sentence', async () => {
    for (const [words, code, says] of [
      ['http://provider.example/e/x', 2, 'must use https'],
      ['nowhere', 2, 'must be an https address'],
      ['--file /dev/null/shop.db', 3, 'in a folder that this user may write to'],
    ] as const)
      expect(await commandsIn()(`sandbox ${words} --port 0 --json`)).toMatchObject(saying(code, says))
    const inProduction = commandsIn(undefined, { NODE_ENV: 'production' })
    expect(await inProduction('sandbox --port 0 --json')).toMatchObject(saying(2, 'for development'))
  })
})

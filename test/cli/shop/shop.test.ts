import { describe, expect, test } from 'vitest'
import { commandsIn, folderWith, purveyor, saying } from '../command.ts'
import { folderWithOrders, owe, started } from '../waiting-orders.ts'

const source = `import { createProvider, price, z } from 'purveyor'

export default createProvider({
  rates: {
    name: 'courier',
    needs: ['customer.email'],
    settings: z.object({ account: z.string() }),
    privacy: { recipient: 'Courier Ltd', keptFor: 'six months' },
    network: { allow: ['rates.internal:8443'] },
    quote: (_request, { settings }) => [
      { id: 'door', title: settings.account, ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) },
    ],
  },
})
`
const endpoint = /http:\/\/127\.0\.0\.1:3000\/e\/[\w-]{43}/

/** Runs commands of `shop` in a folder with these files beside the provider. */
const shopIn = (files: Record<string, string> = {}) => {
  const cwd = folderWith({ 'provider.ts': source, ...files })
  return (...args: string[]) => purveyor(['shop', ...args], { cwd })
}

describe.concurrent('shop', () => {
  test('a shop is added, shown, rotated, disabled and removed', async () => {
    const run = shopIn()
    const added = await run('add', 'bikes', '--host', 'shop.example', '--platform-id', '7')
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const [first] = endpoint.exec(added.stdout) ?? []
    expect(first).toBeDefined()

    const shown = await run('show', 'bikes')
    expect(shown.stdout).toMatch(
      /platform id {2}7\n[\s\S]*hosts {8}only shop\.example\n[\s\S]*settings {5}none/,
    )
    expect(shown.stdout).not.toMatch(endpoint)
    expect((await run('show', 'bikes', '--endpoint')).stdout).toContain(first)

    const rotated = JSON.parse((await run('rotate', 'bikes', '--overlap', '24', '--json')).stdout)
    expect(rotated.endpoint).toMatch(endpoint)
    const [listed] = JSON.parse((await run('list', '--json')).stdout)
    expect(listed).toMatchObject({ id: 'bikes', hosts: ['shop.example'], hostsConfirmed: true })
    expect(listed.endpoints).toEqual([
      { createdAt: expect.any(Number) },
      { createdAt: expect.any(Number), expiresAt: rotated.oldEndsAt },
    ])

    expect((await run('disable', 'bikes')).code).toBe(0)
    expect((await run('list')).stdout).toContain('disabled')
    expect((await run('enable', 'bikes')).stdout).toContain('live')
    expect((await run('remove', 'bikes')).code).toBe(0)
    expect(await run('show', 'bikes')).toMatchObject(saying(2, 'no shop bikes'))
  })

  test('a forced removal says what is not delivered, and which payments may still be paid', async () => {
    const remove = async (...more: string[]) => {
      const { run } = await folderWithOrders(async (store) => {
        await started(store, '7', 'tr_7')
        await owe(store, '8', 'shop.example')
      })
      expect(await run('shop', 'remove', 'red')).toMatchObject({
        code: 2,
        err: expect.stringContaining('nothing was erased'),
      })
      return (await run('shop', 'remove', 'red', '--force', ...more)).out
    }
    expect((await remove()).split('\n')).toEqual([
      'Shop red and its data are removed. Its audit trail stays: purveyor shop log red',
      '1 webhook to it will not be delivered.',
      'These payments may still be paid. Purveyor no longer sees them; check each at its payment service:',
      expect.stringMatching(/^ {2}psp tr_7: 29\.34 eur, order 7, attempt default\.\d+$/),
    ])
    expect(JSON.parse(await remove('--json'))).toMatchObject({
      removed: true,
      shop: 'red',
      owed: 1,
      open: [{ orderId: '7', adapter: 'psp', reference: 'tr_7', currency: 'eur' }],
    })
  })

  test('an endpoint is bound to another platform shop, and let go', async () => {
    const run = shopIn()
    await run('add', 'bikes', '--platform-id', '666')
    expect(await run('bind', 'bikes', '--platform-id', '4711')).toMatchObject({
      code: 0,
      stdout: 'Within five seconds shop bikes answers platform shop 4711 and no other.\n',
    })
    for (const args of [[], ['--none', '--platform-id', '7'], ['--platform-id', 'EVIL']])
      expect(await run('bind', 'bikes', ...args)).toMatchObject(saying(2, /--platform-id|whole number/))
    expect((await run('show', 'bikes')).stdout).toContain('platform id  4711')
    const { stdout } = await run('bind', 'bikes', '--none', '--json')
    expect(JSON.parse(stdout)).toEqual({ shop: 'bikes', platformId: null })
    expect((await run('show', 'bikes')).stdout).toContain('platform id  the first')
  })

  test('settings are taken as they fit, and refused with place and nothing of their values', async () => {
    const run = shopIn({
      'good.json': '{ "units": { "weight": "g" }, "adapters": { "courier": { "account": "A-1" } } }',
      'bad.json': '{ "adapters": { "courier": { "account": 4711 } } }',
      'cut.json': '{ "credentials": { "secret": "a secret of nobody',
    })
    await run('add', 'bikes')
    expect((await run('settings', 'bikes', '--file', 'good.json')).stdout).toContain(
      'units, adapters.courier',
    )
    const bad = await run('settings', 'bikes', '--file', 'bad.json')
    expect(bad).toMatchObject(saying(2, 'adapters.courier.account'))
    expect(bad.stderr).not.toContain('4711')
    const cut = await run('settings', 'bikes', '--file', 'cut.json')
    expect(cut).toMatchObject(saying(2, 'cut.json is not JSON'))
    expect(cut.stderr).not.toContain('a secret of nobody')
    expect((await run('settings', 'bikes', '--file', 'missing.json')).code).toBe(2)
    expect((await run('show', 'bikes')).stdout).toContain('units, adapters.courier')
  })

  test('settings are changed in part, and shown with their history and without their texts', async () => {
    const run = shopIn({
      'good.json': '{ "units": { "weight": "g" }, "adapters": { "courier": { "account": "A-1" } } }',
      'key.txt': 'a new account\n',
    })
    await run('add', 'bikes', '--settings', 'good.json')
    const set = (...args: string[]) => run('settings', 'bikes', '--set', ...args)
    expect(await set('courier.account=@key.txt', 'units.weight=kg')).toMatchObject({ code: 0, stderr: '' })
    const shown = await run('settings', 'bikes')
    expect(shown.stdout).toMatch(/^ {4}"weight": "kg"\n[\s\S]*^ {6}"account": "\*\*\*"\n/m)
    expect(shown.stdout).toMatch(/changed: units\.weight, adapters\.courier\.account/)
    expect(shown.stdout).not.toMatch(/a new account|A-1/)
    const view = JSON.parse((await run('settings', 'bikes', '--json')).stdout)
    expect(view).toMatchObject({
      shop: 'bikes',
      settings: { units: { weight: 'kg' }, adapters: { courier: { account: '***' } } },
      history: [{ action: 'shop.added' }, { action: 'settings.saved' }],
    })
    expect((await set('units=null')).stdout).toBe('Shop bikes has adapters.courier.\n')
    for (const [given, words] of [
      ['courier.acount=1', 'adapters.courier.acount is not a setting: did you mean account?'],
      ['curier.account=1', 'adapters.curier is not an adapter of this provider: did you mean courier?'],
      ['credentials.key=1', 'credentials are only changed with purveyor shop connect'],
      ['courier.account=@none.txt', 'There is no file none.txt'],
      ['courier', '--set takes a path and a value'],
    ] as const)
      expect(await set(given)).toMatchObject(saying(2, words))
    expect((await run('settings', 'bikes', '--set', 'a=1', '--file', 'good.json')).code).toBe(2)
  })

  test('digits of a setting are the number or the text that its adapter takes, with every digit', async () => {
    const settings =
      'z.object({ id: z.string(), rate: z.string(), fee: z.number(), any: z.any(), plain: z.any() })'
    const cwd = folderWith({
      'provider.ts': source
        .replace('z.object({ account: z.string() })', settings)
        .replace('settings.account', 'JSON.stringify(settings)'),
    })
    await purveyor(['shop', 'add', 'bikes'], { cwd })
    const values = ['id=42', 'rate=0.70', 'fee=0.50', 'any=1.10', 'plain=7'].map((one) => `courier.${one}`)
    expect(await purveyor(['shop', 'settings', 'bikes', '--set', ...values], { cwd })).toMatchObject({
      code: 0,
    })
    const { stdout } = await purveyor(['rates', 'explain', '--json'], { cwd })
    expect(JSON.parse(JSON.parse(stdout).methods[0].title)).toEqual({
      ...{ id: '42', rate: '0.70', fee: 0.5, any: '1.10', plain: 7 },
    })
  })

  test('hosts are added, removed and confirmed', async () => {
    const run = shopIn()
    await run('add', 'bikes')
    expect((await run('hosts', 'add', 'bikes', 'a.example', 'B.example')).stdout).toMatch(
      /any public host[\s\S]*a\.example\n {2}b\.example/,
    )
    expect((await run('hosts', 'confirm', 'bikes')).stdout).toMatch(/these hosts only/)
    await run('hosts', 'remove', 'bikes', 'a.example')
    const { stdout } = await run('hosts', 'list', 'bikes', '--json')
    expect(JSON.parse(stdout)).toEqual({ shop: 'bikes', hosts: ['b.example'], confirmed: true })
    expect(await run('hosts', 'add', 'bikes', 'https://a.example/')).toMatchObject({ code: 2 })
    expect(await run('hosts', 'remove', 'bikes', 'b.example')).toMatchObject({ code: 2 })
    const only = await run('hosts', 'confirm', 'bikes', 'c.example', 'd.example', '--json')
    expect(JSON.parse(only.stdout).hosts).toEqual(['c.example', 'd.example'])
  })

  test('the webhook secret is shown where it is asked for, and changed with an overlap', async () => {
    const run = shopIn()
    const secretIn = (text: string) => text.match(/whsec_[A-Za-z0-9+/]{43}=/g) ?? []
    await run('add', 'bikes')
    expect(secretIn((await run('show', 'bikes')).stdout)).toEqual([])
    const shown = (await run('show', 'bikes', '--webhook-secret')).stdout
    const [first] = secretIn(shown)
    expect(shown).toContain('Webhooks are not signed yet: set payments.signWebhooks of createProvider')
    expect(secretIn((await run('show', 'bikes', '--webhook-secret')).stdout)).toEqual([first])
    const [second] = secretIn((await run('rotate', 'bikes', '--webhook-secret', '--overlap', '2')).stdout)
    const { webhookSecrets } = JSON.parse((await run('show', 'bikes', '--webhook-secret', '--json')).stdout)
    expect(webhookSecrets.map(({ secret }: { secret: string }) => secret)).toEqual([second, first])
    const log = (await run('log', 'bikes')).stdout
    expect(log).toContain('made a new webhook secret; the old one ends at')
    expect(secretIn(log)).toEqual([])
    expect(await run('show', 'nobody', '--webhook-secret')).toMatchObject({ code: 2 })
  })

  test('the privacy statement comes as text, Markdown and JSON', async () => {
    const run = shopIn()
    await run('add', 'bikes')
    expect((await run('privacy', 'bikes')).stdout).toMatch(
      /customer: email\n {2}handed to Courier Ltd, which keeps it for six months; its adapter can call rates.internal:8443 in the network/,
    )
    expect((await run('privacy', 'bikes', '--markdown')).stdout).toContain(
      '| courier | to quote shipping methods | customer: email |',
    )
    expect(JSON.parse((await run('privacy', 'bikes', '--json')).stdout).adapters[0].fields).toEqual([
      'customer.email',
    ])
  })

  test('an order that is not there is not erased, and prune says what it would do', async () => {
    const run = commandsIn(folderWith({ 'provider.ts': source }))
    await run('shop', 'add', 'bikes')
    expect((await run('shop', 'erase', 'bikes', '--order', '5')).code).toBe(2)
    const dry = await run.json('db', 'prune', '--older-than', '90', '--dry-run')
    expect(dry).toEqual({ olderThanDays: 90, dryRun: true, pruned: 0 })
    expect((await run('db', 'prune', '--older-than', 'x')).code).toBe(2)
  })

  test('without a provider, and in a folder of nothing, the remedy is named', async () => {
    const cwd = folderWith()
    expect(await purveyor(['shop', 'list'], { cwd })).toMatchObject(saying(2, '--provider'))
  })
})

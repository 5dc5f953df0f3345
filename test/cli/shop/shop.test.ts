import { describe, expect, test } from 'vitest'
import { commandsIn, folderWith, printing, saying } from '../command.ts'
import { folderWithOrders, owe, started } from '../waiting-orders.ts'

const source = `import { createProvider, price, z } from 'purveyor'

export default createProvider({
  rates: {
    name: 'courier', needs: ['customer.email'], settings: z.object({ account: z.string() }),
    privacy: { recipient: 'Courier Ltd', keptFor: 'six months' }, network: { allow: ['rates.internal:8443'] },
    quote: (_request, { settings }) => [
      { id: 'door', title: settings.account, ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) },
    ],
  },
})
`
const endpoint = /http:\/\/127\.0\.0\.1:3000\/e\/[\w-]{43}/

/** Adds shop `bikes` by this command in a folder with these files beside the provider, and runs further ones there. */
async function withBikes(files: Record<string, unknown> = {}, add = 'shop add bikes') {
  const run = commandsIn(folderWith({ 'provider.ts': source, ...files }))
  return { run, added: await run(add) }
}

const good = { units: { weight: 'g' }, adapters: { courier: { account: 'A-1' } } }

describe.concurrent('shop', () => {
  test('a shop is added, shown, rotated, disabled and removed', async () => {
    const { run, added } = await withBikes({}, 'shop add bikes --host shop.example --platform-id 7')
    expect(added).toMatchObject({ code: 0, err: '' })
    const [first] = endpoint.exec(added.out) ?? []
    expect(first).toBeDefined()

    const shown = await run.out('shop show bikes')
    expect(shown).toMatch(/platform id {2}7\n[\s\S]*hosts {8}only shop\.example\n[\s\S]*settings {5}none/)
    expect(shown).not.toMatch(endpoint)
    expect(await run.out('shop show bikes --endpoint')).toContain(first)

    const rotated = await run.json('shop rotate bikes --overlap 24')
    expect(rotated.endpoint).toMatch(endpoint)
    const [listed] = await run.json('shop list')
    expect(listed).toMatchObject({ id: 'bikes', hosts: ['shop.example'], hostsConfirmed: true })
    expect(listed.endpoints).toEqual([
      { createdAt: expect.any(Number) },
      { createdAt: expect.any(Number), expiresAt: rotated.oldEndsAt },
    ])

    expect((await run('shop disable bikes')).code).toBe(0)
    expect(await run.out('shop list')).toContain('disabled')
    expect(await run.out('shop enable bikes')).toContain('live')
    expect((await run('shop remove bikes')).code).toBe(0)
    expect(await run('shop show bikes')).toMatchObject(saying(2, 'no shop bikes'))
  })

  test('a forced removal says what is not delivered, and which payments may still be paid', async () => {
    const remove = async (...more: string[]) => {
      const { run } = await folderWithOrders(async (store) => {
        await started(store, '7', 'tr_7')
        await owe(store, '8', 'shop.example')
      })
      expect(await run('shop remove red')).toMatchObject(saying(2, 'nothing was erased'))
      return run.out('shop remove red --force', ...more)
    }
    expect((await remove()).split('\n')).toEqual([
      'Shop red and its data are removed. Its audit trail stays: purveyor shop log red',
      '1 webhook to it will not be delivered.',
      'These payments may still be paid. Purveyor no longer sees them; check each at its payment service:',
      expect.stringMatching(/^ {2}psp tr_7: 29\.34 eur, order 7, attempt default\.\d+$/),
    ])
    expect(JSON.parse(await remove('--json'))).toMatchObject({
      ...{ removed: true, shop: 'red', owed: 1 },
      open: [{ orderId: '7', adapter: 'psp', reference: 'tr_7', currency: 'eur' }],
    })
  })

  test('an endpoint is bound to another platform shop, and let go', async () => {
    const { run } = await withBikes({}, 'shop add bikes --platform-id 666')
    const bound = /^Within five seconds shop bikes answers platform shop 4711 and no other\.$/
    expect(await run('shop bind bikes --platform-id 4711')).toMatchObject(printing(0, bound))
    for (const args of [[], ['--none', '--platform-id', '7'], ['--platform-id', 'EVIL']])
      expect(await run('shop bind bikes', ...args)).toMatchObject(saying(2, /--platform-id|whole number/))
    expect(await run.out('shop show bikes')).toContain('platform id  4711')
    expect(await run.json('shop bind bikes --none')).toEqual({ shop: 'bikes', platformId: null })
    expect(await run.out('shop show bikes')).toContain('platform id  the first')
  })

  test('settings are taken as they fit, and refused with place and nothing of their values', async () => {
    const { run } = await withBikes({
      'good.json': good,
      'bad.json': { adapters: { courier: { account: 4711 } } },
      'cut.json': '{ "credentials": { "secret": "a secret of nobody',
    })
    const set = (file: string) => run(`shop settings bikes --file ${file}`)
    expect((await set('good.json')).out).toContain('units, adapters.courier')
    const bad = await set('bad.json')
    expect(bad).toMatchObject(saying(2, 'adapters.courier.account'))
    expect(bad.err).not.toContain('4711')
    const cut = await set('cut.json')
    expect(cut).toMatchObject(saying(2, 'cut.json is not JSON'))
    expect(cut.err).not.toContain('a secret of nobody')
    expect((await set('missing.json')).code).toBe(2)
    expect(await run.out('shop show bikes')).toContain('units, adapters.courier')
  })

  test('settings are changed in part, and shown with their history and without their texts', async () => {
    const files = { 'good.json': good, 'key.txt': 'a new account\n' }
    const { run } = await withBikes(files, 'shop add bikes --settings good.json')
    const set = (...args: string[]) => run('shop settings bikes --set', ...args)
    expect(await set('courier.account=@key.txt', 'units.weight=kg')).toMatchObject({ code: 0, err: '' })
    const shown = await run.out('shop settings bikes')
    expect(shown).toMatch(/^ {4}"weight": "kg"\n[\s\S]*^ {6}"account": "\*\*\*"\n/m)
    expect(shown).toMatch(/changed: units\.weight, adapters\.courier\.account/)
    expect(shown).not.toMatch(/a new account|A-1/)
    expect(await run.json('shop settings bikes')).toMatchObject({
      shop: 'bikes',
      settings: { units: { weight: 'kg' }, adapters: { courier: { account: '***' } } },
      history: [{ action: 'shop.added' }, { action: 'settings.saved' }],
    })
    expect((await set('units=null')).out).toBe('Shop bikes has adapters.courier.')
    for (const [given, words] of [
      ['courier.acount=1', 'adapters.courier.acount is not a setting: did you mean account?'],
      ['curier.account=1', 'adapters.curier is not an adapter of this provider: did you mean courier?'],
      ['credentials.key=1', 'credentials are only changed with purveyor shop connect'],
      ['courier.account=@none.txt', 'none.txt is not there'],
      ['courier', '--set takes a path and a value'],
    ] as const)
      expect(await set(given)).toMatchObject(saying(2, words))
    expect((await set('a=1', '--file', 'good.json')).code).toBe(2)
  })

  test('digits of a setting are the number or the text that its adapter takes, with every digit', async () => {
    const settings =
      'z.object({ id: z.string(), rate: z.string(), fee: z.number(), any: z.any(), plain: z.any() })'
    const { run } = await withBikes({
      'provider.ts': source
        .replace('z.object({ account: z.string() })', settings)
        .replace('settings.account', 'JSON.stringify(settings)'),
    })
    const values = ['id=42', 'rate=0.70', 'fee=0.50', 'any=1.10', 'plain=7'].map((one) => `courier.${one}`)
    expect((await run('shop settings bikes --set', ...values)).code).toBe(0)
    const { methods } = await run.json('rates explain')
    const set = { id: '42', rate: '0.70', fee: 0.5, any: '1.10', plain: 7 }
    expect(JSON.parse(methods[0].title)).toEqual(set)
  })

  test('hosts are added, removed and confirmed', async () => {
    const { run } = await withBikes()
    const added = await run.out('shop hosts add bikes a.example B.example')
    expect(added).toMatch(/any public host[\s\S]*a\.example\n {2}b\.example/)
    expect(await run.out('shop hosts confirm bikes')).toMatch(/these hosts only/)
    await run('shop hosts remove bikes a.example')
    const listed = { shop: 'bikes', hosts: ['b.example'], confirmed: true }
    expect(await run.json('shop hosts list bikes')).toEqual(listed)
    expect((await run('shop hosts add bikes https://a.example/')).code).toBe(2)
    expect((await run('shop hosts remove bikes b.example')).code).toBe(2)
    const { hosts } = await run.json('shop hosts confirm bikes c.example d.example')
    expect(hosts).toEqual(['c.example', 'd.example'])
  })

  test('the webhook secret is shown where it is asked for, and changed with an overlap', async () => {
    const { run } = await withBikes()
    const secretIn = (text: string) => text.match(/whsec_[A-Za-z0-9+/]{43}=/g) ?? []
    expect(secretIn(await run.out('shop show bikes'))).toEqual([])
    const shown = await run.out('shop show bikes --webhook-secret')
    const [first] = secretIn(shown)
    expect(shown).toContain('Webhooks are not signed yet: set payments.signWebhooks of createProvider')
    expect(secretIn(await run.out('shop show bikes --webhook-secret'))).toEqual([first])
    const [second] = secretIn(await run.out('shop rotate bikes --webhook-secret --overlap 2'))
    const { webhookSecrets } = await run.json('shop show bikes --webhook-secret')
    expect(webhookSecrets.map(({ secret }: { secret: string }) => secret)).toEqual([second, first])
    const log = await run.out('shop log bikes')
    expect(log).toContain('made a new webhook secret; the old one ends at')
    expect(secretIn(log)).toEqual([])
    expect((await run('shop show nobody --webhook-secret')).code).toBe(2)
  })

  test('the privacy statement comes as text, Markdown and JSON', async () => {
    const { run } = await withBikes()
    expect(await run.out('shop privacy bikes')).toMatch(
      /customer: email\n {2}handed to Courier Ltd, which keeps it for six months; its adapter can call rates.internal:8443 in the network/,
    )
    const row = '| courier | to quote shipping methods | customer: email |'
    expect(await run.out('shop privacy bikes --markdown')).toContain(row)
    expect((await run.json('shop privacy bikes')).adapters[0].fields).toEqual(['customer.email'])
  })

  test('an order that is not there is not erased, and prune says what it would do', async () => {
    const { run } = await withBikes()
    expect((await run('shop erase bikes --order 5')).code).toBe(2)
    const dry = await run.json('db prune --older-than 90 --dry-run')
    expect(dry).toEqual({ olderThanDays: 90, dryRun: true, pruned: 0 })
    expect((await run('db prune --older-than x')).code).toBe(2)
  })

  test('without a provider, and in a folder of nothing, the remedy is named', async () => {
    expect(await commandsIn(folderWith())('shop list')).toMatchObject(saying(2, '--provider'))
  })
})

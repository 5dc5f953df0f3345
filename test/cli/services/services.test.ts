import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { end } from '../../journey/project.ts'
import { openShop } from '../../platform/sandbox.ts'
import { freePort } from '../../ports.ts'
import { commandsIn, folderWith, platformOf, printing, providerSource, running, saying } from '../command.ts'

/** A provider that runs, and a platform to register it with. */
async function setUp(source = providerSource()) {
  const shop = await openShop({ resources: { webhooks: [] } }, atEnd)
  const cwd = folderWith({ 'provider.ts': source })
  const env = { ...platformOf(shop.api), PORT: String(await freePort()) }
  const provider = running('serve --development --json --show-endpoint', { cwd, env })
  await provider.ready
  return { shop, provider, run: commandsIn(cwd, env), cwd, env }
}

async function connected(source?: string) {
  const all = await setUp(source)
  await all.run('shop connect default')
  return all
}

const courier = 'services register default --name Courier'

describe.concurrent('services and charges', () => {
  test('from key and secret to a registered service, once', async () => {
    const { shop, run } = await setUp()
    expect(await run('shop connect default')).toMatchObject(printing(0, 'accepted its credentials'))

    const dry = /\+ shipment service "Courier"[\s\S]*\+ payment service "Courier"[\s\S]*dry run/
    expect(await run.out(`${courier} --dry-run`)).toMatch(dry)
    expect(shop.services).toEqual([])

    expect(await run(courier)).toMatchObject(saying(2, '--yes'))
    expect(shop.services).toEqual([])

    const done = await run(`${courier} --yes`)
    expect(done.out).toMatch(/This provider sees this data of the customers of shop default/)
    expect(done.err).toMatch(/any public host .* purveyor shop hosts confirm default <host\.\.\.>$/)
    expect(shop.services).toMatchObject([
      { type: 'shipment', name: 'Courier', isActive: true, rateEstimate: true },
      { type: 'payment', name: 'Courier', isActive: true },
    ])

    const again = await run(`${courier} --yes --host a.example`)
    const same = /no change[\s\S]*no change[\s\S]*No change\.\n.*these hosts only: a\.example/
    expect(again).toMatchObject({ err: '', out: expect.stringMatching(same) })
    expect(shop.services).toHaveLength(2)

    await run('shop rotate default')
    const moved = await run(`${courier} --yes --json`)
    expect(moved).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(moved.out)).toMatchObject({
      changed: true,
      plans: [{ what: 'update', changes: ['urlEndpoint'] }, { what: 'update' }],
    })
    expect(shop.services).toHaveLength(2)
    expect(moved.out).toMatch(/"urlEndpoint":"[^"]*\/e\/[\w-]{4}\.\.\."/)
    expect(moved.out).not.toMatch(/\/e\/[\w-]{16}/)

    const listed = /shipment +Courier +active +yes +http:\/\/127\.0\.0\.1:\d+\/e\/[\w-]{4}\.\.\./
    expect(await run.out('services list default')).toMatch(listed)
    const { id } = shop.services[0]!
    expect(await run.out(`services disable default ${id} --dry-run`)).toContain('would be disabled')
    expect(shop.services[0]?.isActive).toBe(true)
    await run(`services disable default ${id} --yes`)
    expect(shop.services[0]?.isActive).toBe(false)
    await run(`services update default ${id} --yes`)
    expect(shop.services[0]?.isActive).toBe(true)
    await run(`services remove default ${id} --yes`)
    expect(shop.services).toHaveLength(1)
    const unknown = await run('services remove default 999 --yes')
    expect(unknown).toMatchObject(saying(2, 'no service 999'))
  })

  test('register asks for estimates if an adapter has some, and keeps what the merchant has switched off', async () => {
    const source = (estimate: string) => `import { createProvider, none } from 'purveyor'
export default createProvider({ rates: [{ name: 'van', ${estimate} quote: () => none('no van') }] })
`
    const { shop, run, cwd } = await connected(source(''))
    const register = 'services register default --name Van --yes'
    const estimates = () => shop.services.map(({ rateEstimate }) => rateEstimate)
    const without = 'No rate adapter has `estimate`: add it to one, or leave out --estimates.'
    expect(await run(`${register} --estimates on`)).toMatchObject(saying(2, without))
    const added = '+ shipment service "Van" will be registered without estimates'
    expect(await run.out(register)).toContain(added)
    expect(estimates()).toEqual([false])

    writeFileSync(join(cwd, 'provider.ts'), source("estimate: 'quote',"))
    expect(await run.out(register)).toContain('no change')
    expect(estimates()).toEqual([false])
    expect(await run.out(`${register} --estimates on`)).toContain('rateEstimate: true')
    expect(estimates()).toEqual([true])
    expect(await run.out(register)).toContain('no change')

    writeFileSync(join(cwd, 'provider.ts'), source(''))
    expect(await run.out(register)).toContain('rateEstimate: false')
    expect(estimates()).toEqual([false])
  })

  test('a provider that does not answer is not registered', async () => {
    const { shop, provider, run } = await connected()
    await end(provider.child)
    const says = /got no answer.*Check that the provider runs there\. Nothing was registered/
    expect(await run(`${courier} --yes`)).toMatchObject(saying(1, says))
    expect(shop.services).toEqual([])
  })

  test('credentials that do not work are not kept, and are repeated nowhere', async () => {
    const { cwd, env, run } = await setUp()
    const connect = (given: Record<string, string>) => commandsIn(cwd, given)('shop connect default')
    const wrong = await connect({ ...env, PURVEYOR_PLATFORM_SECRET: 'swordfish' })
    expect(wrong).toMatchObject(saying(3, 'Access denied.'))
    expect(wrong.out + wrong.err).not.toContain('swordfish')
    expect(await run('services list default')).toMatchObject(saying(2, 'shop connect default'))
    const { PURVEYOR_PLATFORM_KEY: _, ...some } = env
    expect(await connect(some)).toMatchObject(saying(2, 'PURVEYOR_PLATFORM_KEY'))
    const odd = await connect({ ...env, PURVEYOR_PLATFORM_URL: 'nowhere' })
    expect(odd).toMatchObject(saying(2, 'baseUrl (PURVEYOR_PLATFORM_URL) must be an https address'))
    expect((await run('shop connect nobody')).code).toBe(2)
  })

  test('the events that a provider handles are subscribed beside its services, and doctor misses none', async () => {
    const events = 'createProvider({\n  resourceEvents: { orders() {} },'
    const { run } = await connected(providerSource().replace('createProvider({', events))
    expect(await run.out('doctor --json')).toContain('and events of orders')
    const done = await run(`${courier} --yes`)
    expect(done).toMatchObject(printing(0, '+ events of orders will be subscribed'))
    expect(done.out).toContain('The platform sends it orders in full')
    expect(await run.out(`${courier} --yes`)).toMatch(/= events of orders \(1\): no change/)
    const registered = 'Registered for rates and payments and events of orders'
    expect(await run.out('doctor --json')).toContain(registered)
  })

  test('a charge is created, shown, listed and taken back', async () => {
    const { shop, run } = await connected()
    const create = (price: string) =>
      run(
        `charges create default --type recurring --title Plus --price ${price} --callback-url https://app.example/a`,
      )
    expect((await create('9.95')).out).toMatch(/nothing is charged before:\n {2}http:/)
    const { id } = shop.charges[0]!
    expect(await run.out('charges list default')).toMatch(/recurring +Plus +9\.95 +pending/)
    expect(await run.out(`charges show default ${id}`)).toContain('to approve: http://')
    await run(`charges remove default ${id} --yes`)
    expect(shop.charges).toEqual([])
    const gone = await run(`charges show default ${id}`)
    expect(gone).toMatchObject(saying(3, 'There is no record with this id.'))
    expect((await create('much')).code).toBe(2)
  })
})

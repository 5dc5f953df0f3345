import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { end } from '../../journey/project.ts'
import { openShop } from '../../platform/sandbox.ts'
import { freePort } from '../../ports.ts'
import { folderWith, onTerminal, providerSource, purveyor, running, saying } from '../command.ts'

/** A provider that runs, and a platform to register it with. */
async function setUp(source = providerSource()) {
  const shop = await openShop({ resources: { webhooks: [] } }, atEnd)
  const { baseUrl, key, secret } = shop.api
  const cwd = folderWith({ 'provider.ts': source })
  const env = {
    PORT: String(await freePort()),
    PURVEYOR_PLATFORM_URL: baseUrl,
    PURVEYOR_PLATFORM_LANGUAGE: 'nl',
    PURVEYOR_PLATFORM_KEY: key,
    PURVEYOR_PLATFORM_SECRET: secret,
  }
  const provider = running(['serve', '--development', '--json', '--show-endpoint'], { cwd, env })
  await provider.ready
  const run = (...args: string[]) => purveyor(args, { cwd, env })
  return { shop, provider, run, cwd, env }
}

async function connected(source?: string) {
  const all = await setUp(source)
  await all.run('shop', 'connect', 'default')
  return all
}

describe.concurrent('services and charges', () => {
  test('from key and secret to a registered service, once', async () => {
    const { shop, run } = await setUp()
    expect(await run('shop', 'connect', 'default')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('accepted its credentials'),
    })

    const dry = await run('services', 'register', 'default', '--name', 'Courier', '--dry-run')
    expect(dry.stdout).toMatch(
      /\+ shipment service "Courier"[\s\S]*\+ payment service "Courier"[\s\S]*dry run/,
    )
    expect(shop.services).toEqual([])

    const asked = await run('services', 'register', 'default', '--name', 'Courier')
    expect(asked).toMatchObject(saying(2, '--yes'))
    expect(shop.services).toEqual([])

    const done = await run('services', 'register', 'default', '--name', 'Courier', '--yes')
    expect(done.stdout).toMatch(/This provider sees this data of the customers of shop default/)
    expect(done.stderr).toMatch(/any public host .* purveyor shop hosts confirm default <host\.\.\.>\n$/)
    expect(shop.services).toMatchObject([
      { type: 'shipment', name: 'Courier', isActive: true, rateEstimate: true },
      { type: 'payment', name: 'Courier', isActive: true },
    ])

    const again = await run(...'services register default --name Courier --yes --host a.example'.split(' '))
    expect(again.stdout).toMatch(
      /no change[\s\S]*no change[\s\S]*No change\.\n.*these hosts only: a\.example/,
    )
    expect(again.stderr).toBe('')
    expect(shop.services).toHaveLength(2)

    await run('shop', 'rotate', 'default')
    const moved = await run('services', 'register', 'default', '--name', 'Courier', '--yes', '--json')
    expect(moved).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(moved.stdout)).toMatchObject({
      changed: true,
      plans: [{ what: 'update', changes: ['urlEndpoint'] }, { what: 'update' }],
    })
    expect(shop.services).toHaveLength(2)
    expect(moved.stdout).toMatch(/"urlEndpoint":"[^"]*\/e\/[\w-]{4}\.\.\."/)
    expect(moved.stdout).not.toMatch(/\/e\/[\w-]{16}/)

    const listed = await run('services', 'list', 'default')
    expect(listed.stdout).toMatch(
      /shipment +Courier +active +yes +http:\/\/127\.0\.0\.1:\d+\/e\/[\w-]{4}\.\.\./,
    )
    const { id } = shop.services[0]!
    expect((await run('services', 'disable', 'default', String(id), '--dry-run')).stdout).toContain(
      'would be disabled',
    )
    expect(shop.services[0]?.isActive).toBe(true)
    await run('services', 'disable', 'default', String(id), '--yes')
    expect(shop.services[0]?.isActive).toBe(false)
    await run('services', 'update', 'default', String(id), '--yes')
    expect(shop.services[0]?.isActive).toBe(true)
    await run('services', 'remove', 'default', String(id), '--yes')
    expect(shop.services).toHaveLength(1)
    expect(await run('services', 'remove', 'default', '999', '--yes')).toMatchObject(
      saying(2, 'no service 999'),
    )
  })

  test('register asks for estimates if an adapter has some, and keeps what the merchant has switched off', async () => {
    const source = (estimate: string) => `import { createProvider, none } from 'purveyor'
export default createProvider({ rates: [{ name: 'van', ${estimate} quote: () => none('no van') }] })
`
    const { shop, run, cwd } = await connected(source(''))
    const register = (...more: string[]) =>
      run('services', 'register', 'default', '--name', 'Van', '--yes', ...more)
    const estimates = () => shop.services.map(({ rateEstimate }) => rateEstimate)
    expect(await register('--estimates', 'on')).toMatchObject(
      saying(2, 'No rate adapter has `estimate`: add it to one, or leave out --estimates.'),
    )
    expect((await register()).stdout).toContain(
      '+ shipment service "Van" will be registered without estimates',
    )
    expect(estimates()).toEqual([false])

    writeFileSync(join(cwd, 'provider.ts'), source("estimate: 'quote',"))
    expect((await register()).stdout).toContain('no change')
    expect(estimates()).toEqual([false])
    expect((await register('--estimates', 'on')).stdout).toContain('rateEstimate: true')
    expect(estimates()).toEqual([true])
    expect((await register()).stdout).toContain('no change')

    writeFileSync(join(cwd, 'provider.ts'), source(''))
    expect((await register()).stdout).toContain('rateEstimate: false')
    expect(estimates()).toEqual([false])
  })

  test.skipIf(process.platform !== 'linux')(
    'on a terminal register asks for the hosts, proposes that of the platform and shows those that were noted',
    async () => {
      const { shop, run, cwd, env } = await setUp()
      await run('shop', 'connect', 'default')
      await run('shop', 'hosts', 'add', 'default', 'noted.example')
      const register = ['services', 'register', 'default', '--name', 'Courier']
      const answers = [
        [/Which hosts[\s\S]*noted\.example[\s\S]*127\.0\.0\.1/, ', more.example\r'],
        [/Change this at the platform/, 'y'],
      ] as const
      const shown = await onTerminal(register, answers, { cwd, env })
      expect(shown).toContain('these hosts only: 127.0.0.1, more.example')
      expect(shop.services).toHaveLength(2)
    },
  )

  test('a provider that does not answer is not registered', async () => {
    const { shop, provider, run } = await connected()
    await end(provider.child)
    const failed = await run('services', 'register', 'default', '--name', 'Courier', '--yes')
    expect(failed).toMatchObject(
      saying(1, /got no answer.*Check that the provider runs there\. Nothing was registered/),
    )
    expect(shop.services).toEqual([])
  })

  test('credentials that do not work are not kept, and are repeated nowhere', async () => {
    const { cwd, env, run } = await setUp()
    const wrong = await purveyor(['shop', 'connect', 'default'], {
      cwd,
      env: { ...env, PURVEYOR_PLATFORM_SECRET: 'swordfish' },
    })
    expect(wrong).toMatchObject(saying(3, 'Access denied.'))
    expect(`${wrong.stdout}${wrong.stderr}`).not.toContain('swordfish')
    expect(await run('services', 'list', 'default')).toMatchObject(saying(2, 'shop connect default'))
    const { PURVEYOR_PLATFORM_KEY: _, ...some } = env
    expect(await purveyor(['shop', 'connect', 'default'], { cwd, env: some })).toMatchObject(
      saying(2, 'PURVEYOR_PLATFORM_KEY'),
    )
    const odd = await purveyor(['shop', 'connect', 'default'], {
      cwd,
      env: { ...env, PURVEYOR_PLATFORM_URL: 'nowhere' },
    })
    expect(odd).toMatchObject(saying(2, 'baseUrl (PURVEYOR_PLATFORM_URL) must be an https address'))
    expect(await run('shop', 'connect', 'nobody')).toMatchObject({ code: 2 })
  })

  test('the events that a provider handles are subscribed beside its services, and doctor misses none', async () => {
    const handling = providerSource().replace(
      'createProvider({',
      'createProvider({\n  resourceEvents: { orders() {} },',
    )
    const { run } = await connected(handling)
    const register = ['services', 'register', 'default', '--name', 'Courier', '--yes']
    const checks = async () => (await run('doctor', '--json')).stdout
    expect(await checks()).toContain('and events of orders')
    const done = await run(...register)
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('+ events of orders will be subscribed'),
    })
    expect(done.stdout).toContain('The platform sends it orders in full')
    expect((await run(...register)).stdout).toMatch(/= events of orders \(1\): no change/)
    expect(await checks()).toContain('Registered for rates and payments and events of orders')
  })

  test('a charge is created, shown, listed and taken back', async () => {
    const { shop, run } = await connected()
    const charge = '--type recurring --title Plus --price 9.95 --callback-url https://app.example/charged'
    const create = ['charges', 'create', 'default', ...charge.split(' ')]
    const made = await run(...create)
    expect(made.stdout).toMatch(/nothing is charged before:\n {2}http:/)
    const { id } = shop.charges[0]!
    expect((await run('charges', 'list', 'default')).stdout).toMatch(/recurring +Plus +9\.95 +pending/)
    expect((await run('charges', 'show', 'default', String(id))).stdout).toContain('to approve: http://')
    await run('charges', 'remove', 'default', String(id), '--yes')
    expect(shop.charges).toEqual([])
    expect(await run('charges', 'show', 'default', String(id))).toMatchObject(
      saying(3, 'There is no record with this id.'),
    )
    expect((await run(...create.map((word) => (word === '9.95' ? 'much' : word)))).code).toBe(2)
  })
})

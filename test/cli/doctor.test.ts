import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Patient } from '../../src/cli/doctor/check.ts'
import { doctorChecks as allChecks } from '../../src/cli/doctor/doctor.ts'
import { createProvider, memoryStore } from '../../src/index.ts'
import { inspect } from '../../src/provider/inspection.ts'
import { tableRates } from '../../src/rates/index.ts'
import { atEnd } from '../at-end.ts'
import { openShop } from '../platform/sandbox.ts'
import { freePort } from '../ports.ts'
import { commandsIn, folderWith, platformOf, production, providerSource, running, saying } from './command.ts'
import { doctor, found } from './doctor/found.ts'

const doctorChecks = await allChecks()
const soundFolder = (more: Record<string, string> = {}) =>
  folderWith({ 'provider.ts': providerSource(), ...more })

describe.concurrent('doctor', () => {
  test('fails a shop whose adapters lack their settings, and warns where one of several does', async () => {
    const adapter = (name: string) =>
      `{ name: '${name}', settings: z.object({ key: z.string() }), methods: () => [{ id: '${name}', title: 'x' }], start: () => ({ later: true }) }`
    const source = (...names: string[]) =>
      `import { createProvider, z } from 'purveyor'\nexport default createProvider({ payments: [${names.map(adapter).join()}] })\n`
    const keys = { adapters: { psp: { key: 'k' } } }
    const cwd = folderWith({ 'provider.ts': source('psp'), 'keys.json': keys })
    const env = { NODE_ENV: 'development' }
    const run = commandsIn(cwd, env)
    await run('shop add bikes')
    const look = () => doctor(cwd, env, '--shop', 'bikes')
    const lacking = await look()
    expect(lacking.code).toBe(1)
    expect(lacking.of('settings')).toMatchObject({
      ...found('fail', /^The shop gets no payments: adapter psp: .*key/),
      remedy: 'purveyor shop settings bikes --set <adapter>.<setting>=<value>',
    })
    await run('shop settings bikes --file keys.json')
    expect((await look()).of('settings')).toMatchObject({ verdict: 'ok' })
    writeFileSync(join(cwd, 'provider.ts'), source('psp', 'other'))
    expect((await look()).of('settings')).toMatchObject({ verdict: 'warn' })
  })

  test('a provider that runs and is registered is looked at from inside and outside', async () => {
    const shop = await openShop({}, atEnd)
    const cwd = soundFolder()
    const port = String(await freePort())
    const env = { ...platformOf(shop.api), PORT: port, PURVEYOR_PUBLIC_URL: `http://127.0.0.1:${port}` }
    await running('serve --development --json --show-endpoint', { cwd, env }).ready
    const run = commandsIn(cwd, env)
    await run('shop connect default')
    const before = await doctor(cwd, env)
    expect(before.code).toBe(1)
    expect(before.of('registration')).toMatchObject(found('fail', '', 'services register default'))
    await run('services register default --name Courier --yes')
    const { code, counts, of, results } = await doctor(cwd, env)
    expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect([code, counts.fail]).toEqual([0, 0])
    const sound = 'reachable, clock, rates latency, payments latency, registration, store mode'
    for (const name of [...sound.split(', '), 'due webhooks', 'dead letters', 'anomalies'])
      expect(of(name), name).toMatchObject({ verdict: 'ok' })
    for (const { name, verdict, remedy } of results) {
      if (verdict === 'warn' || verdict === 'fail') expect(remedy, name).toMatch(/.{8,}/)
    }
  })

  test('what production lacks is a fault there, and good to know before', async () => {
    const cwd = soundFolder()
    expect((await doctor(cwd)).of('secret')?.verdict).toBe('warn')
    const bare = await doctor(cwd, {}, '--production')
    expect(bare.code).toBe(1)
    expect(bare.of('configuration')?.says).toContain('PURVEYOR_SECRET')
    const secret = { PURVEYOR_SECRET: 'a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6' }
    const nameless = { ...secret, PURVEYOR_PUBLIC_URL: 'https://provider.invalid' }
    const unnamed = await doctor(soundFolder(), nameless, '--production')
    expect(unnamed.of('reachable')).toMatchObject(found('fail', 'does not resolve', 'PURVEYOR_PUBLIC_URL'))
    // The store of development was made with its own secret.
    const { code, of } = await doctor(soundFolder(), secret, '--production')
    expect(code).toBe(1)
    expect(of('public address')).toMatchObject({ verdict: 'fail' })
    expect(of('production gate')).toMatchObject({ verdict: 'fail' })
    expect(of('mode')).toMatchObject(found('ok', 'NODE_ENV'))
  })

  test('an open .env, a lost proxy, an old log level and a broken store are seen', async () => {
    const cwd = soundFolder({
      '.env': 'PURVEYOR_PREVIOUS_SECRET=of-before-1234567\n',
      'data/purveyor.db': 'this is no database, and it is long enough to be seen as none',
    })
    chmodSync(join(cwd, '.env'), 0o644)
    const { of } = await doctor(cwd)
    expect(of('store')).toMatchObject(found('fail', 'data/purveyor.db'))
    expect(of('secrets on disk')?.verdict).toBe('warn')
  })

  test('equal secrets fail: a change to the same secret would protect nothing', async () => {
    const secret = production.PURVEYOR_SECRET
    const env = { PURVEYOR_SECRET: secret, PURVEYOR_PREVIOUS_SECRET: secret }
    const { code, results } = await doctor(soundFolder(), env)
    expect(code).toBe(1)
    expect(results).toMatchObject([found('fail', 'PURVEYOR_PREVIOUS_SECRET) is the same as secret')])
    expect(JSON.stringify(results)).not.toContain(secret)
  })

  test('a misspelt variable of .env is named with the one that was meant', async () => {
    const cwd = soundFolder({ '.env': 'PURVEYOR_TRUST_PROXIES=1\n' })
    expect((await doctor(cwd)).of('variables')).toMatchObject({
      verdict: 'warn',
      says: 'PURVEYOR_TRUST_PROXIES is not a setting: did you mean PURVEYOR_TRUST_PROXY?',
    })
  })

  test('a shop that there is not is named', async () => {
    const run = commandsIn(soundFolder())
    expect(await run('doctor --shop nobody')).toMatchObject(saying(2, 'no shop nobody'))
    expect((await commandsIn(folderWith())('doctor')).code).toBe(2)
  })
})

describe('checks by themselves', () => {
  const look = (name: string, patient: object) => doctorChecks[name]!(patient as Patient)

  test('files: the line of a fault', async () => {
    const cwd = folderWith({ 'tariff.csv': 'id,title,country,price_excl\ndoor,Door,nl,"4,95"\n' })
    const rates = tableRates({ file: `${cwd}/tariff.csv`, taxRate: 0 })
    const provider = createProvider({ store: memoryStore(), rates })
    const patient = { provider, inspection: inspect(provider) }
    expect(await look('files', patient)).toMatchObject(
      found('fail', 'table: The tariff cannot be used: tariff.csv:2 price_excl: 4,95 has a comma'),
    )
    writeFileSync(`${cwd}/tariff.csv`, 'id,title,country,price_excl\ndoor,Door,nl,4.95\n')
    const corrected = createProvider({
      store: memoryStore(),
      rates: tableRates({ file: `${cwd}/tariff.csv`, taxRate: 0 }),
    })
    expect(await look('files', { provider: corrected, inspection: inspect(corrected) })).toMatchObject({
      verdict: 'ok',
    })
  })

  test.each([
    ['an https address without trustProxy', 'https://pay.example', undefined, 'warn', 'serve'],
    ['a number', 'https://pay.example', 2, 'ok', 'trusts 2 proxies'],
    ['addresses', 'https://pay.example', ['10.0.0.0/8'], 'ok', '10.0.0.0/8'],
    ['nothing in front', 'http://127.0.0.1:1', undefined, 'ok', 'No proxy'],
  ])('proxy: %s', async (_what, publicUrl, trustProxy, verdict, says) => {
    const described = { publicUrl, trustProxy }
    expect(await look('proxy', { described })).toMatchObject(found(verdict, says))
  })

  const withAdapter = (adapter: object) => ({ described: { adapters: [{ name: 'a', ...adapter }] } })
  test.each<[string, object, string]>([
    ['units', { described: { units: false }, provider: { services: ['rates'] } }, 'warn'],
    ['units', { described: { units: true }, provider: { services: ['rates'] } }, 'ok'],
    ['log level', { described: { logLevel: 'debug' }, production: true }, 'warn'],
    ['sealed texts', { store: {}, inspection: { secretChange: () => ({ left: 0, waitsFor: 0 }) } }, 'warn'],
    ['endpoint', { shop: { id: 'a', disabled: true, endpoints: [] } }, 'fail'],
    ['endpoint', { shop: { id: 'a', disabled: false, endpoints: [{ expiresAt: 7 }] } }, 'fail'],
    ['hosts', { shop: { id: 'a', hostsConfirmed: false }, production: true }, 'warn'],
    ['private network', withAdapter({ network: ['10.0.3.0/24'] }), 'ok'],
    ['private network', { ...withAdapter({ network: ['http://10.0.3.7:80'] }), production: true }, 'warn'],
    ['privacy', withAdapter({ needs: ['customer.email'], privacy: false }), 'warn'],
    ['payment status', withAdapter({ kind: 'payments', status: false }), 'warn'],
    ['payment starts', withAdapter({ kind: 'payments', resumes: false }), 'warn'],
  ])('%s', async (name, patient, verdict) => {
    expect(await look(name, patient)).toMatchObject({ verdict })
  })
})

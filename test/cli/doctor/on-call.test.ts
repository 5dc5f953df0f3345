import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { commandsIn, folderWith, inStore, providerSource, serving } from '../command.ts'
import { failAll, owe } from '../waiting-orders.ts'
import { doctor, found } from './found.ts'

const [old, fresh, another] = ['the old secret 1234', 'the fresh secret 12', 'of another system 1'] as const

/** A folder with this provider and shop `bikes`. */
async function withBikes(source: string, env: Record<string, string> = {}): Promise<string> {
  const cwd = folderWith({ 'provider.ts': source })
  await commandsIn(cwd, env)('shop add bikes --host shop.bikes.example')
  return cwd
}

describe.concurrent('doctor, on call', () => {
  test('sees two nodes of which one has the old secret, from a shell with either, and from one with neither', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const before = { PURVEYOR_SECRET: old }
    const changing = { PURVEYOR_SECRET: fresh, PURVEYOR_PREVIOUS_SECRET: old }
    for (const env of [before, changing]) await serving(cwd, env).ready
    const newer = found('warn', /being changed: 1 process runs \(.+ pid \d+\) with a newer secret/)
    expect((await doctor(cwd, before)).of('secret of nodes')).toMatchObject(newer)
    const inNew = await doctor(cwd, changing)
    const older = found('warn', /being changed: 1 process runs \(.+\) without the new one/)
    expect(inNew.of('secret of nodes')).toMatchObject(older)
    expect(inNew.of('sealed texts')?.says).toContain('without the new one: 1 running node')
    const { code, of } = await doctor(cwd, { PURVEYOR_SECRET: another })
    expect(code).toBe(1)
    const neither = /2 processes run \(.+, .+\) with another PURVEYOR_SECRET than this shell/
    expect(of('secret of nodes')).toMatchObject(found('fail', neither))
    // The rest is looked at all the same.
    expect(of('sealed texts')?.says).not.toContain('failed to run')
    expect(of('sealed texts')).toMatchObject(found('fail', 'PURVEYOR_SECRET'))
    expect(of('endpoint')).toMatchObject({ verdict: 'skipped', says: 'The shop cannot be read' })
    expect(of('anomalies')?.verdict).toBe('ok')
  })

  test('warns of no variable that is not set', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const { of } = await doctor(cwd)
    expect(of('loopback')).toMatchObject({ verdict: 'ok' })
    expect(of('sealed texts')).toMatchObject({ verdict: 'ok', says: expect.not.stringContaining('change') })
    const withVariable = await doctor(cwd, { PURVEYOR_ALLOW_LOOPBACK: '1' })
    expect(withVariable.of('loopback')).toMatchObject(found('warn', 'PURVEYOR_ALLOW_LOOPBACK'))
  })

  test('has a line for closed lanes, for carriers that are left alone and for pushes that are late', async () => {
    const pushed = "name: 'psp', push: { verify: () => true, read: () => [] },"
    const cwd = folderWith({ 'provider.ts': providerSource().replace("name: 'psp',", pushed) })
    const now = Date.now()
    const healthy = await doctor(cwd)
    for (const name of ['lanes', 'carriers', 'pushes'])
      expect(healthy.of(name), name).toMatchObject({ verdict: 'ok' })
    expect(healthy.of('nodes')).toMatchObject({
      verdict: 'warn',
      says: 'No provider runs on this store: nothing is tried until one starts',
    })
    await inStore(cwd, async (store) => {
      for (const orderId of ['1', '2', '3', '4']) await owe(store, orderId, 'hooks.red.example', 'default')
      await failAll(store, 503, undefined, 'default')
      const opened = { since: now, nextTry: now + 9_000, lastFailure: 'no answer within 2500 ms' }
      await store.noteBreakers('a', [{ adapter: 'courier', shopId: undefined, ...opened }], now)
      const push = { shopId: 'default', adapter: 'psp', key: 'k', sealed: 's' }
      await store.keepPush({ ...push, receivedAt: now - 600_000 }, now - 600_000)
    })
    const { of } = await doctor(cwd)
    const closed = /^Webhooks of shop default to hooks\.red\.example: closed since \S+ \S+, status 503$/
    expect(of('lanes')).toMatchObject({ ...found('warn', closed), remedy: 'purveyor lanes list' })
    expect(of('carriers')).toMatchObject(
      found('warn', /^Rates of all shops from courier: closed since \S+ \S+, no answer within 2500 ms$/),
    )
    expect(of('pushes')).toMatchObject(found('fail', /^1 push waits, the first late by \d+ min$/))
  })

  test('names the rate adapter that is slow and the one that fails, where no provider runs too', async () => {
    const source = `import { createProvider } from 'purveyor'

const adapter = (name, quote) => ({ name, quote })
export default createProvider({ rates: [
  adapter('quick', () => []),
  adapter('courier', () => new Promise((resolve) => setTimeout(resolve, 1_200, []))),
  ...(process.env.BROKEN ? [adapter('broken', () => { throw new Error('no answer of its service') })] : []),
] })
`
    const cwd = await withBikes(source)
    const slow = await doctor(cwd)
    expect(slow.of('rate adapters')).toMatchObject(
      found(
        'warn',
        /^courier answers in \d{4} ms, no methods \(it offered nothing\); quick answers in \d+ ms, no methods/,
        'ook at the service behind courier',
      ),
    )
    // The findings say what the provider would log.
    const { of } = await doctor(cwd, { BROKEN: '1', PORT: '9', PURVEYOR_LOG_LEVEL: 'warn' })
    expect(of('rates latency')).toMatchObject(
      found('skipped', /^Nothing answers at http:\/\/127\.0\.0\.1:9: start the provider, or set/),
    )
    expect(of('rate adapters')).toMatchObject({
      ...found('warn', 'broken failed after'),
      remedy: 'Correct provider.ts:7: purveyor rates explain --shop bikes shows the line and the error',
    })
  })

  test('waits longer than a checkout for a slow adapter', async () => {
    const source = `import { createProvider } from 'purveyor'
import { setTimeout } from 'node:timers/promises'

const quote = () => setTimeout(1_200, [])
export default createProvider({ rates: { adapters: { name: 'courier', quote }, deadline: 1_100 } })
`
    const late = /^courier answers in \d{4} ms, after the deadline of 1100 ms, no methods/
    const remedy = 'Look at the service behind courier, or set a longer rates.deadline'
    expect((await doctor(await withBikes(source))).of('rate adapters')).toMatchObject(
      found('warn', late, remedy),
    )
  })

  test('names a carrier that refuses the key, and one whose address is wrong, behind a fallback and a combination', async () => {
    const source = `import { createProvider } from 'purveyor'
import { combine, flatRate, onFailure, remoteRates } from 'purveyor/rates'

const carrier = remoteRates({ name: 'carrier', url: process.env.API, answer: (body) => body.rates.map(() => []) })
const tariff = flatRate({ id: 'tariff', title: 'Tariff', excl: '8.95', taxRate: '0.21' })
export default createProvider({
  rates: { adapters: process.env.ALONE ? carrier : combine('all', [onFailure(carrier, tariff)]), deadline: 60_000 },
})
`
    const api = await serveOrigin(
      (req, res) =>
        req.url === '/key' ? res.writeHead(401).end('{}') : res.writeHead(404).end('<html>Not found</html>'),
      atEnd,
    )
    const cwd = await withBikes(source, { API: api })
    const key = await doctor(cwd, { API: `${api}/key` })
    expect(key.of('rate adapters')).toMatchObject(
      found('warn', /all\/carrier failed \(.* 401\) and its fallback tariff answered/, 'Look at all/carrier'),
    )
    const page = await doctor(cwd, { API: `${api}/old`, ALONE: '1' })
    expect(page.of('rate adapters')?.says).toMatch(
      /no methods \(the carrier refused with 404; a web page answered 404 instead of the API: check url/,
    )
  })

  test('looks at the only shop whatever it is called, and lists several to choose from', async () => {
    const cwd = await withBikes(providerSource())
    expect((await doctor(cwd)).of('endpoint')).toMatchObject(found('ok', 'Shop bikes has'))
    await commandsIn(cwd)('shop add cars --host shop.cars.example')
    const { of } = await doctor(cwd)
    const several = { verdict: 'skipped', says: 'There are 2 shops. Choose one with --shop: bikes, cars' }
    for (const name of ['endpoint', 'hosts', 'registration', 'rates latency'])
      expect(of(name), name).toMatchObject(several)
    expect((await doctor(cwd, {}, '--shop', 'cars')).of('endpoint')?.says).toContain('Shop cars')
  })
})

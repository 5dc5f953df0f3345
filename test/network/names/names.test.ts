import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { Names, type NamesOptions, namesIn } from '../../../src/network/names/names.ts'
import { guardedOutgoing } from '../../../src/network/outgoing.ts'
import type { LookupKind, LookupOutcome } from '../../../src/world.ts'
import { fileWith } from '../../folder.ts'
import { openServer } from '../../serve-origin.ts'
import { type NameRule, openNameServer } from '../name-server.ts'
import { servedNames } from '../served-names.ts'

const first = { address: '192.0.2.1', ttl: 60 }
const both = ['192.0.2.1', '192.0.2.1']

/** A time that moves when the test says so, and timers of it. */
function movedTime() {
  let now = 0
  const timers = new Set<{ at: number; call: () => void }>()
  return {
    monotonic: () => now,
    after: (ms: number, call: () => void) => {
      const timer = { at: now + ms, call }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    /** The milliseconds up to the next timer. */
    next: () => Math.min(...Array.from(timers, ({ at }) => at - now)),
    pass(ms: number) {
      now += ms
      for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.call()
    },
  }
}

const namesOf = (options: NamesOptions) => {
  const names = new Names({ hostsFile: '/none', ...options })
  const find = (host: string, kind: LookupKind = 'receivers', lane = 'shop') =>
    new Promise<string[]>((resolve, reject) => {
      const found = () =>
        names.lookup(kind)(host, { all: true }, (error, addresses) =>
          error ? reject(error) : resolve(addresses.map(({ address }) => address)),
        )
      const waits = names.ready(kind, host, lane)
      if (waits) waits.then(found, reject)
      else found()
    })
  return find
}

test('names that no name server answers hold up no other name, and cost their patience once', async () => {
  const server = await servedNames((name) =>
    name.startsWith('silent') ? 'silent' : { addresses: ['93.184.216.34'], families: [4, 6] },
  )
  const seen: string[] = []
  const find = namesOf({
    nameServers: [server.address],
    lookedUp: (kind, outcome) => seen.push(`${kind} ${outcome}`),
  })
  const ended: string[] = []
  const silent = Array.from({ length: 300 }, (_, shop) =>
    find(`silent${shop}.example`, 'receivers', `shop${shop}`).catch(({ code }) => {
      ended.push('silent')
      return code
    }),
  )
  for (const kind of ['receivers', 'payments', 'rates'] as const) {
    expect(await find('good.example', kind, 'other')).toEqual(['93.184.216.34'])
    ended.push('good')
  }
  expect(ended).toEqual(['good', 'good', 'good'])
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['NAME_SERVER_FAILED']))
  const asked = server.asked.get('silent7.example')
  await expect(find('silent7.example')).rejects.toMatchObject({ code: 'NAME_SERVER_FAILED' })
  expect(server.asked.get('silent7.example')).toBe(asked)
  expect(seen.filter((one) => one === 'receivers failed')).toHaveLength(301)
})

test('a lane of one shop that is full fails by itself, and shops beside it are served', async () => {
  const waiting: (() => void)[] = []
  const find = namesOf({
    ...movedTime(),
    askFamily: (name) =>
      name.startsWith('hanging')
        ? new Promise((resolve) => waiting.push(() => resolve([first])))
        : Promise.resolve([{ address: '192.0.2.2', ttl: 60 }]),
  })
  const outcomes = Array.from({ length: 100 }, (_, host) =>
    find(`hanging${host}.example`, 'receivers', 'bad').catch(({ code }) => code),
  )
  let ended = 0
  for (const outcome of outcomes) void outcome.then(() => ended++)
  await expect.poll(() => waiting.length).toBe(8)
  expect(await find('good.example', 'receivers', 'good')).toEqual(['192.0.2.2', '192.0.2.2'])
  expect(waiting).toHaveLength(8)
  while (ended < outcomes.length) {
    for (const go of waiting.splice(0)) go()
    await new Promise(setImmediate)
    expect(waiting.length).toBeLessThanOrEqual(8)
  }
  const found = await Promise.all(outcomes)
  expect(found.filter((one) => Array.isArray(one))).toHaveLength(68)
  expect(found.filter((one) => one === 'NAME_LOOKUPS_FULL')).toHaveLength(32)
})

test('calls that want one name at once ask for it once', async () => {
  const server = await servedNames(() => ({ addresses: ['93.184.216.34'] }))
  const find = namesOf({ nameServers: [server.address] })
  await Promise.all(Array.from({ length: 50 }, (_, shop) => find('api.example', 'payments', `psp ${shop}`)))
  expect(server.asked.get('api.example')).toBe(2)
})

test.each<[string, NameRule, string]>([
  ['does not know it', 'not_found', 'NAME_NOT_FOUND'],
  ['has no address', { addresses: [] }, 'NAME_NOT_FOUND'],
  ['loops in CNAMEs', 'cname_loop', 'NAME_NOT_FOUND'],
  ['fails', 'failure', 'NAME_SERVER_FAILED'],
  ['refuses', 'refused', 'NAME_SERVER_FAILED'],
  ['answers garbage', 'garbage', 'NAME_SERVER_FAILED'],
  ['answers another question', 'other_id', 'NAME_SERVER_FAILED'],
  ['truncates and is silent over TCP', 'truncated', 'NAME_SERVER_FAILED'],
  ['truncates over TCP too', 'always_truncated', 'NAME_NOT_FOUND'],
  ['cuts its answers', 'cut', 'NAME_SERVER_FAILED'],
])('a name whose server %s fails with a code', async (_what, rule, code) => {
  const { address } = await servedNames(() => rule)
  const failure = { name: 'PurveyorError', code, place: 'bad.example' }
  await expect(namesOf({ nameServers: [address] })('bad.example')).rejects.toMatchObject(failure)
})

test('no name server at all is a failure with a code', async () => {
  const server = await openNameServer(() => 'silent')
  await server.close()
  const find = namesOf({ nameServers: [server.address] })
  await expect(find('any.example')).rejects.toMatchObject({ code: 'NAME_SERVER_FAILED' })
})

test.each([
  [0, 5_000],
  [3, 5_000],
  [60, 60_000],
  [2 ** 31, 300_000],
  [2 ** 32 - 1, 300_000],
])('an answer with a TTL of %d s is kept for %d ms', async (ttl, kept) => {
  const time = movedTime()
  let asked = 0
  const find = namesOf({
    ...time,
    askFamily: async () => {
      asked++
      return [{ address: '192.0.2.1', ttl }]
    },
  })
  await find('a.example')
  time.pass(kept - 1)
  await find('a.example')
  expect(asked).toBe(2)
  time.pass(1)
  await find('a.example')
  expect(asked).toBe(4)
})

test('a family that is silent does not hold up the other', async () => {
  const addresses = ['93.184.216.34', '2606::7']
  for (const family of [4, 6] as const) {
    const server = await servedNames(() => ({ addresses, families: [family] }))
    const found = [addresses[family === 4 ? 0 : 1]]
    expect(await namesOf({ nameServers: [server.address] })('half.example')).toEqual(found)
  }
})

test('while the name server fails, an answer serves on for an hour, and then no more', async () => {
  const time = movedTime()
  let works = true
  let asked = 0
  const seen: LookupOutcome[] = []
  const find = namesOf({
    ...time,
    lookedUp: (_kind, outcome) => seen.push(outcome),
    askFamily: async () => {
      asked++
      if (works) return [first]
      throw Object.assign(new Error('fails'), { code: 'ESERVFAIL' })
    },
  })
  expect(await find('a.example')).toEqual(both)
  works = false
  time.pass(61_000)
  expect(await find('a.example')).toEqual(both)
  expect(await find('a.example')).toEqual(both)
  expect(asked).toBe(4)
  expect(seen.at(-1)).toBe('stale')
  works = true
  time.pass(20_000)
  let found: unknown
  void find('a.example').then((addresses) => (found = addresses))
  await expect
    .poll(() => {
      time.pass(0)
      return found
    })
    .toEqual(both)
  await expect
    .poll(async () => {
      await find('a.example')
      return seen.at(-1)
    })
    .toBe('known')
  works = false
  time.pass(3_600_000 + 60_000)
  await expect(find('a.example')).rejects.toMatchObject({ code: 'NAME_SERVER_FAILED' })
})

test('an old answer is not kept once the name server says that there is none', async () => {
  const time = movedTime()
  let code: string | undefined
  const find = namesOf({
    ...time,
    askFamily: async () => {
      if (code) throw Object.assign(new Error('none'), { code })
      return [first]
    },
  })
  await find('a.example')
  code = 'ENOTFOUND'
  time.pass(91_000)
  await expect(find('a.example')).rejects.toMatchObject({ code: 'NAME_NOT_FOUND' })
})

test('a caller with an old answer waits for a silent name server for a moment only', async () => {
  const time = movedTime()
  let silent = false
  const find = namesOf({
    ...time,
    askFamily: async () => (silent ? new Promise(() => {}) : [first]),
  })
  await find('a.example')
  silent = true
  time.pass(91_000)
  let found: unknown
  void find('a.example').then((addresses) => (found = addresses))
  await expect.poll(() => time.next()).toBe(100)
  expect(found).toBeUndefined()
  time.pass(100)
  // The connection that follows waits as long as the call did, at most.
  await expect.poll(() => time.next()).toBeLessThanOrEqual(100)
  time.pass(100)
  await expect.poll(() => found).toEqual(both)
})

test('a name that is in use is served at once while it is asked for again, once, for 30 s behind its TTL', async () => {
  const time = movedTime()
  const waiting: (() => void)[] = []
  let address = '192.0.2.1'
  let isSlow = false
  const find = namesOf({
    ...time,
    askFamily: async () => {
      if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve))
      return [{ address, ttl: 60 }]
    },
  })
  await find('a.example')
  isSlow = true
  address = '192.0.2.2'
  time.pass(60_000)
  // There is no answer yet, and the clock does not move.
  for (let call = 0; call < 20; call++) expect((await find('a.example'))[0]).toBe('192.0.2.1')
  expect(waiting).toHaveLength(2)
  for (const go of waiting.splice(0)) go()
  await expect.poll(async () => (await find('a.example'))[0]).toBe('192.0.2.2')
})

test('connections that look a name up by themselves share no lane', async () => {
  const names = new Names({
    ...movedTime(),
    hostsFile: '/none',
    askFamily: async (name) => (name.startsWith('hanging') ? new Promise(() => {}) : [first]),
  })
  const lookUp = (host: string) =>
    new Promise((resolve, reject) => {
      const found = (error: Error | null, addresses: unknown) => (error ? reject(error) : resolve(addresses))
      names.lookup('other')(host, { all: true }, found)
    })
  for (let host = 0; host < 100; host++) lookUp(`hanging${host}.example`).catch(() => {})
  expect(await lookUp('good.example')).toContainEqual({ address: '192.0.2.1', family: 4 })
})

test('a shop that names ever new hosts pushes out its own answers and nobody else’s', async () => {
  const asked = new Map<string, number>()
  const find = namesOf({
    askFamily: async (name) => {
      asked.set(name, (asked.get(name) ?? 0) + 1)
      return [first]
    },
  })
  await find('good.example', 'receivers', 'good')
  for (let host = 0; host < 200; host++) await find(`h${host}.example`, 'receivers', 'bad')
  await find('good.example', 'receivers', 'good')
  await find('h0.example', 'receivers', 'bad')
  expect([asked.get('good.example'), asked.get('h0.example'), asked.get('h199.example')]).toEqual([2, 4, 2])
})

test('localhost is this machine, /etc/hosts comes before the name servers, and both ask nobody', async () => {
  const lines = ['# names of ours', '10.0.3.7\tRates.internal rates # inside', 'fd00::7 rates.internal', '']
  const hostsFile = fileWith('hosts', lines.join('\n'))
  const find = namesOf({ hostsFile, askFamily: () => Promise.reject(new Error('asked')) })
  for (const name of ['rates.internal', 'Rates.Internal.'])
    expect(await find(name)).toEqual(['10.0.3.7', 'fd00::7'])
  for (const name of ['localhost', 'shop.localhost']) expect(await find(name)).toEqual(['127.0.0.1', '::1'])
  expect(namesIn('no address\n1.2.3.4\n# 1.2.3.4 a\n1.2.3.4 a b#c\r\n').size).toBe(2)
})

test('what a name server answers is looked at like every address, and refused calls are reported', async () => {
  const { port } = await openServer(createServer((_req, res) => void res.end('fine')))
  const known: Record<string, NameRule> = {
    'good.example': { addresses: ['127.0.0.1'] },
    'lies.example': { addresses: ['169.254.169.254'] },
    'mixed.example': { addresses: ['93.184.216.34', '10.0.0.1'] },
    'other.example': { addresses: ['10.0.0.1'], under: 'elsewhere.example' },
  }
  const server = await servedNames((name) => known[name] ?? 'not_found')
  const refused: object[] = []
  const outgoing = guardedOutgoing({
    ...{ loopback: true, hostsFile: '/none', nameServers: [server.address] },
    refused: (code, about) => refused.push({ code, ...about }),
  })
  const send = (url: string) =>
    outgoing.send({ url, method: 'POST', headers: {}, body: '{}', timeout: 5_000, shop: 'a' })
  expect((await send(`http://good.example:${port}/`)).body).toBe('fine')
  const psp = { name: 'psp', shop: 'a', kind: 'payments' } as const
  expect(await (await outgoing.fetch(`http://good.example:${port}/`, {}, psp)).text()).toBe('fine')
  for (const host of ['lies', 'mixed', 'other'])
    await expect(send(`http://${host}.example:${port}/`)).rejects.toMatchObject({ code: 'OUTGOING_REFUSED' })
  const missing = outgoing.fetch(`http://missing.example:${port}/`, {}, psp)
  await expect(missing).rejects.toMatchObject({ code: 'NAME_NOT_FOUND' })
  await expect(missing).rejects.toThrow('missing.example has no address')
  expect(refused).toEqual([
    ...Array(3).fill({ code: 'OUTGOING_REFUSED', caller: 'webhook_url', shop: 'a' }),
    { code: 'NAME_NOT_FOUND', caller: 'psp', shop: 'a', host: 'missing.example' },
  ])
})

test('a call that is aborted does not wait for its name', async () => {
  const server = await servedNames(() => 'silent')
  const outgoing = guardedOutgoing({ loopback: false, hostsFile: '/none', nameServers: [server.address] })
  const over = new AbortController()
  const call = outgoing.fetch('https://silent.example/', { signal: over.signal })
  await expect.poll(() => server.asked.get('silent.example')).toBeGreaterThan(0)
  over.abort(new Error('deadline'))
  await expect(call).rejects.toThrow('deadline')
  await expect(outgoing.fetch('https://silent.example/', { signal: over.signal })).rejects.toThrow('deadline')
})

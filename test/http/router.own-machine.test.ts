import { createServer } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProvider, type Provider, type ProviderOptions } from '../../src/index.ts'
import { keptLog } from '../listening.ts'
import { lastingStore } from '../production-store.ts'
import { openServer } from '../serve-origin.ts'

const secret = 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLfe'

const push = { verify: () => false, read: () => [] }

function make(options: Partial<ProviderOptions> = {}) {
  const { lines, logger } = keptLog('info')
  const provider = createProvider({
    store: lastingStore(),
    logger,
    rates: { name: 'table', quote: () => [] },
    payments: { name: 'psp', methods: () => [], start: () => ({ later: true }), push },
    ...options,
    http: { openapi: true },
  })
  onTestFinished(() => provider.stop())
  return { provider, refusals: () => lines.filter(({ code }) => code === 'NOT_THIS_MACHINE') }
}

const mount = async (provider: Provider, host: string): Promise<number> =>
  (await openServer(createServer(express().use(provider.router)), onTestFinished, host)).port

/** Sends these very lines, and resolves with the answer's status. */
async function ask(port: number, lines: string[], host = '127.0.0.1'): Promise<number> {
  const socket = connect(port, host)
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(await text(socket)) ?? []
  return Number(status)
}

const get = (path: string, ...headers: string[]) => [`GET ${path} HTTP/1.1`, ...headers]
const live = '/health/live'

describe.each(['in its own server', 'mounted'])('development %s', (kind) => {
  async function open(options: Partial<ProviderOptions> = {}) {
    const made = make({ port: 0, ...options })
    const { provider } = made
    const mounted = kind === 'mounted' ? { port: await mount(provider, '127.0.0.1') } : undefined
    const host = options.development === false ? { host: '127.0.0.1' } : {}
    const served = mounted ? { ...(await provider.start()), ...mounted } : await provider.listen(host)
    return { ...made, port: served.port, endpoint: new URL(served.endpoint).pathname }
  }

  test('answers this machine, however it is named', async () => {
    const { port, refusals } = await open()
    const names = '127.0.0.1 127.9.9.9 localhost LOCALHOST. shop.localhost [::1] [::ffff:127.0.0.1]'
    for (const host of names.split(' ').flatMap((name) => [name, `${name}:${port}`]))
      expect([host, await ask(port, get(live, `Host: ${host}`))]).toEqual([host, 200])
    expect(await ask(port, get(`http://localhost:${port}${live}`, 'Host: localhost'))).not.toBe(403)
    expect(refusals()).toEqual([])
  })

  test('refuses every other host, and all that shows a proxy', async () => {
    const { port, refusals } = await open()
    const hosts = `checkout.example.com localhost.example.com notlocalhost localhost.. 127.0.0.1.example.com 10.0.0.1
      0.0.0.0 [::] [fe80::1] localhost@example.com localhost:3000:80`
    const ofProxies = `Forwarded: for=192.0.2.7 | X-Forwarded-For: 192.0.2.7 | x-forwarded-proto: https
      | X-FORWARDED-HOST: localhost | X-Forwarded-Anything: | Via: 1.1 proxy | X-Real-IP: 192.0.2.7
      | CF-Connecting-IP: 192.0.2.7`
    const refused = [
      ...['', ...hosts.split(/\s+/)].map((host) => get(live, `Host: ${host}`)),
      get('http://checkout.example.com/health/live', 'Host: localhost'),
      ['GET /health/live HTTP/1.0', 'Host: localhost'],
      ['GET /health/live HTTP/1.0'],
      ...ofProxies.split(/\s*\|\s*/).map((header) => get(live, 'Host: localhost', header)),
    ]
    for (const lines of refused) expect([lines, await ask(port, lines)]).toEqual([lines, 403])
    const said = { refused: 'host', msg: expect.stringContaining('PURVEYOR_PUBLIC_URL') }
    expect(refusals()).toEqual([expect.objectContaining(said)])
  })

  test('refuses on every address that it serves, and counts each', async () => {
    const { provider, port, endpoint } = await open()
    const fixed = '/health/ready /metrics /openapi.json /p/AAAAAAAA /n/psp/AAAAAAAA /nowhere'.split(' ')
    const paths = [live, ...fixed, `${endpoint}/payment/1`, `${endpoint}/shipment_methods`]
    for (const path of paths) {
      const statuses = await Promise.all([
        ask(port, get(path, 'Host: localhost')),
        ask(port, get(path, 'Host: localhost', 'X-Forwarded-For: 192.0.2.7')),
        ask(port, [`POST ${path} HTTP/1.1`, 'Host: checkout.example.com', 'Content-Length: 0']),
      ])
      expect([path, ...statuses.slice(1)]).toEqual([path, 403, 403])
      expect(statuses[0]).not.toBe(403)
    }
    expect(await provider.metrics()).toContain(
      `purveyor_refused_total{code="NOT_THIS_MACHINE"} ${2 * paths.length}`,
    )
  })

  test('is not what production does: behind its proxy it answers', async () => {
    const publicUrl = 'https://checkout.example.com'
    const { port, refusals } = await open({ development: false, secret, publicUrl })
    const lines = get(live, 'Host: checkout.example.com', 'X-Forwarded-For: 192.0.2.7')
    expect(await ask(port, lines)).toBe(200)
    expect(refusals()).toEqual([])
  })
})

const elsewhere = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

test.skipIf(elsewhere === undefined)(
  'a mounted router that listens everywhere refuses who comes from another address',
  async () => {
    const { provider, refusals } = make()
    const port = await mount(provider, '0.0.0.0')
    await provider.start()
    expect(await ask(port, get(live, 'Host: localhost'), elsewhere)).toBe(403)
    expect(refusals()).toMatchObject([{ refused: 'address' }])
  },
)

const hosts = ['0.0.0.0', '::', '192.168.1.7', 'checkout.example.com']
test.each(hosts)('development does not listen on %s', async (host) => {
  const message = expect.stringContaining(`listen({ host: '${host}' })`)
  const listens = make({ port: 0 }).provider.listen({ host })
  await expect(listens).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID', message })
})

test.each(['127.0.0.1', 'localhost'])('development listens on %s', async (host) => {
  const { provider } = make({ port: 0 })
  const { port } = await provider.listen({ host })
  expect(port).toBeGreaterThan(0)
})

test('development beside a public address is refused when the provider is made', () => {
  expect(() => make({ development: true, publicUrl: 'https://checkout.example.com' })).toThrow(
    /development is true, and publicUrl is not an address of this machine/,
  )
})

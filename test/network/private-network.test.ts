import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createProvider, memoryStore, none } from '../../src/index.ts'
import { guardedOutgoing } from '../../src/network/outgoing.ts'
import { PrivateNetwork, placeOf } from '../../src/network/private-network.ts'
import { combine, flatRate, remoteRates } from '../../src/rates/index.ts'
import { openServer } from '../serve-origin.ts'

describe('what an entry opens', () => {
  const to = (url: string) => {
    const { protocol, hostname, port } = new URL(url)
    return placeOf(protocol, hostname, port)
  }
  const network = new PrivateNetwork([
    ...['10.0.3.0/24', '192.168.7.7', 'fd12:3456::/48', '100.100.100.0/24', 'rates.internal:8443'],
    ...['http://plain.internal:8080', 'http://10.9.9.9:80', '[fd00::7]:9443', 'localhost:7443'],
  ])

  test.each([
    ['https://10.0.3.1', '10.0.3.1'],
    ['https://10.0.3.255:9999', '10.0.3.255'],
    ['https://[::ffff:10.0.3.1]', '::ffff:10.0.3.1'],
    ['https://192.168.7.7', '192.168.7.7'],
    ['https://any.name', '10.0.3.9'],
    ['https://box', 'fd12:3456::1'],
    ['https://rates.internal:8443', '172.20.0.5'],
    ['https://RATES.internal.:8443', 'fd99::1'],
    ['https://rates.internal:8443', '93.184.216.34'],
    ['http://plain.internal:8080', '10.200.0.1'],
    ['http://10.9.9.9', '10.9.9.9'],
    ['https://[fd00::7]:9443', 'fd00::7'],
    ['https://localhost:7443', '127.0.0.1'],
    ['https://localhost:7443', '::1'],
  ])('%s at %s is open', (url, address) => {
    expect([network.mayTry(to(url)), network.allows(address, to(url))]).toEqual([true, true])
  })

  test.each([
    ['another range', 'https://any.name', '10.0.4.1'],
    ['a range in the clear', 'http://10.0.3.1', '10.0.3.1'],
    ['another port of a host', 'https://rates.internal:8444', '172.20.0.5'],
    ['another scheme of a host', 'http://rates.internal:8443', '172.20.0.5'],
    ['https where http is named', 'https://plain.internal:8080', '10.200.0.1'],
    ['in the clear to the world', 'http://plain.internal:8080', '93.184.216.34'],
    ['a name below a host', 'https://a.rates.internal:8443', '172.20.0.5'],
    ['a host that leads to this machine', 'https://rates.internal:8443', '127.0.0.1'],
    ['a host that leads to metadata', 'https://rates.internal:8443', '169.254.169.254'],
    ['a host that leads to metadata of IPv6', 'https://rates.internal:8443', 'fd00:ec2::254'],
    ['metadata inside a range', 'https://100.100.100.200', '100.100.100.200'],
    ['a host that leads to nowhere', 'https://rates.internal:8443', '0.0.0.0'],
    ['a host that leads to link-local', 'https://rates.internal:8443', 'fe80::1'],
    ['this machine on another port', 'https://localhost:7444', '127.0.0.1'],
    ['an address inside another', 'https://any.name', '64:ff9b::a00:301'],
    ['what is no address', 'https://any.name', 'localhost'],
  ])('%s stays closed (%s at %s)', (_what, url, address) => {
    expect(network.allows(address, to(url))).toBe(false)
  })

  test.each([
    ['0.0.0.0/0', 'too wide'],
    ['10.0.0.0/8', 'too wide'],
    ['::/0', 'too wide'],
    ['fc00::/7', 'too wide'],
    ['10.0.3.7/24', 'write 10.0.3.0/24'],
    ['169.254.169.254', 'never called'],
    ['169.254.0.0/16', 'never called'],
    ['169.254.169.254:80', 'never called'],
    ['http://100.100.100.200', 'never called'],
    ['fe80::/64', 'never called'],
    ['224.0.0.0/16', 'never called'],
    ['0.0.0.0', 'never called'],
    ['::ffff:10.0.0.0/112', 'IPv4'],
    ['93.184.216.0/24', 'public'],
    ['https://93.184.216.34:8443', 'public'],
    ['127.0.0.0/16', 'this machine'],
    ['127.0.0.1', 'this machine'],
    ['localhost', 'this machine'],
    ['http://localhost', 'this machine'],
    ['*', 'not a range'],
    ['*.internal', 'not a range'],
    ['rates.internal:8443/quotes', 'not a range'],
    ['user@rates.internal', 'not a range'],
    ['ftp://rates.internal', 'not a range'],
    ['rates.internal:99999', 'not a range'],
    ['10.0.3.0/33', 'not a range'],
    ['', 'not a range'],
    [7, 'not text'],
  ])('%j is refused at the start: %s', (entry, why) => {
    const rates = { name: 'courier', network: { allow: [entry as string] }, quote: () => none('no') }
    const made = () => createProvider({ rates, store: memoryStore() })
    expect(made).toThrow(expect.objectContaining({ code: 'CONFIGURATION_INVALID' }))
    expect(made).toThrow(`rates: network of "courier" allow: ${JSON.stringify(entry)}`)
    expect(made).toThrow(why)
  })

  test.each([
    [{ allow: '10.0.3.0/24' }, 'allow must be a list'],
    [{ allowed: ['10.0.3.0/24'] }, 'network.allowed of "courier" is not an option: did you mean allow?'],
    [{ maxAnswer: '8 MB' }, 'network.maxAnswer of "courier" must be a number of bytes'],
    [{ maxAnswer: 1e12 }, 'network.maxAnswer of "courier" must be a number of bytes'],
    ['10.0.3.0/24', 'must be an object'],
  ])('%j is refused at the start', (network, why) => {
    const rates = { name: 'courier', network: network as never, quote: () => none('no') }
    expect(() => createProvider({ rates, store: memoryStore() })).toThrow(why)
  })
})

test('an adapter reaches the host that it names, and no other caller does', async () => {
  const { port } = await openServer(createServer((_req, res) => void res.end('inside')))
  const refused: unknown[] = []
  const { fetch, send, check } = guardedOutgoing({
    loopback: false,
    refused: (...one) => void refused.push(one),
  })
  const url = `http://localhost:${port}/`
  const courier = { name: 'courier', network: { allow: [`http://localhost:${port}`] } }
  const closed = { code: 'OUTGOING_REFUSED' }
  const text = async (caller?: typeof courier) => (await fetch(url, {}, caller)).text()
  expect(await text(courier)).toBe('inside')
  // Also while another adapter's allowed connection is open.
  await expect(text()).rejects.toMatchObject(closed)
  await expect(text({ name: 'other', network: { allow: ['10.0.3.0/24'] } })).rejects.toMatchObject(closed)
  const sending = send({ url, method: 'POST', headers: {}, body: '{}', timeout: 60_000 })
  await expect(sending).rejects.toMatchObject(closed)
  expect(() => check(url)).toThrow(expect.objectContaining({ code: 'HOST_NOT_ALLOWED' }))
  expect(refused).toEqual([
    ['OUTGOING_REFUSED', { caller: undefined, shop: undefined }],
    ['OUTGOING_REFUSED', { caller: 'other', shop: undefined }],
    ['OUTGOING_REFUSED', { caller: 'webhook_url', shop: undefined }],
  ])
})

test('a name that leads elsewhere than it did is looked at for each connection', async () => {
  let connections = 0
  const server = createServer((_req, res) => void res.writeHead(200, { connection: 'close' }).end('inside'))
  server.on('connection', () => void connections++)
  const { port } = await openServer(server)
  let leadsTo = '127.0.0.1'
  const { fetch } = guardedOutgoing({
    loopback: false,
    resolve: ((_host: string, _options: object, done: (...answer: unknown[]) => void) =>
      done(null, [{ address: leadsTo, family: 4 }])) as never,
  })
  const courier = { name: 'courier', network: { allow: [`http://inside.localhost:${port}`] } }
  const text = async () => (await fetch(`http://inside.localhost:${port}/`, {}, courier)).text()
  expect(await text()).toBe('inside')
  leadsTo = '169.254.169.254'
  await expect(text()).rejects.toMatchObject({ code: 'OUTGOING_REFUSED' })
  expect(connections).toBe(1)
})

test('ready-made adapters pass it on; a combination may do what its parts may', () => {
  const network = { allow: ['rates.internal:8443'], maxAnswer: 1024 }
  const inside = remoteRates({ name: 'a', url: 'https://rates.internal:8443/', answer: () => [], network })
  const flat = { ...flatRate({ id: 'b', title: 'B', excl: '1', taxRate: '0' }), name: 'b' }
  const wide = { ...flat, name: 'c', network: { allow: ['10.0.3.0/24'], maxAnswer: 4096 } }
  expect(inside.network).toEqual(network)
  expect(combine('all', [inside, flat, wide]).network).toEqual({
    allow: ['rates.internal:8443', '10.0.3.0/24'],
    maxAnswer: 4096,
  })
  expect(combine('none', [flat]).network).toBeUndefined()
})

test('the verdict on one address is kept for its host, and for no other scheme of it', () => {
  const { check } = guardedOutgoing({ loopback: false })
  const refused = expect.objectContaining({ code: 'HOST_NOT_ALLOWED' })
  const wrong =
    'blob:https://shop.example/x http://shop.example/x https://me@shop.example/x https://10.0.3.1/x'
  for (let time = 0; time < 2; time++) {
    for (const url of wrong.split(' ')) expect(() => check(url)).toThrow(refused)
    check('https://shop.example/x')
    check('https://shop.example/y?z')
  }
})

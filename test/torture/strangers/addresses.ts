import { createServer, type Server } from 'node:net'
import { listenOn } from '../../../src/http/server.ts'
import { guardedOutgoing } from '../../../src/network/outgoing.ts'
import type { OutgoingCaller } from '../../../src/world.ts'
import { payment } from '../../http/messages.ts'
import { openTarget, pathOf, postOf } from './target.ts'

/** A server at a forbidden address, which counts its calls until the end of the block. */
async function openCanary() {
  let connections = 0
  const servers: Server[] = []
  const listen = async (host: string, at: number): Promise<number> => {
    const server = createServer((socket) => {
      connections++
      socket.on('error', () => {})
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    servers.push(server)
    return listenOn(server as never, at, host)
  }
  const port = await listen('127.0.0.1', 0)
  // A machine may have no IPv6.
  await listen('::1', port).catch(() => {})
  const close = () => {
    for (const server of servers) server.close()
  }
  return { port, connections: () => connections, [Symbol.dispose]: close }
}

type Outgoing = ReturnType<typeof guardedOutgoing>

/** A guard whose name server answers these addresses, or with an error. */
function guardWith(
  addressesOf: (host: string) => readonly string[] | Error,
  ownUrl?: () => string,
): Outgoing {
  const resolve = (host: string, _options: object, done: (...answer: unknown[]) => void) => {
    const found = addressesOf(host)
    if (found instanceof Error) done(found)
    else
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
  }
  return guardedOutgoing({ loopback: false, ...(ownUrl && { ownUrl }), resolve: resolve as never })
}

const send = (through: Outgoing, url: string) =>
  through.send({ url, method: 'POST', headers: {}, body: '{}', timeout: 1_000 })

const inside = [
  ...'127.0.0.1 127.255.255.254 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1'.split(' '),
  ...'169.254.169.254 100.64.0.1 192.0.0.8 198.18.0.1 192.0.2.1 224.0.0.1 240.0.0.1'.split(' '),
  '255.255.255.255',
]
const insideV6 = [
  ...'::1 :: fe80::1 fc00::1 fd12:3456::1 fec0::1 ff02::1 2001:db8::1 100::1 3fff::1'.split(' '),
  ...'5f00::1 4000::1 fe80::5efe:7f00:1'.split(' '),
]

const bytesOf = (address: string) => address.split('.').map(Number)

/** One IPv4 address in the many ways that something or other reads. */
function writings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address)
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const hex = whole.toString(16).padStart(8, '0')
  const [high, low] = [hex.slice(0, 4), hex.slice(4)]
  return [
    address,
    String(whole),
    `0x${hex}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((byte) => `0x${byte.toString(16)}`).join('.'),
    [a, b, c, d].map((byte) => `0${byte.toString(8)}`).join('.'),
    `${a}.${((b << 16) | (c << 8) | d) >>> 0}`,
    `${a}.${b}.${(c << 8) | d}`,
    [a, b, c, d]
      .map((byte) => String.fromCodePoint(...[...String(byte)].map((digit) => 0xff10 + Number(digit))))
      .join('.'),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '%2e'),
    `%${address.charCodeAt(0).toString(16)}${address.slice(1)}`,
    `${address}.`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::${address}]`,
    `[::${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::]`,
    `[2001:0:${high}:${low}::]`,
    `[2001:0:1:1:1:1:${(Number.parseInt(high, 16) ^ 0xffff).toString(16)}:${(Number.parseInt(low, 16) ^ 0xffff).toString(16)}]`,
  ]
}

/** Addresses that must not be called, and others that are none. `port` is where the canary listens. */
function hostileUrls(port: number): string[] {
  const hosts = [
    ...inside.flatMap(writings),
    ...insideV6.map((address) => `[${address}]`),
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ｌｏｃａｌｈｏｓｔ', 'intranet', 'metadata'],
    ...['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ'],
    ...['provider.example', 'PROVIDER.example', 'provider.example.', 'provider。example'],
  ]
  const shop = 'shop.example'
  return [
    ...hosts.map((host) => `https://${host}:${port}/hook`),
    ...['127.0.0.1', 'localhost', '[::1]'].flatMap((host) => [
      `http://${host}:${port}/`,
      `https://${shop}@${host}:${port}/`,
      `https://${shop}:443@${host}:${port}/`,
      `https://${shop}%40${host}:${port}/`,
      `https://${shop}\\@${host}:${port}/`,
      `https://${host}:${port}\\.${shop}/`,
      `https://${host}:${port}#@${shop}/`,
      `https://${host}:${port}?@${shop}/`,
      `https:\\\\${host}:${port}/`,
      `https:/${host}:${port}/`,
      `https:${host}:${port}/`,
      `//${host}:${port}/`,
      `\thttps://${host}:${port}/`,
      `ht\ntps://${host}:${port}/`,
      `https://${host}:${port}/\r\nX-Evil: 1`,
      `https://${shop}/ https://${host}:${port}/`,
      `https://[${host}]:${port}/`,
      `https://${host}\u0000.${shop}:${port}/`,
      `https://${host}%00.${shop}:${port}/`,
      `https://${host}\u00ad:${port}/`,
      `ftp://${host}:${port}/`,
      `gopher://${host}:${port}/_x`,
      `ws://${host}:${port}/`,
      `unix:${host}:/x`,
    ]),
    ...'file:///etc/passwd data:text/html,x javascript:alert(1) blob:https://shop.example/x'.split(' '),
    ...'about:blank https:// https://:443/ https://[ https://[::1%25eth0]/ x'.split(' '),
    ...['', ' ', `https://${'a'.repeat(3000)}.example/`],
  ]
}

/** The addresses of a name, by a hostile name server. */
const tricks: Record<string, readonly string[] | Error> = {
  loopback: ['127.0.0.1'],
  'loopback of IPv6': ['::1'],
  'another loopback': ['127.8.8.8'],
  'this machine': ['0.0.0.0'],
  'this machine in IPv6': ['::'],
  'mapped loopback': ['::ffff:127.0.0.1'],
  'mapped loopback in hex': ['::ffff:7f00:1'],
  'compatible loopback': ['::7f00:1'],
  'private network': ['10.1.2.3'],
  'metadata service': ['169.254.169.254'],
  'link local': ['fe80::1'],
  'unique local': ['fd00::1'],
  'site local': ['fec0::1'],
  NAT64: ['64:ff9b::7f00:1'],
  '6to4': ['2002:7f00:1::'],
  Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  multicast: ['224.0.0.251'],
  'a public address first, then loopback': ['93.184.216.34', '127.0.0.1'],
  'loopback first, then a public address': ['127.0.0.1', '2606:2800:220:1::1'],
  'no address': [],
  'an address that is none': ['localhost'],
  'no answer': Object.assign(new Error('nothing'), { code: 'EAI_AGAIN' }),
}

/** Other adapters, and a `webhook_url`, try the private network that one adapter has opened for itself. */
async function tryOpened(): Promise<string[]> {
  const violations: string[] = []
  using canary = await openCanary()
  const inside = `http://localhost:${canary.port}/hook`
  const named = `https://rates.partner.example:${canary.port}/hook`
  const outgoing = guardWith((host) => [host === 'localhost' ? '127.0.0.1' : '10.1.2.3'])
  const opened = [`http://localhost:${canary.port}`, `rates.partner.example:${canary.port}`]
  const opener = { name: 'opener', network: { allow: opened } }
  const other = { name: 'other', network: { allow: ['10.200.0.0/24'] } }
  const fetchAs = (caller: OutgoingCaller, url: string, through = outgoing, ms = 1_000) =>
    through.fetch(url, { signal: AbortSignal.timeout(ms) }, caller)
  await fetchAs(opener, inside, outgoing, 60_000).catch((error: unknown) =>
    violations.push(`an adapter cannot reach what it has opened: ${error}`),
  )
  const reached = canary.connections()
  const codeOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'an answer',
      (error: { code?: string; cause?: { code?: string } }) =>
        error.code ?? error.cause?.code ?? String(error),
    )
  const tries = {
    'an adapter that opened nothing': (url: string) => fetchAs({ name: 'plain' }, url),
    'an adapter that opened something else': (url: string) => fetchAs(other, url),
    'a webhook': (url: string) => send(outgoing, url),
  }
  for (const [who, call] of Object.entries(tries)) {
    for (const url of [inside, named]) {
      const code = await codeOf(call(url))
      if (code !== 'OUTGOING_REFUSED') violations.push(`${who} calls what another opened, and gets ${code}`)
    }
  }
  for (const address of ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '127.0.0.1', '0.0.0.0']) {
    const misled = guardWith(() => [address])
    const code = await codeOf(fetchAs(opener, named, misled))
    if (code !== 'OUTGOING_REFUSED') violations.push(`a host that was opened leads to ${address}: ${code}`)
  }
  const more = canary.connections() - reached
  if (more > 0) violations.push(`${more} connections to what another adapter opened`)

  // The same with a provider: a shop may not name the host that an adapter opened.
  const network = { allow: ['10.0.3.0/24', 'rates.internal:8443'] }
  await using target = await openTarget({ rates: [{ name: 'opener', network, quote: () => [] }] })
  const endpoint = pathOf((await target.provider.shops.add('asking')).endpoint)
  for (const [place, url] of ['https://10.0.3.7/', 'https://rates.internal:8443/'].entries()) {
    const order = { ...payment({ id: place + 1, method: 'psp:card' }), webhook_url: url }
    const { status } = await target.call(postOf(`${endpoint}/payment`, order))
    if (status !== 422) violations.push(`webhook_url ${url}, which an adapter opened, is answered ${status}`)
  }
  return violations
}

/** Tries every address on the guard, on POST payment of a shop with a list and of one without, and every trick on the guard. */
export async function tryAddresses() {
  using canary = await openCanary()
  const urls = hostileUrls(canary.port)
  const violations: string[] = []
  const ownUrl = () => 'https://provider.example'
  // No server outside this machine is called: its own names lead to it, all others nowhere.
  const nobody = Object.assign(new Error('nobody is called so'), { code: 'ENOTFOUND' })
  const outgoing = guardWith((host) => (host.includes('localhost') ? ['127.0.0.1'] : nobody), ownUrl)
  /** A call that is not refused at once is soon given up. */
  const calls = async (what: string, through: Outgoing, url: string) => {
    const fetched = through.fetch(url, { signal: AbortSignal.timeout(1_000) })
    const called = () => violations.push(`${what} was called`)
    await Promise.all([fetched, send(through, url)].map((call) => call.then(called, () => {})))
  }
  await Promise.all(urls.map((url) => calls(JSON.stringify(url), outgoing, url)))
  const tricky = `https://tricky.example:${canary.port}/`
  const misled = Object.entries(tricks).map(([trick, addresses]) =>
    calls(
      `a name that leads to ${trick}`,
      guardWith(() => addresses, ownUrl),
      tricky,
    ),
  )
  await Promise.all(misled)
  violations.push(...(await tryOpened()))

  await using target = await openTarget()
  const { provider, store, call } = target
  const open = pathOf((await provider.shops.add('open')).endpoint)
  const listed = pathOf((await provider.shops.add('listed', { hosts: ['shop.example:8443'] })).endpoint)
  const fine = 'https://shop.example/webhook'
  let id = 0
  const start = async (endpoint: string, redirect_url: string, webhook_url: string) => {
    const order = { ...payment({ id: ++id, method: 'psp:card' }), redirect_url, webhook_url }
    return (await call(postOf(`${endpoint}/payment`, order))).status
  }
  const others = [
    'https://elsewhere.example/',
    'https://shop.example.elsewhere.example/',
    'https://xshop.example/',
    'https://shop.example.:8443@elsewhere.example/',
    'https://sub.shop.example/',
  ]
  for (const url of [...urls, ...others]) {
    // Its port alone would have it refused.
    const bare = url.replaceAll(`:${canary.port}`, '')
    const cases = {
      ...(!others.includes(url) && { 'webhook_url without a list': await start(open, fine, bare) }),
      'webhook_url beside the list': await start(listed, fine, url),
      'redirect_url beside the list': await start(listed, url, fine),
    }
    for (const [what, status] of Object.entries(cases))
      if (status !== 422) violations.push(`${what} ${JSON.stringify(url)} is answered ${status}`)
  }
  for (const port of [22, 80, 444, 6379, 8443, 9443]) {
    const url = `https://shop.example:${port}/webhook`
    for (const [shop, endpoint] of Object.entries({ open, ...(port !== 8443 && { listed }) })) {
      const status = await start(endpoint, fine, url)
      if (status !== 422) violations.push(`webhook_url ${url} of the shop ${shop} is answered ${status}`)
    }
  }
  for (const host of ['shop.example', 'SHOP.example', 'shop.example:8443', 'shop.example.']) {
    const url = `https://${host}/webhook`
    const status = await start(listed, url, url)
    if (status !== 201) violations.push(`a host on the list, ${url}, is answered ${status}`)
  }
  // While the list is open, no later call of an order leads to another host: it is answered as ever.
  const repeated = async (changes: Parameters<typeof payment>[0], url: string) => {
    const urls = { redirect_url: url, webhook_url: url }
    const order = { ...payment({ id: 'repeated', method: 'psp:card', ...changes }), ...urls }
    const { status } = await call(postOf(`${open}/payment`, order))
    if (status !== 201) violations.push(`a repeat to ${url} is answered ${status}`)
  }
  const ref = { shop: 'open', orderId: 'repeated' }
  await repeated({}, fine)
  for (const url of others.filter((one) => !one.includes('@'))) await repeated({}, url)
  await repeated({ price_incl: '40.00' }, others[0]!)
  await provider.payments.report(ref, { status: 'cancelled' })
  await repeated({}, others[0]!)
  await provider.payments.report(ref, { status: 'paid', amount: '29.34', currency: 'eur' })
  await repeated({}, others[0]!)
  for (const { webhookUrl, redirectUrl } of await store.payments({ limit: 1000 })) {
    for (const url of [webhookUrl, redirectUrl]) {
      if (!/^https:\/\/shop\.example\.?(:8443)?\/webhook$/i.test(url)) violations.push(`stored: ${url}`)
    }
  }
  const connections = canary.connections()
  if (connections > 0) violations.push(`${connections} connections where nobody may call`)
  return { urls: urls.length, dns_tricks: Object.keys(tricks).length, connections, violations }
}

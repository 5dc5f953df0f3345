import type { LookupAddress } from 'node:dns'
import { createServer, type Server } from 'node:net'
import { guardedOutgoing } from '../../../src/network/outgoing.ts'
import { payment } from '../../http/messages.ts'
import { openTarget, pathOf, postOf } from './target.ts'

/** A server at a forbidden address, which counts its calls. */
async function openCanary() {
  let connections = 0
  const listen = async (host: string, port: number): Promise<Server | undefined> => {
    const server = createServer((socket) => {
      connections++
      socket.on('error', () => {})
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    return new Promise((resolve) => {
      server.once('error', () => resolve(undefined))
      server.listen(port, host, () => resolve(server))
    })
  }
  const first = (await listen('127.0.0.1', 0))!
  const { port } = first.address() as { port: number }
  const servers = [first, await listen('::1', port)]
  return {
    port,
    connections: () => connections,
    close: () => {
      for (const server of servers) server?.close()
    },
  }
}

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
    ...[
      'file:///etc/passwd',
      'data:text/html,x',
      'javascript:alert(1)',
      'blob:https://shop.example/x',
      'about:blank',
      'https://',
      'https://:443/',
      'https://[',
      'https://[::1%25eth0]/',
      '',
      ' ',
      'x',
      `https://${'a'.repeat(3000)}.example/`,
    ],
  ]
}

/** The addresses of a name, by a hostile name server. */
const tricks: Record<string, () => LookupAddress[] | Error> = {
  loopback: () => [{ address: '127.0.0.1', family: 4 }],
  'loopback of IPv6': () => [{ address: '::1', family: 6 }],
  'another loopback': () => [{ address: '127.8.8.8', family: 4 }],
  'this machine': () => [{ address: '0.0.0.0', family: 4 }],
  'this machine in IPv6': () => [{ address: '::', family: 6 }],
  'mapped loopback': () => [{ address: '::ffff:127.0.0.1', family: 6 }],
  'mapped loopback in hex': () => [{ address: '::ffff:7f00:1', family: 6 }],
  'compatible loopback': () => [{ address: '::7f00:1', family: 6 }],
  'private network': () => [{ address: '10.1.2.3', family: 4 }],
  'metadata service': () => [{ address: '169.254.169.254', family: 4 }],
  'link local': () => [{ address: 'fe80::1', family: 6 }],
  'unique local': () => [{ address: 'fd00::1', family: 6 }],
  'site local': () => [{ address: 'fec0::1', family: 6 }],
  NAT64: () => [{ address: '64:ff9b::7f00:1', family: 6 }],
  '6to4': () => [{ address: '2002:7f00:1::', family: 6 }],
  Teredo: () => [{ address: '2001:0:4136:e378:8000:63bf:3fff:fdd2', family: 6 }],
  multicast: () => [{ address: '224.0.0.251', family: 4 }],
  'a public address first, then loopback': () => [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ],
  'loopback first, then a public address': () => [
    { address: '127.0.0.1', family: 4 },
    { address: '2606:2800:220:1::1', family: 6 },
  ],
  'no address': () => [],
  'an address that is none': () => [{ address: 'localhost', family: 4 }],
  'no answer': () => Object.assign(new Error('nothing'), { code: 'EAI_AGAIN' }),
}

/** Other adapters, and a `webhook_url`, try the private network that one adapter has opened for itself. */
async function tryOpened(): Promise<string[]> {
  const violations: string[] = []
  const canary = await openCanary()
  const inside = `http://localhost:${canary.port}/hook`
  const named = `https://rates.partner.example:${canary.port}/hook`
  const resolve = ((host: string, _options: object, done: (...answer: unknown[]) => void) =>
    done(null, [{ address: host === 'localhost' ? '127.0.0.1' : '10.1.2.3', family: 4 }])) as never
  const outgoing = guardedOutgoing({ loopback: false, resolve })
  const opener = {
    name: 'opener',
    network: { allow: [`http://localhost:${canary.port}`, `rates.partner.example:${canary.port}`] },
  }
  const other = { name: 'other', network: { allow: ['10.200.0.0/24'] } }
  const signal = () => AbortSignal.timeout(1_000)
  await outgoing
    .fetch(inside, { signal: AbortSignal.timeout(60_000) }, opener)
    .catch((error: unknown) => violations.push(`an adapter cannot reach what it has opened: ${error}`))
  const reached = canary.connections()
  const tries = {
    'an adapter that opened nothing': (url: string) =>
      outgoing.fetch(url, { signal: signal() }, { name: 'plain' }),
    'an adapter that opened something else': (url: string) =>
      outgoing.fetch(url, { signal: signal() }, other),
    'a webhook': (url: string) =>
      outgoing.send({ url, method: 'POST', headers: {}, body: '{}', timeout: 1_000 }),
  }
  for (const [who, call] of Object.entries(tries)) {
    for (const url of [inside, named]) {
      const code = await call(url).then(
        () => 'an answer',
        (error: { code?: string; cause?: { code?: string } }) =>
          error.code ?? error.cause?.code ?? String(error),
      )
      if (code !== 'OUTGOING_REFUSED') violations.push(`${who} calls what another opened, and gets ${code}`)
    }
  }
  for (const address of ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '127.0.0.1', '0.0.0.0']) {
    const misled = guardedOutgoing({
      loopback: false,
      resolve: ((_host: string, _options: object, done: (...answer: unknown[]) => void) =>
        done(null, [{ address, family: address.includes(':') ? 6 : 4 }])) as never,
    })
    const code = await misled.fetch(named, { signal: signal() }, opener).then(
      () => 'an answer',
      (error: { code?: string }) => error.code ?? String(error),
    )
    if (code !== 'OUTGOING_REFUSED') violations.push(`a host that was opened leads to ${address}: ${code}`)
  }
  const more = canary.connections() - reached
  if (more > 0) violations.push(`${more} connections to what another adapter opened`)
  canary.close()

  // The same with a provider: a shop may not name the host that an adapter opened.
  const { provider, call } = await openTarget({
    rates: [{ name: 'opener', network: { allow: ['10.0.3.0/24', 'rates.internal:8443'] }, quote: () => [] }],
  })
  const endpoint = pathOf((await provider.shops.add('asking')).endpoint)
  for (const [place, url] of ['https://10.0.3.7/', 'https://rates.internal:8443/'].entries()) {
    const body = JSON.stringify({ ...payment({ id: place + 1, method: 'psp:card' }), webhook_url: url })
    const { status } = await call(postOf(`${endpoint}/payment`, body))
    if (status !== 422) violations.push(`webhook_url ${url}, which an adapter opened, is answered ${status}`)
  }
  await provider.stop()
  return violations
}

/** Tries every address on the guard, on POST payment of a shop with a list and of one without, and every trick on the guard. */
export async function tryAddresses() {
  const canary = await openCanary()
  const urls = hostileUrls(canary.port)
  const violations: string[] = []
  const ownUrl = () => 'https://provider.example'
  // No server outside this machine is called: its own names lead to it, all others nowhere.
  const outgoing = guardedOutgoing({
    loopback: false,
    ownUrl,
    resolve: ((host: string, _options: object, done: (...answer: unknown[]) => void) => {
      if (host.includes('localhost')) done(null, [{ address: '127.0.0.1', family: 4 }])
      else done(Object.assign(new Error('nobody is called so'), { code: 'ENOTFOUND' }))
    }) as never,
  })
  /** A call that is not refused at once is soon given up. */
  const calls = async (what: string, through: typeof outgoing, url: string) => {
    const fetched = through.fetch(url, { signal: AbortSignal.timeout(1_000) })
    const sent = through.send({ url, method: 'POST', headers: {}, body: '{}', timeout: 1_000 })
    const called = () => violations.push(`${what} was called`)
    await Promise.all([fetched, sent].map((call) => call.then(called, () => {})))
  }
  await Promise.all(urls.map((url) => calls(JSON.stringify(url), outgoing, url)))
  await Promise.all(
    Object.entries(tricks).map(([trick, answer]) => {
      const resolve = ((_host: string, _options: object, done: (...answer: unknown[]) => void) => {
        const found = answer()
        if (found instanceof Error) done(found)
        else done(null, found)
      }) as never
      const guarded = guardedOutgoing({ loopback: false, ownUrl, resolve })
      return calls(`a name that leads to ${trick}`, guarded, `https://tricky.example:${canary.port}/`)
    }),
  )

  violations.push(...(await tryOpened()))

  const { provider, store, call } = await openTarget()
  const open = pathOf((await provider.shops.add('open')).endpoint)
  const listed = pathOf((await provider.shops.add('listed', { hosts: ['shop.example:8443'] })).endpoint)
  const fine = 'https://shop.example/webhook'
  let id = 0
  const start = async (endpoint: string, redirect_url: string, webhook_url: string) => {
    const body = JSON.stringify({ ...payment({ id: ++id, method: 'psp:card' }), redirect_url, webhook_url })
    return (await call(postOf(`${endpoint}/payment`, body))).status
  }
  const others = [
    'https://elsewhere.example/',
    'https://shop.example.elsewhere.example/',
    'https://xshop.example/',
    'https://shop.example.:8443@elsewhere.example/',
    'https://sub.shop.example/',
  ]
  for (const url of [...urls, ...others]) {
    const cases = [
      ...(others.includes(url)
        ? []
        : // Its port alone would have it refused.
          [
            [
              'webhook_url without a list',
              await start(open, fine, url.replaceAll(`:${canary.port}`, '')),
            ] as const,
          ]),
      ['webhook_url beside the list', await start(listed, fine, url)] as const,
      ['redirect_url beside the list', await start(listed, url, fine)] as const,
    ]
    for (const [what, status] of cases) {
      if (status !== 422) violations.push(`${what} ${JSON.stringify(url)} is answered ${status}`)
    }
  }
  for (const port of [22, 80, 444, 6379, 8443, 9443]) {
    const url = `https://shop.example:${port}/webhook`
    for (const [shop, endpoint] of Object.entries({ open, ...(port !== 8443 && { listed }) })) {
      const status = await start(endpoint, fine, url)
      if (status !== 422) violations.push(`webhook_url ${url} of the shop ${shop} is answered ${status}`)
    }
  }
  for (const url of [
    fine,
    'https://SHOP.example/webhook',
    'https://shop.example:8443/webhook',
    'https://shop.example./webhook',
  ]) {
    const status = await start(listed, url, url)
    if (status !== 201) violations.push(`a host on the list, ${url}, is answered ${status}`)
  }
  // While the list is open, no later call of an order leads to another host: it is answered as ever.
  const repeated = async (changes: Parameters<typeof payment>[0], url: string) => {
    const order = { ...payment({ id: 'repeated', method: 'psp:card', ...changes }) }
    const body = JSON.stringify({ ...order, redirect_url: url, webhook_url: url })
    const { status } = await call(postOf(`${open}/payment`, body))
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
  await provider.stop()
  canary.close()
  return { urls: urls.length, dns_tricks: Object.keys(tricks).length, connections, violations }
}

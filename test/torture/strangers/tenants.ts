import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { hashToken } from '../../../src/shops/seal.ts'
import { checkout, payment, shopUrls } from '../../http/messages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { sourceMain } from './processes.ts'
import {
  type Answered,
  type Asked,
  getOf,
  json,
  openTarget,
  pageOf,
  pathOf,
  postOf,
  sign,
  type Target,
} from './target.ts'

/** The differences of two answers: status, headers and length. The id of each request differs, with the same length. */
function shapeOf({ status, headers, body }: Answered): string {
  const { 'x-request-id': id, date: _, ...rest } = headers
  const text = body.replace(/"request_id":"[^"]*"/, '"request_id":""')
  return JSON.stringify([status, Object.entries(rest).sort(), String(id ?? '').length, body.length, text])
}

const orderOf = (id: string) => ({ ...payment({ id, method: 'page:page' }), ...shopUrls })

async function openShop({ provider, call }: Target, name: string, platformId: number, orders: string[]) {
  const endpoint = pathOf((await provider.shops.add(name, { platformId: String(platformId) })).endpoint)
  const pages: string[] = []
  for (const id of orders) {
    const page = await pageOf({ call }, endpoint, { ...orderOf(id), shop: { id: platformId } })
    pages.push(page.split('/')[2]!)
  }
  return { endpoint, token: endpoint.split('/')[2]!, pages, orders }
}

/** Calls an endpoint that is bound to no shop as strangers do, then as its shop. */
async function tryBinding({ provider, call }: Target): Promise<string[]> {
  const endpoint = pathOf((await provider.shops.add('unbound')).endpoint)
  const ask = (id: string, body?: string) => {
    const headers = { ...json, 'x-shop-id': id }
    if (body === undefined) return call(getOf(`${endpoint}/payment/1`, headers))
    return call(postOf(`${endpoint}/shipment_methods`, body, headers))
  }
  const ofShop = (id?: number) => JSON.stringify({ ...checkout, shop: { ...checkout.shop, id } })
  const strangers: [string, string, string?][] = [
    ['a GET', '666'],
    ['a GET with an id that is none', 'EVIL'],
    ['a body that is none', '666', '{'],
    ['a body that is invalid', '666', '{}'],
    ['an id that is none', 'EVIL', ofShop()],
    ['a header beside another shop in the body', '666', ofShop(7)],
  ]
  const found: string[] = []
  for (const [what, id, body] of strangers) {
    const { status } = await ask(id, body)
    if (status === 201) found.push(`${what} is answered 201`)
    const { platformId } = await provider.shops.show('unbound')
    if (platformId !== undefined) found.push(`${what} binds the endpoint to ${platformId}`)
  }
  const { status } = await ask('4711', ofShop())
  if (status !== 201) found.push(`the shop itself is answered ${status} after strangers have called`)
  return found
}

/** The output and log of `serve` without a terminal, until it is ready and until its end. */
async function readServe(main: string): Promise<string[]> {
  using folder = temporaryFolder()
  const file = folder.at('provider.ts')
  writeFileSync(
    file,
    `import { createProvider } from 'purveyor'
export default createProvider({ rates: { name: 'none', quote: () => [] } })`,
  )
  const found: string[] = []
  for (const more of [[], ['--json']]) {
    const child = spawn(process.execPath, [main, 'serve', '--provider', file, ...more], {
      cwd: folder.path,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PURVEYOR_STOP_DELAY: '0',
        PORT: '0',
        PURVEYOR_SECRET: 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLfe',
        PURVEYOR_PUBLIC_URL: 'https://provider.example',
        PURVEYOR_LOG_LEVEL: 'trace',
      },
    })
    let printed = ''
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (chunk) => {
        printed += chunk
        if (printed.includes('https://provider.example')) child.kill('SIGTERM')
      })
    }
    const [code] = await once(child, 'close')
    if (code !== 0) found.push(`serve ended with ${code}: ${printed.slice(0, 200)}`)
    if (/\/e\/[\w-]{43}/.test(printed)) found.push(`serve ${more} prints the endpoint without a terminal`)
  }
  return found
}

/** Tries one shop's tokens on another one's orders, and tokens that are nearly right. `main` is the command line: the source by default. */
export async function tryTenants(tokens: number, main = sourceMain) {
  // Strangers are logged below `info`.
  await using target = await openTarget({ level: 'trace' })
  const { call, provider } = target
  const violations: string[] = []
  const a = await openShop(target, 'a', 1, ['a-1', 'both'])
  const b = await openShop(target, 'b', 2, ['b-1', 'both-b'])
  const gone = await openShop(target, 'gone', 3, ['gone-1'])
  const rotated = await openShop(target, 'rotated', 4, ['rotated-1'])
  await provider.shops.disable('gone')
  await provider.shops.rotate('rotated', { overlap: 0 })
  // A lookup is cached for five seconds; a new provider has none cached.
  const fresh = await openTarget({ store: target.store })

  const routes: ((base: string, order: string) => Asked)[] = [
    (base, order) => getOf(`${base}/payment/${order}`),
    (base) => postOf(`${base}/shipment_methods`, checkout),
    (base) => postOf(`${base}/payment_methods`, checkout),
    (base, order) => postOf(`${base}/payment`, orderOf(order)),
    (base, order) => getOf(`${base}/explanations/${order}`),
    (base) => ({ method: 'PUT', path: `${base}/payment` }),
    (base) => getOf(base),
    (base) => postOf(`${base}/payment`, '{'),
  ]
  const uniform = shapeOf(await call(getOf(`/e/${'x'.repeat(43)}/payment/1`)))
  let pairs = 0
  const same = async (what: string, through: Target, asked: Asked, expected = uniform) => {
    pairs++
    const answered = await through.call(asked)
    if (shapeOf(answered) !== expected)
      violations.push(
        `${what}, ${asked.method} ${asked.path.replace(/\/e\/[^/]+/, '/e/…')}: ${answered.status} ${answered.body.slice(0, 120)}`,
      )
  }

  // One shop's token with another one's order is an order that is not there.
  for (const [one, other] of [
    [a, b],
    [b, a],
    [a, gone],
    [b, rotated],
  ] as const) {
    for (const order of other.orders) {
      await same('an order of another shop', target, getOf(`${one.endpoint}/payment/${order}`))
      await same('an order of another shop', target, getOf(`${one.endpoint}/payment/${order}/`))
    }
  }
  // A caller as another shop of the platform is refused.
  for (const route of routes.slice(0, 4)) {
    const asked = route(a.endpoint, 'a-1')
    await same('another X-Shop-Id', target, { ...asked, headers: { ...asked.headers, 'x-shop-id': '2' } })
  }
  const ofOther = postOf(`${a.endpoint}/payment`, { ...orderOf('a-1'), shop: { id: 2 } })
  await same('another shop in the body', target, ofOther)
  violations.push(...(await tryBinding(target)), ...(await readServe(main)))
  // A shop that is disabled, and an endpoint that has ended, are not there.
  for (const shop of [gone, rotated]) {
    for (const route of routes)
      await same('an endpoint that has ended', fresh, route(shop.endpoint, shop.orders[0]!))
  }
  // Each kind of token opens its own kind of address.
  const page = a.pages[0]!
  for (const route of routes) await same('a page token as an endpoint', target, route(`/e/${page}`, 'a-1'))
  const noPage = shapeOf(await call(getOf('/p/nothing')))
  await same('an endpoint token as a page', target, getOf(`/p/${a.token}`), noPage)
  await same('the end of a page token', target, getOf(`/p/${page.slice(0, -1)}`), noPage)
  const pushTo = (path: string) => postOf(path, '{}', {})
  const noPush = shapeOf(await call(pushTo('/n/psp/nothing')))
  await same('an endpoint token as a push address', target, pushTo(`/n/psp/${a.token}`), noPush)
  const address = { tokenHash: 'x', sealedToken: 'y', now: 0 }
  const { sealedToken } = await target.store.ensurePushAddress('a', 'psp', address)
  await same('a push address of no adapter', target, pushTo(`/n/page/${sealedToken}`), noPush)
  // Knowing a push address does not make a caller the payment service.
  const push = randomBytes(32).toString('base64url')
  await target.store.ensurePushAddress('b', 'psp', { tokenHash: hashToken(push), sealedToken: 'y', now: 0 })
  for (const signature of ['', '00', 'ff'.repeat(32), sign('{"id":"2"}')]) {
    const pushed = postOf(`/n/psp/${push}`, '{"id":"1"}', { 'psp-signature': signature })
    const { status } = await call(pushed)
    if (status !== 401) violations.push(`a push that is not signed is answered ${status}`)
  }
  // A push that is signed and names a payment of another shop changes nothing, and a person can look it up.
  const [{ id: foreign = '' } = {}] = (await target.store.payment('a', 'a-1'))?.attempts ?? []
  const body = JSON.stringify({ id: foreign })
  await provider.start()
  const headers = { 'psp-signature': sign(body) }
  const { status } = await call(postOf(`/n/psp/${push}`, body, headers))
  if (status !== 204) violations.push(`a push about a payment of another shop is answered ${status}`)
  const listed = () => target.store.pushes({ shopId: 'b', outcome: 'unmatched', limit: 9 })
  for (let look = 0; look < 200 && (await listed()).length === 0; look++)
    await new Promise((resolve) => setTimeout(resolve, 5))
  if (!(await listed()).some(({ names }) => names.includes(foreign)))
    violations.push('a push about a payment of another shop is not listed as unmatched')
  // Tokens that are nearly right, and any others.
  const guesses = Array.from({ length: tokens }, () => randomBytes(32).toString('base64url'))
  for (const near of [...nearMisses(a.token), ...guesses]) {
    const route = routes[pairs % routes.length]!
    await same('a token that is none', target, route(`/e/${near}`, 'a-1'))
  }
  // None of it has changed anything.
  for (const shop of [a, b]) {
    for (const order of shop.orders) {
      const { status, body } = await call(getOf(`${shop.endpoint}/payment/${order}`))
      if (status !== 200 || JSON.parse(body).status !== 'pending')
        violations.push(`order ${order} of its own shop: ${status} ${body}`)
    }
    for (const token of shop.pages) {
      const { status } = await call(getOf(`/p/${token}`))
      if (status !== 200) violations.push(`a page is answered ${status} to its customer`)
    }
  }
  const stored = await target.store.payments({ limit: 100 })
  if (stored.length !== 6) violations.push(`${stored.length} payments are stored, of 6 that were started`)
  // A route in the log has small letters.
  const logged = target.log.join('').toLowerCase()
  for (const secret of [push, ...[a, b, gone, rotated].flatMap(({ token, pages }) => [token, ...pages])])
    if (logged.includes(secret.toLowerCase())) violations.push('a token stands in the log')
  return { pairs, tokens, violations }
}

/** Every place of a token changed, cut, doubled, in the other case. */
function nearMisses(token: string): string[] {
  const swap = (letter: string) => (letter === 'A' ? 'B' : 'A')
  return [
    // The last character carries four bits: with only its lowest two changed the bytes would stay the same.
    ...[...token].map((letter, at) => `${token.slice(0, at)}${swap(letter)}${token.slice(at + 1)}`),
    ...[...token].map((_, at) => token.slice(0, at) + token.slice(at + 1)),
    ...[token.toLowerCase(), token.toUpperCase(), token.split('').reverse().join(''), `A${token}`],
    ...['=', 'A', '%00', '%20', '.', ';a'].map((end) => token + end),
    token.replace(/./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ...['%2e%2e', "' or '1'='1", '__proto__', 'constructor', ''],
  ].filter((near) => near !== token && near !== '')
}

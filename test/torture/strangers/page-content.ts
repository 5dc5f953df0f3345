import { writeFileSync } from 'node:fs'
import { PageImages } from '../../../src/http/pages/images.ts'
import {
  type Brand,
  createProvider,
  memoryStore,
  type PageAllow,
  type PaymentAdapter,
} from '../../../src/index.ts'
import type { StorePort } from '../../../src/store-port.ts'
import type { World } from '../../../src/world.ts'
import { payment, shopUrls } from '../../http/messages.ts'
import { production } from '../../production-store.ts'
import { temporaryFolder } from '../../temporary.ts'
import { getOf, openTarget, pageOf, pathOf, withPage } from './target.ts'

const origin = 'https://js.psp.example'
const lists = ['script', 'frame', 'connect', 'img', 'style', 'form'] as const
const allowed: readonly PageAllow[] = [
  {},
  { payment: [origin] },
  ...lists.map((name) => ({ [name]: [origin] })),
]

/** What a page may load beside what its adapter allows. */
const always: Readonly<Record<string, RegExp>> = {
  'default-src': /^'none'$/,
  'style-src': /^'sha256-[\w+/]+=*'$/,
  'img-src': /^('self'|data:)$/,
  'form-action': /^'self'$/,
  'base-uri': /^'none'$/,
  'frame-ancestors': /^'none'$/,
  'require-trusted-types-for': /^'script'$/,
  'trusted-types': /^'none'$/,
}

/** What a policy lets in that it should not. */
function* tooMuch(policy: string, allow: PageAllow): Generator<string> {
  const directives = policy.split('; ').map((part) => part.split(' '))
  for (const [name = '', ...sources] of directives)
    for (const source of sources) {
      const list = name === 'form-action' ? 'form' : name.replace('-src', '')
      const named = (allow as Record<string, readonly string[] | undefined>)[list]?.includes(source)
      if (!named && !always[name]?.test(source)) yield `${name} lets in ${source}`
    }
  for (const name of ['default-src', 'base-uri', 'frame-ancestors', 'form-action'])
    if (!directives.some(([one]) => one === name)) yield `a policy without ${name}`
}

const hostileOrigins = [
  ...['*', 'https:', 'https://*', 'https://*.psp.example', 'http://js.psp.example', 'http://127.0.0.1:3000'],
  ...[`${origin}/`, `${origin}/v3`, `${origin}; script-src *`, `${origin} 'unsafe-inline'`],
  ...["'unsafe-inline'", "'self'"],
  ...['data:', 'blob:', 'js.psp.example', '//js.psp.example', 'https://user@js.psp.example', `${origin}:443`],
  ...['HTTPS://JS.PSP.EXAMPLE', 'javascript:alert(1)', '', 'null', 4711, null],
]

const each = (key: string, values: readonly unknown[]) => values.map((value) => ({ [key]: value }))
const hostileBrands: readonly object[] = [
  ...each('accent', ['#eeeeee', '#ff0', 'red', 'url(https://evil.example)', '#fff;}', '#12', 7]),
  ...each('surface', ['#777777', 'transparent', '#fffffff']),
  ...each('dark', each('accent', ['#222222', '#1b1f24'])),
  ...each('terms', ['http://shop.example', 'javascript:alert(1)', 'https://a@shop.example', '/terms']),
  ...each('support', ['javascript:alert(1)', 'data:text/html,x']),
  ...[{ font: 'Comic Sans' }, { radius: 99 }, { radius: '8px' }, { name: '\u202Eshop' }, { css: 'body{}' }],
]

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="alert(1)"/>'

const adapterWith = (page: object, brand?: object): PaymentAdapter => {
  const plain = { render: () => '<p>Pay</p>', submit: () => ({ status: 'pending' }) as const, ...page }
  return withPage('page', plain, { ...(brand && { brand: brand as Brand }) })
}

/** The message of the error; `undefined` without one. */
function messageOf(make: () => unknown): string | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Tries to get scripts and foreign origins into a page: by its policy, by what an adapter allows, and by a brand. */
export async function tryPageContent() {
  const violations: string[] = []
  for (const allow of allowed) {
    await using target = await openTarget({ payments: adapterWith({ allow }) })
    const { call, provider } = target
    const endpoint = pathOf((await provider.shops.add('content')).endpoint)
    const message = { ...payment({ id: 1, method: 'page:page' }), ...shopUrls }
    const path = await pageOf({ call }, endpoint, message)
    for (const [page, lets] of [
      [path, allow],
      [`${path}/done`, {}],
    ] as const) {
      const { headers } = await call(getOf(page))
      violations.push(...tooMuch(String(headers['content-security-policy']), lets))
    }
  }

  const made = (payments: PaymentAdapter, brand?: object) => () =>
    createProvider({
      ...{ ...production, store: memoryStore() },
      payments: { adapters: payments, ...(brand && { brand: brand as Brand }) },
    })
  const refusals: [string, () => unknown][] = [
    ...hostileOrigins.flatMap((one): [string, () => unknown][] =>
      lists.map((list) => [`allow.${list} ${one}`, made(adapterWith({ allow: { [list]: [one] } }))]),
    ),
    ...hostileBrands.flatMap((brand): [string, () => unknown][] => [
      [`brand ${JSON.stringify(brand)}`, made(adapterWith({}), brand)],
      [`brand of an adapter ${JSON.stringify(brand)}`, made(adapterWith({}, brand))],
    ]),
  ]
  using folder = temporaryFolder()
  for (const logo of ['logo.svg', 'logo.png'].map(folder.at)) {
    writeFileSync(logo, svg)
    refusals.push([`a drawing in ${logo}`, made(adapterWith({}), { logo })])
  }
  for (const [what, make] of refusals) {
    const refused = messageOf(make)
    // Each is refused for what it is, and its place is named.
    if (!refused || !/page\.allow|brand/.test(refused)) violations.push(`${what} is taken in production`)
  }
  const taken = messageOf(made(adapterWith({ allow: { script: [origin] } }), { accent: '#0b5c4a' }))
  if (taken !== undefined) violations.push(`an honest page is refused: ${taken}`)

  // A host says of its drawing that it is a picture.
  const answer = () => new Response(svg, { headers: { 'content-type': 'image/png' } })
  const store = memoryStore() as StorePort
  await store.open()
  const world = {
    now: () => 1,
    log: { warn() {} },
    outgoing: { fetch: async () => answer() },
  } as unknown as World
  const url = 'https://shop.example/logo.png'
  const images = new PageImages(world, store)
  const fault = await images.fetch(url, '')
  if (fault === undefined || (await images.shown(url, ''))) violations.push('a drawing is served as a logo')
  await store.close()
  return { policies: 2 * allowed.length, refused: refusals.length, violations: [...new Set(violations)] }
}

import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import type { OpenIdOptions } from '../../src/console/options.ts'
import { atEnd } from '../at-end.ts'
import { serveOrigin } from '../serve-origin.ts'
import { consoleWith, cookieOf, type Person } from './people.ts'

const [session, leaving] = ['__Host-console', '__Host-console-sign-in']
const secret = 'the secret of the client'
const groups = { desk: 'reader', phone: 'support', money: 'finance', machines: 'admin' } as const

type Keys = Awaited<ReturnType<typeof generateKeyPair>>
let [own, foreign]: Keys[] = []
beforeAll(async () => {
  own = await generateKeyPair('RS256')
  foreign = await generateKeyPair('RS256')
})

type Json = Record<string, unknown>

/** What a provider does otherwise than it should. */
interface Lies {
  discovery?: (document: Json) => Json
  claims?: (claims: JWTPayload) => JWTPayload
  sign?: (claims: JWTPayload, origin: string) => string | Promise<string>
  /** The answer of the token endpoint. */
  token?: (answer: Json) => unknown
  status?: number
  /** Of these it never answers. */
  hangs?: string
}

const part = (of: object): string => Buffer.from(JSON.stringify(of)).toString('base64url')

/** An OpenID provider on this machine, whose user has these claims. */
async function openIdProvider() {
  const is = { lies: {} as Lies, claims: {} as JWTPayload, user: undefined as Json | undefined }
  const asked: string[] = []
  const codes = new Map<string, URLSearchParams>()
  const signed = (claims: JWTPayload, key = own!.privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key)

  async function tokenFor(form: URLSearchParams): Promise<[number, unknown]> {
    const sent = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      sent?.get('code_challenge_method') === 'S256' &&
      sent.get('code_challenge') === challenge &&
      sent.get('redirect_uri') === form.get('redirect_uri') &&
      form.get('client_id') === 'purveyor' &&
      form.get('client_secret') === secret
    if (!isRight) return [400, { error: 'invalid_grant' }]
    const now = Math.floor(Date.now() / 1_000)
    const usual = {
      iss: origin,
      aud: 'purveyor',
      sub: 'u-1',
      iat: now,
      exp: now + 300,
      nonce: sent.get('nonce')!,
    }
    const claims = { ...usual, preferred_username: 'mila', ...is.claims }
    const { lies } = is
    const said = lies.claims?.(claims) ?? claims
    const id_token = await (lies.sign ? lies.sign(said, origin) : signed(said))
    const answer = { access_token: 'a', token_type: 'Bearer', expires_in: 300, id_token }
    return [lies.status ?? 200, lies.token ? lies.token(answer) : answer]
  }

  async function answer(req: IncomingMessage, res: ServerResponse) {
    const { pathname } = new URL(req.url!, 'http://x')
    asked.push(pathname)
    const { lies } = is
    if (lies.hangs === pathname) return
    const document = {
      ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
      ...{
        jwks_uri: `${origin}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      },
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      ...(is.user && { userinfo_endpoint: `${origin}/userinfo` }),
    }
    let [status, content]: [number, unknown] = [404, {}]
    if (pathname === '/.well-known/openid-configuration')
      [status, content] = [200, lies.discovery?.(document) ?? document]
    else if (pathname === '/jwks')
      [status, content] = [
        200,
        { keys: [{ ...(await exportJWK(own!.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
      ]
    else if (pathname === '/token') {
      let body = ''
      for await (const chunk of req) body += String(chunk)
      ;[status, content] = await tokenFor(new URLSearchParams(body))
    } else if (pathname === '/userinfo' && req.headers.authorization === 'Bearer a')
      [status, content] = [200, is.user]
    const isJson = typeof content !== 'string'
    res.writeHead(status, {
      'content-type': isJson ? 'application/json' : 'text/html',
      location: `${origin}/jwks`,
    })
    res.end(isJson ? JSON.stringify(content) : content)
  }

  const origin = await serveOrigin((req, res) => void answer(req, res), atEnd)
  return {
    ...{ origin, asked, is, signed },
    /** Signs its user in. Returns the query with which the browser comes back. */
    authorize(address: string): string {
      const { origin: to, pathname, searchParams } = new URL(address)
      expect([to, pathname, searchParams.get('client_id')]).toEqual([origin, '/authorize', 'purveyor'])
      expect(searchParams.get('redirect_uri')).toBe('https://pay.example.com/console/signed-in')
      const code = randomUUID()
      codes.set(code, searchParams)
      return String(new URLSearchParams({ code, state: searchParams.get('state')! }))
    },
  }
}

/** A console whose people sign in there. */
async function deskWith(more: Partial<OpenIdOptions> = {}) {
  const issuer = await openIdProvider()
  const openId = { issuer: issuer.origin, clientId: 'purveyor', clientSecret: secret, groups, ...more }
  const desk = await consoleWith({ console: { openId } })
  /** Leaves for the OpenID provider. */
  async function leave(to = '/payments?q=20481') {
    const answer = await desk.nobody.get(`/sign-in?to=${encodeURIComponent(to)}`)
    expect(answer.status).toBe(303)
    return { person: desk.personOf(cookieOf(answer, leaving)), address: answer.headers.get('location')! }
  }
  return {
    ...{ ...desk, issuer, leave },
    /** Signs in, as a provider with these claims and lies lets its user. */
    async come(claims: JWTPayload = { groups: ['phone'] }, lies: Lies = {}, to?: string): Promise<Response> {
      issuer.is.lies = lies
      issuer.is.claims = claims
      const { person, address } = await leave(to)
      return person.get(`/signed-in?${issuer.authorize(address)}`)
    },
  }
}

/** Expects that nobody is signed in, and that a page says so in plain words. */
async function isRefused(answer: Response, words: string, status = 401): Promise<void> {
  const page = await answer.text()
  expect([answer.status, page.includes(words)], page).toEqual([status, true])
  expect(answer.headers.getSetCookie().filter((one) => one.startsWith(`${session}=`))).toEqual([])
  expect(page).not.toMatch(/Error|stack|invalid_|OAUTH|undefined/)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
}

const refused = 'The answer of the OpenID provider was refused.'

async function isIn(person: Person, name: string, role: string): Promise<void> {
  const page = await person.page('/')
  expect(page).toContain(`<strong>${name}</strong><span>${role}</span>`)
}

test('each group has its role, the highest of several, and the way leads back to where somebody was', async () => {
  const { come, personOf, store } = await deskWith()
  const cases: [unknown, string][] = [
    ...Object.entries(groups).map(([group, role]): [unknown, string] => [[group], role]),
    [['phone', 'machines', 'desk', 'elsewhere'], 'admin'],
    [['money', 'phone'], 'finance'],
    ['money', 'finance'],
  ]
  for (const [held, role] of cases) {
    const answer = await come({ groups: held })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/payments?q=20481'])
    expect(cookieOf(answer, leaving)).toBe(`${leaving}=`)
    await isIn(personOf(cookieOf(answer, session)), 'mila', role)
    const [entry] = await store.searchAuditTrail({ action: 'console', limit: 1 })
    expect(entry?.entry).toMatchObject({ by: 'mila', action: 'console.signed_in', role })
  }
})

test('the cookie of the way to the provider is for this host alone, and opens nothing itself', async () => {
  const { nobody, personOf } = await deskWith()
  const answer = await nobody.get('/sign-in')
  const [cookie = '', ...others] = answer.headers.getSetCookie()
  expect(others).toEqual([])
  expect(cookie.split('; ').slice(1).toSorted()).toEqual([
    'HttpOnly',
    'Max-Age=600',
    'Path=/',
    'SameSite=Lax',
    'Secure',
  ])
  const value = cookie.split(';')[0]!.slice(leaving.length + 1)
  expect((await personOf(`${session}=${value}`).get('/')).status).toBe(303)
  const { searchParams } = new URL(answer.headers.get('location')!)
  expect(searchParams.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(searchParams.get(name)!.length).toBeGreaterThan(20)
    expect(decodeURIComponent(value)).not.toContain(searchParams.get(name)!)
  }
})

test('a claim of another name holds the groups where the option says so', async () => {
  const { come, personOf } = await deskWith({ claim: 'https://example.com/roles' })
  const answer = await come({ groups: ['machines'], 'https://example.com/roles': ['phone'] })
  await isIn(personOf(cookieOf(answer, session)), 'mila', 'support')
  await isRefused(await come({ groups: ['machines'] }), 'is in no group that has a role here')
})

test('a provider may keep the groups and the name for its answer about the user', async () => {
  const { come, personOf, issuer } = await deskWith()
  const kept = { groups: undefined, preferred_username: undefined }
  issuer.is.user = { sub: 'u-1', preferred_username: 'noor', groups: ['money'] }
  await isIn(personOf(cookieOf(await come(kept), session)), 'noor', 'finance')
  // What is signed goes before what is not.
  issuer.is.user = { sub: 'u-1', preferred_username: 'noor', groups: ['machines'] }
  await isIn(personOf(cookieOf(await come({ groups: ['desk'] }), session)), 'mila', 'reader')
  await isIn(personOf(cookieOf(await come({ groups: undefined }), session)), 'mila', 'admin')
  for (const user of [{ sub: 'u-2', groups: ['machines'] }, { sub: 'u-1' }, { groups: ['machines'] }, {}]) {
    issuer.is.user = user
    await isRefused(await come(kept), 'Your account (u-1) is in no group that has a role here.')
  }
})

test('the scopes are those of the option', async () => {
  for (const scope of [undefined, 'openid groups']) {
    const { leave } = await deskWith(scope === undefined ? {} : { scope })
    const { searchParams } = new URL((await leave()).address)
    expect(searchParams.get('scope')).toBe(scope ?? 'openid profile email')
  }
})

test('an account without a group that has a role is refused, with the groups to ask for', async () => {
  const { come, lines } = await deskWith()
  for (const held of [
    undefined,
    [],
    ['elsewhere'],
    ['constructor', '__proto__'],
    ['DESK'],
    [['desk', 1]],
    7,
    { desk: true },
    null,
  ]) {
    const answer = await come({ groups: held })
    await isRefused(
      answer,
      'Your account (mila) is in no group that has a role here. Ask for one of: desk, phone, money, machines.',
    )
  }
  expect(
    lines.some(({ msg }) => msg === 'console: somebody without a group that has a role tried to sign in'),
  ).toBe(true)
})

test('somebody is named by their user name, else their address, else their subject, if it prints as it is', async () => {
  const { come, personOf } = await deskWith()
  const named = async (claims: JWTPayload) => {
    const answer = await come({ groups: ['desk'], ...claims })
    return answer.status === 303 ? personOf(cookieOf(answer, session)).page('/') : answer.text()
  }
  expect(await named({ preferred_username: undefined, email: 'mila@shop.example' } as JWTPayload)).toContain(
    '<strong>mila@shop.example<',
  )
  expect(await named({ preferred_username: '', email: 7 } as JWTPayload)).toContain('<strong>u-1<')
  expect(await named({ preferred_username: 'a\nb', email: `${'x'.repeat(201)}` })).toContain('<strong>u-1<')
  expect(await named({ preferred_username: '<b>mila' })).toContain('<strong>&lt;b&gt;mila<')
  expect(await named({ preferred_username: '\u202Emila', sub: ' ' })).toContain(
    'has no name that the audit trail can show',
  )
})

test('an account without a role is named escaped', async () => {
  const { come } = await deskWith()
  const answer = await come({ groups: [], preferred_username: '<script>alert(1)</script>' })
  expect(await answer.text()).toContain('Your account (&lt;script&gt;alert(1)&lt;/script&gt;)')
})

const without =
  (name: string) =>
  (claims: JWTPayload): JWTPayload => {
    const { [name]: _, ...others } = claims
    return others
  }
const hours = (count: number) => Math.floor(Date.now() / 1_000) + count * 3_600

/** A token that is not signed as it should be: `header.claims.signature`. */
const forged =
  (header: object, sign: (text: string) => string = () => '') =>
  (claims: JWTPayload): string => {
    const text = `${part(header)}.${part(claims)}`
    return `${text}.${sign(text)}`
  }
const hmac = (key: string) => (text: string) => createHmac('sha256', key).update(text).digest('base64url')

const lies: Record<string, Lies> = {
  'another issuer': { claims: (claims) => ({ ...claims, iss: 'https://login.evil.example' }) },
  'no issuer': { claims: without('iss') },
  'another audience': { claims: (claims) => ({ ...claims, aud: 'another-client' }) },
  'no audience': { claims: without('aud') },
  'several audiences without us': { claims: (claims) => ({ ...claims, aud: ['one', 'two'] }) },
  'several audiences and another party': {
    claims: (claims) => ({ ...claims, aud: ['purveyor', 'two'], azp: 'two' }),
  },
  'another nonce': { claims: (claims) => ({ ...claims, nonce: 'of another sign-in' }) },
  'no nonce': { claims: without('nonce') },
  'an id token that is over': { claims: (claims) => ({ ...claims, iat: hours(-2), exp: hours(-1) }) },
  'an id token without an end': { claims: without('exp') },
  'an id token that begins later': { claims: (claims) => ({ ...claims, nbf: hours(1) }) },
  'no subject': { claims: without('sub') },
  'the key of somebody else': {
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(foreign!.privateKey),
  },
  'a key that it does not have': {
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'two' }).sign(foreign!.privateKey),
  },
  'a key of its own in the token': {
    sign: async (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(foreign!.publicKey) })
        .sign(foreign!.privateKey),
  },
  'no algorithm': { sign: forged({ alg: 'none' }) },
  'no algorithm, in other letters': { sign: forged({ alg: 'nOnE', kid: 'one' }) },
  'HS256 with the secret of the client': { sign: forged({ alg: 'HS256', kid: 'one' }, hmac(secret)) },
  'HS256 with the public key': {
    sign: async (claims) =>
      forged({ alg: 'HS256', kid: 'one' }, hmac(await exportSPKI(own!.publicKey)))(claims),
  },
  'claims that were changed after signing': {
    sign: async (claims) => {
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(own!.privateKey)
      const [header, , signature] = token.split('.')
      return `${header}.${part({ ...claims, preferred_username: 'ada' })}.${signature}`
    },
  },
  'no id token': { token: ({ id_token: _, ...answer }) => answer },
  'an id token that is none': { token: (answer) => ({ ...answer, id_token: 'three.odd.parts' }) },
  'an id token that is a number': { token: (answer) => ({ ...answer, id_token: 7 }) },
  'no access token': { token: ({ access_token: _, ...answer }) => answer },
  'a page instead of JSON': { token: () => '<h1>Maintenance</h1>' },
  'a list instead of an object': { token: () => [] },
  'an error': { status: 400, token: () => ({ error: 'invalid_grant', error_description: '<b>no</b>' }) },
  'a redirect': { status: 302 },
}

test('a provider that lies signs nobody in: the page says so, and the log says why', async () => {
  const { come, lines } = await deskWith()
  for (const [what, of] of Object.entries(lies)) {
    lines.length = 0
    await isRefused(await come({ groups: ['machines'] }, of), refused)
    const [line] = lines
    expect([what, line?.msg, typeof line?.err?.type]).toEqual([
      what,
      'console: a sign-in was refused',
      'string',
    ])
    expect(JSON.stringify(lines)).not.toContain(secret)
  }
  expect((await come()).status).toBe(303)
})

test('also one that says from the start that it signs with no key, or with the secret', async () => {
  const { come } = await deskWith()
  const supports = (document: Json): Json => ({
    ...document,
    id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'],
  })
  for (const name of ['no algorithm', 'HS256 with the secret of the client', 'HS256 with the public key'])
    await isRefused(await come({ groups: ['machines'] }, { ...lies[name], discovery: supports }), refused)
})

test('an answer to another sign-in, a second one or one without its cookie signs nobody in', async () => {
  const { leave, issuer, nobody, personOf, come } = await deskWith()
  issuer.is.claims = { groups: ['machines'] }
  const [one, other] = [await leave(), await leave()]
  const query = issuer.authorize(one.address)
  await isRefused(await other.person.get(`/signed-in?${query}`), refused)
  await isRefused(await nobody.get(`/signed-in?${query}`), 'It is over. Sign in again.')
  await isRefused(
    await personOf(`${leaving}=made-up`).get(`/signed-in?${query}`),
    'It is over. Sign in again.',
  )
  const asked = issuer.asked.length
  const code = new URLSearchParams(query).get('code')!
  for (const wrong of [
    '',
    `code=${code}`,
    `code=${code}&state=`,
    `code=${code}&state=x`,
    `state=${new URL(one.address).searchParams.get('state')}`,
    `${query}&code=2`,
    `${query}&state=2`,
    `${query}&iss=https://evil.example`,
    'error=access_denied&error_description=%3Cscript%3E',
  ])
    await isRefused(await one.person.get(`/signed-in?${wrong}`), refused)
  expect(issuer.asked.length, 'no code is shown to the provider before its state fits').toBe(asked)
  expect((await one.person.get(`/signed-in?${query}`)).status).toBe(303)
  await isRefused(await one.person.get(`/signed-in?${query}`), refused)
  // The verifier of another sign-in does not fit the challenge of this one.
  const crossed = new URLSearchParams(issuer.authorize(other.address))
  crossed.set('state', new URL(one.address).searchParams.get('state')!)
  await isRefused(await one.person.get(`/signed-in?${crossed}`), refused)
  expect((await come()).status).toBe(303)
})

test('a way back to another site leads to the first page', async () => {
  const { come } = await deskWith()
  for (const to of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'https:evil.example',
    '%2F%2Fevil.example',
    '/%0d/evil "x',
  ])
    expect((await come(undefined, {}, to)).headers.get('location')).toBe('/console/')
})

const down = 'The OpenID provider does not answer. Try again in a minute.'

test('while the provider is down a page says so with 503, and it is asked again afterwards', async () => {
  const { nobody, issuer, come, lines } = await deskWith()
  const faults: Lies['discovery'][] = [
    (document) => ({ ...document, issuer: 'https://login.evil.example' }),
    () => ({}),
    () => [] as never,
    () => 'a page' as never,
  ]
  for (const discovery of faults) {
    issuer.is.lies = { discovery }
    lines.length = 0
    await isRefused(await nobody.get('/sign-in'), down, 503)
    expect(lines[0]).toMatchObject({ msg: 'console: the OpenID provider cannot be read', level: 40 })
  }
  issuer.is.lies = {}
  lines.length = 0
  await isRefused(await come({ groups: ['machines'] }, { status: 500 }), down, 503)
  expect(lines[0]).toMatchObject({ msg: 'console: the OpenID provider cannot be read', level: 40 })
  expect((await come()).status).toBe(303)
  const gone = await consoleWith({
    console: { openId: { issuer: 'http://127.0.0.1:9', clientId: 'purveyor', groups } },
  })
  await isRefused(await gone.nobody.get('/sign-in'), down, 503)
  expect((await gone.nobody.get('/sign-in')).headers.getSetCookie()).toEqual([])
})

test.concurrent.for(['/.well-known/openid-configuration', '/token', '/jwks'])(
  'a provider that never answers at %s holds nobody',
  async (hangs) => {
    const { nobody, come, issuer, signIn } = await deskWith()
    issuer.is.lies = { hangs }
    const [answer] = await Promise.all([
      hangs.startsWith('/.') ? nobody.get('/sign-in') : come(undefined, { hangs }),
      // Others work meanwhile.
      signIn('reader').then((mila) => mila.page('/')),
    ])
    await isRefused(answer, down, 503)
  },
)

test('addresses that the provider names inside this network are not called', async () => {
  const called: string[] = []
  const inside = await serveOrigin((req, res) => {
    called.push(req.url!)
    res.end('{}')
  }, atEnd)
  for (const name of ['token_endpoint', 'jwks_uri']) {
    const { come, lines } = await deskWith()
    await isRefused(
      await come(undefined, { discovery: (of) => ({ ...of, [name]: `${inside}/${name}` }) }),
      refused,
    )
    expect(JSON.stringify(lines)).toContain('OUTGOING_REFUSED')
  }
  expect(called).toEqual([])
})

test('without an OpenID provider the page says how to get a link', async () => {
  const { nobody } = await consoleWith()
  await isRefused(await nobody.get('/sign-in'), 'purveyor console link --name mila --role support')
  await isRefused(await nobody.get('/signed-in?code=1&state=2'), 'It is over. Sign in again.')
})

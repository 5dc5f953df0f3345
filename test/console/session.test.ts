import { expect, test } from 'vitest'
import { pathWithin } from '../../src/console/sign-in.ts'
import { consoleWith, cookieOf } from './people.ts'

const session = '__Host-console'
const written = 'They called <b>twice</b> & said "now"'

/** What somebody without a session gets for a page and for a form. */
async function isOut(person: { get(path: string): Promise<Response> }): Promise<void> {
  const answer = await person.get('/payments?q=1')
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    '/console/sign-in?to=%2Fpayments%3Fq%3D1',
  ])
}

const isIn = async (person: { get(path: string): Promise<Response> }): Promise<void> =>
  expect((await person.get('/payments')).status).toBe(200)

test('the cookie of a session is for this host and https alone, no script reads it, and no other site sends it along', async () => {
  const { nobody, linkFor } = await consoleWith()
  const answer = await nobody.post(await linkFor('mila', 'support'), {})
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/'])
  const [cookie = '', ...others] = answer.headers.getSetCookie()
  expect(others).toEqual([])
  const [value = '', ...flags] = cookie.split('; ')
  expect(value).toMatch(/^__Host-console=[^;]{40,}$/)
  expect(flags.toSorted()).toEqual(['HttpOnly', 'Max-Age=28800', 'Path=/', 'SameSite=Lax', 'Secure'])
})

test('a session ends after eight hours, and what somebody had written is shown again', async () => {
  const { signIn, clock, hour, store, provider } = await consoleWith()
  await provider.shops.add('wren')
  const ada = await signIn('admin')
  const token = await ada.token()
  clock.advance(8 * hour)
  await isIn(ada)
  clock.advance(1)
  await isOut(ada)
  for (const field of ['why', 'note']) {
    const answer = await ada.post('/shops/wren/disable', { token, do: 'disable', [field]: written })
    const page = await answer.text()
    expect(answer.status).toBe(401)
    expect(page).toContain('A session lasts eight hours, and nothing was changed.')
    expect(page).toContain('They called &lt;b&gt;twice&lt;/b&gt; &amp; said')
    expect(page).not.toContain('<b>')
    expect(page).toContain('/console/sign-in')
  }
  expect((await store.shop('wren'))?.disabled).toBe(false)
  expect((await ada.get('/live')).status).toBe(401)
})

test('signing out ends every session of one person that began before, and those of nobody else', async () => {
  const { signIn, clock, store } = await consoleWith()
  const [desk, laptop, other] = [
    await signIn('support', 'mila'),
    await signIn('finance', 'mila'),
    await signIn('support', 'nina'),
  ]
  const answer = await desk.post('/sign-out', { token: await desk.token() })
  expect([answer.status, cookieOf(answer, session)]).toEqual([200, `${session}=`])
  await isOut(desk)
  await isOut(laptop)
  await isIn(other)
  const [last] = await store.searchAuditTrail({ action: 'console', limit: 1 })
  expect(last?.entry).toMatchObject({ by: 'mila', action: 'console.signed_out', shop: '' })
  clock.advance(1)
  await isIn(await signIn('support', 'mila'))
  await isOut(desk)
})

test('a sign-out by command, and one by an admin, end the sessions of the person that they name', async () => {
  const { signIn, clock, store } = await consoleWith()
  const [ada, mila, nina] = [
    await signIn('admin', 'ada'),
    await signIn('support', 'mila'),
    await signIn('support', 'nina'),
  ]
  await store.signOutOfConsole('mila', clock.now(), 'root')
  await isOut(mila)
  await isIn(nina)
  expect((await ada.act('/audit/sign-out', 'sign-out', { name: 'nina' })).status).toBe(303)
  await isOut(nina)
  await isIn(ada)
})

test('a cookie that was changed, or sealed by another provider or for another use, opens nothing', async () => {
  const { signIn, personOf } = await consoleWith()
  const elsewhere = await consoleWith({ secret: 'another secret of other tests, 32+' })
  const mila = await signIn('support', 'mila')
  const value = mila.cookie.slice(session.length + 1)
  expect(value.length).toBeGreaterThan(40)
  for (const at of [0, 5, Math.floor(value.length / 2), value.length - 2]) {
    const other = value[at] === 'A' ? 'B' : 'A'
    await isOut(personOf(`${session}=${value.slice(0, at)}${other}${value.slice(at + 1)}`))
  }
  for (const wrong of ['', '%', '%E0%A4%A', '{}', value.slice(1), `${value}x`])
    await isOut(personOf(`${session}=${wrong}`))
  await isOut(personOf(`${session}-sign-in=${value}`))
  await isOut(personOf((await elsewhere.signIn('admin')).cookie))
  await isIn(mila)
})

test('a cookie from before is not the one of the session that begins, and stays what it was', async () => {
  const { signIn, personOf, linkFor } = await consoleWith()
  const eve = await signIn('reader', 'eve')
  for (const planted of [`${session}=chosen-by-eve`, eve.cookie]) {
    const victim = personOf(planted)
    const answer = await victim.post(await linkFor('ada', 'admin'), {})
    const cookie = cookieOf(answer, session)
    expect(cookie).not.toBe(planted)
    expect(await personOf(cookie).page('/')).toContain('<strong>ada</strong>')
    expect(await personOf(planted).page('/')).not.toContain('ada')
  }
})

test('a form of another site, without a token or with that of another session does nothing', async () => {
  const { signIn, store, origin, provider } = await consoleWith()
  await provider.shops.add('wren')
  const ada = await signIn('admin', 'ada')
  const eve = await signIn('admin', 'eve')
  const token = await ada.token()
  const form = { token, do: 'disable', why: 'a reason that is long enough' }
  const same = { origin, 'sec-fetch-site': 'same-origin' }
  const another = 'Another site sent this form.'
  const over = 'This form is from a session that is over.'
  const silent = 'The browser does not say which site sent this form.'
  const cases: [string, Record<string, string>, Record<string, string>][] = [
    [another, form, { origin: 'https://evil.example' }],
    [another, form, { origin: 'null' }],
    [another, form, { origin: `${origin}0` }],
    [another, form, { ...same, 'sec-fetch-site': 'cross-site' }],
    [another, form, { ...same, 'sec-fetch-site': 'same-site' }],
    [another, form, { ...same, 'sec-fetch-site': 'none' }],
    [another, form, { 'sec-fetch-site': 'cross-site' }],
    [silent, form, {}],
    [over, { ...form, token: '' }, same],
    [over, { do: form.do, why: form.why }, same],
    [over, { ...form, token: `${token}x` }, same],
    [over, { ...form, token: await eve.token() }, same],
  ]
  for (const [sentence, sent, headers] of cases)
    for (const path of ['/shops/wren/disable', '/sign-out']) {
      const answer = await ada.post(path, sent, headers)
      expect([answer.status, await answer.text()], JSON.stringify(headers)).toEqual([
        403,
        expect.stringContaining(sentence),
      ])
    }
  expect((await store.shop('wren'))?.disabled).toBe(false)
  await isIn(ada)
  for (const one of [{ origin }, { 'sec-fetch-site': 'same-origin' }]) {
    const answer = await ada.post('/shops/wren/disable', form, one as never)
    expect(answer.status).toBe(303)
    expect((await store.shop('wren'))?.disabled).toBe(true)
    await store.setDisabled('wren', false, 1)
  }
})

test('no answer of the console may be shown in a frame, kept by a cache or read by another site', async () => {
  const { signIn, nobody, linkFor } = await consoleWith()
  const mila = await signIn('reader', 'mila')
  const answers = [
    ...(await Promise.all(
      ['/', '/payments?q=x', '/nowhere', '/shops/nobody', '/payments.csv'].map((path) => mila.get(path)),
    )),
    await nobody.get('/'),
    await nobody.get('/sign-in'),
    await nobody.get('/signed-in'),
    await nobody.get(await linkFor('mila', 'reader')),
    await nobody.post('/anything', {}),
    await mila.act('/shops/wren/disable', 'disable'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 200, 303, 401, 401, 200, 401, 403])
  for (const { headers, url } of answers) {
    const policy = headers.get('content-security-policy')!
    expect(policy, url).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
  }
})

const elsewhere = [
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  '///evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '%2F%2Fevil.example',
  '/%2F/evil.example" onclick',
  '/payments\r\nSet-Cookie: a=b',
  'payments',
  '',
]

test('a way back leads into the console only', async () => {
  const { signIn, nobody } = await consoleWith()
  const mila = await signIn('reader')
  for (const to of elsewhere) {
    expect(pathWithin(to), to).toBe('/')
    const answer = await mila.get(`/zone?zone=UTC&to=${encodeURIComponent(to)}`)
    expect([answer.status, answer.headers.get('location')], to).toEqual([303, '/console/'])
  }
  expect(pathWithin(['/payments'])).toBe('/')
  const kept = '/payments?q=1%202&shop=wren&zone=Europe/Paris'
  expect(pathWithin(kept)).toBe(kept)
  for (const path of ['//evil.example/', '/%2F%2Fevil.example', '/\\evil.example', '/%5Cevil.example']) {
    const { status, headers } = await nobody.get(path)
    expect(status).toBe(303)
    expect(headers.get('location')).toMatch(/^\/console\/sign-in\?to=%2F(?!%2F)/)
  }
})

test('the zone of times is a cookie that names a zone, whatever somebody writes', async () => {
  const { signIn, personOf } = await consoleWith()
  const mila = await signIn('reader')
  const answer = await mila.get(`/zone?zone=${encodeURIComponent('a; Domain=evil.example\r\nX: y')}`)
  expect(answer.headers.getSetCookie()).toEqual([
    'zone=a%3B%20Domain%3Devil.example%0D%0AX%3A%20y; Max-Age=31536000; Path=/; SameSite=Lax',
  ])
  const shown = async (zone: string) => {
    const page = await personOf(`${mila.cookie}; zone=${zone}`).page('/')
    return /<label for="zone">([^<]*)<\/label><input id="zone" name="zone" value="([^"]*)"/
      .exec(page)!
      .slice(1)
  }
  for (const zone of ['Nowhere/City', '%3Cscript%3E'])
    expect(await shown(zone)).toEqual(['That zone is unknown. Times in', 'UTC'])
  for (const zone of ['%E0%A4%A', '']) expect(await shown(zone)).toEqual(['Times in', 'UTC'])
  for (const zone of ['Europe%2FParis', 'europe%2Fparis'])
    expect(await shown(zone)).toEqual(['Times in', 'Europe/Paris'])
})

test('a link signs in once by a form of its own page, within ten minutes, and no preview spends it', async () => {
  const { nobody, linkFor, clock, store, origin } = await consoleWith()
  const link = await linkFor('mila', 'support')
  for (let preview = 0; preview < 3; preview++) {
    const answer = await nobody.get(link)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
    expect(await answer.text()).toContain(`<form method="post" action="${new URL(link).pathname}">`)
  }
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const answer = await nobody.post(link, {}, headers as Record<string, string>)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  }
  const first = await nobody.post(link, {})
  expect([first.status, cookieOf(first, session)]).toEqual([303, expect.stringContaining(session)])
  const [entry] = await store.searchAuditTrail({ action: 'console.signed_in', limit: 1 })
  expect(entry?.entry).toMatchObject({ by: 'mila', role: 'support' })

  const late = await linkFor('nina', 'admin')
  clock.advance(600_000)
  const unknown = `${origin}/console/link/${'A'.repeat(43)}`
  for (const over of [link, late, unknown, `${origin}/console/link/short`]) {
    const answer = await nobody.post(over, {})
    expect([answer.status, answer.headers.getSetCookie()], over).toEqual([404, []])
    expect(await answer.text()).toContain('A link opens once, within ten minutes.')
  }
})

test('two who open one link at the same time are not both signed in', async () => {
  const { nobody, linkFor } = await consoleWith()
  const link = await linkFor('mila', 'support')
  const answers = await Promise.all(Array.from({ length: 5 }, () => nobody.post(link, {})))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404, 404, 404, 404])
})

import { expect, test } from 'vitest'
import { allowFaults, pagePolicy } from '../../../src/http/pages/policy.ts'
import { isLoopbackHost } from '../../../src/network/private-network.ts'

const style = 'sha256-abc'
const sourcesOf = (headers: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(
    headers['Content-Security-Policy']!.split('; ').map((part) => {
      const [name, ...sources] = part.split(' ')
      return [name!, sources]
    }),
  )

test('without allow a page loads its style and our files, runs no script, and is framed by nobody', () => {
  const headers = pagePolicy({ style })
  expect(sourcesOf(headers)).toEqual({
    'default-src': ["'none'"],
    'style-src': [`'${style}'`],
    'img-src': ["'self'", 'data:'],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  expect(headers).toMatchObject({
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': expect.stringContaining('payment=()'),
    'Cache-Control': 'no-store',
  })
})

test('each origin opens what it is named for, and nothing else', () => {
  const origins = ['script', 'frame', 'connect', 'img', 'style', 'form'] as const
  const directiveOf = (name: string) => (name === 'form' ? 'form-action' : `${name}-src`)
  const origin = 'https://one.example'
  for (const name of origins) {
    const opened = sourcesOf(pagePolicy({ style, allow: { [name]: [origin] } }))
    const holds = Object.entries(opened).filter(([, sources]) => sources.includes(origin))
    expect(holds.map(([directive]) => directive)).toEqual([directiveOf(name)])
    expect(opened['frame-ancestors']).toEqual(["'none'"])
    expect(JSON.stringify(opened)).not.toContain('unsafe')
  }
})

test('popups and payments are opened by name', () => {
  const headers = pagePolicy({ style, allow: { popups: true, payment: ['https://pay.example'] } })
  expect(headers['Cross-Origin-Opener-Policy']).toBe('same-origin-allow-popups')
  expect(headers['Permissions-Policy']).toContain('payment=(self "https://pay.example")')
})

test('own scripts write into the page through no text; where a foreign one is allowed, it may', () => {
  const own = sourcesOf(pagePolicy({ style, assets: { script: true, style: true } }))
  expect([own['script-src'], own['style-src']]).toEqual([["'self'"], [`'${style}'`, "'self'"]])
  expect(own['require-trusted-types-for']).toEqual(["'script'"])
  const both = sourcesOf(
    pagePolicy({ style, assets: { script: true, style: false }, allow: { script: ['https://js.example'] } }),
  )
  expect(both['script-src']).toEqual(["'self'", 'https://js.example'])
  expect(both['require-trusted-types-for']).toBeUndefined()
})

test('whole https origins are taken', () => {
  const allow = {
    script: ['https://js.psp.example'],
    frame: ['https://js.psp.example', 'https://acs.bank.example:8443'],
    popups: true,
    payment: [],
  }
  expect(allowFaults(allow, false)).toEqual([])
  expect(allowFaults(undefined, false)).toEqual([])
  expect(allowFaults({ frame: ['http://127.0.0.1:4000', 'http://localhost'] }, true)).toEqual([])
})

const origins = `https://js.psp.example/ https://js.psp.example/v3 https://*.psp.example * https:
  http://js.psp.example http://127.0.0.1:4000 https://JS.psp.example https://js.psp.example:443
  https://user@js.psp.example 'unsafe-inline' data: blob: js.psp.example`
const withRule = "https://js.psp.example; script-src 'unsafe-inline'"
test.each([...origins.split(/\s+/), withRule, '', 7, null])('%j is no origin to allow', (origin) => {
  expect(allowFaults({ script: [origin] }, false)).toEqual([
    expect.stringMatching(/^script holds .* whole https origins/),
  ])
})

test.each([
  [{ scripts: [] }, 'has no member scripts: it has script, frame'],
  [{ script: 'https://js.psp.example' }, 'script must be a list of origins'],
  [{ popups: 'yes' }, 'popups must be true or false'],
  [[], undefined],
  ['*', 'must be an object'],
  [null, 'must be an object'],
])('%j', (allow, words) => {
  expect(allowFaults(allow, true)).toEqual(words === undefined ? [] : [expect.stringContaining(words)])
})

const own = 'localhost app.localhost localhost. 127.0.0.1 127.9.9.9 [::1] [::ffff:7f00:1]'.split(' ')
const foreign = `notlocalhost localhost.example 127.0.0.1.example 128.0.0.1 10.0.0.1 0.0.0.0 [::2]
  [::ffff:a00:1]`
const hosts = [...own, ...foreign.split(/\s+/)]
test.each(hosts)('whether %s is this machine is the same for pages and the network', (host) => {
  const isOwn = own.includes(host)
  expect(isLoopbackHost(host)).toBe(isOwn)
  for (const origin of [`http://${host}`, `http://${host}:4000`])
    expect([origin, allowFaults({ script: [origin] }, true).length]).toEqual([origin, isOwn ? 0 : 1])
  expect(allowFaults({ script: [`http://${host}`] }, false)).toHaveLength(1)
})

import { expect, test } from 'vitest'
import { pagePolicy } from '../../../src/http/pages/policy.ts'

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
  for (const name of origins) {
    const origin = 'https://one.example'
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

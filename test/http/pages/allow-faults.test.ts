import { expect, test } from 'vitest'
import { allowFaults } from '../../../src/http/pages/allow-faults.ts'
import { isLoopbackHost } from '../../../src/network/loopback.ts'

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
test.each([...own, ...foreign.split(/\s+/)])(
  'whether %s is this machine is the same for pages and the network',
  (host) => {
    const isOwn = own.includes(host)
    expect(isLoopbackHost(host)).toBe(isOwn)
    for (const origin of [`http://${host}`, `http://${host}:4000`])
      expect([origin, allowFaults({ script: [origin] }, true).length]).toEqual([origin, isOwn ? 0 : 1])
    expect(allowFaults({ script: [`http://${host}`] }, false)).toHaveLength(1)
  },
)

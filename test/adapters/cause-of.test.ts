import { expect, test } from 'vitest'
import { DeadlinePassed } from '../../src/adapters/call-adapter.ts'
import { causeOf, reasonOf, wordsOf } from '../../src/adapters/cause-of.ts'
import { type ErrorCode, PurveyorError } from '../../src/errors/errors.ts'

const nothing = { lastStatus: undefined, called: false, readsFiles: false }
const coded = (code: ErrorCode) => new PurveyorError(code, 'x')
const timeOut = new DeadlinePassed(100)
const broken = new TypeError('fetch failed', { cause: new Error() })

test.each([
  ['options that the settings of a shop make', coded('CONFIGURATION_INVALID'), nothing, 'settings'],
  ['missing settings', coded('SETTINGS_MISSING'), nothing, 'settings'],
  ['the tariff of a shop', coded('RATE_TABLE_INVALID'), nothing, 'settings'],
  ['a time-out', timeOut, nothing, 'carrier'],
  ['a time-out of a call', timeOut, { ...nothing, called: true, readsFiles: true }, 'carrier'],
  ['a time-out over an own file', timeOut, { ...nothing, readsFiles: true }, 'settings'],
  ['a status of the error', { status: 503 }, nothing, 'carrier'],
  ['a refused key', { status: 401 }, nothing, 'account'],
  ['a refused request', new Error('no'), { ...nothing, lastStatus: 422 }, 'request'],
  ['a cause that the error names', { about: 'request', status: 503 }, nothing, 'request'],
  [
    'a broken connection beside an answer of another call',
    broken,
    { ...nothing, lastStatus: 404 },
    'carrier',
  ],
  ['a mistake of the adapter', new TypeError('x of undefined'), nothing, 'request'],
  ['a broken connection', broken, nothing, 'carrier'],
] as const)('%s', (_, error, tried, cause) => {
  expect(causeOf(error, tried)).toBe(cause)
})

const withCode = (message: string, code: unknown) => Object.assign(new Error(message), { code })
const fetchFailed = (code: unknown) =>
  new TypeError('fetch failed', { cause: withCode('Jan, Dam 1, 1012JS', code) })

const codes = `ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE EPROTO ETIMEDOUT
  UND_ERR_CONNECT_TIMEOUT UND_ERR_SOCKET CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT
  ERR_TLS_CERT_ALTNAME_INVALID SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE`
test.each(codes.split(/\s+/))('a connection that failed with %s is named with its code', (code) => {
  expect(reasonOf(fetchFailed(code))).toBe(`TypeError, ${code}`)
  expect(reasonOf(withCode('Jan, Dam 1, 1012JS', code))).toBe(`Error, ${code}`)
})

test.each([
  ['a code of the adapter', fetchFailed('Jan, Dam 1'), 'TypeError'],
  ['no code', new RangeError('Jan, Dam 1'), 'RangeError'],
  ['an empty code', fetchFailed(''), 'TypeError'],
  ['a number for a code', withCode('Jan', 5), 'Error'],
  ['a code two causes below', new Error('Jan', { cause: fetchFailed('EPIPE') }), 'Error'],
  ['a text', 'Jan, Dam 1', 'a value other than an error was thrown'],
  ['nothing', undefined, 'a value other than an error was thrown'],
  ['a message of Purveyor', new PurveyorError('SETTINGS_MISSING', 'set units'), 'set units'],
  ['a deadline', new DeadlinePassed(50), 'no answer within 50 ms'],
])('an error with %s repeats no words of the adapter', (_what, error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})

test('the words that a reason leaves out are those of the error and of its cause, up to 300 characters', () => {
  expect(wordsOf(fetchFailed('EPIPE'))).toBe('fetch failed: Jan, Dam 1, 1012JS')
  expect(wordsOf(new Error('', { cause: new Error('reset') }))).toBe('reset')
  expect(wordsOf(new Error('a'.repeat(500)))).toBe('a'.repeat(300))
  for (const none of [new Error(''), 'reset', undefined, new DeadlinePassed(50)])
    expect(wordsOf(none)).toBeUndefined()
  expect(wordsOf(new PurveyorError('SETTINGS_MISSING', 'set units'))).toBeUndefined()
})

test('the name of an error that is no word of code gives way to its class', () => {
  const named = (name: string) => Object.assign(new TypeError('Jan'), { name })
  expect(reasonOf(named('CarrierDown'))).toBe('CarrierDown')
  expect(reasonOf(named('{"firstname":"Jan"}'))).toBe('TypeError')
})

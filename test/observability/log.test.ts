import { expect, test } from 'vitest'
import { PurveyorError } from '../../src/errors/errors.ts'
import { developmentError, loggableError } from '../../src/observability/log.ts'

test('an error for a production log has its name, code and place, and its message only if it is our own', () => {
  const cause = Object.assign(new TypeError('Jan, Dam 1'), { code: 'ECONNRESET', syscall: 'read' })
  const logged = loggableError(new RangeError('Jan, Dam 2', { cause }))
  expect(logged).toMatchObject({
    type: 'RangeError',
    stack: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
    cause: { type: 'TypeError', code: 'ECONNRESET', syscall: 'read' },
  })
  expect(JSON.stringify(logged)).not.toContain('Jan')
  const own = new PurveyorError('SETTINGS_MISSING', 'set units')
  expect(loggableError(own)).toMatchObject({ code: 'SETTINGS_MISSING', message: 'set units' })
  const named = Object.assign(new Error('x'), { code: 'Jan, Dam 1' })
  expect(loggableError(named)).toMatchObject({ code: undefined })
  expect(loggableError('Jan, Dam 1')).toEqual({ type: 'string' })
})

const refused = (): never => {
  throw new Error('no')
}

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable(new Error('Jan'), {})
  revoke()
  return proxy
}

test.each([
  ...['message', 'stack', 'code', 'cause', 'constructor', 'syscall'].map((name): [string, unknown] => [
    name,
    Object.defineProperty(new RangeError('Jan'), name, { get: refused }),
  ]),
  ['anything', new Proxy(new Error('Jan'), { get: refused, getPrototypeOf: refused })],
  ['its cause', new Error('Jan', { cause: revoked() })],
])('an error that refuses to show %s is logged all the same', (_what, error) => {
  for (const logged of [loggableError(error), developmentError(error)])
    expect(logged).toMatchObject({ type: expect.stringMatching(/^(Range)?Error$/) })
  expect(JSON.stringify(loggableError(error))).not.toContain('Jan')
})

const own = 'test/observability/log.test.ts'

test('an error of own code has its line, its calls and no frame of others', () => {
  const answer = ['of', 'a carrier'].join(' ')
  const error = Object.assign(new TypeError('no key'), { code: 'NO_KEY', answer })
  expect(developmentError(error)).toMatchObject({
    type: 'TypeError',
    message: 'TypeError: no key',
    code: 'NO_KEY',
    lines: [{ file: own, line: 48, text: expect.stringContaining('no key') }],
    frames: [expect.stringContaining(`${own}:48:`)],
    stack: expect.stringMatching(/^TypeError: no key\n {4}at /),
  })
  expect(JSON.stringify(developmentError(error))).not.toMatch(/of a carrier|node_modules|node:internal/)
})

test('the error of a deadline is no list of constants', async () => {
  const signal = AbortSignal.timeout(1)
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  const logged = developmentError(signal.reason)
  expect(Object.keys(logged)).toEqual(['type', 'message', 'lines', 'frames', 'stack'])
  expect(JSON.stringify(logged)).not.toContain('INDEX_SIZE_ERR')
})

test('an error that was never in own code keeps its stack', () => {
  const error = new Error('inside')
  error.stack = 'Error: inside\n    at read (/shop/node_modules/carrier/index.js:1:1)'
  expect(developmentError(error)).toMatchObject({ lines: [], frames: [], stack: error.stack })
})

test.each([[undefined], ['a text'], [{ message: 'no error' }]])('%j can be thrown too', (thrown) => {
  expect(developmentError(thrown)).toMatchObject({
    message: expect.stringContaining('the code threw'),
    remedy: "Write throw new Error('...') instead: an error names the line that threw it.",
    lines: [],
  })
})

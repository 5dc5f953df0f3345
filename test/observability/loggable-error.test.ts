import { expect, test } from 'vitest'
import { PurveyorError } from '../../src/errors.ts'
import { developmentError } from '../../src/observability/development-error.ts'
import { loggableError } from '../../src/observability/loggable-error.ts'

test('an error for a production log has its name, code and place, and its message only if it is our own', () => {
  const cause = Object.assign(new TypeError('Jan, Dam 1'), { code: 'ECONNRESET', syscall: 'read' })
  const logged = loggableError(new RangeError('Jan, Dam 2', { cause }))
  expect(logged).toMatchObject({
    type: 'RangeError',
    stack: expect.arrayContaining([expect.stringContaining('loggable-error.test.ts')]),
    cause: { type: 'TypeError', code: 'ECONNRESET', syscall: 'read' },
  })
  expect(JSON.stringify(logged)).not.toContain('Jan')
  expect(loggableError(new PurveyorError('SETTINGS_MISSING', 'set units'))).toMatchObject({
    code: 'SETTINGS_MISSING',
    message: 'set units',
  })
  expect(loggableError(Object.assign(new Error('x'), { code: 'Jan, Dam 1' }))).toMatchObject({
    code: undefined,
  })
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

import { expect, test } from 'vitest'
import { developmentError } from '../../src/observability/development-error.ts'

const own = 'test/observability/development-error.test.ts'

test('an error of own code has its line, its calls and no frame of others', () => {
  const error = Object.assign(new TypeError('no key'), {
    code: 'NO_KEY',
    answer: ['of', 'a carrier'].join(' '),
  })
  expect(developmentError(error)).toMatchObject({
    type: 'TypeError',
    message: 'TypeError: no key',
    code: 'NO_KEY',
    lines: [{ file: own, line: 7, text: expect.stringContaining('no key') }],
    frames: [expect.stringContaining(`${own}:7:`)],
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

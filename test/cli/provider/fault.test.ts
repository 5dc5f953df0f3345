import { expect, test } from 'vitest'
import { notRunning } from '../../../src/cli/provider/fault.ts'

const lines = [{ file: 'rates.ts', line: 5, column: 3, text: 'a b c' }]
const stack = 'TypeError: no key\n    at inside (/package/dist/x.js:1:1)'

test('a fault in the files of the developer is shown without the stack', () => {
  const fault = { message: 'TypeError: no key', lines, frames: [], remedy: 'Set it.', stack }
  expect(notRunning(fault)).toBe(
    'The provider is not running: TypeError: no key\n  rates.ts:5:3\n  5 | a b c\n    |   ^\nSet it.',
  )
})

test('an error in none of their files shows its stack, and one with a code its message', () => {
  const fault = { message: 'TypeError: no key', lines: [], frames: [], stack }
  expect(notRunning(fault)).toBe(`The provider is not running: ${stack}`)
  expect(notRunning({ ...fault, code: 'ENVIRONMENT_UNFIT' })).toBe(
    'The provider is not running: TypeError: no key',
  )
  expect(notRunning({ message: 'The provider ended with signal SIGKILL.', lines: [], frames: [] })).toBe(
    'The provider is not running: The provider ended with signal SIGKILL.',
  )
})

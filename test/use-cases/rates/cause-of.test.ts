import { expect, test } from 'vitest'
import { type ErrorCode, PurveyorError } from '../../../src/errors.ts'
import { DeadlinePassed } from '../../../src/use-cases/deadline.ts'
import { causeOf } from '../../../src/use-cases/rates/cause-of.ts'

const nothing = { lastStatus: undefined, called: false, readsFiles: false }
const coded = (code: ErrorCode) => new PurveyorError(code, 'x')

test.each([
  ['options that the settings of a shop make', coded('CONFIGURATION_INVALID'), nothing, 'settings'],
  ['missing settings', coded('SETTINGS_MISSING'), nothing, 'settings'],
  ['the tariff of a shop', coded('RATE_TABLE_INVALID'), nothing, 'settings'],
  ['a time-out', new DeadlinePassed(100), nothing, 'carrier'],
  [
    'a time-out of a call',
    new DeadlinePassed(100),
    { ...nothing, called: true, readsFiles: true },
    'carrier',
  ],
  ['a time-out over an own file', new DeadlinePassed(100), { ...nothing, readsFiles: true }, 'settings'],
  ['a status of the error', { status: 503 }, nothing, 'carrier'],
  ['a refused key', { status: 401 }, nothing, 'account'],
  ['a refused request', new Error('no'), { ...nothing, lastStatus: 422 }, 'request'],
  ['a cause that the error names', { about: 'request', status: 503 }, nothing, 'request'],
  [
    'a broken connection beside an answer of another call',
    new TypeError('fetch failed', { cause: new Error() }),
    { ...nothing, lastStatus: 404 },
    'carrier',
  ],
  ['a mistake of the adapter', new TypeError('x of undefined'), nothing, 'request'],
  ['a broken connection', new TypeError('fetch failed', { cause: new Error() }), nothing, 'carrier'],
] as const)('%s', (_, error, tried, cause) => {
  expect(causeOf(error, tried)).toBe(cause)
})

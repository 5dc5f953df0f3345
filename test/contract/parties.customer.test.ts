import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { customerReader, readMessage } from '../../src/contract/index.ts'
import { forAll } from '../for-all.ts'
import { kinds, readShipmentMethods } from './kinds.ts'
import { methodsBody, pathsOf, put, written } from './messages.ts'

const america = ['America/New_York', 'America/Los_Angeles']
const zones = ['Europe/Amsterdam', ...america, 'Asia/Kolkata', 'Asia/Tokyo', 'UTC']
const reader = customerReader()

const birthdate = (value: unknown) => readMessage(reader, { birthdate: value }).birthdate

describe('a birthdate', () => {
  test.each([
    ['1985-07-15', '1985-07-15'],
    ['1984-02-29', '1984-02-29'],
    ['1985-07-15 00:00:00', '1985-07-15'],
    ['1985-07-15T00:00:00', '1985-07-15'],
    ['1988-07-03T22:00:00.000Z', '1988-07-04'],
    ['1988-07-04T00:00:00+02:00', '1988-07-04'],
    ['1988-07-04T00:00:00-0500', '1988-07-04'],
    ['1988-07-04T00:00:00Z', '1988-07-04'],
  ])('%s reads as %s', (value, day) => {
    expect(birthdate(value)).toBe(day)
  })

  test.each([
    ['midnight in Amsterdam in summer', '1985-07-15T00:00:00+02:00', '1985-07-15'],
    ['midnight in Amsterdam in winter', '1985-01-15T00:00:00+01:00', '1985-01-15'],
    ['midnight in New York in summer', '1985-07-15T00:00:00-04:00', '1985-07-15'],
    ['midnight in New York in winter', '1985-01-15T00:00:00-05:00', '1985-01-15'],
    ['the day clocks go forward', '1985-03-31T00:00:00+01:00', '1985-03-31'],
    ['the day clocks go back', '1985-09-29T00:00:00+02:00', '1985-09-29'],
    ['before 1970', '1955-07-15T00:00:00+01:00', '1955-07-15'],
    ['the first second of 1970', '1970-01-01T00:00:00Z', '1970-01-01'],
  ] as const)('as a timestamp is the nearest day: %s', (_name, instant, day) => {
    const seconds = Date.parse(instant) / 1000
    expect(birthdate(String(seconds))).toBe(day)
    expect(birthdate(seconds)).toBe(day)
  })

  test('every midnight reads as its own day', () => {
    const days = fc.date({ min: new Date('1946-01-01'), max: new Date('2037-12-31'), noInvalidDate: true })
    forAll(days, fc.constantFrom(...zones), (date, zone) => {
      const day = date.toISOString().slice(0, 10)
      const seconds = midnight(day, zone) / 1000
      expect(birthdate(String(seconds))).toBe(day)
    })
  })

  const noDays = ['0000-00-00', '1980-02-31', '1981-02-29', '1980-13-01', '15-07-1985', 'yesterday', '1985']
  test.each([...noDays, '12345678901', 1e12, -1e10, true, {}, ['1985-07-15']])(
    'that is not a day reads as no data and costs nothing: %j',
    (value) => {
      const day = birthdate(value)
      // "1985" can only be a timestamp: the first hour of 1970.
      expect(day).toBe(value === '1985' ? '1970-01-01' : undefined)
    },
  )
})

describe('the password', () => {
  const secret = 'hunter2-secret'

  test.each(kinds)('of a $name message goes nowhere, wherever it was put', ({ full, read }) => {
    const body = full()
    for (const path of [[], ...pathsOf(full())]) {
      if (!written(path).startsWith('payment_method.data')) put(body, [...path, 'password'], secret)
    }
    expect(JSON.stringify(body)).toContain(secret)
    const clean = read(body)
    expect(inspect(clean, { depth: 20, showHidden: true })).not.toMatch(/hunter2|password/)
  })

  test.each([7, ['x'], { a: 'x' }, true])('costs nothing when it is %j', (password) => {
    expect(() => readShipmentMethods(put(methodsBody(), ['customer', 'password'], password))).not.toThrow()
  })
})

describe('the other fields', () => {
  const customer = (field: string, value: unknown) =>
    readMessage(reader, { [field]: value })[field as 'gender']

  test('words that are not known read as no data', () => {
    expect(customer('gender', 'female')).toBe('female')
    expect(customer('gender', 'x')).toBeUndefined()
    expect(customer('type', 'company')).toBe('company')
    expect(customer('type', 'club')).toBeUndefined()
  })

  test('a phone number or company number that comes as a number is text', () => {
    expect(customer('phone', 31201234567)).toBe('31201234567')
    expect(customer('cocnumber', 12345678)).toBe('12345678')
  })

  test('no customer at all reads as one of whom nothing is known', () => {
    for (const nobody of [undefined, null, false, '', []])
      expect(readMessage(reader, nobody)).toEqual({ sameaddress: false })
  })
})

/** The moment a day begins in a time zone, found from the zone's own clock. */
function midnight(day: string, timeZone: string): number {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offset = (at: number) => {
    const name = clock.formatToParts(at).find(({ type }) => type === 'timeZoneName')!.value
    const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d+):(\d+))?/.exec(name)!
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  }
  const utc = Date.parse(day)
  return utc - offset(utc - offset(utc))
}

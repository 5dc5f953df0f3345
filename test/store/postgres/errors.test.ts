import pg from 'pg'
import { expect, test } from 'vitest'
import {
  ConnectionLost,
  driverFault,
  isAway,
  isConnectionFault,
  isRetryable,
  sqlState,
  startError,
} from '../../../src/store/postgres/errors.ts'

const sent = (code: string) =>
  Object.assign(new pg.DatabaseError('the server has said so', 1, 'error'), { code, severity: 'ERROR' })
const ofSocket = (code: string) =>
  Object.assign(new Error(`write ${code}`), { code, syscall: 'write', errno: -32 })

test('a code of a socket is no SQLSTATE, however many letters it has: the connection is lost', () => {
  for (const code of 'EPIPE EBUSY EPERM EBADF ECONNRESET ETIMEDOUT EAI_AGAIN ENOTFOUND'.split(' ')) {
    const fault = driverFault(ofSocket(code))
    expect([code, sqlState(ofSocket(code)), fault instanceof ConnectionLost]).toEqual([code, undefined, true])
    expect([isConnectionFault(fault), isRetryable(fault), isAway(fault)]).toEqual([true, true, true])
  }
})

test('what the driver says itself, in whatever words, is a lost connection', () => {
  for (const words of ['Query read timeout', 'Connection terminated unexpectedly', 'what it says tomorrow'])
    expect(isConnectionFault(driverFault(new Error(words)))).toBe(true)
})

test('an error of the server is its SQLSTATE, whatever its words', () => {
  const [unique, locked] = [sent('23505'), sent('55P03')]
  expect([driverFault(unique), sqlState(unique)]).toEqual([unique, '23505'])
  unique.message = 'the connection was closed: timeout'
  expect([isConnectionFault(unique), isRetryable(unique), isAway(unique)]).toEqual([false, false, false])
  expect([isConnectionFault(locked), isRetryable(locked), isAway(locked)]).toEqual([false, true, false])
})

test('the server that ends a connection, has no room or is read-only', () => {
  for (const [kinds, ...codes] of [
    [[true, true, true], '57P01', '08006'],
    [[false, false, true], '53100', '25006'],
    [[false, true, false], '40P01'],
  ] as const)
    for (const code of codes)
      expect([isConnectionFault, isRetryable, isAway].map((is) => is(sent(code)))).toEqual(kinds)
})

test('an error of our own code is neither', () => {
  const own = new TypeError('This shop has no payment for this order')
  expect([sqlState(own), isConnectionFault(own), isAway(own)]).toEqual([undefined, false, false])
})

test('a start that fails says why: what the server refuses, that it starts, or a password that is missing', () => {
  const says = (error: unknown) => startError(error).message
  // The driver's own words, of both versions of its check.
  for (const words of ['client password must be a string', 'client password must be a non-empty string'])
    expect(says(new Error(`SASL: SCRAM-SERVER-FIRST-MESSAGE: ${words}`))).toMatch(
      /asks for a password, and PURVEYOR_DATABASE_URL has none. Add it/,
    )
  expect(says(sent('57P03'))).toMatch(/is starting or stopping. Try again/)
  expect(says(sent('42703'))).toMatch(/tables of another program/)
  expect(says(sent('42883'))).toMatch(/refuses a step of the start: the server has said so \(42883\). Check/)
  expect(says(ofSocket('ECONNREFUSED'))).toMatch(/cannot be reached \(ECONNREFUSED\)/)
})

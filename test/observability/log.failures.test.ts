import { expect, test } from 'vitest'
import { AdapterFailures } from '../../src/observability/log.ts'

test('the errors of a request are kept with their adapter and place, and those of others apart', () => {
  const failures = new AdapterFailures()
  failures.add('1', { adapter: 'courier', err: new Error('no van') }, 'rate adapter failed')
  failures.add('1', { err: new TypeError('no key') }, 'payment start failed')
  failures.add('2', { adapter: 'tariff', err: new Error('no line') }, 'rate adapter failed')
  const [first, second] = failures.of('1')
  expect(first).toMatchObject({ adapter: 'courier', what: 'rate adapter failed', message: 'no van' })
  expect(first!.lines[0]).toMatchObject({ file: 'test/observability/log.failures.test.ts', line: 6 })
  expect(second).toMatchObject({ what: 'payment start failed', message: 'TypeError: no key' })
  expect(second).not.toHaveProperty('adapter')
  expect(failures.of('2').map(({ adapter }) => adapter)).toEqual(['tariff'])
  expect(failures.of('3')).toEqual([])
})

test('a payment method that is left out is kept with its faults', () => {
  const failures = new AdapterFailures()
  const faults = ['title', 'id'].map((path) => ({ path, message: 'is missing' }))
  const what = 'payment method left out'
  failures.add('1', { adapter: 'card', method: 2, faults }, what)
  const message = 'method 2: title is missing, id is missing'
  expect(failures.of('1')).toEqual([{ adapter: 'card', what, message, frames: [], lines: [] }])
})

test('what an adapter throws is kept, whatever it is', () => {
  const failures = new AdapterFailures()
  failures.add('1', { adapter: 'no such name', err: 'no van' }, 'rate adapter failed')
  expect(failures.of('1')).toMatchObject([
    { adapter: 'no such name', message: 'the code threw the text "no van" and no error', lines: [] },
  ])
})

test('lines without a request or an error are ignored', () => {
  const failures = new AdapterFailures()
  failures.add(undefined, { err: new Error('at the start') }, 'failed')
  failures.add('1', { err: 'a text' }, 'failed')
  failures.add('1', { adapter: 'courier' }, 'slow')
  expect(failures.of('1')).toEqual([])
})

test('at most ten errors of a request are kept, and those of the last hundred requests', () => {
  const failures = new AdapterFailures()
  for (let number = 0; number <= 100; number++)
    for (let times = 0; times < (number === 100 ? 12 : 1); times++)
      failures.add(String(number), { err: new Error(`${number}.${times}`) }, 'failed')
  expect(failures.of('100').map(({ message }) => message)).toEqual(
    Array.from({ length: 10 }, (_, times) => `100.${times}`),
  )
  expect([failures.of('0').length, failures.of('1').length]).toEqual([0, 1])
})

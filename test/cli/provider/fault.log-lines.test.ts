import { expect, test } from 'vitest'
import { logLines } from '../../../src/cli/provider/fault.ts'

const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
const shown = (line: object) => logLines(JSON.stringify({ time, ...line }))
const failed = { msg: 'rate adapter failed', adapter: 'courier' }
const err = {
  message: 'no van',
  lines: [{ file: 'rates.ts', line: 19, column: 5, text: "    throw new Error('no van')" }],
  frames: ['quote (rates.ts:19:5)', 'outer (rates.ts:3:1)'],
}

test('the error of an adapter is shown with its line and the calls that led to it', () => {
  expect(shown({ ...failed, err })).toEqual([
    '[03:04:05] rate adapter "courier" failed: no van',
    '  rates.ts:19:5',
    "  19 |     throw new Error('no van')",
    '     |     ^',
    '    at outer (rates.ts:3:1)',
  ])
})

test('an adapter that threw something else than an error is shown, and a line that another repeats is not', () => {
  const text = { message: 'the code threw the text "no van" and no error', lines: [] }
  expect(shown({ ...failed, err: text })).toEqual([
    '[03:04:05] rate adapter "courier" failed: the code threw the text "no van" and no error',
  ])
  expect(shown({ msg: 'payment method left out', adapter: 'courier', method: 1, faults: [] })).toEqual([])
})

test('an error in no file of the developer is shown where it is of an adapter', () => {
  const elsewhere = { message: 'away', lines: [] }
  const away = ['[03:04:05] rate adapter "courier" failed: away']
  expect(shown({ ...failed, err: elsewhere })).toEqual(away)
  expect(shown({ msg: 'the store is away', err: elsewhere })).toBeUndefined()
  const [fallback] = shown({ msg: 'the fallback rates failed', err }) ?? []
  expect(fallback).toBe('[03:04:05] the fallback rates failed: no van')
})

const odd = { adapter: 'courier', method: 2, fault: 'it has no id' }
const report = {
  ...{ msg: 'a report looks wrong', adapter: 'psp', shop: 'default', order: '1001' },
  fault: 'its status "payed" is not known',
}
test.for<[object, string]>([
  [{ ...odd, msg: 'a method was given an id' }, 'adapter "courier": method 2 was repaired: it has no id'],
  [{ ...odd, code: 'METHOD_LEFT_OUT' }, 'adapter "courier": method 2 is left out: it has no id'],
  [{ ...odd, msg: 'a price looks wrong' }, 'adapter "courier": method 2 looks wrong: it has no id'],
  [{ ...odd, code: 'PRICES_DISAGREE' }, 'adapter "courier": method 2 looks wrong: it has no id'],
  [
    { msg: 'an adapter blocked the event loop', adapter: 'courier', ms: 3000.4, cpuMs: 2900 },
    'adapter "courier" blocked the event loop for 3,000 ms: no other call is answered meanwhile',
  ],
  [report, 'adapter "psp": the report about order 1001 looks wrong: its status "payed" is not known'],
])('%o is one line', ([line, text]) => {
  expect(shown(line)).toEqual([`[03:04:05] ${text}`])
})

test('the anomaly that an odd report opens is not shown too', () => {
  expect(shown({ shop: 'default', msg: 'payment needs review', anomaly: 'unknown_status' })).toEqual([])
  expect(shown({ shop: 'default', msg: 'payment needs review', anomaly: 'overpaid' })).toBeUndefined()
})

test('an answer that failed is one line', () => {
  const line = { level: 50, msg: 'answered', req: { method: 'POST', route: '/e/:token/payment' }, ms: 12.4 }
  expect(shown({ ...line, res: { status: 502 }, code: 'PAYMENT_START_FAILED', shop: 'default' })).toEqual([
    '[03:04:05] POST /e/:token/payment is answered 502 PAYMENT_START_FAILED (12 ms)',
  ])
  expect(shown({ ...line, level: 30, res: { status: 201 } })).toBeUndefined()
})

test('what an error says cannot move the cursor of the terminal', () => {
  const evil = { message: 'a\u001b[2Jb', lines: [] }
  expect(shown({ ...failed, err: evil })?.join('')).not.toContain('\u001b')
})

test.each(['no JSON', '1', 'null', '{}', '{"msg":"served","method":"GET"}', '{"fault":"x"}'])(
  '%s is left as it is',
  (text) => {
    expect(logLines(text)).toBeUndefined()
  },
)

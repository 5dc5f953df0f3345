import { describe, expect, test } from 'vitest'
import {
  CallLog,
  type callKinds,
  failuresOf,
  kindOf,
  type LoggedCall,
  timeOf,
} from '../../../src/sandbox/calls/call-log.ts'
import { logAddress, pageOfLog, readLogQuery } from '../../../src/sandbox/calls/log-query.ts'
import { State } from '../../../src/sandbox/state.ts'

const call = (given: Partial<LoggedCall> = {}): LoggedCall => ({
  number: 1,
  at: 0,
  direction: 'shop to provider',
  service: { id: 1, name: 'Courier' },
  orderId: undefined,
  method: 'POST',
  path: 'shipment_methods',
  url: 'http://127.0.0.1/e/secret/shipment_methods',
  request: { rate_estimate: false },
  status: 201,
  ms: 12,
  answer: '{"shipment_methods":[]}',
  faults: [],
  meaning: 'The customer sees 2 methods.',
  ...given,
})

const none = { calls: [], methods: [], leftOut: [], notes: [], parcels: [] }
const adapter = { ms: 320, cache: 'off', result: 'methods', ...none }
const explained = (...adapters: object[]) =>
  ({
    fallback: false,
    deadline: 2_500,
    adapters: adapters.map((one) => ({ ...adapter, adapter: 'own', ...one })),
  }) as never

function logOf(calls: Partial<LoggedCall>[]) {
  const log = new CallLog(new State())
  for (const one of calls) log.add(call(one))
  const page = (query: Record<string, unknown> = {}) => {
    const read = readLogQuery(query)
    const ofOrder = ({ orderId }: LoggedCall) => read.order === undefined || orderId === read.order
    return pageOfLog(log.calls.filter(ofOrder), read)
  }
  const numbers = (query?: Record<string, unknown>) => page(query).calls.map(({ number }) => number)
  return { log, page, numbers }
}

test('the log is in the order of the times that it shows, also where a call that began first ended last', () => {
  const { numbers } = logOf([{ at: 1 }, { at: 5, orderId: 1 }, { at: 3, orderId: 1 }, { at: 9 }])
  expect(numbers()).toEqual([4, 2, 3, 1])
  expect(numbers({ from: '2' })).toEqual([2, 3, 1])
  expect(numbers({ order: '1' })).toEqual([3, 2])
})

test.each<[keyof typeof callKinds, Partial<LoggedCall>]>([
  ['rates', {}],
  ['estimate', { request: { rate_estimate: true } }],
  ['methods', { path: 'payment_methods' }],
  ['payment', { path: 'payment' }],
  ['status', { method: 'GET', path: 'payment/1001' }],
  ['webhook', { direction: 'provider to shop', path: 'webhooks/orders/1001' }],
  ['api', { direction: 'provider to shop', path: 'api/nl/products.json' }],
  ['api', { direction: 'provider to shop', path: 'api?limit=1' }],
  ['other', { path: 'elsewhere' }],
])('a call of the kind %s is recognised', (kind, given) => {
  expect(kindOf(call(given))).toBe(kind)
})

describe('a failed call', () => {
  const threw = { result: 'failed', reason: 'Error', words: 'no zone', place: 'rates.ts:16' }
  const ofOwn = { at: 'own', message: 'Error: no zone', place: 'rates.ts:16' }
  const wrong = { path: 'status', message: 'is "done"' }
  const line = { file: 'rates.ts', line: 3 }
  const ofType = { adapter: 'own', what: 'failed', message: 'list', lines: [line], frames: [] }
  const answered = explained({ result: 'failed', reason: 'must answer with a list' }) as object
  const skipped = explained({ result: 'skipped', reason: 'paused' })
  test.each<[string, Partial<LoggedCall>, object[]]>([
    ['that is answered as it should be', {}, []],
    ['of 500', { status: 500, meaning: 'No rates.' }, [{ at: '500', message: 'No rates.' }]],
    ['without an answer', { status: undefined, meaning: 'Lost.' }, [{ at: 'no answer', message: 'Lost.' }]],
    ['with a wrong field', { faults: [wrong] as never }, [{ at: 'status', message: 'is "done"' }]],
    ['whose adapter threw, though it is answered 201', { explanation: explained({}, threw) }, [ofOwn]],
    [
      'whose adapter answered with a wrong type',
      { explanation: { ...answered, failures: [ofType] } as never },
      [{ at: 'own', message: 'must answer with a list', place: 'rates.ts:3', line }],
    ],
    [
      'whose adapter was skipped',
      { explanation: skipped },
      [{ at: 'own', message: 'paused', place: undefined }],
    ],
  ])('%s', (_what, given, failures) => {
    expect(failuresOf(call(given))).toEqual(failures)
  })

  test('its time is that of the slowest adapter against their deadline, otherwise its own against the shop’s patience', () => {
    const slow = call({ wait: 20_000, explanation: explained({ ms: 20 }, { ms: 420 }) })
    expect(timeOf(slow)).toEqual({ ms: 420, of: 2_500 })
    expect(timeOf(call({ wait: 20_000 }))).toEqual({ ms: 12, of: 20_000 })
    expect(timeOf(call({ wait: 5, explanation: explained() }))).toEqual({ ms: 12, of: 5 })
  })
})

describe('the filters of the log', () => {
  const various = [
    {},
    { path: 'payment', orderId: 1001, shopId: 8 },
    { path: 'payment/1001', method: 'GET', orderId: 1001, status: 500 },
    { request: { rate_estimate: true, shipping_address: { zipcode: '1016GV' } } },
    { direction: 'provider to shop', path: 'webhooks/orders/1001', orderId: 1001 } as const,
  ]

  const all = [5, 4, 3, 2, 1]
  test.each<[Record<string, unknown>, number[]]>([
    [{}, all],
    [{ kind: 'rates' }, [1]],
    [{ kind: 'webhook' }, [5]],
    [{ kind: 'nonsense' }, all],
    [{ kind: ['rates', 'status'] }, all],
    [{ shop: '8' }, [2]],
    [{ shop: '4711' }, [5, 4, 3, 1]],
    [{ order: '1001' }, [2, 3, 5]],
    [{ order: 'ORD01001', failed: '1' }, [3]],
    [{ order: '' }, all],
    [{ failed: '1' }, [3]],
    [{ failed: 'no' }, all],
    [{ q: '1016gv' }, [4]],
    [{ q: '  courier   WEBHOOK ' }, [5]],
    [{ q: 'courier nowhere' }, []],
    [{ q: ['courier'] }, all],
    [{ from: '2' }, [2, 1]],
    [{ order: '1001', from: '3' }, [3, 5]],
    [{ from: '-1' }, all],
    [{ scenario: 'paid' }, [1, 2, 3, 4, 5]],
    [{ scenario: '../paid' }, all],
    [{ order: 'nope' }, []],
    [{ shop: 'x' }, []],
  ])('%j shows the calls %j', (query, expected) => {
    expect(logOf(various).numbers(query)).toEqual(expected)
  })

  test('an address repeats what was read from one', () => {
    const where = { kind: 'rates', shop: '8', order: '1001', failed: '1' } as const
    const query = { ...where, q: 'a b&c', from: '3', call: '4' }
    const address = logAddress(readLogQuery(query), '#pane')
    expect(address).toBe('/log?kind=rates&shop=8&order=1001&failed=1&q=a+b%26c&from=3&call=4#pane')
    const again = Object.fromEntries(new URL(address, 'http://shop').searchParams)
    expect(readLogQuery(again)).toEqual(readLogQuery(query))
    expect(logAddress(readLogQuery({}))).toBe('/log')
  })
})

test('thousands of calls come by pages that new calls do not move, and the oldest make room', () => {
  const { log, page, numbers } = logOf(Array.from({ length: CallLog.most + 10 }, () => ({})))
  expect(log.calls).toHaveLength(CallLog.most)
  const first = page()
  expect(first.calls).toHaveLength(50)
  expect(first.matching).toBe(CallLog.most)
  const second = numbers({ from: String(first.next) })
  log.add(call())
  expect(numbers({ from: String(first.next) })).toEqual(second)
  const seen = new Set<number>()
  for (let from: number | undefined = log.calls.length + 11; from !== undefined; ) {
    const { calls, next } = page({ from: String(from) })
    for (const { number } of calls) seen.add(number)
    from = next
  }
  expect(seen.size).toBe(CallLog.most)
})

test('the log shows no token, no password and no credentials of a webhook', () => {
  const headers = {
    request: { authorization: 'Basic aGk=', cookie: 'a=1', 'x-shop-id': '7' },
    answer: { location: 'https://provider.example/e/secret/payment', 'set-cookie': 'b=2' },
  }
  const { log } = logOf([{ request: { customer: { password: 'hunter2' } }, headers }])
  expect(JSON.stringify(log.calls)).not.toMatch(/hunter2|aGk=|a=1|b=2|secret/)
  expect(log.calls[0]?.headers?.request['x-shop-id']).toBe('7')
})

import { pino } from 'pino'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { logLines } from '../../src/cli/provider/fault.ts'
import type { ProviderOptions } from '../../src/index.ts'
import { checkout, payment } from '../http/messages.ts'
import { listening } from '../listening.ts'

// An answer has no stack: what is wrong with it names the adapter, and its function or the method.

/** A provider in development, and what the terminal shows of its log. */
async function developing(options: Partial<ProviderOptions>) {
  const shown: string[] = []
  const write = (line: string) => void shown.push(...(logLines(line) ?? []))
  const logger = pino({ level: 'warn' }, { write })
  const { endpoint } = await listening({ logger, ...options })
  return { endpoint, shown: () => shown.join('\n') }
}

const price = { price_excl: '5', tax_rate: '0.21', price_incl: '6.05' }

test.each<[what: string, quote: () => unknown, shown: RegExp]>([
  ['a text', () => 'nothing', /rate adapter "courier" failed: Rate adapter "courier" must answer with/],
  ['nothing', () => undefined, /rate adapter "courier" failed: Rate adapter "courier" must answer with/],
  ['too late', () => new Promise(() => {}), /rate adapter "courier" failed: DeadlinePassed: no answer/],
  ['no object', () => ['door'], /adapter "courier": method 1 is left out: it must be an object/],
  [
    'a comma',
    () => [{ id: 1, title: 'Door', ...price, price_incl: '6,05' }],
    /1 is left out: price_incl has/,
  ],
  ['no id', () => [{ title: 'Door', ...price }], /adapter "courier": method 1 was repaired: it has no id/],
])('a rate adapter that answers with %s is named', async (_what, quote, said) => {
  const rates = { adapters: { name: 'courier', quote } as never, deadline: 300 }
  const { endpoint, shown } = await developing({ rates })
  await supertest(endpoint).post('/shipment_methods').send(checkout)
  expect(shown()).toMatch(said)
  // One line for one method.
  expect(shown().match(/courier": method 1/g)?.length ?? 1).toBe(1)
})

const methods = () => [{ id: 'card', title: 'Card' }]
const start = () => ({ later: true })

const comma = [{ id: 'card', title: 'Card', price_incl: '1,50' }]

test.each<[what: string, members: object, shown: string]>([
  ['list of methods', { methods: () => 'card' }, 'payment adapter "courier" failed to list its methods: '],
  ['method', { methods: () => comma }, 'adapter "courier": method 1 is left out: price_incl has a comma'],
  ['start', { start: () => 'x' }, 'payment start failed: start() of payment adapter "courier" returns'],
  ['mode', { mode: () => 'prod' }, 'payment start failed: mode() of payment adapter "courier"'],
  ['status', { status: () => 'paid' }, '"courier": the payment service did not answer with a status: '],
])('a payment adapter is named with its wrong %s', async (_what, members, said) => {
  const courier = { name: 'courier', methods, start, ...members }
  const { endpoint, shown } = await developing({ payments: courier as never })
  await supertest(endpoint).post('/payment_methods').send(checkout)
  await supertest(endpoint)
    .post('/payment')
    .send(payment({ method: 'courier:card' }))
  await supertest(endpoint).get('/payment/1001')
  expect(shown()).toContain(said)
})

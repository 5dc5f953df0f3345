import { expect, onTestFinished, test } from 'vitest'
import { createProvider, memoryStore, type PaymentAdapter } from '../../../src/index.ts'
import { scenarios } from '../../../src/sandbox/index.ts'
import { movableClock, startSandbox } from '../../../src/testing/index.ts'
import { testPayments } from '../../../templates/full/payments.ts'
import { rates } from '../../../templates/full/rates.ts'
import { type Asked, type Given, method, shopWith } from '../provider.ts'

const all = scenarios.map(({ name }) => name)
const names = all.slice(all.indexOf('shipping-taxed'), all.indexOf('order-shipped'))

async function playedBeside(payments: PaymentAdapter, names: readonly string[]) {
  const clock = movableClock()
  const provider = createProvider({ store: memoryStore(), clock, rates, payments })
  const shop = await startSandbox(provider, { clock })
  onTestFinished(() => shop.close())
  const runs: [string, string, string | undefined][] = []
  for (const name of names) {
    const { result, reason } = await shop.run(name)
    runs.push([name, result, reason])
  }
  return runs
}

test('every habit is played by a provider of the framework', async () => {
  expect(names).toHaveLength(9)
  const passed = names.map((name) => [name, 'passed', undefined])
  expect(await playedBeside(testPayments, names)).toEqual(passed)
})

test('a provider without methods in another currency is not blamed for it', async () => {
  const methods: PaymentAdapter['methods'] = ({ shop: { currency } }) =>
    currency === 'eur' ? [{ id: 'card', title: 'Card' }] : []
  const skipped = expect.stringContaining('offers no payment method')
  const own = ['fractions-of-yen', 'currency-changed']
  expect(await playedBeside({ ...testPayments, methods }, own)).toEqual(
    own.map((name) => [name, 'skipped', skipped]),
  )
})

const broken: Given = { status: 500, body: { error: 'no' } }
const onQuote =
  (concerns: (quote: Asked['body']) => boolean) =>
  ({ body }: Asked) =>
    body?.quote && concerns(body.quote) ? broken : undefined
const invalid = /The answer is wrong at \(status\)/

/** A second start makes the payment pending. */
function startsAnew() {
  let starts = 0
  return ({ path, method }: Asked): Given | undefined => {
    if (path === '/payment') starts++
    return method === 'GET' && starts > 1 ? { status: 200, body: { status: 'pending' } } : undefined
  }
}

/** For each habit a provider that does not know it, and what is found. */
const faults: Record<string, [fault: (asked: Asked) => Given | undefined, reason: RegExp]> = {
  'shipping-taxed': [
    onQuote(
      ({ totals: { taxes } }) =>
        new Set(taxes.map((one: { percentage: 1 }) => one.percentage)).size < taxes.length,
    ),
    invalid,
  ],
  'discount-line': [
    onQuote(({ products }) => products.some((one: { price_excl: 1 }) => one.price_excl < 0)),
    invalid,
  ],
  'digital-line': [
    onQuote(({ products }) =>
      products.some((one: { colli: 1 }) => one.colli < 1 && typeof one.colli === 'number'),
    ),
    invalid,
  ],
  'html-line': [
    onQuote(({ products }) =>
      products.some((one: { description: string }) => one.description?.length > 5_000),
    ),
    invalid,
  ],
  'fractions-of-yen': [onQuote(({ price_incl: incl }) => !Number.isInteger(Number(incl) * 100)), invalid],
  'guest-unnamed': [({ body }) => (body?.quote && body.customer === null ? broken : undefined), invalid],
  'order-number-of-letters': [
    ({ path, body }) => (path === '/payment' && !/\d/.test(body.order.number) ? broken : undefined),
    /The payment was not started \(500\)/,
  ],
  'currency-changed': [() => undefined, /The address in answers to the starts is same, not different/],
  'changed-after-paid': [startsAnew(), /paid/],
}

test('each habit has a provider with its fault', () => {
  expect(Object.keys(faults)).toEqual(names)
})

test.each(names)('%s finds a provider that does not know it', async (name) => {
  const [fault, reason] = faults[name]!
  const status = name === 'changed-after-paid' ? 'paid' : 'pending'
  const { sandbox } = await shopWith((asked) => {
    if (asked.path === '/shipment_methods') return fault(asked) ?? { body: { shipment_methods: [method] } }
    return fault(asked) ?? (asked.method === 'GET' ? { status: 200, body: { status } } : undefined)
  })
  const run = await sandbox.run(name, { patience: 50, choose: async () => {} })
  expect(run).toMatchObject({ result: 'failed', reason: expect.stringMatching(reason) })
})

import { describe, expect, onTestFinished, test } from 'vitest'
import * as contract from '../../src/contract/index.ts'
import { createProvider, memoryStore } from '../../src/index.ts'
import {
  checkoutBody,
  estimateBody,
  forgedPushes,
  movableClock,
  paymentBody,
  startSandbox,
  type Test,
  testPaymentAdapter,
  testProvider,
  testRateAdapter,
} from '../../src/testing/index.ts'
import { testPayments } from '../../templates/full/payments.ts'
import { rates } from '../../templates/full/rates.ts'
import { withBuiltPackage } from '../built.ts'
import { plainProvider } from '../conformance/plain-provider.ts'
import { fileWith } from '../folder.ts'
import { run as runAlone } from '../journey/project.ts'

test('a provider and a shop go by one clock that the test moves', async () => {
  const clock = movableClock()
  const provider = createProvider({ store: memoryStore(), clock, payments: testPayments })
  const shop = await startSandbox(provider, { clock })
  onTestFinished(() => shop.close())
  const order = await shop.checkout().placeOrder()
  expect((await shop.returnToShop(order.id)).status).toBe('pending')
  await shop.advance('3h')
  await shop.waitForStatus(order.id, 'expired')
  expect(shop.now()).toBeGreaterThan(Date.now() + 2 * 3_600_000)
})

const { cleanBody, readMessage } = contract

test('the messages are what a platform sends, and can be read', () => {
  const changes = { language: 'de', country: 'de', zipcode: '10115', id: 7 }
  const checkout = checkoutBody(changes)
  for (const body of [checkout, estimateBody(changes), paymentBody({ id: 7 })]) cleanBody(body)
  expect(readMessage(contract.shipmentMethodsReader(), checkout)).toMatchObject({
    shop: { language: 'de' },
    shipping_address: { country: 'de', zipcode: '10115' },
    quote: { id: '7' },
  })
  const { customer } = readMessage(contract.paymentMethodsReader(), checkout)
  expect(customer.birthdate).toBe('1988-07-04')
  const estimate = readMessage(contract.shipmentEstimateReader, estimateBody(changes))
  expect(estimate.shipping_address.country).toBe('de')
  const body = paymentBody({ id: 7, amount: '10.00', method: 'bank' })
  const start = readMessage(contract.paymentStartReader(), body)
  expect(start).toMatchObject({ order: { id: '7', price_incl: '10' }, payment_method: { id: 'bank' } })
})

describe('the checker as tests, of a provider in any language', () => {
  let close = async () => {}
  testProvider({
    test,
    async open() {
      const plain = await plainProvider()
      close = plain.close
      return plain.endpoint
    },
    cases: ['shipment-methods-status', 'payment-methods-shape', 'return-paid', 'tls'],
  })
  test('and they end', () => close())

  test('a case that cannot be tried is shown as skipped, by node:test, vitest and mocha', async () => {
    const plain = await plainProvider()
    onTestFinished(plain.close)
    const source = `import { test } from 'node:test'
import { testProvider } from 'purveyor/testing'
testProvider({ test, open: () => ${JSON.stringify(plain.endpoint)}, cases: ['shipment-methods-status', 'tls'] })`
    const file = fileWith('skipped.test.mjs', source)
    const args = [...(await withBuiltPackage()), '--test', '--test-reporter=tap', file]
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = await runAlone(process.execPath, args, { env })
    expect(stdout).toMatch(/^ok \d+ - .*\(shipment-methods-status\)$/m)
    expect(stdout).toMatch(/^ok \d+ - .*\(tls\) # SKIP The endpoint is on this machine, where http is fine$/m)

    const run = async (cases: string[], how: (test: Parameters<Test>[1]) => Promise<void>) => {
      const registered: Parameters<Test>[1][] = []
      testProvider({ test: (_name, one) => registered.push(one), open: () => plain.endpoint, cases })
      await how(registered[0]!)
    }
    const reasons: (string | undefined)[] = []
    const context = { skip: (reason?: string) => reasons.push(reason) }
    await run(['tls'], (one) => one.call(undefined, context))
    await run(['tls'], (one) => one.call(context))
    await run(['shipment-methods-status'], (one) => one.call(undefined, context))
    const reason = 'The endpoint is on this machine, where http is fine'
    expect(reasons).toEqual([reason, reason])
    // A runner such as jest waits for a callback where the function takes an argument.
    await run(['tls'], async (one) => expect(one).toHaveLength(0))
  })

  test('a case that fails fails its test, with what to do', async () => {
    const plain = await plainProvider((parts) => ({
      shipmentMethods: async (body) => ({ ...(await parts.shipmentMethods(body)), status: 200 }),
    }))
    onTestFinished(plain.close)
    const runs: (() => Promise<void>)[] = []
    const cases = ['shipment-methods-status']
    testProvider({ test: (_name, run) => runs.push(run), open: () => plain.endpoint, cases })
    await expect(runs[0]!()).rejects.toThrow(
      /expected status 201, received status 200\. Answer with status 201\.\ncurl/,
    )
  })
})

const push = { body: 'text', headers: {}, query: '' }
test.each<[string, (given: never) => unknown, unknown, string]>([
  ['testProvider', testProvider, undefined, 'an object such as { test, open: () => urlEndpoint }'],
  ['testProvider', testProvider, {}, 'an object such as { test, open: () => urlEndpoint }'],
  ['testRateAdapter', testRateAdapter, undefined, 'an object such as { test, adapter }'],
  ['testRateAdapter', testRateAdapter, { test }, 'an object such as { test, adapter }'],
  ['testPaymentAdapter', testPaymentAdapter, undefined, 'an object such as { test, adapter }'],
  ['startSandbox', startSandbox, undefined, 'a provider of createProvider()'],
  ['startSandbox', startSandbox, {}, 'a provider of createProvider()'],
  ['forgedPushes', forgedPushes, undefined, 'a push such as { body: Buffer, headers, query }'],
  ['forgedPushes', forgedPushes, push, 'a push such as { body: Buffer, headers, query }'],
  ['movableClock', movableClock, 'x', 'no argument'],
])('%s() says what to pass', async (name, call, given, words) => {
  const message = expect.stringContaining(`${name}() takes ${words}`)
  const called = (async () => call(given as never))()
  await expect(called).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', message })
})

test('rates of a template, in ten lines', async () => {
  const shop = await startSandbox(createProvider({ store: memoryStore(), rates }))
  onTestFinished(() => shop.close())
  expect((await shop.checkout().shipmentMethods()).map(({ id }) => id)).toEqual(['door', 'point'])
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { checkProvider } from '../../src/conformance/index.ts'
import { pressOnPage, type SandboxOptions } from '../../src/sandbox/index.ts'
import { openShop } from '../platform/sandbox.ts'
import { type FieldProvider, namelessProvider, orderWriter } from './field-providers.ts'

async function started(make: () => Promise<FieldProvider>): Promise<FieldProvider> {
  const provider = await make()
  onTestFinished(provider.close)
  return provider
}

async function shopOf(make: () => Promise<FieldProvider>, options: SandboxOptions = {}) {
  const provider = await started(make)
  const shop = await openShop({ endpoint: provider.endpoint, ...options })
  provider.useApi(shop.api)
  const meanings = () => shop.calls.map(({ method, path, meaning }) => `${method} ${path}: ${meaning}`)
  /** What was read leniently in the last answer with payment methods. */
  const lenient = () => {
    const faults = shop.calls.findLast((call) => call.path === 'payment_methods')!.faults
    return faults.map(({ path, message }) => `${path} ${message}`)
  }
  return { shop, meanings, lenient }
}

const offered = 'POST payment_methods: The customer may choose from 2 payment methods.'

describe('a whole paid order', () => {
  test('of a provider that answers 200, without ids', async () => {
    const { shop, meanings, lenient } = await shopOf(namelessProvider)
    const checkout = shop.checkout()
    const methods = (await checkout.paymentMethods()).map(({ id, title }) => `${id} ${title}`)
    expect(methods).toEqual(['method-1 Card', 'method-2 Bank transfer'])
    const { id, paymentUrl } = await checkout.placeOrder({ paymentMethod: 'method-2' })
    expect(await (await fetch(paymentUrl!)).text()).toContain('Bank transfer')
    await pressOnPage(paymentUrl!, 'paid')
    await shop.waitForStatus(id, 'paid')
    expect((await shop.returnToShop(id)).status).toBe('paid')
    expect(meanings()).toContain(offered)
    expect(lenient()).toEqual([
      '(status) is 200, but the contract says 201',
      'payment_methods[0].id is missing',
      'payment_methods[1].id is missing',
    ])
    expect(meanings()).toContain(`GET payment/${id}: The payment of the order is paid.`)
  })

  test('of a provider whose lists are objects, labelled text/html and without prices, and that reports by PUT', async () => {
    const { shop, meanings, lenient } = await shopOf(orderWriter, { services: ['payments'] })
    const checkout = shop.checkout()
    const methods = (await checkout.paymentMethods()).map(({ id, price_incl }) => `${id} ${price_incl}`)
    expect(methods).toEqual(['bank 0', 'card 0'])
    const { id, paymentUrl } = await checkout.placeOrder({ paymentMethod: 'card' })
    const { location } = await pressOnPage(paymentUrl!, 'paid')
    // The API has reported it: nobody has returned, and no webhook came.
    expect(shop.order(id)?.status).toBe('paid')
    expect(shop.calls.filter(({ path }) => path.startsWith('webhooks/'))).toEqual([])
    expect(location).toMatch(new RegExp(`^${shop.url}/orders/${id}/return\\?`))
    expect((await shop.returnToShop(id)).status).toBe('paid')
    expect(meanings()).toContain(offered)
    expect(lenient()).toEqual([
      expect.stringMatching(/^\(content-type\) is text\/html.*, but the contract says application\/json$/),
      'payment_methods is not a list',
    ])
    const authorization = `Basic ${Buffer.from(`${shop.api.key}:${shop.api.secret}`).toString('base64')}`
    const answer = await fetch(`${shop.api.baseUrl}/en/orders/${id}.json`, { headers: { authorization } })
    expect(((await answer.json()) as { order: unknown }).order).toMatchObject({
      paymentStatus: 'paid',
      status: 'processing_awaiting_shipment',
      memo: 'Paid by card',
    })
  })
})

describe('the checker complains only of what is against the contract, each cause once', {
  timeout: 120_000,
}, () => {
  const ofNothing = expect.stringMatching(/^advice payment-start-of-nothing \(spec 3\.1\): .?pending/)
  const complaintsOf = async (make: () => Promise<FieldProvider>) => {
    const { endpoint } = await started(make)
    const { results, testOrders, about } = await checkProvider(endpoint)
    expect(testOrders.open).toBe(0)
    const complaints = results.flatMap(({ result, name, section, received }) =>
      result === 'failed' || result === 'advice' ? [`${result} ${name} (${section}): ${received}`] : [],
    )
    return { about, complaints }
  }

  test('of 200 and no ids', async () => {
    expect(await complaintsOf(namelessProvider)).toEqual({
      about: ['rates', 'payments'],
      complaints: [
        'failed shipment-methods-status (spec 4.3): status 200',
        'advice shipment-methods-id (spec 2.5): shipment_methods[0].id nothing',
        ofNothing,
      ],
    })
  })

  test('of lists as objects, the label, and the webhook that does not come', async () => {
    expect(await complaintsOf(orderWriter)).toEqual({
      about: ['payments'],
      complaints: [
        expect.stringMatching(/^failed payment-methods-list \(spec 4\.3\): \{"payment_methods":\{"1":/),
        'failed payment-methods-content-type (spec 4.3): text/html; charset=UTF-8',
        ofNothing,
        'failed webhook-called (spec 4.3): no call',
      ],
    })
  })
})

import { describe, expect, test } from 'vitest'
import { shipping } from '../../../src/sandbox/scenarios/shipping.ts'
import { type Asked, type Given, method, shopWith } from '../provider.ts'

type Answer = (asked: Asked) => Given | undefined

const kinds = [
  { ...method, id: 'door', title: 'Door' },
  { ...method, id: 'point', title: 'Point', is_servicepoint: true },
  { ...method, id: 'store', title: 'Store', is_pickup: true },
  { ...method, id: 'cod', title: 'On receipt', is_cash_on_delivery: true },
]
const list = (methods: object[] = kinds): Given => ({ body: { shipment_methods: methods } })
const broken: Given = { status: 500, body: { error: 'no' } }

/** A provider of shipping that is right, but for the requests for which `fault` answers otherwise. */
const besides =
  (fault: Answer): Answer =>
  (asked) =>
    fault(asked) ?? list()

const brokenFor =
  (concerns: (body: Asked['body']) => boolean): Answer =>
  ({ body }) =>
    concerns(body) ? broken : undefined

const brokenIn = (...countries: string[]) =>
  brokenFor(({ shipping_address: { country } }) => countries.includes(country))

/** For each scenario a fault of a provider that it must find, and the reason that it gives. */
const faults: Record<string, [fault: Answer, reason: RegExp]> = {
  'order-shipped': [() => broken, /wrong at \(status\)/],
  'service-point': [
    () => list([{ ...kinds[1]!, is_pickup: true }]),
    /The order is processing_awaiting_pickup/,
  ],
  pickup: [() => list([{ ...kinds[2]!, price_incl: 'free' }, kinds[0]!]), /wrong at shipment_methods\[0\]/],
  'cash-on-delivery': [() => list([{ ...kinds[3]!, is_pickup: true }]), /processing_awaiting_pickup/],
  letter: [brokenFor(({ quote }) => quote.weight < 100), /wrong at \(status\)/],
  'three-boxes': [brokenFor(({ quote }) => quote.colli > 1), /wrong at \(status\)/],
  heavy: [brokenFor(({ quote }) => quote.weight > 30_000), /wrong at \(status\)/],
  'dangerous-goods': [
    brokenFor(({ quote }) => quote.products.some(({ title }: { title: string }) => title.includes('UN3480'))),
    /wrong at \(status\)/,
  ],
  'high-value': [
    ({ body }) =>
      Number(body.quote.price_incl) > 400 ? list([{ ...kinds[0], price_incl: 'free' }]) : undefined,
    /wrong at shipment_methods\[0\]\.price_incl/,
  ],
  'empty-cart': [brokenFor(({ quote }) => quote.products.length === 0), /wrong at \(status\)/],
  abroad: [brokenIn('us'), /wrong at \(status\)/],
  islands: [
    ({ body }) => (body.shipping_address.zipcode === '35002' ? list([kinds[0]!, kinds[0]!]) : undefined),
    /an id that is there twice/,
  ],
  'company-customer': [brokenFor(({ customer }) => customer?.type === 'company'), /wrong at \(status\)/],
  'without-zipcode': [
    brokenFor(({ shipping_address }) => shipping_address.zipcode === ''),
    /wrong at \(status\)/,
  ],
  'nobody-known': [brokenFor(({ customer }) => customer?.lastname === ''), /wrong at \(status\)/],
  'unserved-country': [
    ({ body }) => (body.shipping_address.country === 'aq' ? { status: 404, body: {} } : undefined),
    /wrong at \(status\)/,
  ],
  'bills-elsewhere': [
    ({ body }) => (body.billing_address?.country === 'nl' ? list([kinds[0]!]) : undefined),
    /The lists of methods is different, not same/,
  ],
  'other-language': [
    ({ body }) => (body.shop.language === 'nl' ? list([{ ...kinds[0], id: 'deur' }]) : undefined),
    /The lists of methods is different, not same/,
  ],
  'other-currency': [brokenFor(({ shop }) => shop.currency === 'jpy'), /wrong at \(status\)/],
  'answer-lost': [
    (() => {
      let calls = 0
      // Answers the first time only, as one whose ids are used up.
      return () => (++calls > 1 ? list([{ ...kinds[0], id: `door-${calls}` }]) : undefined)
    })(),
    /The lists of methods is some, not same/,
  ],
  'invalid-list-dropped': [
    () => list([kinds[0]!, { title: 'Broken' }]),
    /The lists of methods is none, not some/,
  ],
  'rates-refused-200': [() => ({ ...list(), status: 200 }), /The lists of methods is none, not some/],
}

describe('each scenario of shipping', () => {
  test('has a provider with its fault', () => {
    expect(Object.keys(faults)).toEqual(shipping.map(({ name }) => name))
  })

  test.each(shipping.map(({ name }) => name))(
    '%s passes without a payment service, and finds its fault',
    async (name) => {
      const right = await shopWith(() => list(), { services: ['rates'] })
      expect(await right.sandbox.run(name, { patience: 50 })).toMatchObject({
        result: 'passed',
        reason: undefined,
      })
      const [fault, reason] = faults[name]!
      const wrong = await shopWith(besides(fault), { services: ['rates'] })
      expect(await wrong.sandbox.run(name, { patience: 50 })).toMatchObject({
        result: 'failed',
        reason: expect.stringMatching(reason),
      })
    },
  )

  test('leaves the cart of the shop as it is, and asks no payment service', async () => {
    const { sandbox, asked } = await shopWith(({ path }) =>
      path === '/shipment_methods' ? list() : undefined,
    )
    await sandbox.checkout().shipmentMethods()
    const before = asked.at(-1)!.body.quote.products
    for (const name of ['heavy', 'empty-cart', 'pickup']) await sandbox.run(name, { patience: 50 })
    await sandbox.checkout().shipmentMethods()
    expect(asked.at(-1)!.body.quote.products).toEqual(before)
    expect(asked.map(({ path }) => path)).not.toContain('/payment')
  })

  test.each([
    ['pickup', 'The provider has no pickup shipment method'],
    ['cash-on-delivery', 'The provider has no cash on delivery shipment method'],
  ])('%s is skipped where no method is of its kind', async (name, reason) => {
    const { sandbox } = await shopWith(() => list([kinds[0]!]), { services: ['rates'] })
    expect(await sandbox.run(name)).toMatchObject({ result: 'skipped', reason })
  })
})

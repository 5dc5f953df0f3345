import { describe, expect, test } from 'vitest'
import { scenarios } from '../../../src/sandbox/index.ts'
import { type Asked, at, type Given, method, shopWith } from '../provider.ts'

type Answer = (asked: Asked) => Given | undefined

const kinds = [
  { ...method, id: 'door', title: 'Door' },
  { ...method, id: 'point', title: 'Point', is_servicepoint: true },
  { ...method, id: 'store', title: 'Store', is_pickup: true },
  { ...method, id: 'cod', title: 'On receipt', is_cash_on_delivery: true },
]
const list = (methods: unknown[] = kinds): Given => ({ body: { shipment_methods: methods } })
const broken: Given = { status: 500, body: { error: 'no' } }

/** Faults for some requests. */
const brokenFor =
  (concerns: (body: Asked['body']) => boolean): Answer =>
  ({ body }) =>
    concerns(body) ? broken : undefined

const listFor =
  (concerns: (body: Asked['body']) => boolean, methods: unknown[]): Answer =>
  ({ body }) =>
    concerns(body) ? list(methods) : undefined

/** For each scenario a fault of a provider that it must find, and the reason that it gives. */
const status = /wrong at \(status\)/
const isFree = { ...kinds[0], price_incl: 'free' }
const differ = /The lists of methods is different, not same/
const all = scenarios.map(({ name }) => name)
const shipping = all.slice(all.indexOf('order-shipped'))
let calls = 0
const faults: Record<string, [fault: Answer, reason: RegExp]> = {
  'order-shipped': [() => broken, status],
  'service-point': [
    () => list([{ ...kinds[1], is_pickup: true }]),
    /The order is processing_awaiting_pickup/,
  ],
  pickup: [() => list([{ ...kinds[2], price_incl: 'free' }, kinds[0]!]), /wrong at shipment_methods\[0\]/],
  'cash-on-delivery': [() => list([{ ...kinds[3], is_pickup: true }]), /processing_awaiting_pickup/],
  letter: [brokenFor(({ quote }) => quote.weight < 100), status],
  'three-boxes': [brokenFor(({ quote }) => quote.colli > 1), status],
  heavy: [brokenFor(({ quote }) => quote.weight > 30_000), status],
  'dangerous-goods': [brokenFor(({ quote }) => JSON.stringify(quote.products).includes('UN3480')), status],
  'high-value': [
    listFor(({ quote }) => Number(quote.price_incl) > 400, [isFree]),
    /wrong at shipment_methods\[0\]\.price_incl/,
  ],
  'empty-cart': [brokenFor(({ quote }) => quote.products.length === 0), status],
  abroad: [brokenFor(({ shipping_address }) => shipping_address.country === 'us'), status],
  islands: [
    listFor(({ shipping_address }) => shipping_address.zipcode === '35002', [kinds[0], kinds[0]]),
    /an id that is there twice/,
  ],
  'company-customer': [brokenFor(({ customer }) => customer?.type === 'company'), status],
  'without-zipcode': [brokenFor(({ shipping_address }) => shipping_address.zipcode === ''), status],
  'nobody-known': [brokenFor(({ customer }) => customer?.lastname === ''), status],
  'unserved-country': [
    ({ body }) => (body.shipping_address.country === 'aq' ? { status: 404, body: {} } : undefined),
    status,
  ],
  'bills-elsewhere': [
    listFor(({ billing_address }) => billing_address?.country === 'nl', [kinds[0]]),
    differ,
  ],
  'other-language': [listFor(({ shop }) => shop.language === 'nl', [{ ...kinds[0], id: 'deur' }]), differ],
  'other-currency': [brokenFor(({ shop }) => shop.currency === 'jpy'), status],
  // Answers the first time only, as one whose ids are used up.
  'answer-lost': [
    () => (++calls > 1 ? list([{ ...kinds[0], id: `door-${calls}` }]) : undefined),
    /The lists of methods is some, not same/,
  ],
  'invalid-list-dropped': [
    () => list([kinds[0], { title: 'Broken' }]),
    /The lists of methods is none, not some/,
  ],
  'rates-refused-200': [() => ({ ...list(), status: 200 }), /The lists of methods is none, not some/],
}

describe('each scenario of shipping', () => {
  test('has a provider with its fault', () => {
    expect(Object.keys(faults)).toEqual(shipping)
  })

  const names = shipping
  test.each(names)('%s passes without a payment service, and finds its fault', async (name) => {
    const runBeside = async (answer: Answer) =>
      (await shopWith(answer, { services: ['rates'] })).sandbox.run(name, { patience: 50 })
    expect(await runBeside(() => list())).toMatchObject({ result: 'passed', reason: undefined })
    const [fault, reason] = faults[name]!
    const failed = { result: 'failed', reason: expect.stringMatching(reason) }
    expect(await runBeside((asked) => fault(asked) ?? list())).toMatchObject(failed)
  })

  test('leaves the cart of the shop as it is, and asks no payment service', async () => {
    const { sandbox, asked } = await shopWith(at('/shipment_methods', list()))
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

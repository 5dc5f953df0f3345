import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { shopWith } from './provider.ts'

type Call = (sandbox: Sandbox) => unknown

const wrong: [string, Call, string][] = [
  [
    'a misspelt field of an address',
    (shop) => shop.checkout({ address: { contry: 'de' } } as never),
    'checkout(): address.contry is not an option: did you mean country?',
  ],
  [
    'a misspelt field of a customer and one of a billing address',
    (shop) => shop.checkout({ customer: { fristname: 'Ann' }, billing: { zipcod: '1' } } as never),
    'checkout(): customer.fristname is not an option: did you mean firstname?, billing.zipcod is not an option: did you mean zipcode?',
  ],
  [
    'a misspelt option',
    (shop) => shop.checkout({ adress: {} } as never),
    'checkout(): adress is not an option: did you mean address?',
  ],
  [
    'options that are a word',
    (shop) => shop.checkout('nl' as never),
    'checkout(): options must be an object',
  ],
  [
    'an address that is a word',
    (shop) => shop.checkout({ address: 'de' } as never),
    'checkout(): address must be an object',
  ],
  [
    'a country by its name',
    (shop) => shop.checkout({ address: { country: 'Germany' } }),
    'checkout(): address.country is not a country: write de',
  ],
  [
    'a country that there is not',
    (shop) => shop.checkout({ billing: { country: 'uk' } }),
    'checkout(): billing.country is not a country: write gb',
  ],
  [
    'a zipcode that is a number',
    (shop) => shop.checkout({ address: { zipcode: 1016 } } as never),
    'checkout(): address.zipcode must be text',
  ],
  [
    'a language in capitals',
    (shop) => shop.checkout({ language: 'EN' }),
    'checkout(): language must be two small letters, such as nl',
  ],
  [
    'a currency that is a word',
    (shop) => shop.checkout({ currency: 'euro' }),
    'checkout(): currency must be a code such as eur',
  ],
  [
    'a payment in the shop that is a word',
    (shop) => shop.checkout({ ownPayment: 'yes' } as never),
    'checkout(): ownPayment must be true or false',
  ],
  [
    'an estimate to nowhere',
    (shop) => (shop.estimate as () => unknown)(),
    'estimate(): address must be an object',
  ],
  [
    'an estimate with a misspelt field',
    (shop) => shop.estimate({ country: 'nl', zipcod: '1016GV' } as never),
    'estimate(): address.zipcod is not an option: did you mean zipcode?',
  ],
  [
    'an estimate without a zipcode',
    (shop) => shop.estimate({ country: 'nl' } as never),
    'estimate(): address.zipcode is missing',
  ],
  [
    'an estimate to a country by its name',
    (shop) => shop.estimate({ country: 'Belgium', zipcode: '2000' }),
    'estimate(): address.country is not a country: write be',
  ],
  [
    'an estimate in a language that is a word',
    (shop) => shop.estimate({ country: 'nl', zipcode: '1016GV' }, 'Dutch'),
    'estimate(): language must be two small letters, such as nl',
  ],
  [
    'an estimate of a misspelt cart',
    (shop) => shop.estimate({ country: 'nl', zipcode: '1016GV' }, 'nl', { line: [] } as never),
    'estimate(): options.line is not an option: did you mean lines?',
  ],
  [
    'an order with a misspelt choice',
    (shop) => shop.checkout().placeOrder({ paymentMethd: 'card' } as never),
    'placeOrder(): paymentMethd is not an option: did you mean paymentMethod?',
  ],
  [
    'an order with a misspelt correction',
    (shop) => shop.checkout().placeOrder({ customer: { mail: 'a@b.example' } } as never),
    'placeOrder(): customer.mail is not an option: did you mean email?',
  ],
]

describe('the calls of a customer refuse by name', () => {
  test.each(wrong)('%s', async (_what, call, says) => {
    const { sandbox, asked } = await shopWith(() => undefined)
    const refused = (async () => call(sandbox))()
    await expect(refused).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', message: says })
    expect(asked).toEqual([])
  })

  test('a misspelt choice when an order is paid again, and a misspelt time to wait', async () => {
    const { sandbox } = await shopWith(() => undefined)
    const { id } = await sandbox.checkout().placeOrder()
    await expect(sandbox.payAgain(id, { shipmentMethd: 'door' } as never)).rejects.toThrow(
      'payAgain(): shipmentMethd is not an option: did you mean shipmentMethod?',
    )
    await expect((async () => sandbox.waitForStatus(id, 'paid', { timout: 5 } as never))()).rejects.toThrow(
      'waitForStatus(): timout is not an option: did you mean timeout?',
    )
    await expect((async () => sandbox.waitForStatus(id, 'payed' as never))()).rejects.toThrow(
      'waitForStatus(): status "payed" is not known: did you mean paid?',
    )
  })

  test('a service with a misspelt member or an unknown type', async () => {
    const { sandbox, endpoint } = await shopWith(() => undefined)
    const service = { type: 'shipment', name: 'Second', urlEndpoint: endpoint } as const
    const registering = (more: object) => () => sandbox.register({ ...service, ...more } as never)
    expect(registering({ isActiv: false })).toThrow(
      'register(): isActiv is not an option: did you mean isActive?',
    )
    expect(registering({ type: 'rates' })).toThrow('register(): type must be shipment or payment')
    expect(sandbox.services).toHaveLength(2)
  })
})

test("a scenario of one's own with a misspelt step or field is refused by name", async () => {
  const { sandbox } = await shopWith(() => undefined)
  const running = (step: object) =>
    sandbox.run({ name: 'own', title: 'Own', needs: ['payments'], steps: [{ order: {} }, step as never] })
  for (const [step, says] of [
    [{ ordr: {} }, 'run(): steps[1]: ordr is not an option: did you mean order?'],
    [{ order: { contry: 'be' } }, 'run(): steps[1]: order.contry is not an option: did you mean country?'],
    [
      { checkout: { customer: 'bee' } },
      'run(): steps[1]: checkout.customer "bee" is not known: did you mean be?',
    ],
    [{ expect: { ordr: 'paid' } }, 'run(): steps[1]: expect.ordr is not an option: did you mean order?'],
    [{ estimate: { country: 'Belgium' } }, 'run(): steps[1]: estimate.country is not a country: write be'],
  ] as const)
    await expect(running(step)).rejects.toThrow(says)
})

test('an undefined field is not given, and capitals of a country are small letters', async () => {
  const { sandbox, asked } = await shopWith(() => undefined)
  await sandbox
    .checkout({ address: { country: 'DE', city: undefined }, customer: { email: undefined } } as never)
    .shipmentMethods()
  expect(asked.at(-1)!.body.shipping_address).toMatchObject({ country: 'de', city: 'Amsterdam' })
  expect(asked.at(-1)!.body.customer.email).toMatch('@')
  await sandbox.estimate({ country: 'BE', zipcode: '2000' })
  expect(asked.at(-1)!.body.shipping_address).toMatchObject({ country: 'be', zipcode: '2000' })
})

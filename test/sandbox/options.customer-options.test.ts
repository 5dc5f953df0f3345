import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { shopWith } from './provider.ts'

const amsterdam = { country: 'nl', zipcode: '1016GV' }

describe('the calls of a customer refuse by name', () => {
  const refuses = async (call: (shop: Sandbox) => unknown, says: string) => {
    const { sandbox, asked } = await shopWith()
    const refused = (async () => call(sandbox))()
    await expect(refused).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', message: says })
    expect(asked).toEqual([])
  }

  test.each([
    [{ address: { contry: 'de' } }, 'address.contry is not an option: did you mean country?'],
    [
      { customer: { fristname: 'Ann' }, billing: { zipcod: '1' } },
      'customer.fristname is not an option: did you mean firstname?, billing.zipcod is not an option: did you mean zipcode?',
    ],
    ['nl', 'options must be an object'],
    [{ address: { country: 'Germany' } }, 'address.country is not a country: write de'],
    [{ language: 'EN' }, 'language must be two small letters, such as nl'],
    [{ currency: 'euro' }, 'currency must be a code such as eur'],
  ])('a checkout with %j', async (options, says) => {
    await refuses((shop) => shop.checkout(options as never), `checkout(): ${says}`)
  })

  test.each<[unknown[], string]>([
    [[], 'address must be an object'],
    [[{ country: 'nl' }], 'address.zipcode is missing'],
    [[amsterdam, 'nl', { line: [] }], 'options.line is not an option: did you mean lines?'],
  ])('an estimate with %j', async (args, says) => {
    const estimate = (shop: Sandbox) => (shop.estimate as (...given: unknown[]) => unknown)(...args)
    await refuses(estimate, `estimate(): ${says}`)
  })

  test.each([
    [{ paymentMethd: 'card' }, 'paymentMethd is not an option: did you mean paymentMethod?'],
    [{ customer: { mail: 'a@b.example' } }, 'customer.mail is not an option: did you mean email?'],
  ])('an order with %j', async (options, says) => {
    await refuses((shop) => shop.checkout().placeOrder(options as never), `placeOrder(): ${says}`)
  })

  test('a misspelt choice when an order is paid again, and a misspelt time to wait', async () => {
    const { sandbox } = await shopWith()
    const { id } = await sandbox.checkout().placeOrder()
    const refused = (call: () => unknown) => expect((async () => call())()).rejects
    await refused(() => sandbox.payAgain(id, { shipmentMethd: 'door' } as never)).toThrow(
      'payAgain(): shipmentMethd is not an option: did you mean shipmentMethod?',
    )
    await refused(() => sandbox.waitForStatus(id, 'paid', { timout: 5 } as never)).toThrow(
      'waitForStatus(): timout is not an option: did you mean timeout?',
    )
    await refused(() => sandbox.waitForStatus(id, 'payed' as never)).toThrow(
      'waitForStatus(): status "payed" is not known: did you mean paid?',
    )
  })

  test('a service with a misspelt member or an unknown type', async () => {
    const { sandbox, endpoint } = await shopWith()
    const service = { type: 'shipment', name: 'Second', urlEndpoint: endpoint } as const
    const registering = (more: object) => () => sandbox.register({ ...service, ...more } as never)
    const misspelt = registering({ isActiv: false })
    expect(misspelt).toThrow('register(): isActiv is not an option: did you mean isActive?')
    expect(registering({ type: 'rates' })).toThrow('register(): type must be shipment or payment')
    expect(sandbox.services).toHaveLength(2)
  })
})

test('an undefined field is not given, and capitals of a country are small letters', async () => {
  const { sandbox, asked } = await shopWith()
  await sandbox
    .checkout({ address: { country: 'DE', city: undefined }, customer: { email: undefined } } as never)
    .shipmentMethods()
  expect(asked.at(-1)!.body.shipping_address).toMatchObject({ country: 'de', city: 'Amsterdam' })
  expect(asked.at(-1)!.body.customer.email).toMatch('@')
  await sandbox.estimate({ country: 'BE', zipcode: '2000' })
  expect(asked.at(-1)!.body.shipping_address).toMatchObject({ country: 'be', zipcode: '2000' })
})

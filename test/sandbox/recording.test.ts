import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../folder.ts'
import { method, shopWith } from './provider.ts'

const personal = {
  customer: { firstname: 'Wilhelmina', lastname: 'Zonnebloem', email: 'mina@zonnebloem.example' },
  address: { address1: 'Kerkstraat', number: '77', zipcode: '3512XK', city: 'Utrecht' },
}

const recorded = ['0001-shipment_methods', '0002-payment_methods', '0003-payment', '0004-payment_status'].map(
  (name) => `${name}.json`,
)

test('a session is kept without the people in it, and the same people have the same stand-ins', async () => {
  const folder = join(folderWith(), 'session')
  const { sandbox } = await shopWith(({ path, body }) => {
    if (path !== '/shipment_methods') return undefined
    const title = `To ${body.customer.lastname} in ${body.shipping_address.city}`
    return { body: { shipment_methods: [{ ...method, title }] } }
  })
  const stop = sandbox.record(folder)
  const order = await sandbox.checkout(personal).placeOrder({ data: { iban: 'NL91ABNA0417164300' } })
  await sandbox.returnToShop(order.id)
  stop()
  await sandbox.checkout(personal).shipmentMethods()

  const names = readdirSync(folder).sort()
  expect(names).toEqual(recorded)
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  const secrets = `Wilhelmina Zonnebloem zonnebloem Kerkstraat Utrecht 3512XK "77" NL91 battery 1988 583970400
    127.0.0.1 /e/token`
  for (const secret of secrets.split(/\s+/)) expect(text, secret).not.toContain(secret)
  const [rates, , payment] = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const { customer, shipping_address } = rates.request
  expect(rates.answer.shipment_methods[0].title).toBe(`To ${customer.lastname} in ${shipping_address.city}`)
  // Values that rates depend on, and empty values, stay unchanged.
  expect(shipping_address).toMatchObject({ country: 'nl', zipcode: '3512AA', address2: null })
  expect(rates.request.quote.products[0].title).toBe('Stoneware mug')
  expect(payment.request.customer.email).toBe(customer.email)
  expect(payment.request.order).toMatchObject({ id: order.id, price_incl: '59.2300' })
})

test('it is replayed with new orders, and what is answered otherwise is shown by path', async () => {
  const folder = join(folderWith(), 'session')
  const { sandbox } = await shopWith()
  const stop = sandbox.record(folder)
  const order = await sandbox.checkout().placeOrder()
  await sandbox.returnToShop(order.id)
  stop()

  const other = await shopWith(({ path, method: verb }) => {
    if (path === '/shipment_methods')
      return { body: { shipment_methods: [{ ...method, price_incl: 7, is_pickup: true }] } }
    if (verb === 'GET') return { status: 404, body: {} }
    return path === '/payment' ? { body: { payment_url: 'https://psp.example/another' } } : undefined
  })
  const replayed = await other.sandbox.replay(folder)
  expect(replayed.map(({ name }) => name)).toEqual(recorded)
  const differences = replayed.map(({ differences }) =>
    differences.map(({ path, recorded, answered }) => [path, recorded, answered]),
  )
  const ofMethods = [
    ['shipment_methods[0].price_incl', 6.05, 7],
    ['shipment_methods[0].is_pickup', undefined, true],
  ]
  const ofStatus = [
    ['(status)', 200, 404],
    ['status', 'pending', undefined],
  ]
  expect(differences).toEqual([ofMethods, [], [], ofStatus])
  const [start, status] = other.asked.slice(-2)
  expect(start?.body.order.id).not.toBe(order.id)
  expect(status?.path).toBe(`/payment/${start?.body.order.id}`)
  expect(start?.body.webhook_url).toContain(other.sandbox.url)
})

test.each(['taken', 'taken/calls'])(
  '%s, where a file lies, is refused as the folder of a recording',
  async (name) => {
    const { sandbox } = await shopWith()
    const folder = folderWith({ taken: '' })
    const message = expect.stringContaining(`${join(folder, name)} cannot hold a recording (E`)
    const refused = expect.objectContaining({ code: 'ARGUMENT_INVALID', message })
    expect(() => sandbox.record(join(folder, name))).toThrow(refused)
    await expect(sandbox.replay(join(folder, 'taken'))).rejects.toThrow(/taken is a file: name a folder/)
  },
)

test('a folder without a recording is named as such', async () => {
  const { sandbox } = await shopWith()
  const folder = join(folderWith(), 'session')
  await expect(sandbox.replay(folder)).rejects.toMatchObject({ code: 'RECORDING_UNUSABLE' })
  sandbox.record(folder)()
  await expect(sandbox.replay(folder)).rejects.toThrow(/holds no recorded calls/)
  const file = join(folder, '0001-payment.json')
  for (const text of ['', 'x', '{"method":"DELETE"}']) {
    writeFileSync(file, text)
    const says = `${file} is not a recorded call. Remove it, or record`
    await expect(sandbox.replay(folder)).rejects.toThrow(says)
  }
  rmSync(file)
  mkdirSync(file)
  const refused = { code: 'RECORDING_UNUSABLE', message: `${file} is a folder: remove it.` }
  await expect(sandbox.replay(folder)).rejects.toMatchObject(refused)
})

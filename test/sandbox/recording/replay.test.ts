import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider, html, memoryStore, type PaymentAdapter } from '../../../src/index.ts'
import { flatRate } from '../../../src/rates/index.ts'
import { pressOnPage, type Scenario, scenarios } from '../../../src/sandbox/index.ts'
import { movableClock, startSandbox } from '../../../src/testing/index.ts'
import { folderWith } from '../../folder.ts'
import { isLong } from '../../long.ts'

const ends = ['paid', 'pending', 'expired', 'cancelled'] as const
const pages: PaymentAdapter = {
  name: 'pages',
  methods: () => [{ id: 'page', title: 'Page' }],
  start: () => ({ page: true }),
  page: {
    render: () =>
      html`<form method="post">${ends.map((end) => html`<button name="end" value="${end}">${end}</button>`)}</form>`,
    submit: ({ end }, { attempt: { amount, currency } }) =>
      end === 'paid' ? { status: 'paid', amount, currency } : { status: end as 'pending' },
  },
}

/** A shop beside a provider whose clock it moves. */
async function shopWithPrice(price = '5.00') {
  const clock = movableClock()
  const provider = createProvider({
    store: memoryStore(),
    // The webhooks of a replay find no order.
    logger: pino({ level: 'silent' }),
    clock,
    payments: pages,
    rates: {
      adapters: [flatRate({ id: 'home', title: 'Home', excl: price, taxRate: '0.21' })],
      units: { weight: 'g' },
    },
  })
  const shop = await startSandbox(provider, { clock })
  onTestFinished(() => shop.close())
  return shop
}

async function recording(folder = join(folderWith(), 'session')) {
  const shop = await shopWithPrice()
  return { folder, shop, stop: shop.record(folder) }
}

/** What another shop sees when it replays a folder. */
const replayed = async (folder: string, price?: string) => (await shopWithPrice(price)).replay(folder)

/** All scenarios, or every third one in the short form. */
const some: readonly Scenario[] = scenarios.filter((_, place) => isLong || place % 3 === 0)

test('a recorded run of scenarios is equal when it is replayed at once, and another price is all that differs', {
  timeout: 240_000,
}, async () => {
  const { folder, shop, stop } = await recording()
  for (const one of some) await shop.run(one)
  stop()
  const files = readdirSync(folder)
  expect(files.some((name) => name.endsWith('-customer.json'))).toBe(true)
  expect(files.some((name) => name.endsWith('-clock.json'))).toBe(true)

  const again = await replayed(folder)
  expect(again.filter(({ differences }) => differences.length > 0)).toEqual([])
  const compared = again.filter(({ notCompared }) => notCompared === undefined)
  expect(compared.length).toBeGreaterThan(again.length * 0.8)

  const changed = await replayed(folder, '6.00')
  const differing = changed.filter(({ differences }) => differences.length > 0)
  const hasPrice = (name: string) => readFileSync(join(folder, name), 'utf8').includes('"price_excl": 5,')
  const withPrice = changed.filter(({ name, notCompared }) => !notCompared && hasPrice(name))
  expect(differing.map(({ name }) => name)).toEqual(withPrice.map(({ name }) => name))
  expect(differing.length).toBeGreaterThan(5)
  const paths = new Set(differing.flatMap(({ differences }) => differences.map(({ path }) => path)))
  expect([...paths].sort()).toEqual(['shipment_methods[0].price_excl', 'shipment_methods[0].price_incl'])
})

test('an answer that the shop lost is sent again, and not compared', async () => {
  const { folder, shop, stop } = await recording()
  shop.set({ answers: 'dropNext' })
  await shop.estimate({ zipcode: '1016GV', country: 'nl' })
  stop()
  const lost = { differences: [], notCompared: expect.stringContaining('was lost') }
  expect(await replayed(folder)).toEqual([expect.objectContaining(lost)])
})

test('two recordings in one folder have orders of their own', async () => {
  const folder = join(folderWith(), 'session')
  for (const end of ['paid', 'cancelled'] as const) {
    const { shop, stop } = await recording(folder)
    const run = await shop.run({ name: end, title: end, needs: [], steps: [{ order: {} }, { choose: end }] })
    await shop.returnToShop(run.orderId!)
    stop()
    expect(shop.order(run.orderId!)?.number).toBe('ORD01001')
  }
  const again = await replayed(folder)
  expect(again.filter(({ differences, notCompared }) => differences.length > 0 || notCompared)).toEqual([])
  expect(new Set(again.map(({ name }) => name)).size).toBe(again.length)
})

test('a status of a customer whose choice nobody recorded is not compared, and other answers are', async () => {
  const { folder, shop, stop } = await recording()
  const order = await shop.checkout().placeOrder()
  await pressOnPage(order.paymentUrl!, 'paid')
  await shop.waitForStatus(order.id, 'paid')
  stop()
  const again = await replayed(folder)
  expect(again.flatMap(({ differences }) => differences)).toEqual([])
  expect(again.at(-1)?.notCompared).toContain('depends on the customer')

  const [start = ''] = readdirSync(folder).filter((name) => name.endsWith('-payment.json'))
  const file = join(folder, start)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"status": 201', '"status": 200'))
  const changed = await replayed(folder)
  expect(changed.filter(({ differences }) => differences.length > 0).map(({ name }) => name)).toEqual([start])
})

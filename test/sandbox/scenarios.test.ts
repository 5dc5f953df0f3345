import { describe, expect, onTestFinished, test } from 'vitest'
import { createProvider, html, memoryStore, type PaymentAdapter } from '../../src/index.ts'
import { pressOnPage, type Scenario, scenarios } from '../../src/sandbox/index.ts'
import { wordsOf } from '../../src/sandbox/scenarios/scenario.ts'
import { listening } from '../platform/sandbox.ts'
import { shopWith } from './provider.ts'

describe('the scenarios as data', () => {
  test('there are at least twenty, each with a name of its own and a sentence', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(20)
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
    for (const { name, title } of scenarios) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(title).toMatch(/^[A-Z]/)
    }
  })

  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s ends in what must hold of order and provider, and has words for every step',
    (_name, { steps }) => {
      expect(steps.at(-1)).toMatchObject({
        expect: { order: expect.any(String), provider: expect.any(String) },
      })
      for (const step of steps) expect(wordsOf(step)).toMatch(/^[A-Z].{5}/)
    },
  )
})

/** A provider with a page to choose on, whose answers can be made wrong. */
async function shopBeside(change: Partial<PaymentAdapter> = {}) {
  const adapter: PaymentAdapter = {
    name: 'pages',
    methods: () => [{ id: 'page', title: 'Page' }],
    start: () => ({ page: true }),
    page: {
      render: () =>
        html`<form method="post"><button name="end" value="paid">Pay</button><button name="end" value="expired">Expired</button></form>`,
      submit: ({ end }, { attempt: { amount, currency } }) =>
        end === 'paid' ? { status: 'paid', amount, currency } : { status: 'expired' },
    },
    ...change,
  }
  const provider = createProvider({ store: memoryStore(), payments: adapter })
  onTestFinished(() => provider.stop())
  const { endpoint } = await provider.listen({ port: 0 })
  return listening({ endpoint, services: provider.services })
}

const scenario = (steps: Scenario['steps']): Scenario => ({
  name: 'own',
  title: 'Own',
  needs: ['payment'],
  steps,
})

describe('a scenario that is played', () => {
  test('passes against a provider that does its part, and leaves the switches as they were', async () => {
    const shop = await shopBeside()
    shop.set({ webhook: 'refused' })
    const run = await shop.run('returns-twice')
    expect(run).toMatchObject({ result: 'passed', reason: undefined, orderId: 1001 })
    expect(shop.order(1001)?.status).toBe('paid')
    expect(shop.switches.find(({ name }) => name === 'webhook')?.value).toBe('refused')
  })

  test('fails with what was seen instead of what must hold', async () => {
    const shop = await shopBeside()
    const steps: Scenario['steps'] = [
      { order: {} },
      { choose: 'expired' },
      { customer: 'returns' },
      { expect: { order: 'paid' } },
    ]
    expect(await shop.run(scenario(steps), { patience: 50 })).toMatchObject({
      result: 'failed',
      reason: 'The order is expired, not paid',
      steps: steps.map(wordsOf),
    })
  })

  test('fails where a page takes the money twice or an answer is wrong', async () => {
    const { sandbox } = await shopWith(({ method, path, body }) => {
      if (method === 'GET') return { status: 200, body: { status: 'pending' } }
      // A new address for every start.
      return path === '/payment'
        ? { body: { payment_url: `https://psp.example/${body.order.id}/${Math.random()}` } }
        : undefined
    })
    const choose = async () => {}
    expect(await sandbox.run('start-doubled', { patience: 50, choose })).toMatchObject({
      result: 'failed',
      reason: 'The address in answers to the starts is different, not same',
    })
    expect(await sandbox.run('paid', { patience: 50, choose })).toMatchObject({
      result: 'failed',
      reason: 'The order is pending, not paid',
    })
  })

  test.each<[string, Scenario, RegExp]>([
    ['rates', { ...scenario([]), needs: ['shipment'] }, /No active service is registered for shipment/],
    ['a clock that moves', scenario([{ move: '2h' }]), /clock of this provider cannot be moved/],
    ['a page', scenario([{ order: {} }, { choose: 'pending' }]), /no button or link "pending"/],
    [
      'a second method',
      scenario([{ order: { shipment: 'servicepoint' } }]),
      /no servicepoint shipment method/,
    ],
  ])('is skipped with its reason where the provider lacks %s', async (_what, given, reason) => {
    const shop = await shopBeside()
    expect(await shop.run(given)).toMatchObject({ result: 'skipped', reason: expect.stringMatching(reason) })
  })

  test('never rejects, whatever the provider answers', async () => {
    const { sandbox } = await shopWith(() => ({ body: '<h1>Welcome</h1>' }))
    const run = await sandbox.run('paid', { patience: 20 })
    expect(run).toMatchObject({
      result: 'failed',
      reason: expect.stringContaining('offers no payment method'),
    })
  })

  test('that there is not is named', async () => {
    const shop = await shopBeside()
    await expect(shop.run('nothing')).rejects.toThrow('There is no scenario "nothing"')
  })
})

test('a button is found by its value or its words; without one nothing is pressed', async () => {
  const shop = await shopBeside()
  const { paymentUrl } = await shop.checkout().placeOrder()
  await expect(pressOnPage(paymentUrl!, 'cancelled')).rejects.toMatchObject({
    code: 'PAGE_BUTTON_MISSING',
  })
  await pressOnPage(paymentUrl!, 'pay')
  expect((await shop.returnToShop(1001)).status).toBe('paid')
})

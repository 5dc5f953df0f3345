import { describe, expect, onTestFinished, test } from 'vitest'
import { bankTransfer } from '../../examples/payment-bank-transfer/provider.ts'
import type { PaymentAdapter, ProviderOptions } from '../../src/index.ts'
import { createProvider, html, memoryStore, none, price, rateAdapter } from '../../src/index.ts'
import {
  pressOnPage,
  type RunOptions,
  type Scenario,
  type ScenarioRun,
  scenarios,
} from '../../src/sandbox/index.ts'
import { wordsOf } from '../../src/sandbox/scenarios/scenario.ts'
import { movableClock, startSandbox } from '../../src/testing/index.ts'
import { courier, tariff } from '../../templates/rates/rates.ts'
import { listening } from '../listening.ts'
import { openShop } from '../platform/sandbox.ts'
import { at, method, saying, shopWith } from './provider.ts'

const asFailed = (reason: string) => ({ result: 'failed', reason })
const asSkipped = (reason: string) => ({ result: 'skipped', reason })

describe('the scenarios as data', () => {
  test('there are at least twenty, each with a name of its own and a sentence', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(20)
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
    for (const { name, title } of scenarios) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(title).toMatch(/^[A-Z]/)
    }
  })

  test.each(scenarios)('$name ends in what must hold, and has words for every step', ({ steps }) => {
    const last = steps.at(-1)!
    expect('expect' in last || 'pay' in last).toBe(true)
    for (const step of steps) expect(wordsOf(step)).toMatch(/^[A-Z].{5}/)
  })
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
  const { provider, endpoint } = await listening({ payments: adapter })
  return openShop({ endpoint, services: provider.services })
}

const scenario = (steps: Scenario['steps'], needs: Scenario['needs'] = ['payments']): Scenario => ({
  ...{ name: 'own', title: 'Own', needs, steps },
})

describe('all scenarios', () => {
  const units = { weight: 'g' } as const
  /** The results of all scenarios beside a provider, by name. */
  const playAll = async (options: Partial<ProviderOptions>, where: RunOptions = {}) => {
    const clock = movableClock()
    const provider = createProvider({ store: memoryStore(), clock, ...options } as ProviderOptions)
    const shop = await startSandbox(provider, { clock })
    onTestFinished(() => shop.close())
    const runs: ScenarioRun[] = []
    for (const one of scenarios) runs.push(await shop.run(one, where))
    const named = (result: string) => runs.filter((run) => run.result === result).map(({ name }) => name)
    const asked = shop.calls.map(({ request }) => Object(request).shipping_address)
    return { passed: named('passed'), failed: named('failed'), skipped: named('skipped'), asked }
  }

  /** Delivers in Germany only, for prices in one currency. */
  const germany = rateAdapter({
    name: 'kurier',
    estimate: 'quote',
    quote: ({ shop: { currency }, shipping_address: { country } }) =>
      country === 'de' && currency === 'chf'
        ? [{ id: 'kurier', title: 'Kurier', ...price({ excl: '9.90', taxRate: '0.19', currency }) }]
        : none('not there'),
  })

  test.each([
    [{ country: 'xx' }, /country is not a country: write two letters/],
    [{ country: 'de', zipcode: '1016GV' }, /zipcode "1016GV" cannot be one of country de/],
    [{ currency: 'eux' }, /currency must be a code such as eur/],
  ])('are not played at %o', async (where, message) => {
    const shop = await openShop({})
    const refused = { code: 'ARGUMENT_INVALID', message: expect.stringMatching(message) }
    await expect(shop.run('asked-twice', where)).rejects.toMatchObject(refused)
  })

  test('of shipping stand alone: a provider of rates plays them without a payment service', async () => {
    const { passed, failed, skipped } = await playAll({ rates: { adapters: [tariff, courier], units } })
    expect(failed).toEqual([])
    expect(passed.length).toBeGreaterThanOrEqual(15)
    const inPlay = scenarios.filter(({ needs }) => !needs.includes('payments')).map(({ name }) => name)
    expect(inPlay.filter((name) => skipped.includes(name))).toEqual(['pickup', 'cash-on-delivery'])
  })

  test('of shipping are played where the carrier delivers, in its currency', async () => {
    const where = { country: 'de', currency: 'chf' }
    const { passed, failed, skipped, asked } = await playAll({ rates: germany }, where)
    expect(failed).toEqual([])
    const some = ['cart-and-checkout-agree', 'answer-lost', 'order-shipped']
    expect(passed).toEqual(expect.arrayContaining(some))
    expect(skipped).not.toContain('rates-refused-200')
    expect(asked).toContainEqual(expect.objectContaining({ zipcode: '10119', city: 'Berlin', country: 'de' }))
  })

  test('of a carrier without estimates leave the cart out', async () => {
    const { estimate: _, ...withoutEstimates } = courier
    const rates = { adapters: [withoutEstimates], units }
    const { failed, skipped } = await playAll({ rates })
    expect([failed, skipped.includes('cart-and-checkout-agree')]).toEqual([[], true])
    // One that runs elsewhere does not say that it has none.
    const { endpoint } = await listening({ rates })
    const elsewhere = await openShop({ endpoint, services: ['rates'] })
    const run = await elsewhere.run('cart-and-checkout-agree')
    expect(run).toMatchObject(asSkipped('The provider has no estimate for it'))
  })

  test('of a payment without a page go as far as it does, on its own time', { timeout: 60_000 }, async () => {
    const { passed, failed } = await playAll({ payments: bankTransfer as unknown as PaymentAdapter })
    expect(failed).toEqual([])
    expect(passed.length).toBeGreaterThanOrEqual(15)
    // Its payments are open for two weeks.
    expect(passed).toEqual(expect.arrayContaining(['never-finished', 'start-doubled']))
  })
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
    const run = await shop.run(scenario(steps), { patience: 50 })
    expect(run).toMatchObject({ ...asFailed('The order is expired, not paid'), steps: steps.map(wordsOf) })
  })

  test('fails where a page takes the money twice or an answer is wrong', async () => {
    // A new address for every start.
    const { sandbox } = await shopWith(({ path, body }) =>
      path === '/payment'
        ? { body: { payment_url: `https://psp.example/${body.order.id}/${Math.random()}` } }
        : undefined,
    )
    const options = { patience: 50, choose: async () => {} }
    const differing = asFailed('The address in answers to the starts is different, not same')
    expect(await sandbox.run('start-doubled', options)).toMatchObject(differing)
    expect(await sandbox.run('paid', options)).toMatchObject(asFailed('The order is pending, not paid'))
  })

  test.each<[string, Scenario, RegExp]>([
    ['rates', scenario([], ['rates']), /No active service is registered for rates/],
    ['a clock that moves', scenario([{ move: '2h' }]), /clock of this provider cannot be moved/],
    ['a page', scenario([{ order: {} }, { choose: 'pending' }]), /no button or link "pending"/],
    ['a point', scenario([{ order: { shipment: 'servicepoint' } }]), /no servicepoint shipment method/],
  ])('is skipped with its reason where the provider lacks %s', async (_what, given, reason) => {
    const shop = await shopBeside()
    expect(await shop.run(given)).toMatchObject({ result: 'skipped', reason: expect.stringMatching(reason) })
  })

  test('a payment without a page is played as far as it goes, and one that is lost fails', async () => {
    let status = 'pending'
    const noPage = at('/payment', { body: {} })
    const { sandbox } = await shopWith((call) => noPage(call) ?? saying(() => status)(call))
    for (const name of ['start-doubled', 'start-answer-lost', 'refused-200', 'asked-twice'])
      expect(await sandbox.run(name, { patience: 50 }), name).toMatchObject({ result: 'passed' })
    expect(await sandbox.run('paid')).toMatchObject(asSkipped('The payment has no page to pay on'))
    status = 'cancelled'
    const lost = asFailed('The status at the provider is cancelled, not pending or paid')
    expect(await sandbox.run('refused-200')).toMatchObject(lost)
  })

  test('a payment that does not start is a failure with its status', async () => {
    const { sandbox } = await shopWith(at('/payment', { status: 502, body: {} }))
    for (const name of ['paid', 'refused-200'])
      expect(await sandbox.run(name)).toMatchObject(asFailed('The payment was not started (502)'))
  })

  test('the end of an unpaid payment is the provider’s: open for two months is skipped, and not learned is failed', async () => {
    let asked = 0
    let endsAfter = Number.POSITIVE_INFINITY
    const answer = saying(() => (++asked > endsAfter ? 'expired' : 'pending'))
    const { sandbox } = await shopWith(answer, { moveProviders: async () => {} })
    const kept = asSkipped('The provider keeps an unpaid payment open for 64 days')
    expect(await sandbox.run('never-finished', { patience: 20 })).toMatchObject(kept)
    expect(await sandbox.run('returns-after-expiry', { patience: 20 })).toMatchObject({ result: 'skipped' })
    // It expired, and no webhook said so.
    endsAfter = asked + 1
    const unlearned = asFailed('The order is not_paid, not expired')
    expect(await sandbox.run('never-finished', { patience: 20 })).toMatchObject(unlearned)
  })

  test('named methods are chosen where they are offered', async () => {
    const payment_methods = ['card', 'bank'].map((id) => ({ ...method, id }))
    const two = at('/payment_methods', { body: { payment_methods } })
    const noPage = at('/payment', { body: {} })
    const { sandbox } = await shopWith((call) => two(call) ?? noPage(call))
    await sandbox.run('refused-200', { methods: ['bank'] })
    expect(sandbox.orders.at(-1)?.paymentMethod.id).toBe('bank')
    const missing = asFailed('There is no method cash in this checkout, only m, card, bank')
    expect(await sandbox.run('refused-200', { methods: ['cash'] })).toMatchObject(missing)
  })

  test('never rejects, whatever the provider answers', async () => {
    const { sandbox } = await shopWith(() => ({ body: '<h1>Welcome</h1>' }))
    const run = await sandbox.run('paid', { patience: 20 })
    expect(run).toMatchObject(asFailed(expect.stringContaining('offers no payment method')))
  })

  test('that there is not is named', async () => {
    const shop = await shopBeside()
    await expect(shop.run('nothing')).rejects.toThrow('There is no scenario "nothing"')
  })
})

test('a button is found by its value or its words; without one nothing is pressed', async () => {
  const shop = await shopBeside()
  const { paymentUrl } = await shop.checkout().placeOrder()
  const pressed = pressOnPage(paymentUrl!, 'cancelled')
  await expect(pressed).rejects.toMatchObject({ code: 'PAGE_BUTTON_MISSING' })
  await pressOnPage(paymentUrl!, 'pay')
  expect((await shop.returnToShop(1001)).status).toBe('paid')
})

import type { Served } from '../../contract/served.ts'
import { type CaseByName, casesOf } from '../case.ts'
import { expectSuccess, expectThat, NotMet, Skip, shown, succeeded } from '../exchange.ts'
import { type Exchange, faults, type MessagePath, type Started, type Target } from '../target.ts'

const shared = { topic: 'repeats and races', section: 'spec 4.3', about: 'payments', writes: true } as const

async function expectOneAddress(target: Target, starts: Started[], exchange: Exchange): Promise<void> {
  for (const started of starts) await target.mustAnswer('payment', started.exchange)
  const urls = new Set(starts.map(({ paymentUrl }) => paymentUrl))
  if (urls.has(undefined) && urls.size === 1) throw new Skip('The payment was started without a payment_url')
  const fault = 'a payment for every start'
  expectThat(urls.size === 1, 'one payment_url', `${urls.size} of them`, exchange, fault)
}

const oldAmount = 'the old amount of a changed order'

/** Starts the payment of an order whose amount has changed. */
async function startedAnew(target: Target, first: Started): Promise<Started> {
  const again = await target.start((message) => {
    for (const name of ['price_incl', 'price_excl', 'price_tax'])
      message.order[name] = Math.round((message.order[name] * 400) / 3) / 100
  }, first)
  await target.mustAnswer('payment', again.exchange)
  return again
}

const sameTwice = (about: Served, path: string): CaseByName => ({
  about,
  writes: false,
  title: `The same request for ${path.replace('_', ' ')} gets the same answer`,
  level: 'should',
  platform: 'The chosen method is gone when the order is placed.',
  remedy: 'Derive ids and prices from the request alone, not from time or random numbers.',
  async run(target) {
    const json = target.checkoutMessage()
    const [one, other] = [await target.call(path, { json }), await target.call(path, { json })]
    const same = JSON.stringify(one.json) === JSON.stringify(other.json)
    expectThat(same, shown(one.text), shown(other.text), other)
  },
})

const atOnce = (about: Served, path: MessagePath): CaseByName => ({
  about,
  writes: false,
  title: `Twenty simultaneous requests for ${path.replace('_', ' ')} are all answered`,
  platform: 'On a busy day customers see no methods.',
  remedy: 'Handle calls in parallel; share no connection and no lock between them.',
  async run(target) {
    const json = target.checkoutMessage()
    const answers = await Promise.all(Array.from({ length: 20 }, () => target.call(path, { json })))
    for (const answer of answers) await target.mustAnswer(path, answer)
  },
})

/** The same call twice, and many calls at the same moment. */
export const repeatCases = casesOf(shared, {
  'shipment-methods-asked-twice': sameTwice('rates', 'shipment_methods'),
  'payment-methods-asked-twice': sameTwice('payments', 'payment_methods'),
  'shipment-methods-at-once': atOnce('rates', 'shipment_methods'),
  'payment-methods-at-once': atOnce('payments', 'payment_methods'),
  'start-repeated': {
    title: 'A repeated start of the same payment gets the same address',
    level: 'should',
    platform: 'The customer pays twice for one order.',
    remedy: 'Store the answer of an order, and repeat it while the payment is open.',
    async run(target) {
      const first = await target.started()
      const again = await target.start(undefined, first)
      await expectOneAddress(target, [first, again], again.exchange)
    },
  },
  'start-at-once': {
    title: 'Five simultaneous starts of one payment create one payment',
    level: 'should',
    platform: 'Two tabs, or a repeated call, create two payments for one order.',
    remedy: 'Let the store decide who is first, with a unique key on shop and order.',
    async run(target) {
      await target.offered()
      const orderId = target.newOrderId()
      const as = { orderId } as Started
      const starts = await Promise.all(Array.from({ length: 5 }, () => target.start(undefined, as)))
      await expectOneAddress(target, starts, starts[0]!.exchange)
    },
  },
  'start-with-another-amount': {
    title: 'An order whose amount has changed can be started again',
    platform: 'The customer pays the old amount, or cannot pay at all.',
    remedy:
      'Treat a start with another amount as a new attempt, and make sure that the old page cannot settle it.',
    async run(target) {
      const first = await target.started()
      const again = await startedAnew(target, first)
      if (again.paymentUrl === undefined) throw new Skip('The payment was started without a payment_url')
      const fault = (await target.addressFault(first.paymentUrl)) ?? oldAmount
      const differ = again.paymentUrl !== first.paymentUrl
      expectThat(differ, 'another payment_url', 'the one of the old amount', again.exchange, fault)
    },
  },
  'old-amount-does-not-settle': {
    title: 'Paying the old amount does not make the order paid',
    section: 'spec 3.1',
    platform: 'An order of 48.40 is sent for 36.30.',
    remedy: 'Compare the paid amount with the current amount of the order.',
    async run(target) {
      const first = await target.started()
      const again = await startedAnew(target, first)
      await target.choose(first, 'paid')
      const status = await target.statusOf(first.orderId)
      if (status !== 'paid') return
      const fault = again.paymentUrl === first.paymentUrl ? oldAmount : await target.paidFault()
      throw new NotMet('anything but paid', status, again.exchange, fault)
    },
  },
  'status-at-once': {
    title: 'The status is answered twenty times at once',
    platform: 'It asks twice, when the customer returns and after the webhook.',
    remedy: 'Handle calls in parallel.',
    async run(target) {
      const { orderId } = await target.started()
      const alone = succeeded(await target.statusCall(orderId))
      const answers = await Promise.all(Array.from({ length: 20 }, () => target.statusCall(orderId)))
      for (const answer of answers) expectSuccess(answer, alone ? undefined : faults.noStatus)
    },
  },
})

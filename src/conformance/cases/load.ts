import { addressOf, faults, lists, type Started } from '../answers.ts'
import { type CaseByName, casesOf } from '../case.ts'
import { asFault, type Exchange, NotMet, shown } from '../exchange.ts'
import type { Target } from '../target.ts'

const ofLatency = { topic: 'latency', section: 'spec 4.3', about: 'payments', writes: true } as const
const ofRepeats = { ...ofLatency, topic: 'repeats and races' } as const

async function expectOneAddress(target: Target, starts: Started[], exchange: Exchange): Promise<void> {
  for (const started of starts) await target.mustAnswer('payment', started.exchange)
  const urls = new Set(starts.map(({ paymentUrl }) => paymentUrl))
  if (urls.size === 1) addressOf(starts[0]!)
  const fault = 'a payment for every start'
  exchange.must(urls.size === 1, 'one payment_url', `${urls.size} of them`, fault)
}

const oldAmount = 'the old amount of a changed order'

async function startedAnew(target: Target, first: Started): Promise<Started> {
  const again = await target.start((message) => {
    for (const name of ['price_incl', 'price_excl', 'price_tax'])
      message.order[name] = Math.round((message.order[name] * 400) / 3) / 100
  }, first)
  await target.mustAnswer('payment', again.exchange)
  return again
}

/** A case for each of the lists, by the end of its name. */
const ofEach = (end: string, make: (path: 'shipment_methods' | 'payment_methods') => CaseByName) =>
  Object.fromEntries(
    lists.map(({ about, path }) => [
      `${path.replace('_', '-')}-${end}`,
      { about, writes: false, ...make(path) },
    ]),
  )

export const repeatCases = casesOf(ofRepeats, {
  ...ofEach('asked-twice', (path) => ({
    should: `The same request for ${path.replace('_', ' ')} gets the same answer`,
    platform: 'The chosen method is gone when the order is placed.',
    remedy: 'Derive ids and prices from the request alone, not from time or random numbers.',
    async run(target) {
      const json = target.checkoutMessage()
      const [one, other] = [await target.call(path, { json }), await target.call(path, { json })]
      const same = JSON.stringify(one.json) === JSON.stringify(other.json)
      other.must(same, shown(one.text), shown(other.text))
    },
  })),
  ...ofEach('at-once', (path) => ({
    must: `Twenty simultaneous requests for ${path.replace('_', ' ')} are all answered`,
    platform: 'On a busy day customers see no methods.',
    remedy: 'Handle calls in parallel; share no connection and no lock between them.',
    async run(target) {
      const json = target.checkoutMessage()
      const answers = await Promise.all(Array.from({ length: 20 }, () => target.call(path, { json })))
      for (const answer of answers) await target.mustAnswer(path, answer)
    },
  })),
  'start-repeated': {
    should: 'A repeated start of the same payment gets the same address',
    platform: 'The customer pays twice for one order.',
    remedy: 'Store the answer of an order, and repeat it while the payment is open.',
    async run(target) {
      const first = await target.started()
      const again = await target.start(undefined, first)
      await expectOneAddress(target, [first, again], again.exchange)
    },
  },
  'start-at-once': {
    should: 'Five simultaneous starts of one payment create one payment',
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
    must: 'An order whose amount has changed can be started again',
    platform: 'The customer pays the old amount, or cannot pay at all.',
    remedy:
      'Treat a start with another amount as a new attempt, and make sure that the old page cannot settle it.',
    async run(target) {
      const first = await target.started()
      const again = await startedAnew(target, first)
      const differ = addressOf(again) !== first.paymentUrl
      const fault = (await target.addressFault(first.paymentUrl)) ?? oldAmount
      again.exchange.must(differ, 'another payment_url', 'the one of the old amount', fault)
    },
  },
  'old-amount-does-not-settle': {
    must: 'Paying the old amount does not make the order paid',
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
    must: 'The status is answered twenty times at once',
    platform: 'The platform asks twice, when the customer returns and after the webhook.',
    remedy: 'Handle calls in parallel.',
    async run(target) {
      const { orderId } = await target.started()
      const alone = (await target.statusCall(orderId)).succeeded
      const answers = await Promise.all(Array.from({ length: 20 }, () => target.statusCall(orderId)))
      for (const answer of answers) answer.mustSucceed(alone ? undefined : faults.noStatus)
    },
  },
})

/** Throws once more than the allowed number of ten calls have taken longer than the limit, in milliseconds. */
async function expectWithin(ask: () => Promise<Exchange>, limit: number, allowed = 0, calls = 10) {
  let slow = 0
  for (let number = 0; number < calls; number++) {
    const exchange = await ask()
    const { ms, failure } = exchange
    if (failure === undefined && ms <= limit) continue
    slow++
    const seconds = `${(ms / 1000).toFixed(1)} s`
    exchange.must(slow <= allowed, `an answer within ${limit / 1000} s`, failure ?? seconds)
  }
}

/** The cut-offs of live platforms. */
export const latencyCases = [
  ...lists.flatMap(({ about, path, words }) => {
    const within = (limit: number, allowed: number) => (target: Target) => {
      const ask = () => target.call(path, { json: target.checkoutMessage() })
      return asFault(`slow ${about}`, () => expectWithin(ask, limit, allowed))
    }
    return casesOf(
      { ...ofLatency, about, writes: false },
      {
        [`${about}-within-ten-seconds`]: {
          must: `Requests for ${words} are answered within ten seconds`,
          platform: 'The platform waits ten or twenty seconds, then shows no methods.',
          remedy: 'Set a deadline for your calls to carriers and services, and answer with what you have.',
          run: within(10_000, 0),
        },
        [`${about}-within-three-seconds`]: {
          should: `Nine of ten requests for ${words} are answered within three seconds`,
          platform: 'Some platforms wait only three seconds; customers wait less.',
          remedy: 'Ask carriers side by side under one deadline, and cache answers to equal requests.',
          run: within(3_000, 1),
        },
      },
    )
  }),
  ...casesOf(ofLatency, {
    'start-within-five-seconds': {
      must: 'A payment is started within five seconds',
      platform: 'The platform gives up after five seconds, and starts the payment a second time.',
      remedy:
        'Set a deadline for your payment service, and continue the same attempt when the call is repeated.',
      run: async (target) => expectWithin(async () => (await target.start()).exchange, 5_000, 0, 1),
    },
    'status-within-five-seconds': {
      must: 'The status is answered within five seconds',
      platform: 'The customer waits on an empty page, and the order keeps its old status.',
      remedy: 'Answer with the stored status if the payment service takes too long.',
      async run(target) {
        const { orderId } = await target.started()
        await expectWithin(() => target.statusCall(orderId), 5_000)
      },
    },
  }),
]

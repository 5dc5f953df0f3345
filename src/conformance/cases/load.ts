import { addressOf, faults, lists, type Started } from '../answers.ts'
import { casesOf } from '../case.ts'
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

const ofLists = lists.flatMap(({ about, path }) => {
  const [name, words] = [path.replace('_', '-'), path.replace('_', ' ')]
  const table = `
${name}-asked-twice | should | The same request for ${words} gets the same answer
  | The chosen method is gone when the order is placed. | Derive ids and prices from the request alone, not from time or random numbers.
${name}-at-once | must | Twenty simultaneous requests for ${words} are all answered
  | On a busy day customers see no methods. | Handle calls in parallel; share no connection and no lock between them.
`
  return casesOf({ ...ofRepeats, about, writes: false }, table, {
    async [`${name}-asked-twice`](target) {
      const json = target.checkoutMessage()
      const [one, other] = [await target.call(path, { json }), await target.call(path, { json })]
      const same = JSON.stringify(one.json) === JSON.stringify(other.json)
      other.must(same, shown(one.text), shown(other.text))
    },
    async [`${name}-at-once`](target) {
      const json = target.checkoutMessage()
      const answers = await Promise.all(Array.from({ length: 20 }, () => target.call(path, { json })))
      for (const answer of answers) await target.mustAnswer(path, answer)
    },
  })
})

const repeats = `
start-repeated | should | A repeated start of the same payment gets the same address
  | The customer pays twice for one order. | Store the answer of an order, and repeat it while the payment is open.
start-at-once | should | Five simultaneous starts of one payment create one payment
  | Two tabs, or a repeated call, create two payments for one order. | Let the store decide who is first, with a unique key on shop and order.
start-with-another-amount | must | An order whose amount has changed can be started again
  | The customer pays the old amount, or cannot pay at all.
  | Treat a start with another amount as a new attempt, and make sure that the old page cannot settle it.
old-amount-does-not-settle | must, spec 3.1 | Paying the old amount does not make the order paid
  | An order of 48.40 is sent for 36.30. | Compare the paid amount with the current amount of the order.
status-at-once | must | The status is answered twenty times at once
  | The platform asks twice, when the customer returns and after the webhook. | Handle calls in parallel.
`

export const repeatCases = [
  ...ofLists,
  ...casesOf(ofRepeats, repeats, {
    async 'start-repeated'(target) {
      const first = await target.started()
      const again = await target.start(undefined, first)
      await expectOneAddress(target, [first, again], again.exchange)
    },
    async 'start-at-once'(target) {
      await target.offered()
      const orderId = target.newOrderId()
      const as = { orderId } as Started
      const starts = await Promise.all(Array.from({ length: 5 }, () => target.start(undefined, as)))
      await expectOneAddress(target, starts, starts[0]!.exchange)
    },
    async 'start-with-another-amount'(target) {
      const first = await target.started()
      const again = await startedAnew(target, first)
      const differ = addressOf(again) !== first.paymentUrl
      const fault = (await target.addressFault(first.paymentUrl)) ?? oldAmount
      again.exchange.must(differ, 'another payment_url', 'the one of the old amount', fault)
    },
    async 'old-amount-does-not-settle'(target) {
      const first = await target.started()
      const again = await startedAnew(target, first)
      await target.choose(first, 'paid')
      const status = await target.statusOf(first.orderId)
      if (status !== 'paid') return
      const fault = again.paymentUrl === first.paymentUrl ? oldAmount : await target.paidFault()
      throw new NotMet('anything but paid', status, again.exchange, fault)
    },
    async 'status-at-once'(target) {
      const { orderId } = await target.started()
      const alone = (await target.statusCall(orderId)).succeeded
      const answers = await Promise.all(Array.from({ length: 20 }, () => target.statusCall(orderId)))
      for (const answer of answers) answer.mustSucceed(alone ? undefined : faults.noStatus)
    },
  }),
]

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
const latency = `
start-within-five-seconds | must | A payment is started within five seconds
  | The platform gives up after five seconds, and starts the payment a second time.
  | Set a deadline for your payment service, and continue the same attempt when the call is repeated.
status-within-five-seconds | must | The status is answered within five seconds
  | The customer waits on an empty page, and the order keeps its old status. | Answer with the stored status if the payment service takes too long.
`

export const latencyCases = [
  ...lists.flatMap(({ about, path, words }) => {
    const within = (limit: number, allowed: number) => (target: Target) => {
      const ask = () => target.call(path, { json: target.checkoutMessage() })
      return asFault(`slow ${about}`, () => expectWithin(ask, limit, allowed))
    }
    const table = `
${about}-within-ten-seconds | must | Requests for ${words} are answered within ten seconds
  | The platform waits ten or twenty seconds, then shows no methods.
  | Set a deadline for your calls to carriers and services, and answer with what you have.
${about}-within-three-seconds | should | Nine of ten requests for ${words} are answered within three seconds
  | Some platforms wait only three seconds; customers wait less.
  | Ask carriers side by side under one deadline, and cache answers to equal requests.
`
    return casesOf({ ...ofLatency, about, writes: false }, table, {
      [`${about}-within-ten-seconds`]: within(10_000, 0),
      [`${about}-within-three-seconds`]: within(3_000, 1),
    })
  }),
  ...casesOf(ofLatency, latency, {
    'start-within-five-seconds': async (target) =>
      expectWithin(async () => (await target.start()).exchange, 5_000, 0, 1),
    async 'status-within-five-seconds'(target) {
      const { orderId } = await target.started()
      await expectWithin(() => target.statusCall(orderId), 5_000)
    },
  }),
]

import type { Served } from '../../contract/served.ts'
import { type CaseByName, casesOf } from '../case.ts'
import { asFault, expectThat } from '../exchange.ts'
import type { Exchange, Target } from '../target.ts'

const shared = { topic: 'latency', section: 'spec 4.3', about: 'payments', writes: true } as const

/** Throws once more than the allowed number of ten calls have taken longer than the limit, in milliseconds. */
async function expectWithin(ask: () => Promise<Exchange>, limit: number, allowed = 0, calls = 10) {
  let slow = 0
  for (let number = 0; number < calls; number++) {
    const exchange = await ask()
    const { ms, failure } = exchange
    if (failure === undefined && ms <= limit) continue
    slow++
    const seconds = `${(ms / 1000).toFixed(1)} s`
    expectThat(slow <= allowed, `an answer within ${limit / 1000} s`, failure ?? seconds, exchange)
  }
}

const methods = {
  rates: { words: 'shipping methods', path: 'shipment_methods' },
  payments: { words: 'payment methods', path: 'payment_methods' },
} as const

const ask = (target: Target, about: Served): Promise<Exchange> =>
  target.call(methods[about].path, { json: target.checkoutMessage() })

const withinTen = (about: Served): CaseByName => ({
  about,
  writes: false,
  title: `Requests for ${methods[about].words} are answered within ten seconds`,
  platform: 'It waits ten or twenty seconds, then shows no methods.',
  remedy: 'Set a deadline for your own calls to others, and answer with what you have.',
  run: (target) => asFault(`slow ${about}`, () => expectWithin(() => ask(target, about), 10_000)),
})

const withinThree = (about: Served): CaseByName => ({
  about,
  writes: false,
  title: `Nine of ten requests for ${methods[about].words} are answered within three seconds`,
  level: 'should',
  platform: 'Some wait only three seconds; customers wait less.',
  remedy: 'Ask carriers side by side under one deadline, and cache answers to equal requests.',
  run: (target) => asFault(`slow ${about}`, () => expectWithin(() => ask(target, about), 3_000, 1)),
})

/** The cut-offs of live platforms. */
export const latencyCases = casesOf(shared, {
  'rates-within-ten-seconds': withinTen('rates'),
  'rates-within-three-seconds': withinThree('rates'),
  'payments-within-ten-seconds': withinTen('payments'),
  'payments-within-three-seconds': withinThree('payments'),
  'start-within-five-seconds': {
    title: 'A payment is started within five seconds',
    platform: 'It gives up after five seconds while the provider continues, and starts the payment again.',
    remedy:
      'Set a deadline for your payment service, and continue the same attempt when the call is repeated.',
    run: async (target) => expectWithin(async () => (await target.start()).exchange, 5_000, 0, 1),
  },
  'status-within-five-seconds': {
    title: 'The status is answered within five seconds',
    platform: 'The customer waits on an empty page, and the order keeps its old status.',
    remedy: 'Answer with the stored status if the payment service takes too long.',
    async run(target) {
      const { orderId } = await target.started()
      await expectWithin(() => target.statusCall(orderId), 5_000)
    },
  },
})

import type { ConformanceCase } from '../case.ts'
import { expectThat } from '../expect.ts'
import type { Exchange, Target } from '../target.ts'

const common = { topic: 'latency', section: 'spec 4.3' } as const
const times = 10

/** Throws once more than the allowed number of ten calls have taken longer than the limit, in milliseconds. */
async function expectWithin(
  ask: () => Promise<Exchange>,
  limit: number,
  allowed = 0,
  calls = times,
): Promise<void> {
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

const asks = {
  rates: (target: Target) => target.call('shipment_methods', { json: target.checkoutMessage() }),
  payments: (target: Target) => target.call('payment_methods', { json: target.checkoutMessage() }),
} as const
const words = { rates: 'shipping methods', payments: 'payment methods' } as const

/** The cut-offs of live platforms. */
export const latencyCases: ConformanceCase[] = [
  ...(['rates', 'payments'] as const).flatMap((about): ConformanceCase[] => [
    {
      ...common,
      name: `${about}-within-ten-seconds`,
      title: `Requests for ${words[about]} are answered within ten seconds`,
      level: 'must',
      about,
      platform: 'It waits ten or twenty seconds, then shows no methods.',
      remedy: 'Set a deadline for your own calls to others, and answer with what you have.',
      run: (target) => expectWithin(() => asks[about](target), 10_000),
    },
    {
      ...common,
      name: `${about}-within-three-seconds`,
      title: `Nine of ten requests for ${words[about]} are answered within three seconds`,
      level: 'should',
      about,
      platform: 'Some wait only three seconds; customers wait less.',
      remedy: 'Ask carriers side by side under one deadline, and cache answers to equal requests.',
      run: (target) => expectWithin(() => asks[about](target), 3_000, 1),
    },
  ]),
  {
    ...common,
    name: 'start-within-five-seconds',
    title: 'A payment is started within five seconds',
    level: 'must',
    about: 'payments',
    writes: true,
    platform: 'It gives up after five seconds while the provider continues, and starts the payment again.',
    remedy:
      'Set a deadline for your payment service, and continue the same attempt when the call is repeated.',
    async run(target) {
      await expectWithin(async () => (await target.start()).exchange, 5_000, 0, 1)
    },
  },
  {
    ...common,
    name: 'status-within-five-seconds',
    title: 'The status is answered within five seconds',
    level: 'must',
    about: 'payments',
    writes: true,
    platform: 'The customer waits on an empty page, and the order keeps its old status.',
    remedy: 'Answer with the stored status if the payment service takes too long.',
    async run(target) {
      const { orderId } = await target.started()
      await expectWithin(() => target.statusCall(orderId), 5_000)
    },
  },
]

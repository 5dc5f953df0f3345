import { type ConformanceCase, expectThat } from '../case.ts'
import type { Exchange, Target } from '../target.ts'

const common = { topic: 'latency', section: 'spec 4.3' } as const
const times = 10

/** How long so many calls took, the slowest last. */
async function timed(ask: () => Promise<Exchange>): Promise<Exchange[]> {
  const answers: Exchange[] = []
  for (let time = 0; time < times; time++) answers.push(await ask())
  return answers.sort((one, other) => one.ms - other.ms)
}

function expectWithin(answers: Exchange[], share: number, limit: number): void {
  const at = answers[Math.min(answers.length - 1, Math.floor(answers.length * share))]!
  const seconds = `${(at.ms / 1000).toFixed(1)} s`
  expectThat(at.failure === undefined && at.ms <= limit, `${limit / 1000} s`, at.failure ?? seconds, at)
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
      title: `Questions for ${words[about]} are answered within ten seconds`,
      level: 'must',
      about,
      platform: 'It waits ten or twenty seconds, and shows no methods then.',
      remedy: 'Set a deadline of your own for what you ask others, and answer what you have.',
      run: async (target) => expectWithin(await timed(() => asks[about](target)), 1, 10_000),
    },
    {
      ...common,
      name: `${about}-within-three-seconds`,
      title: `Nine of ten questions for ${words[about]} are answered within three seconds`,
      level: 'should',
      about,
      platform: 'Some wait three seconds only; customers wait less.',
      remedy: 'Ask carriers side by side under one deadline, and keep equal answers for a while.',
      run: async (target) => expectWithin(await timed(() => asks[about](target)), 0.89, 3_000),
    },
  ]),
  {
    ...common,
    name: 'start-within-five-seconds',
    title: 'A payment is started within five seconds',
    level: 'must',
    about: 'payments',
    writes: true,
    platform: 'It gives up after five seconds while the provider goes on, and starts the payment again.',
    remedy:
      'Set a deadline for your payment service, and continue the same attempt when the call is repeated.',
    async run(target) {
      expectWithin([(await target.start()).exchange], 0, 5_000)
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
    remedy: 'Answer what you know where the payment service takes too long.',
    async run(target) {
      const { orderId } = await target.started()
      expectWithin(await timed(() => target.statusCall(orderId)), 1, 5_000)
    },
  },
]

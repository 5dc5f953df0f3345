// A receiver refuses single orders of its shop with 404, and takes its time once they are called again. The shop's other orders, and all other shops, must not be affected.
import { type PaidOrder, PaidOrders } from './paid-orders.ts'
import type { NeighbourReport } from './report.ts'
import { named, redirecting } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

/** When a refused order may be called, in milliseconds after its first call: the schedule less its jitter. */
const schedule = [0, 4_000, 28_000, 124_000, 604_000]
const deadline = 5_000
/** How long the receiver takes to refuse an order again, in milliseconds: good orders that wait for a place are late. */
const slowly = 8_000
/** One of so many calls is a good order of the bad shop itself. */
const ownCalls = 8

export async function refusingReceiver(size: NeighbourSize): Promise<NeighbourReport> {
  const shops = named('good', size.shops)
  await using orders = await PaidOrders.open([redirecting('psp')], [...shops, 'bad'])
  let isBad = false
  const refused = new Set<string>()
  const key = ({ shop, order }: PaidOrder) => `${shop} ${order}`
  orders.answerOf = (order) => {
    if (!refused.has(key(order))) return undefined
    const isRepeated = orders.calls.get(key(order))!.length > 1
    return (res) =>
      void setTimeout(() => res.writeHead(404).end('no such order'), isRepeated ? slowly : 0).unref()
  }
  const report = await watch(size, {
    name: 'a receiver that refuses single orders',
    deadline,
    call: (number) =>
      orders.payAndHear(number % ownCalls === 0 ? 'bad' : shops[number % shops.length]!, 'card', deadline),
    async ownCall() {
      const order = await orders.start('bad', 'card')
      if (isBad) refused.add(key(order))
      await orders.report(order)
    },
    begin: () => (isBad = true),
    end: () => (isBad = false),
    isWell: () => orders.payAndHear('bad', 'card', deadline),
  })
  const often = [...refused].filter((one) => isCalledTooOften(orders.calls.get(one) ?? []))
  if (often.length > 0)
    report.violations.push(`${often.length} of ${refused.size} refused orders were called before their time`)
  return report
}

const isCalledTooOften = (calls: readonly number[]): boolean =>
  calls.some((at, place) => at - calls[0]! < (schedule[place] ?? Number.POSITIVE_INFINITY))

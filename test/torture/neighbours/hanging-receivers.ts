// The receivers of many shops hang at the same time, as those of one hosting company do. No other shop must be affected.
import { PaidOrders } from './paid-orders.ts'
import type { NeighbourReport } from './report.ts'
import { named, redirecting } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

/** So many that few orders of each, which close no lane yet, would take every place of a deliverer. */
const badShops = 400
/** So many of their orders are paid when they begin to hang, and one beside every second order of another shop. */
const inTurn = 120
const deadline = 5_000

export async function hangingReceivers(size: NeighbourSize): Promise<NeighbourReport> {
  const shops = named('good', size.shops)
  await using orders = await PaidOrders.open([redirecting('psp')], [...shops, ...named('bad', badShops)])
  let isBad = false
  let bad = 0
  const payBad = async () => orders.report(await orders.start(`bad${bad++ % badShops}`, 'card'))
  orders.answerOf = ({ shop }) => (isBad && shop.startsWith('bad') ? () => {} : undefined)
  return await watch(size, {
    name: 'receivers of many shops that hang',
    deadline,
    call: (number) => orders.payAndHear(shops[number % shops.length]!, 'card', deadline),
    ownCall: async (number) => number % 2 === 0 && payBad(),
    async begin() {
      isBad = true
      // One after the other: others may not feel the receivers; the load of a burst is not what is tried.
      for (let order = 0; order < inTurn; order++) await payBad()
    },
    end: () => (isBad = false),
    isWell: () => orders.payAndHear('bad0', 'card', deadline),
  })
}

// The receivers of many shops hang at the same time, as those of one hosting company do. No other shop must be affected.
import { PaidOrders, redirecting } from './paid-orders.ts'
import type { NeighbourReport } from './report.ts'
import { named } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

/** So many that few orders of each, which close no lane yet, would take every place of a deliverer. */
const badShops = 400
/** Orders of bad shops beside each of another. */
const beside = 2
const deadline = 5_000

export async function hangingReceivers(size: NeighbourSize): Promise<NeighbourReport> {
  const shops = named('good', size.shops)
  const orders = await PaidOrders.open([redirecting('psp')], [...shops, ...named('bad', badShops)])
  let isBad = false
  orders.answerOf = ({ shop }) => (isBad && shop.startsWith('bad') ? () => {} : undefined)
  try {
    return await watch(
      {
        name: 'receivers of many shops that hang',
        deadline,
        call: (number) => orders.payAndHear(shops[number % shops.length]!, 'card', deadline),
        async ownCall(number) {
          for (let one = 0; one < beside; one++)
            await orders.report(await orders.start(`bad${(beside * number + one) % badShops}`, 'card'))
        },
        begin() {
          isBad = true
        },
        end() {
          isBad = false
        },
        isWell: () => orders.payAndHear('bad0', 'card', deadline),
      },
      size,
    )
  } finally {
    await orders.close()
  }
}

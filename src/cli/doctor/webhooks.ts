import { counted } from '../../printable.ts'
import { listLanes } from '../../use-cases/lanes.ts'
import { storeTime } from '../store.ts'
import { time } from '../terminal/print.ts'
import { type Checks, inStore, ok, warn } from './check.ts'

/** So many lanes are read, and so many shops. */
const mostLanes = 1_000

/** Webhooks that wait although no lane is closed. */
export const webhookChecks: Checks = {
  'refused webhooks': inStore(async (store) => {
    const lanes = await listLanes(store, { kind: 'webhook', now: storeTime(store), limit: mostLanes })
    const [worst, ...others] = lanes
      .filter(({ refused }) => refused > 0)
      .toSorted((one, other) => other.refused - one.refused)
    if (!worst) return ok('No shop refuses single webhooks')
    const { shopId, to, lastFailure = 'no reason noted' } = worst
    const count = others.reduce((sum, { refused }) => sum + refused, worst.refused)
    const more = others.length === 0 ? '' : `, and in ${counted(others.length, 'other lane')}`
    return warn(
      `${counted(count, 'webhook')} ${count === 1 ? 'is' : 'are'} refused one by one: shop ${shopId}, ${to} (${lastFailure})${more}`,
      `Ask the shop about it: purveyor lanes show webhook ${shopId} ${to}`,
    )
  }),
  'unread webhooks': inStore(async (store) => {
    const [first, ...others] = await store.unread({ limit: mostLanes })
    if (!first) return ok('No webhook is accepted and unread for over 15 minutes')
    const { shopId, orders, orderId, acceptedAt } = first
    const more = others.length === 0 ? '' : `, and so did ${counted(others.length, 'other shop')}`
    return warn(
      `Shop ${shopId} accepted ${counted(orders, 'webhook')} since ${time(acceptedAt)} and did not read the status${more}`,
      `Ask the shop whether its platform handles webhooks: purveyor webhooks show ${orderId} --shop ${shopId}`,
    )
  }),
}

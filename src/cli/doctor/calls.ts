import { counted } from '../../printable.ts'
import { listLanes } from '../../use-cases/lanes.ts'
import { failsUntil, outageWords, serviceOutages } from '../../use-cases/payments/failing-services.ts'
import { storeTime } from '../store.ts'
import { time } from '../terminal/print.ts'
import { type Checks, inStore, ok, skipped, warn } from './check.ts'

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

const day = 24 * 3_600_000

/** Payment services whose starts fail, and those whose pushes are refused. */
export const paymentServiceChecks: Checks = {
  'failing starts': inStore(async (store, { provider }) => {
    if (!provider.services.includes('payments')) return skipped('It serves no payments')
    const now = storeTime(store)
    const outages = await serviceOutages(store, { kind: 'start', since: now - failsUntil, now })
    const failing = outages.filter((one) => one.failing)
    if (failing.length === 0) return ok('No payment service is known to fail')
    const says = failing.map(outageWords).join('; ')
    return warn(
      `${says.charAt(0).toUpperCase()}${says.slice(1)}`,
      'purveyor lanes list --kind starts, and purveyor explain PAYMENT_START_TIMEOUT',
    )
  }),
  'refused pushes': inStore(async (store, { provider }) => {
    if (!provider.services.includes('payments')) return skipped('It serves no payments')
    const now = storeTime(store)
    const outages = await serviceOutages(store, { kind: 'push', since: now - day, now })
    if (outages.length === 0) return ok('No push was refused within a day')
    const found = outages.map(({ adapter, shops, calls, firstAt, lastAt, failure }) => {
      const accepted = shops.flatMap(({ okAt = 0, lastAt: refusedAt }) => (okAt >= refusedAt ? okAt : []))
      const isOver = accepted.length === shops.length
      const again = isOver ? `; accepted again since ${time(Math.max(...accepted))}` : ''
      return {
        isOver,
        says: `${counted(calls, 'refused call')} of ${adapter} for ${counted(shops.length, 'shop')}, the first ${time(firstAt)}, the last ${time(lastAt)} (${failure})${again}`,
      }
    })
    const says = found.map((one) => one.says)
    if (found.every(({ isOver }) => isOver)) return ok(says.join('; '))
    return warn(says.join('; '), 'purveyor pushes refused, and purveyor explain PUSH_NOT_VERIFIED')
  }),
}

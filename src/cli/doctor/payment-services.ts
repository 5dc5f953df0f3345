import { counted } from '../../printable.ts'
import { failsUntil, outageWords, serviceOutages } from '../../use-cases/payments/failing-services.ts'
import { storeTime } from '../store.ts'
import { time } from '../terminal/print.ts'
import { type Checks, inStore, ok, skipped, warn } from './check.ts'

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

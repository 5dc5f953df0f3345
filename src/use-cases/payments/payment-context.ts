import type { PaymentContext } from '../../payments/adapter.ts'
import { type Deadline, deadlineFetch } from '../deadline.ts'
import { settingsFor } from '../shops/shop-settings.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'

/** A payment adapter's context, valid until the deadline. */
export async function paymentContext(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  shopId: string,
  deadline: Deadline,
): Promise<PaymentContext> {
  const { name, network } = adapter
  const settings = await settingsFor(workings, shopId, adapter)
  return {
    shop: { id: shopId },
    get settings() {
      return settings?.of(adapter)
    },
    get signal() {
      return deadline.signal
    },
    fetch: deadlineFetch(workings.world, deadline, { name, network, shop: shopId, kind: 'payments' }),
    now: workings.world.now,
    log: workings.world.log,
  }
}

import type { PaymentContext } from '../payments/adapter.ts'
import { type Deadline, deadlineFetch } from './deadline.ts'
import type { AnyPaymentAdapter, Provider } from './provider.ts'
import { settingsFor } from './shop-settings.ts'

/** What a payment adapter works with, until the deadline. */
export async function paymentContext(
  provider: Provider,
  adapter: AnyPaymentAdapter,
  shopId: string,
  deadline: Deadline,
): Promise<PaymentContext> {
  const { name, network } = adapter
  const settings = await settingsFor(provider, shopId, adapter)
  return {
    shop: { id: shopId },
    get settings() {
      return settings?.of(adapter)
    },
    get signal() {
      return deadline.signal
    },
    fetch: deadlineFetch(provider.world, deadline, { name, network, shop: shopId, kind: 'payments' }),
    now: provider.world.now,
    log: provider.world.log,
  }
}

import type { PaymentContext } from '../../payments/adapter.ts'
import { deadlineFetch } from '../deadline.ts'
import { settingsFor } from '../shops/shop-settings.ts'
import type { CalledAdapter } from './called-adapter.ts'

/** A payment adapter's context, valid until the deadline. */
export async function paymentContext(called: CalledAdapter): Promise<PaymentContext> {
  const { workings, adapter, shopId, deadline } = called
  const { name, network } = adapter
  const settings = called.settings ?? (await settingsFor(workings, shopId, adapter))
  const guarded = deadlineFetch(workings.world, deadline, { name, network, shop: shopId, kind: 'payments' })
  return {
    shop: { id: shopId },
    get settings() {
      return settings?.of(adapter)
    },
    get signal() {
      return deadline.signal
    },
    fetch: (...call) => called.watch(guarded(...call)),
    now: workings.world.now,
    log: workings.world.log,
  }
}

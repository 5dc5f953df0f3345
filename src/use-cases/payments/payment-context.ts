import { readRetryAfter } from '../../contract/retry-after.ts'
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
    fetch: noting(called, guarded),
    now: workings.world.now,
    log: workings.world.log,
  }
}

/** The same `fetch`; a payment service that answers 429 is left alone for as long as it says, and one that refuses the settings is noted. */
const noting =
  (called: CalledAdapter, guarded: typeof fetch): typeof fetch =>
  async (...call) => {
    const answer = await guarded(...call)
    if ([401, 403, 404].includes(answer.status)) called.isRefused = true
    if (answer.status === 429) {
      const { world, memory } = called.workings
      const account = { adapter: called.adapter.name, shop: called.shopId }
      const now = world.now()
      memory.askPauses.begin(account, now, readRetryAfter(answer.headers.get('retry-after'), now))
    }
    return answer
  }

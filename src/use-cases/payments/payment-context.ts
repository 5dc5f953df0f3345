import { readRetryAfter } from '../../contract/retry-after.ts'
import type { PaymentContext } from '../../payments/adapter.ts'
import { deadlineFetch } from '../deadline.ts'
import { settingsFor } from '../shops/shop-settings.ts'
import type { Workings } from '../workings.ts'
import type { CalledAdapter } from './called-adapter.ts'

/** A payment adapter's context, valid until the deadline. */
export async function paymentContext({
  workings,
  adapter,
  shopId,
  deadline,
}: CalledAdapter): Promise<PaymentContext> {
  const { name, network } = adapter
  const settings = await settingsFor(workings, shopId, adapter)
  const guarded = deadlineFetch(workings.world, deadline, { name, network, shop: shopId, kind: 'payments' })
  return {
    shop: { id: shopId },
    get settings() {
      return settings?.of(adapter)
    },
    get signal() {
      return deadline.signal
    },
    fetch: noting429(workings, { adapter: name, shop: shopId }, guarded),
    now: workings.world.now,
    log: workings.world.log,
  }
}

/** The same `fetch`; a payment service that answers 429 is left alone for as long as it says. */
const noting429 =
  (
    { world, memory }: Workings,
    account: { adapter: string; shop: string },
    guarded: typeof fetch,
  ): typeof fetch =>
  async (...call) => {
    const answer = await guarded(...call)
    if (answer.status === 429) {
      const now = world.now()
      memory.askPauses.begin(account, now, readRetryAfter(answer.headers.get('retry-after'), now))
    }
    return answer
  }

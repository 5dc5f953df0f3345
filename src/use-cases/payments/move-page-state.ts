import { type PageState, sealState } from '../../payments/page-state.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'

/**
 * Stores where the customer of a page is. Where a form is handled just now, or the state is another than that of `attempt`, everything stays
 * as it is. Resolves with whether it was stored.
 */
export async function movePageState(
  { store, world, contents }: Workings,
  { shopId, id, pageState: seen }: Attempt,
  state: PageState,
): Promise<boolean> {
  const now = world.now()
  return store.leasePage(shopId, id, { now, until: now, seen, state: sealState(contents, id, state) })
}

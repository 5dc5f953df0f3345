import { type PageState, sealState } from '../../payments/page-state.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'

/** Long enough for one write. */
const leaseFor = 5_000

/**
 * Stores where the customer of a page is, or forgets it. A form that is handled just now says so itself: then, and where another visit
 * has changed the state meanwhile, everything stays as it is.
 */
export async function movePageState(
  { store, world, contents }: Workings,
  { shopId, id, pageState }: Attempt,
  state: PageState | undefined,
): Promise<void> {
  const now = world.now()
  if (!(await store.leasePage(shopId, id, { now, until: now + leaseFor }))) return
  const current = await store.attempt(shopId, id)
  const isMoved = current?.pageState !== pageState
  const left = isMoved ? current?.pageState : state && sealState(contents, id, state)
  await store.releasePage(shopId, id, { ...(left !== undefined && { state: left }) })
}

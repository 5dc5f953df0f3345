import { wrongCall } from '../../errors.ts'
import type { PaymentChange } from '../../store.ts'
import type { StorePort } from '../../store-port.ts'
import { checkQuery } from './read-query.ts'

/**
 * Reads the feed of what changed about payments in the order of commits, from the beginning or behind the cursor of a change. Each change
 * is read at least once, also across nodes: keep a cursor once what you made of its change is on disk.
 */
export async function readChanges(
  store: StorePort,
  from: { after?: string; limit?: number } = {},
): Promise<PaymentChange[]> {
  checkQuery('changes', from)
  const { after = '0', limit = 100 } = from
  if (!/^\d{1,15}$/.test(after)) throw wrongCall('`after` is the cursor of a change')
  while (await store.placeChanges()) {
    // There may be more than fit into one commit.
  }
  return store.changes({ after: Number(after), limit: Math.min(1_000, limit) })
}

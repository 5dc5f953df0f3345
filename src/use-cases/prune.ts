import type { PrunePayments } from '../store.ts'
import type { StorePort } from '../store-port.ts'

const atOnce = 200

/** Erases payments that ended before the given time, a few per commit, so that other commands do not wait. Resolves with their number. */
export async function pruneAll(
  store: StorePort,
  before: number,
  { dryRun = false, byHand }: Partial<Pick<PrunePayments, 'dryRun' | 'byHand'>> = {},
): Promise<number> {
  if (dryRun) return store.prunePayments({ before, limit: 0, dryRun })
  let pruned = 0
  for (;;) {
    const some = await store.prunePayments({ before, limit: atOnce, dryRun, byHand })
    pruned += some
    if (some < atOnce) return pruned
  }
}

/** Deletes entries of the audit trail from before the given time, a few per commit. */
export async function pruneAuditTrail(store: StorePort, before: number): Promise<void> {
  while ((await store.pruneAuditTrail({ before, limit: atOnce })) === atOnce);
}

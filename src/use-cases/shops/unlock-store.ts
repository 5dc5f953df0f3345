import { pageKeyRow } from '../../shops/seal.ts'
import { tokenBytes } from '../../shops/tokens.ts'
import { StoreUnavailable } from '../../store.ts'
import type { Workings } from '../workings.ts'
import { refuseMoved } from './refuse-moved.ts'

/**
 * Opens the store and its key of page tokens, with `serves` for a node that goes on. Rejects with `STORE_MOVED` for one that no provider may serve. The key is created once for each store: nodes that start together get the same one.
 */
export async function unlockStore(workings: Workings, as: { serves?: boolean } = {}): Promise<void> {
  const { store, seal } = workings
  await store.open(as)
  // Before anything is written: a copy that is not finished has no key yet.
  await refuseMoved(store)
  const key = seal.open((await store.key(pageKeyRow.key)) ?? (await makeKey(workings)), pageKeyRow)
  workings.pages.setKey(key)
  workings.contents.setKey(key)
}

async function makeKey({ store, seal, world }: Workings): Promise<string> {
  if ((await store.sealed()).length > 0) {
    // Another node may have created it meanwhile.
    const made = await store.key(pageKeyRow.key)
    if (made !== undefined) return made
    throw new StoreUnavailable(
      'The store has lost the key of its payment pages, and its sealed texts cannot be trusted. Restore the table keys from a backup.',
    )
  }
  const sealed = seal.close(world.token(tokenBytes), pageKeyRow)
  return store.ensureKey(pageKeyRow.key, { sealed, now: world.now() })
}

import { pageKeyRow } from '../../shops/seal.ts'
import { tokenBytes } from '../../shops/tokens.ts'
import { StoreUnavailable } from '../../store.ts'
import type { Workings } from '../workings.ts'
import { refuseMoved } from './refuse-moved.ts'

/**
 * Opens the store and its key of page tokens, with `serves` for a node that goes on. Rejects with `STORE_MOVED` for one that no provider may serve. The key is created once for each store: nodes that start together get the same one.
 *
 * The commit that adds the key also seals anew what was sealed before texts were bound to their rows. So a store that has its key has no
 * such text, and `seal.open` takes none. A person who can write rows cannot paste an old text of one shop into the row of another. To be believed
 * again such a text needs a store without its key; that store is taken for an old one only while nothing in it is bound.
 */
export async function unlockStore(workings: Workings, as: { serves?: boolean } = {}): Promise<void> {
  const { store, seal } = workings
  await store.open(as)
  // Before anything is written: a copy that is not finished has no key yet.
  await refuseMoved(store)
  const found = (await store.key(pageKeyRow.key)) ?? (await makeKey(workings))
  const sealed = seal.isEarlier(found) ? await sealAnew(workings) : found
  const key = seal.open(sealed, pageKeyRow)
  workings.pages.setKey(key)
  workings.contents.setKey(key)
}

async function makeKey({ store, seal, world }: Workings): Promise<string> {
  const before = await store.sealed()
  if (before.some(({ sealed }) => seal.isBound(sealed))) {
    // Another node may have created it meanwhile.
    const made = await store.key(pageKeyRow.key)
    if (made !== undefined) return made
    throw new StoreUnavailable(
      'The store has lost the key of its payment pages, and its sealed texts cannot be trusted. Restore the table keys from a backup.',
    )
  }
  const anew = before.map((was) => ({ was, sealed: seal.close(seal.openUnbound(was.sealed), was) }))
  const key = { sealed: seal.close(world.token(tokenBytes), pageKeyRow), now: world.now() }
  return store.ensureKey(pageKeyRow.key, key, anew)
}

/**
 * Seals all texts anew that an older version has bound to their rows in another form. The key of page tokens shows that a store has such texts,
 * and is sealed anew in the same commit: from then on none is taken.
 */
async function sealAnew({ store, seal }: Workings): Promise<string> {
  const earlier = (await store.sealed()).filter(({ sealed }) => seal.isEarlier(sealed))
  await store.reseal(
    earlier.map((was) => ({ was, sealed: seal.close(seal.openEarlier(was.sealed, was), was) })),
  )
  return (await store.key(pageKeyRow.key))!
}

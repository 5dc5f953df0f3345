import { PurveyorError } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { time } from '../printable.ts'
import { StoreUnavailable } from '../store.ts'
import type { CopyMark, StorePort } from '../store-port.ts'
import { pageKeyRow, tokenBytes } from './seal.ts'

/** Notes in a finished copy that it is served: from now on its source is behind. In milliseconds since 1970. */
export async function noteServed(store: StorePort, now: number): Promise<void> {
  const marks = await store.copyMarks()
  if (marks.some(({ role, servedAt }) => role === 'copy' && servedAt === undefined))
    await store.noteServed(now)
}

/** The reason why no provider may serve a store, with the remedy; `undefined` if one may. */
export function whyNot({ state, other, beganAt, endedAt = beganAt }: CopyMark): string | undefined {
  if (state === 'moved')
    return `The store was moved to ${other} at ${time(endedAt)}. Set PURVEYOR_DATABASE_URL to that one. If the move is taken back, run purveyor db release.`
  if (state === 'retired')
    return `The store is a copy that was given up, and ${other} is served again. Empty it before the next copy.`
  return undefined
}

type Unlocking = Parts<'world' | 'store' | 'seal' | 'addresses' | 'contents'>

/**
 * Opens the store and its key of page tokens, with `serves` for a node that goes on. Rejects with `STORE_MOVED` for one that no provider may serve. The key is created once for each store: nodes that start together get the same one.
 */
export async function unlockStore(workings: Unlocking, as: { serves?: boolean } = {}): Promise<void> {
  const { store, seal, addresses, contents } = workings
  await store.open(as)
  // Before anything is written: a copy that is not finished has no key yet. No shop is served, and no webhook sent, from two stores.
  const [why] = (await store.copyMarks()).flatMap((mark) => whyNot(mark) ?? [])
  if (why !== undefined) throw new PurveyorError('STORE_MOVED', why)
  const key = seal.open((await store.key(pageKeyRow.key)) ?? (await makeKey(workings)), pageKeyRow)
  addresses.pages.setKey(key)
  contents.setKey(key)
}

async function makeKey({ store, seal, world }: Unlocking): Promise<string> {
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

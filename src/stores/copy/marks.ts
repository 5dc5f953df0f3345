import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { CopyMark } from '../../store.ts'
import { look } from './look.ts'
import { refused } from './refused.ts'
import type { Side } from './side.ts'

// Conditions of a commit: each returns no row, and changes nothing, if the mark of a store is another one by now.

/** Marks a source that has no mark. */
export const claim = ({ copyId, other, beganAt }: Pick<CopyMark, 'copyId' | 'other' | 'beganAt'>) =>
  sql`insert into store_copies (role, copy_id, other, state, began_at)
    values ('source', ${copyId}, ${other}, 'copying', ${beganAt}) on conflict (role) do nothing returning role`

/** Marks a source as moved that is still the source of this copy. A second time changes nothing. */
export const move = (copyId: string, movedAt: number): RawBuilder<unknown> =>
  sql`update store_copies set state = 'moved', ended_at = coalesce(ended_at, ${movedAt})
    where role = 'source' and copy_id = ${copyId} returning role`

/** Lets a source go that is still the source of this copy. */
export const letGo = (copyId: string): RawBuilder<unknown> =>
  sql`delete from store_copies where role = 'source' and copy_id = ${copyId} returning role`

/** A target is still this copy, and unfinished. */
export const isUnfinished = (copyId: string): RawBuilder<unknown> =>
  sql`select role from store_copies where role = 'copy' and copy_id = ${copyId} and state = 'unfinished'`

/** No provider has served this copy. */
export const isUnserved = (copyId: string): RawBuilder<unknown> =>
  sql`select role from store_copies where role = 'copy' and copy_id = ${copyId} and served_at is null`

/** A process that has ended a moment ago is waited for so long, in milliseconds. One that has just begun marks the source meanwhile. */
const patience = 2_000

/** Whether this process is from now on the only copy or release of a store. */
export async function isLocked(side: Side): Promise<boolean> {
  const since = performance.now()
  while (!(await side.lock())) {
    if (performance.now() - since > patience) return false
    await delay(50)
  }
  return true
}

/** Locks a source that still has the mark `seen`, or rejects with the name of the target that it is copied to. */
export async function lockSource(from: Side, seen: CopyMark | undefined): Promise<void> {
  if (!(await isLocked(from))) throw refused(runs((await look(from)).source))
  const { source } = await look(from)
  if (isSame(source, seen)) return
  throw refused(
    source
      ? `The source is being copied to ${source.other}: another db copy has begun meanwhile. Go on with that target, or give that copy up: purveyor db release --help.`
      : 'The source was released by purveyor db release meanwhile. Empty the target, then run db copy again.',
  )
}

/** Locks a target that still has the mark `seen`. */
export async function lockTarget(to: Side, seen: CopyMark | undefined): Promise<void> {
  if ((await isLocked(to)) && isSame((await look(to)).copy, seen)) return
  throw refused(`Another db copy writes into the target at this moment. Let it end, then look again.`)
}

/** The sentence about a source that another process has locked. */
export const runs = (mark: CopyMark | undefined): string =>
  `Another db copy or db release of the source runs at this moment${mark ? `: the source is being copied to ${mark.other}` : ''}. Wait until it ends, or end it with Ctrl-C and give that copy up: purveyor db release --help. If it was killed, try again in a minute.`

const isSame = (one: CopyMark | undefined, other: CopyMark | undefined): boolean =>
  one?.copyId === other?.copyId && one?.state === other?.state

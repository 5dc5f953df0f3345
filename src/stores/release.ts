import { time } from '../printable.ts'
import { standStill } from '../store/standstill.ts'
import type { CopyMark } from '../store-port.ts'
import { beginAlone, copiedTables, markOf, put, refuse, refuseNodes, run, type Side } from './copy.ts'

/**
 * Lets providers start again on a source, and on its copy no longer: the copy first, so that at no time both are served. Rejects with
 * `COPY_REFUSED` if payments would be lost.
 */
export async function releaseStore(from: Side, to: Side | undefined): Promise<void> {
  const mark = await markOf(from, 'source')
  refuse(!mark && 'The store was not copied, or is released already: providers start on it.')
  if (to) {
    await beginAlone(to)
    await put(to, { ...(await expectCopy(to, mark!)), state: 'retired' })
    await standStill(to, copiedTables)
    await run(to, 'commit')
  }
  await beginAlone(from)
  await run(from, "delete from store_copies where role = 'source'")
  await standStill(from, copiedTables, false)
  await run(from, 'commit')
}

/** Rejects for another store than the copy of this mark, and for a copy that is or was served. */
async function expectCopy(side: Side, { copyId, other }: CopyMark): Promise<CopyMark> {
  const copy = await markOf(side, 'copy')
  refuse(
    copy?.copyId !== copyId &&
      `${side.shown} is not the copy of this store. Its copy is ${other}: name that one, or add --copy-is-gone if it was deleted.`,
  )
  await refuseNodes(side, 'the copy')
  const { servedAt } = copy!
  refuse(
    servedAt !== undefined &&
      `Providers have served the copy since ${time(servedAt)}: what happened there would be lost. Copy back instead: purveyor db copy with the two stores changed over, into a new file or an empty database.`,
  )
  return copy!
}

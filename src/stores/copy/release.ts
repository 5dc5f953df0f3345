import { sql } from 'kysely'
import { time } from '../../printable.ts'
import { marksOf, mayWrite, put, refused, refuseNodes } from './copy-store.ts'
import type { Side } from './side.ts'

/** A release that can be carried out: the copy first, so that at no time both are served. */
export type Release = () => Promise<void>

/** Checks that a source may be served again in place of its copy. Rejects with `COPY_REFUSED` if payments would be lost. */
export async function releaseOf(from: Side, to: Side | undefined): Promise<Release> {
  const mark = (await marksOf(from)).find(({ role }) => role === 'source')
  if (!mark) throw refused('The store was not copied, or is released already: providers start on it.')
  const copyIn = async (side: Side) => {
    const copy = (await marksOf(side)).find(({ role }) => role === 'copy')
    if (copy?.copyId !== mark.copyId)
      throw refused(
        `${side.shown} is not the copy of this store. Its copy is ${mark.other}: name that one, or add --copy-is-gone if it was deleted.`,
      )
    await refuseNodes(side, 'the copy')
    if (copy.servedAt !== undefined)
      throw refused(
        `Providers have served the copy since ${time(copy.servedAt)}: what happened there would be lost. Copy back instead: purveyor db copy with the two stores changed over, into a new file or an empty database.`,
      )
    return copy
  }
  if (to) await copyIn(to)
  return async () => {
    if (to) {
      await to.begin('write', ['store_copies', 'nodes'])
      await put(to, { ...(await copyIn(to)), state: 'retired' })
      await mayWrite(to, false)
      await to.commit()
    }
    await from.begin('write', ['store_copies'])
    await sql`delete from store_copies where role = 'source'`.execute(from.db)
    await mayWrite(from, true)
    await from.commit()
  }
}

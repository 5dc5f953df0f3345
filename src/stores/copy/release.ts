import { sql } from 'kysely'
import { time } from '../../printable.ts'
import type { CopyMark } from '../../store.ts'
import { markSteps } from '../sql/copies.ts'
import { moveOn, standStill } from '../sql/standstill.ts'
import { type Looked, look, refuseNodes } from './look.ts'
import { isLocked, isUnserved, letGo } from './marks.ts'
import { refused } from './refused.ts'
import type { Side } from './side.ts'
import { copiedTables } from './table-rows.ts'

export interface ReleaseRequest {
  /** The store that was copied. */
  from: Side
  /** Its copy; `undefined` if it is gone. */
  to: Side | undefined
}

/** A release that can be carried out. */
export interface Release {
  from: string
  to: string | undefined
  /** Whether the source had been moved, or the copy was never finished. */
  was: 'moved' | 'copying'
  /** Carries it out: the copy first, so that at no time both are served. */
  run(): Promise<void>
}

/** Checks that a source may be served again in place of its copy. Rejects with `COPY_REFUSED` if payments would be lost. */
export async function releaseOf({ from, to }: ReleaseRequest): Promise<Release> {
  const source = await look(from)
  const mark = source.source
  if (!mark) throw notCopied()
  await from.checkWrites()
  if (!(await isLocked(from))) throw refused(stillRuns(mark))
  const copy = to && (await look(to))
  if (to && copy) await checkCopy(to, copy, mark.copyId, mark.other)
  if (to && !(await isLocked(to))) throw refused(stillRuns(mark))
  return {
    from: from.shown,
    to: to?.shown,
    was: mark.state === 'moved' ? 'moved' : 'copying',
    async run() {
      if (to && copy?.copy) {
        const steps = [
          markSteps(to.db).put({ ...copy.copy, state: 'retired' }),
          ...standStill(to.engine, namesIn(copy)),
          sql`delete from copied_tables`,
        ]
        if (!(await to.commit(steps, isUnserved(mark.copyId))))
          throw refused(
            'A provider has started on the copy meanwhile. Run db release again: it says what to do.',
          )
      }
      const isFree = await from.commit(moveOn(from.engine, namesIn(source)), letGo(mark.copyId))
      if (!isFree) throw notCopied()
    },
  }
}

const notCopied = () => refused('The store was not copied, or is released already: providers start on it.')

const stillRuns = ({ other }: CopyMark) =>
  `A db copy or db release of this store runs at this moment: it is being copied to ${other}. End it first, such as with Ctrl-C, then release the store. If it was killed, try again in a minute.`

const namesIn = ({ tables }: Looked) => copiedTables(tables).map(({ name }) => name)

async function checkCopy(to: Side, { copy }: Looked, copyId: string, other: string): Promise<void> {
  if (copy?.copyId !== copyId) {
    throw refused(
      `${to.shown} is not the copy of this store. Its copy is ${other}: name that one, or add --copy-is-gone if it was deleted.`,
    )
  }
  await refuseNodes(to, 'the copy')
  await to.checkWrites()
  if (copy.servedAt === undefined) return
  throw refused(
    `Providers have served the copy since ${time(copy.servedAt)}: what happened there would be lost. Copy back instead: purveyor db copy with the two stores changed over, into a new file or an empty database.`,
  )
}

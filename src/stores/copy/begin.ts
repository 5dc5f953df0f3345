import { randomBytes } from 'node:crypto'
import { time } from '../../printable.ts'
import type { CopyMark } from '../../store.ts'
import type { Looked } from './look.ts'
import { refused } from './refused.ts'
import type { Side } from './side.ts'
import { copiedTables } from './table-rows.ts'

/** How a copy stands before it is run: by what both stores say. */
export interface Standing {
  copyId: string
  /** `done`: there is nothing left to do. */
  is: 'new' | 'begun' | 'done'
}

const level = {
  source: {
    none: 'The source holds no tables of Purveyor. Check --from.',
    older:
      'The tables of the source are those of an older version. Update them first: purveyor db migrate, with PURVEYOR_DATABASE_URL set to the source.',
    newer: 'The tables of the source were created by a newer version. Run db copy of that version.',
  },
  target: {
    older:
      'The tables of the target are those of an older version. Name an empty database, or empty this one.',
    newer: 'The tables of the target were created by a newer version. Name an empty database.',
  },
}

/** Rejects unless rows can be read from the source. */
export function checkSourceLevel(source: Looked): void {
  if (source.level !== 'current') throw refused(level.source[source.level])
}

/** Finds out how a copy stands, or rejects with the reason why there can be none between these two. */
export function standingOf(
  { from, to }: { from: Side; to: Side },
  source: Looked,
  target: Looked,
  targetRows: ReadonlyMap<string, number>,
  rehearse: boolean,
): Standing {
  checkSourceLevel(source)
  const { source: mark } = source
  const { copy } = target
  refuseSource(source, rehearse)
  if (target.level === 'newer') throw refused(level.target.newer)
  const ours = target.tables.filter(({ name }) => source.tables.some((table) => table.name === name))
  if (target.level === 'none' && ours.length > 0) {
    throw refused(
      `The target has tables of another program, such as ${ours[0]!.name}. Name a database of its own.`,
    )
  }
  const begun = new Map([...target.progress].filter(([, { rows }]) => rows > 0))
  const belongs = mark
    ? mark.copyId === copy?.copyId
    : copy?.state === 'unfinished' && copy.other === from.shown && begun.size === 0
  if (mark?.state === 'moved') {
    if (!belongs) throw refused(movedTo(mark))
    return { copyId: mark.copyId, is: copy?.state === 'unfinished' ? 'begun' : 'done' }
  }
  if (copy?.state === 'unfinished' && belongs) {
    if (target.level !== 'current') throw refused(level.target.older)
    return { copyId: copy.copyId, is: 'begun' }
  }
  if (copy) {
    const what =
      copy.state === 'unfinished'
        ? `an unfinished copy of ${copy.other}${mark ? '' : ' that cannot go on: its source may have changed meanwhile'}`
        : `a copy of ${copy.other} (${copy.state})`
    throw refused(`The target holds ${what}. Name an empty database, or empty this one.`)
  }
  const full = [...targetRows].find(([name, rows]) => rows > 0 && name !== 'feeds')
  if (full) {
    throw refused(
      `The target is not empty: its table ${full[0]} has rows. A copy replaces nothing. Name an empty database, or a new file.`,
    )
  }
  if (mark && mark.other !== to.shown) {
    throw refused(
      `The source is being copied to ${mark.other}. Go on with that target, or give that copy up: purveyor db release --help.`,
    )
  }
  return { copyId: mark?.copyId ?? randomBytes(9).toString('base64url'), is: 'new' }
}

const movedTo = ({ other, endedAt }: CopyMark) =>
  `The source was moved to ${other}${endedAt === undefined ? '' : ` at ${time(endedAt)}`}. Copy from there, or see purveyor db release --help.`

function refuseSource({ source, copy }: Looked, rehearse: boolean): void {
  if (copy && copy.state !== 'finished') {
    throw refused(
      `The source is itself a copy of ${copy.other} (${copy.state}), and no provider serves it. Copy from ${copy.other}.`,
    )
  }
  if (rehearse && source) {
    throw refused(
      source.state === 'moved'
        ? movedTo(source)
        : `The source is being copied to ${source.other} already, so there is nothing to rehearse.`,
    )
  }
}

/** Rejects if the tables of the target do not take every column of the source. */
export function checkColumns(source: Looked, target: Looked): void {
  for (const { name, columns } of copiedTables(source.tables)) {
    const there = target.tables.find((table) => table.name === name)
    if (!there) throw refused(`The target has no table ${name}, and the source has one.`)
    const missing = columns.find((column) => there.columns.every((one) => one.name !== column.name))
    if (missing) throw refused(`The table ${name} of the target has no column ${missing.name}.`)
  }
}

import type { Kysely, Selectable } from 'kysely'
import type { Node, NodeRuns, NodeSeen } from '../../store.ts'
import { all, ask, type Command, holding, prepare, together } from './query.ts'
import type { Tables } from './tables.ts'

/** The running processes of a store. */
export function nodeCommands(db: Kysely<Tables>) {
  const note = prepare((value) =>
    db
      .insertInto('nodes')
      .values({
        id: value('id'),
        opens: value('opens'),
        seen_at: value('now'),
        host: value('host'),
        pid: value('pid'),
        main_pid: value('mainPid'),
        version: value('version'),
        build: value('build'),
        since: value('since'),
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((excluded) => ({
          opens: excluded.ref('excluded.opens'),
          seen_at: excluded.ref('excluded.seen_at'),
        })),
      ),
  )
  const dropSilent = prepare((value) => db.deleteFrom('nodes').where('seen_at', '<', value('before')))
  const drop = prepare((value) => db.deleteFrom('nodes').where('id', '=', value('id')))
  const everyOne = prepare(() => db.selectFrom('nodes').selectAll().orderBy('id'))

  return {
    *noteNode(
      { id, opens, runs }: Node,
      { now, since }: { now: number; since: number },
    ): Command<NodeSeen[]> {
      yield* holding()
      const [, , rows] = yield* together(
        ask(note, { id, opens: opens.join(' '), now, ...runs }),
        ask(dropSilent, { before: since }),
        ask(everyOne, {}),
      )
      return rows.map(nodeFrom)
    },

    *nodes(since: number): Command<NodeSeen[]> {
      const rows = yield* all(everyOne, {})
      return rows.filter(({ seen_at }) => seen_at >= since).map(nodeFrom)
    },

    *forgetNode(id: string): Command<void> {
      yield* holding()
      yield* all(drop, { id })
    },
  }
}

type Row = Selectable<Tables['nodes']>

const nodeFrom = (row: Row): NodeSeen => ({
  id: row.id,
  opens: row.opens.split(' '),
  seenAt: row.seen_at,
  runs: runsFrom(row),
})

/** A node of the version before notes its id and its secrets alone. */
function runsFrom({ host, pid, main_pid: mainPid, version, build, since }: Row): NodeRuns | undefined {
  if (host === null || pid === null || mainPid === null || version === null || since === null)
    return undefined
  return { host, pid, mainPid, version, build: build ?? '', since }
}

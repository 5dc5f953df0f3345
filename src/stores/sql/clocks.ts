import type { Kysely } from 'kysely'
import type { ClockState } from '../../store.ts'
import type { AgreedClock, Agreement } from '../clock/agreed-clock.ts'
import { type AgreedTime, agreedNow, followed } from '../clock/agreed-time.ts'
import { columns, replaced } from './columns.ts'
import { alone, ask, type Command, prepare, type Query, together } from './query.ts'
import type { Tables } from './tables.ts'

export async function addClocks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('clocks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('server_at', 'bigint', (column) => column.notNull())
    .addColumn('agreed_at', 'bigint', (column) => column.notNull())
    .addColumn('up', 'bigint')
    .addColumn('releases', 'integer', (column) => column.notNull())
    .execute()
}

/** A row that is older is renewed, in milliseconds: nodes look once a minute. */
const renewAfter = 45_000
/** A machine without an update for this long does not count. */
const forgetAfter = 400 * 24 * 3_600_000
/** Another node that has been connected since then would have renewed the agreed time. */
const connectedSince = 120_000

/** The rows: one for all nodes, and one for each boot of a machine. */
const all = 'agreed'
const rowOf = (boot: string) => `boot ${boot}`

/** The server's clock, and the time since which the longest-connected other node is connected. */
type ServerTime = { now: string; others: string | null }

function clockQueries(db: Kysely<Tables>) {
  const rowsOf = prepare((value) =>
    db
      .selectFrom('clocks')
      .selectAll()
      .where((where) => where.or([where('id', '=', value('all')), where('id', '=', value('boot'))])),
  )
  const note = prepare((value) =>
    db
      .insertInto('clocks')
      .values(columns(value, 'id', 'server_at', 'agreed_at', 'up', 'releases'))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(replaced('server_at', 'agreed_at', 'up', 'releases')),
      ),
  )
  const forget = prepare((value) =>
    db.deleteFrom('clocks').where('agreed_at', '<', value('before')).where('id', '<>', value('all')),
  )
  const serverTime = (withOthers: boolean): Query<ServerTime> => ({
    sql: `select extract(epoch from clock_timestamp()) * 1000 as now, ${withOthers ? others : 'null'} as others`,
    writes: false,
    names: [],
  })
  return { rowsOf, note, forget, serverTime }
}

/** The agreed time in the store. On PostgreSQL it is compared with the server's clock, on SQLite with the machine's. */
export function clockCommands(db: Kysely<Tables>, engine: 'sqlite' | 'postgres') {
  const { rowsOf, note, forget, serverTime } = clockQueries(db)

  function* rowsAndTime(
    boot: string | undefined,
    asksOthers: boolean,
  ): Command<[ClockRow[], ServerTime | undefined]> {
    const rows = ask(rowsOf, { all, boot: boot === undefined ? all : rowOf(boot) })
    if (engine === 'sqlite') return [(yield* together(rows))[0], undefined]
    const [time, found] = yield* together(ask(serverTime(asksOthers), {}), rows)
    return [found, time[0]]
  }

  return {
    /** Reads the server's clock and the agreed time, and renews an old one if it `writes`. Returns `undefined` if it took too long. */
    *agreeTime(clock: AgreedClock, { writes, asksOthers }: Look): Command<Agreement | undefined> {
      if (writes) yield* alone('clock')
      const sent = clock.awake()
      const [rows, time] = yield* rowsAndTime(clock.boot, asksOthers)
      const agreed = agreedIn(rows)
      const moment = clock.momentSince(sent, agreed?.releases)
      if (!moment) return undefined
      const { wall, up, own, awake } = moment
      const serverAt = time ? Number(time.now) : wall
      const witness = clock.boot === undefined ? undefined : rows.find(({ id }) => id === rowOf(clock.boot!))
      const othersRun =
        agreed !== undefined &&
        time?.others != null &&
        Number(time.others) <= agreed.serverAt + connectedSince
      const { at, off } = agreed
        ? agreedNow({
            serverAt,
            wall,
            up,
            own,
            agreed,
            witness: witness && { ...timeIn(witness), up: witness.up ?? Number.POSITIVE_INFINITY },
            othersRun,
          })
        : { at: own ?? serverAt, off: 0 }
      const releases = agreed?.releases ?? 0
      if (!writes) return { at, off, releases, awake }
      const now = { serverAt: Math.round(serverAt), agreedAt: Math.round(at), releases }
      const isOld = (known: AgreedTime | undefined) =>
        !known || known.releases !== releases || Math.abs(at - known.agreedAt) >= renewAfter
      const wasSet = agreed && Math.abs(serverAt - at - (agreed.serverAt - agreed.agreedAt)) > followed
      const renewed: Asked[] = isOld(agreed) || wasSet ? [ask(note, { id: all, ...now, up: null })] : []
      if (clock.boot !== undefined && (isOld(witness && timeIn(witness)) || wasSet)) {
        renewed.push(ask(note, { id: rowOf(clock.boot), ...now, up: Math.round(up) }))
        renewed.push(ask(forget, { all, before: Math.round(at) - forgetAfter }))
      }
      if (renewed.length > 0) yield* together(...renewed)
      return { at, off, releases, awake }
    },

    /** The server's clock and the agreed time; on SQLite `wall` is the server's clock. */
    *clockState(agreedAt: () => number, wall: () => number): Command<ClockState> {
      const [, time] = yield* rowsAndTime(undefined, false)
      return { serverAt: Math.round(time ? Number(time.now) : wall()), agreedAt: agreedAt() }
    },

    /** Makes the server's time the agreed one: running nodes use it from their next reading on. */
    *releaseClock(wall: () => number): Command<number> {
      yield* alone('clock')
      const [rows, time] = yield* rowsAndTime(undefined, false)
      const serverAt = Math.round(time ? Number(time.now) : wall())
      const releases = (agreedIn(rows)?.releases ?? 0) + 1
      yield* together(ask(note, { id: all, serverAt, agreedAt: serverAt, up: null, releases }))
      return serverAt
    },
  }
}

type Asked = ReturnType<typeof ask<unknown>>

interface Look {
  writes: boolean
  /** Whether other nodes are connected, for the first reading of a process. */
  asksOthers: boolean
}

type ClockRow = { id: string; server_at: number; agreed_at: number; up: number | null; releases: number }

const timeIn = ({ server_at, agreed_at, releases }: ClockRow): AgreedTime => ({
  serverAt: server_at,
  agreedAt: agreed_at,
  releases,
})

function agreedIn(rows: readonly ClockRow[]): AgreedTime | undefined {
  const row = rows.find(({ id }) => id === all)
  return row && timeIn(row)
}

/** Nodes of another role are not seen. */
const others = `(select extract(epoch from min(backend_start)) * 1000 from pg_stat_activity
  where datname = current_database() and application_name = 'purveyor' and pid <> pg_backend_pid())`

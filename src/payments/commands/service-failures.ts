import { sql } from 'kysely'
import { type Db, ifGiven, matching, type Plain, plain, prepareText, putRow } from '../../store/columns.ts'
import { all, ask, type Command, holding, lastly, read, write } from '../../store/query.ts'
import type { ServiceFailureKind, Tables } from '../../store/schema.ts'

/** The failures of one payment service for one shop, as one node saw them. Times are milliseconds since 1970. */
export type ServiceFailures = Plain<Omit<Tables['service_failures'], 'node'>>

export function serviceFailureCommands(db: Db) {
  const note = putRow(db, 'service_failures')
  const since = prepareText(db)<Tables['service_failures']>(
    (
      value,
    ) => sql`select * from service_failures where ${matching(value, 'kind')} and last_at >= ${value('since')}
      and ${ifGiven(value, 'shop_id')} and ${ifGiven(value, 'adapter')} order by first_at, adapter, shop_id`,
  )

  return {
    /** Stores what a node has counted, in place of what it stored of the same kind, adapter and shop before. */
    noteServiceFailures: write(function* (node: string, failures: readonly ServiceFailures[]): Command<void> {
      yield* holding(`service failures ${node}`)
      yield* lastly(...failures.map((one) => ask(note, { node, ...one })))
    }),

    /** Those whose last failure was at or after a moment, the earliest first failure first. Each node has its own. */
    serviceFailures: read(function* (filter: {
      kind: ServiceFailureKind
      shopId?: string | undefined
      adapter?: string | undefined
      since: number
    }): Command<ServiceFailures[]> {
      const rows = yield* all(since, { ...filter })
      return rows.map(({ node: _, ...row }) => plain(row))
    }),
  }
}

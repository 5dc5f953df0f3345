import type { Kysely } from 'kysely'
import type { ServiceFailureFilter, ServiceFailures } from '../../store/service-failures.ts'
import { columns, ifGiven, matching, replaced } from './columns.ts'
import { read, write } from './port.ts'
import { all, ask, type Command, holding, lastly, prepare } from './query.ts'
import { plain } from './rows.ts'
import type { Tables } from './schema.ts'

const key = ['node', 'kind', 'adapter', 'shop_id'] as const
const counts = ['first_at', 'last_at', 'ok_at', 'calls', 'failure'] as const

export function serviceFailureCommands(db: Kysely<Tables>) {
  const note = prepare((value) =>
    db
      .insertInto('service_failures')
      .values(columns(value, ...key, ...counts))
      .onConflict((conflict) => conflict.columns(key).doUpdateSet(replaced(...counts))),
  )
  const since = prepare((value) =>
    db
      .selectFrom('service_failures')
      .selectAll()
      .where(matching(value, 'kind'))
      .where('last_at', '>=', value('since'))
      .where(ifGiven(value, 'shop_id'))
      .where(ifGiven(value, 'adapter'))
      .orderBy('first_at')
      .orderBy('adapter')
      .orderBy('shop_id'),
  )
  const forget = prepare((value) => db.deleteFrom('service_failures').where('last_at', '<', value('before')))

  return {
    forget: (before: number) => ask(forget, { before }),

    commands: {
      /** Stores what a node has counted, in place of what it stored of the same kind, adapter and shop before. */
      noteServiceFailures: write(function* (
        node: string,
        failures: readonly ServiceFailures[],
      ): Command<void> {
        yield* holding(`service failures ${node}`)
        yield* lastly(...failures.map((one) => ask(note, { node, ...one })))
      }),

      /** Those whose last failure was at or after a moment, the earliest first failure first. Each node has its own. */
      serviceFailures: read(function* (filter: ServiceFailureFilter): Command<ServiceFailures[]> {
        const rows = yield* all(since, { ...filter })
        return rows.map(({ node: _, ...row }) => plain(row))
      }),
    },
  }
}

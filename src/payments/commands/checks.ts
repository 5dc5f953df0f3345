import type { Claim } from '../../queue/lane-claims.ts'
import { type Db, ifGiven, matching, type Plain, plain, value } from '../../store/columns.ts'
import {
  all,
  alone,
  type Command,
  holding,
  lastly,
  patient,
  read,
  write,
  writeHolding,
} from '../../store/query.ts'
import type { ServiceFailureKind, Tables } from '../../store/schema.ts'
import type { Attempt } from '../ledger/payment.ts'
import { attemptIn, type Keyed, type LoadPayments } from './load-payments.ts'

export interface ClaimOfChecks extends Pick<Claim, 'now' | 'leaseUntil' | 'limit'> {
  without?: readonly string[]
}

/** When the payment service of an attempt is asked, and how often. */
export function checkCommands(db: Db, load: LoadPayments) {
  const countAsk = db.text<{ calls: number }>`
    insert into asks (adapter, hour, calls) values (${value('adapter')}, ${value('hour')}, 1)
      on conflict (adapter, hour) do update set calls = asks.calls + 1 where asks.calls < ${value('most')}
      returning calls`
  const saveCheck = db.setColumns('attempts', ['check_at'], ['shop_id', 'id'])
  const dueChecks = db.text<Keyed & { id: string }>`update attempts set check_at = ${value('leaseUntil')}
      where (shop_id, id) in (select shop_id, id from attempts where check_at <= ${value('now')}
          and replace(${value('without')}, ' ' || adapter || ' ', '') = ${value('without')}
        order by check_at limit ${value('limit')} ${db.skipsLocked})
      returning shop_id, id, order_id`

  return {
    /** Claims up to `limit` attempts that are due for a check, from `now` each until `leaseUntil`; none of the adapters in `without`. */
    claimChecks: write(function* ({ without = [], ...claim }: ClaimOfChecks): Command<Attempt[]> {
      yield* alone()
      // A list in one text: a name of an adapter has no space.
      const names = without.map((name) => ` ${name} `).join('')
      const rows = yield* all(dueChecks, { ...claim, without: names })
      const found = yield* load.all(rows)
      return found.map((one, index) => attemptIn(one, rows[index]!.id))
    }),

    /** Counts a call of an adapter's `status` in this hour, unless `most` are counted already. Resolves with whether it may be made. */
    countAsk: write(function* (adapter: string, hour: number, most: number): Command<boolean> {
      yield* alone(`asks ${adapter}`)
      if (most < 1) return false
      return (yield* all(countAsk, { adapter, hour, most })).length > 0
    }),

    /** Sets the next check of the attempt; without `checkAt` there is none. */
    setCheck: patient(function* (shopId: string, id: string, checkAt: number | undefined): Command<void> {
      yield* writeHolding([], saveCheck, { shopId, id, checkAt })
    }),
  }
}

/** The failures of one payment service for one shop, as one node saw them. Times are milliseconds since 1970. */
export type ServiceFailures = Plain<Omit<Tables['service_failures'], 'node'>>

export function serviceFailureCommands(db: Db) {
  const note = db.putRow('service_failures')
  const since = db.text<Tables['service_failures']>`
    select * from service_failures where ${matching('kind')} and last_at >= ${value('since')}
      and ${ifGiven('shop_id')} and ${ifGiven('adapter')} order by first_at, adapter, shop_id`

  return {
    /** Stores what a node has counted, in place of what it stored of the same kind, adapter and shop before. */
    noteServiceFailures: write(function* (node: string, failures: readonly ServiceFailures[]): Command<void> {
      yield* holding(`service failures ${node}`)
      yield* lastly(...failures.map((one) => note({ node, ...one })))
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

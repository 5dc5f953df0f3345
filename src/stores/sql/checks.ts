import { type Kysely, sql } from 'kysely'
import type { Attempt, ServiceAnswer } from '../../payments/payment.ts'
import type { NextCheck } from '../../store/payments.ts'
import { columns, ofOrder, setColumns, skipLocked } from './columns.ts'
import { attemptIn, type LoadPayments } from './load-payments.ts'
import { patient, read, write } from './port.ts'
import { all, alone, type Command, prepare, writeHolding } from './query.ts'
import type { Tables } from './schema.ts'

const checkQueries = (db: Kysely<Tables>) => ({
  countAsk: prepare((value) =>
    db
      .insertInto('asks')
      .values({ ...columns(value, 'adapter', 'hour'), calls: sql<number>`1` })
      .onConflict((conflict) =>
        conflict
          .columns(['adapter', 'hour'])
          .doUpdateSet({ calls: sql<number>`asks.calls + 1` })
          .where('asks.calls', '<', value('most')),
      )
      .returning('calls'),
  ),
  saveAsked: setColumns(db, 'attempts', ['asked_at', 'asked_answer'], ['shop_id', 'id']),
  nextChecks: prepare((value) =>
    db
      .selectFrom('attempts')
      .select(['id', 'check_at', 'check_began_at'])
      .where(ofOrder(value))
      .where('check_at', 'is not', null),
  ),
  saveCheck: setColumns(db, 'attempts', ['check_at', 'check_began_at'], ['shop_id', 'id']),
  dueChecks: prepare((value) =>
    db
      .updateTable('attempts')
      .set({ check_at: value('leaseUntil'), check_began_at: value('now') })
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('shop_id', 'id'),
          'in',
          selectFrom('attempts')
            .select(['shop_id', 'id'])
            .where('check_at', '<=', value('now'))
            .where(
              sql<boolean>`replace(${value('without')}, ' ' || adapter || ' ', '') = ${value('without')}`,
            )
            .orderBy('check_at')
            .limit(value('limit'))
            .$call(skipLocked(db))
            .$asTuple('shop_id', 'id'),
        ),
      )
      .returning(['shop_id', 'id', 'order_id']),
  ),
})

/** When the payment service of an attempt is asked, how often, and what it answered. */
export function checkCommands(db: Kysely<Tables>, load: LoadPayments) {
  const queries = checkQueries(db)

  return {
    /** Claims up to `limit` attempts that are due for a check, from `now` each until `leaseUntil`; none of the adapters in `without`. */
    claimChecks: write(function* ({
      without = [],
      ...claim
    }: {
      now: number
      leaseUntil: number
      limit: number
      without?: readonly string[]
    }): Command<Attempt[]> {
      yield* alone()
      // A list in one text: a name of an adapter has no space.
      const names = without.map((name) => ` ${name} `).join('')
      const rows = yield* all(queries.dueChecks, { ...claim, without: names })
      const found = yield* load.all(rows)
      return found.map((one, index) => attemptIn(one, rows[index]!.id))
    }),

    /** The next checks of an order's attempts, by attempt id; attempts without one are left out. */
    nextChecks: read(function* (shopId: string, orderId: string): Command<Record<string, NextCheck>> {
      const rows = yield* all(queries.nextChecks, { shopId, orderId })
      return Object.fromEntries(
        rows.map((row) => [row.id, { at: row.check_at!, beganAt: row.check_began_at ?? undefined }]),
      )
    }),

    /** Stores the last answer of an attempt's payment service. */
    noteAsked: patient(function* (
      shopId: string,
      id: string,
      { at: askedAt, answer: askedAnswer }: ServiceAnswer,
    ): Command<void> {
      yield* writeHolding([], queries.saveAsked, { shopId, id, askedAt, askedAnswer })
    }),

    /** Counts a call of an adapter's `status` in this hour, unless `most` are counted already. Resolves with whether it may be made. */
    countAsk: write(function* (adapter: string, hour: number, most: number): Command<boolean> {
      yield* alone(`asks ${adapter}`)
      if (most < 1) return false
      return (yield* all(queries.countAsk, { adapter, hour, most })).length > 0
    }),

    /** Sets the next check of the attempt; without `checkAt` there is none. */
    setCheck: patient(function* (shopId: string, id: string, checkAt: number | undefined): Command<void> {
      yield* writeHolding([], queries.saveCheck, { shopId, id, checkAt, checkBeganAt: null })
    }),
  }
}

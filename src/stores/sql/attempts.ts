import { type Kysely, sql } from 'kysely'
import { wrongAnswer } from '../../errors.ts'
import { columns, matching, ofAttempt, ofOrder, skipLocked } from './columns.ts'
import { attemptIn, type LoadPayments } from './load-payments.ts'
import type { Commands } from './port.ts'
import { all, alone, ask, first, holding, lastly, prepare, writeHolding } from './query.ts'
import { setColumns } from './simple.ts'
import type { Tables } from './tables.ts'

function attemptQueries(db: Kysely<Tables>) {
  const attempts = () => db.selectFrom('attempts').selectAll()
  const byId = prepare((value) => attempts().where(ofAttempt(value)))
  const byReference = prepare((value) =>
    attempts()
      .where(matching(value, 'shop_id', 'adapter', 'reference'))
      .orderBy('number', 'desc')
      .limit(sql<number>`101`),
  )
  const byPage = prepare((value) => attempts().where('page_hash', '=', value('pageHash')))
  const byEarlierPage = prepare((value) => attempts().where('earlier_page_hash', '=', value('pageHash')))
  const movePage = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ earlier_page_hash: sql`page_hash`, page_hash: value('pageHash') })
      .where(ofAttempt(value))
      .where('page_hash', '<>', value('pageHash')),
  )
  const page = prepare((value) =>
    db.selectFrom('attempts').select(['page_leased_until', 'page_state']).where(ofAttempt(value)),
  )
  const savePage = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ page_leased_until: value('until'), page_state: value('state') })
      .where(ofAttempt(value)),
  )
  const countAsk = prepare((value) =>
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
  )
  const saveAsked = setColumns(db, 'attempts', ['asked_at', 'asked_answer'], ['shop_id', 'id'])
  const nextChecks = prepare((value) =>
    db
      .selectFrom('attempts')
      .select(['id', 'check_at', 'check_began_at'])
      .where(ofOrder(value))
      .where('check_at', 'is not', null),
  )
  const saveCheck = setColumns(db, 'attempts', ['check_at', 'check_began_at'], ['shop_id', 'id'])
  const dueChecks = prepare((value) =>
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
  )
  return {
    byId,
    byReference,
    byPage,
    byEarlierPage,
    movePage,
    page,
    savePage,
    countAsk,
    saveAsked,
    nextChecks,
    saveCheck,
    dueChecks,
  }
}

/** The hold of commands that lease a page and change its state. */
const pageHold = (shopId: string, id: string) => `page ${shopId} ${id}`

/** Attempts by their names, the leases of their pages, and when their payment service is asked. */
export function attemptCommands(db: Kysely<Tables>, load: LoadPayments) {
  const queries = attemptQueries(db)

  return {
    *attempt(shopId, id) {
      return (yield* load.attempt(yield* first(queries.byId, { shopId, id })))?.attempt
    },

    *attemptByReference(shopId, adapter, reference) {
      // One order has 100 attempts at most, so more of them are of several.
      const rows = yield* all(queries.byReference, { shopId, adapter, reference })
      const [one, other] = new Set(rows.map(({ order_id }) => order_id))
      if (other !== undefined)
        throw wrongAnswer(
          `start() of payment adapter "${adapter}" returned one reference for orders ${one} and ${other}: it is to name one payment`,
        )
      return (yield* load.attempt(rows[0]))?.attempt
    },

    *attemptByPage(pageHash) {
      const found = yield* first(queries.byPage, { pageHash })
      return yield* load.attempt(found ?? (yield* first(queries.byEarlierPage, { pageHash })))
    },

    *movePage(shopId, id, pageHash) {
      yield* writeHolding([], queries.movePage, { shopId, id, pageHash })
    },

    *leasePage(shopId, id, { now, until, seen, state }) {
      yield* holding(pageHold(shopId, id))
      const page = yield* first(queries.page, { shopId, id })
      const isFree = page && (page.page_leased_until ?? 0) <= now && page.page_state === (seen ?? null)
      if (isFree) yield* lastly(ask(queries.savePage, { shopId, id, until, state }))
      return isFree === true
    },

    *releasePage(shopId, id, { until, state }) {
      yield* holding(pageHold(shopId, id))
      const page = yield* first(queries.page, { shopId, id })
      const isLeased = page !== undefined && page.page_leased_until === until
      if (isLeased) yield* lastly(ask(queries.savePage, { shopId, id, until: null, state }))
      return isLeased
    },

    *claimChecks({ without = [], ...claim }) {
      yield* alone()
      // A list in one text: a name of an adapter has no space.
      const names = without.map((name) => ` ${name} `).join('')
      const rows = yield* all(queries.dueChecks, { ...claim, without: names })
      const found = yield* load.all(rows)
      return found.map((one, index) => attemptIn(one, rows[index]!.id))
    },

    *nextChecks(shopId, orderId) {
      const rows = yield* all(queries.nextChecks, { shopId, orderId })
      return Object.fromEntries(
        rows.map((row) => [row.id, { at: row.check_at!, beganAt: row.check_began_at ?? undefined }]),
      )
    },

    *noteAsked(shopId, id, { at: askedAt, answer: askedAnswer }) {
      yield* writeHolding([], queries.saveAsked, { shopId, id, askedAt, askedAnswer })
    },

    *countAsk(adapter, hour, most) {
      yield* alone(`asks ${adapter}`)
      if (most < 1) return false
      return (yield* all(queries.countAsk, { adapter, hour, most })).length > 0
    },

    *setCheck(shopId, id, checkAt) {
      yield* writeHolding([], queries.saveCheck, { shopId, id, checkAt, checkBeganAt: null })
    },
  } satisfies Partial<Commands>
}

import { wrongAnswer, wrongCall } from '../../errors/errors.ts'
import { type Db, ifGiven, matching, ofAttempt, ofOrder, type Row } from '../../store/columns.ts'
import { all, type Command, first, holding, lastly, orderKey, read, write } from '../../store/query.ts'
import { Gone } from '../../store.ts'
import type { Attempt, AttemptStart } from '../ledger/payment.ts'
import { factsOf, type LoadPayments, startedFrom } from './load-payments.ts'
import type { PushCommands } from './pushes.ts'

export interface PageLeft {
  /** The end of the reservation: no two of a page have the same. */
  until: number
  state: string | undefined
}

/** The hold of commands that lease a page and change its state. */
const pageHold = (shopId: string, id: string) => `page ${shopId} ${id}`

interface StartedRow
  extends Pick<Row<'attempts'>, 'how' | 'reported_expires_at' | 'last_word' | 'last_word_at'> {
  has_facts: boolean | number
  is_awaited: boolean | number
  /** So many newer attempts were opened meanwhile. */
  later: number
}

/** Attempts by their names, the leases of their pages, and what `start` of an adapter answered. */
export function attemptCommands(db: Db, load: LoadPayments, names: PushCommands['names']) {
  const byId = db.rowsBy('attempts', ['shop_id', 'id'])
  const byReference = db.text<
    Row<'attempts'>
  >`select * from attempts where ${matching('reference', 'adapter')}
      and ${ifGiven('shop_id')} order by number desc limit 101`
  const byPage = db.rowsBy('attempts', ['page_hash'])
  const savePage = db.setColumns('attempts', ['page_leased_until', 'page_state'], ['shop_id', 'id'])
  const saveStart = db.setColumns(
    'attempts',
    ['how', 'payment_url', 'url_expires_at', 'reference', 'sealed_data', 'check_at', 'expires_at'],
    ['shop_id', 'id'],
  )
  const startOf = db.text<StartedRow>`select how, reported_expires_at, last_word, last_word_at,
        exists (select fact_key from facts where ${ofOrder}) as has_facts,
        exists (select name from ${names.waitingFor}) as is_awaited,
        (select count(*) from attempts as later where later.shop_id = attempts.shop_id
          and later.order_id = attempts.order_id and later.number > attempts.number) as later
      from attempts where ${ofAttempt}`

  return {
    attempt: read(function* (shopId: string, id: string): Command<Attempt | undefined> {
      return (yield* load.attempt(yield* first(byId, { shopId, id })))?.attempt
    }),

    /**
     * The newest one of an order, of any shop without `shopId`. Rejects with `ADAPTER_ANSWER_INVALID` where several orders have it, and with
     * `ARGUMENT_INVALID` where several shops do: money must not reach another order.
     */
    attemptByReference: read(function* (shopId: string | undefined, adapter: string, reference: string) {
      // One order has 100 attempts at most, so more of them are of several.
      const rows = yield* all(byReference, { shopId, adapter, reference })
      const [shop, otherShop] = [...new Set(rows.map(({ shop_id }) => shop_id))].sort()
      if (otherShop !== undefined)
        throw wrongCall(
          `The shops ${shop} and ${otherShop} both have a payment of this reference: name the shop with \`shop\``,
        )
      const [one, other] = new Set(rows.map(({ order_id }) => order_id))
      if (other !== undefined)
        throw wrongAnswer(
          `start() of payment adapter "${adapter}" returned the same reference for orders ${one} and ${other}: each payment needs its own`,
        )
      return (yield* load.attempt(rows[0]))?.attempt
    }),

    attemptByPage: read(function* (pageHash: string) {
      return yield* load.attempt(yield* first(byPage, { pageHash }))
    }),

    /**
     * Reserves the attempt's page for one caller until it is released or `until`, and stores where the customer is, sealed, as one commit. Does
     * neither while another caller has it, or where the state is another than the one `seen`. Resolves with whether this caller has it.
     */
    leasePage: write(function* (
      shopId: string,
      id: string,
      { now, until, seen, state }: PageLeft & { now: number; seen: string | undefined },
    ): Command<boolean> {
      yield* holding(pageHold(shopId, id))
      const page = yield* first(byId, { shopId, id })
      const isFree = page && (page.page_leased_until ?? 0) <= now && page.page_state === (seen ?? null)
      if (isFree) yield* lastly(savePage({ shopId, id, pageLeasedUntil: until, pageState: state }))
      return isFree === true
    }),

    /** Ends the reservation `until` and stores where the customer is. Does neither, and resolves with `false`, once it is another caller's. */
    releasePage: write(function* (shopId: string, id: string, { until, state }: PageLeft): Command<boolean> {
      yield* holding(pageHold(shopId, id))
      const page = yield* first(byId, { shopId, id })
      const isLeased = page !== undefined && page.page_leased_until === until
      if (isLeased) yield* lastly(savePage({ shopId, id, pageState: state }))
      return isLeased
    }),

    /**
     * Stores the next step of an attempt, and makes the pushes due that wait for its reference: `pushesDue` says whether there are any, and
     * `isReplaced` whether a newer attempt was opened meanwhile.
     */
    noteStart: write(function* (
      given: Attempt,
      started: AttemptStart,
      { expiresAt, checkAt }: { expiresAt: number; checkAt: number },
    ): Command<{ attempt: Attempt; pushesDue: boolean; isReplaced: boolean }> {
      const { shopId, orderId, id, adapter } = given
      yield* holding(orderKey(shopId, orderId))
      const { reference } = started
      const at = yield* first(startOf, { shopId, orderId, id, adapter, reference })
      const known = at?.has_facts ? yield* all(load.facts, { shopId, orderId }) : []
      // Truths are numbers on SQLite.
      const pushesDue = Boolean(at?.is_awaited)
      const due = pushesDue ? names.makingDue({ shopId, adapter, reference }) : []
      // The first stored start stays: two that raced get the same answer.
      if (at?.how !== null) {
        const payment = at && (yield* load.one(shopId, orderId))
        const attempt = payment?.attempts.find((one) => one.id === id)
        if (!attempt) throw new Gone()
        yield* lastly(...due)
        return { attempt, pushesDue, isReplaced: false }
      }
      // A push may have come before the answer of `start`.
      const expires = Math.max(at.reported_expires_at ?? 0, expiresAt)
      yield* lastly(saveStart({ shopId, id, ...started, expiresAt: expires, checkAt }), ...due)
      return {
        attempt: {
          ...given,
          started: { sealedData: undefined, ...started },
          ...startedFrom({ ...at, expires_at: expires }),
          checkAt,
          facts: factsOf(known, id),
        },
        pushesDue,
        isReplaced: at.later > 0,
      }
    }),
  }
}

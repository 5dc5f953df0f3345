import { type Kysely, sql } from 'kysely'
import type { Attempt, AttemptStart } from '../../payments/payment.ts'
import { Gone } from '../../store/shops.ts'
import { columns, ofAttempt, ofOrder } from './columns.ts'
import type { LoadPayments } from './load-payments.ts'
import { write } from './port.ts'
import type { PushCommands } from './pushes.ts'
import { all, ask, type Command, first, holding, lastly, orderKey, prepare } from './query.ts'
import { factsOf, startedFrom } from './rows.ts'
import type { Tables } from './schema.ts'

interface Others {
  load: LoadPayments
  pushes: Pick<PushCommands, 'names' | 'calls'>
}

const startQueries = (db: Kysely<Tables>, { pushes }: Others) => ({
  saveStart: prepare((value) =>
    db
      .updateTable('attempts')
      .set({
        ...columns(value, 'how', 'payment_url', 'url_expires_at', 'reference', 'sealed_data', 'check_at'),
        ...columns(value, 'expires_at'),
      })
      .where(ofAttempt(value)),
  ),
  startOf: prepare((value) =>
    db
      .selectFrom('attempts')
      .select(['how', 'reported_expires_at', 'last_word', 'last_word_at'])
      .select(({ exists, selectFrom }) => [
        exists(selectFrom('facts').select('fact_key').where(ofOrder(value))).as('has_facts'),
        exists(pushes.names.waitingFor(value).select('name')).as('is_awaited'),
        sql<number>`(select count(*) from attempts as later where later.shop_id = attempts.shop_id
          and later.order_id = attempts.order_id and later.number > attempts.number)`.as('later'),
      ])
      .where(ofAttempt(value)),
  ),
})

/** Stores what `start` of an adapter answered. Pushes that came before it are due. */
export function noteStartCommands(db: Kysely<Tables>, others: Others) {
  const { startOf, saveStart } = startQueries(db, others)
  const { load, pushes } = others

  return {
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
      const awaiting = at?.is_awaited ? yield* pushes.names.noted(shopId, adapter, reference) : []
      const pushesDue = awaiting.length > 0
      const due = pushes.names.makingDue(shopId, awaiting, (lane) => pushes.calls.lookSooner(lane))
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
      yield* lastly(ask(saveStart, { shopId, id, ...started, expiresAt: expires, checkAt }), ...due)
      return {
        attempt: {
          ...given,
          started: { sealedData: undefined, ...started },
          ...startedFrom({ ...at, expires_at: expires }),
          facts: factsOf(known, id),
        },
        pushesDue,
        isReplaced: at.later > 0,
      }
    }),
  }
}

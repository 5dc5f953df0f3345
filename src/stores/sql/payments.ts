import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { Anomaly } from '../../payments/anomalies.ts'
import { laneName } from '../../payments/lane.ts'
import { learn } from '../../payments/moves.ts'
import { openAttempt } from '../../payments/open.ts'
import type { Payment } from '../../payments/payment.ts'
import type { PaymentFilter } from '../../store.ts'
import type { AnomalyCommands } from './anomalies.ts'
import type { AuditCommands } from './audit.ts'
import type { ChangeCommands } from './changes.ts'
import { columns, ifGiven, ofAttempt, ofOrder, type Place, replaced } from './columns.ts'
import { makeLearnedSteps } from './learned-steps.ts'
import type { LoadPayments } from './load-payments.ts'
import type { Commands } from './port.ts'
import type { PushCommands } from './pushes.ts'
import {
  all,
  ask,
  type Command,
  first,
  holding,
  lastly,
  orderKey,
  prepare,
  type Step,
  writeHolding,
} from './query.ts'
import { factsOf, startedFrom, summaryFrom } from './rows.ts'
import type { Tables } from './tables.ts'
import type { WebhookCommands } from './webhooks.ts'

interface Others {
  load: LoadPayments
  anomalies: AnomalyCommands
  changes: ChangeCommands
  webhooks: WebhookCommands
  pushes: Pick<PushCommands, 'names' | 'calls'>
  audit: AuditCommands
}

/** The payments of a list, latest change of status first. */
const newestFirst = (db: Kysely<Tables>, value: Place) =>
  db
    .selectFrom('payments')
    .where(ifGiven(value, 'shop_id', 'payments'))
    .where(ifGiven(value, 'status'))
    .where('changed_at', '>=', value('since'))
    .where(
      sql<boolean>`(changed_at, payments.shop_id, payments.order_id)
        < (cast(${value('changedAt')} as bigint), ${value('afterShop')}, ${value('afterOrder')})`,
    )
    .orderBy('changed_at', 'desc')
    .orderBy('payments.shop_id', 'desc')
    .orderBy('payments.order_id', 'desc')
    .limit(value('limit'))

const paymentQueries = (db: Kysely<Tables>, { pushes }: Pick<Others, 'pushes'>) => ({
  newest: prepare((value) => newestFirst(db, value).select(['shop_id', 'order_id'])),
  summaries: prepare((value) =>
    newestFirst(db, value)
      .innerJoin('attempts', (join) =>
        join
          .onRef('attempts.shop_id', '=', 'payments.shop_id')
          .onRef('attempts.order_id', '=', 'payments.order_id')
          .on(
            'attempts.number',
            '=',
            sql<number>`(select max(number) from attempts of_order
              where of_order.shop_id = payments.shop_id and of_order.order_id = payments.order_id)`,
          ),
      )
      .select(['payments.shop_id', 'payments.order_id', 'status', 'amount', 'currency', 'adapter'])
      .select(['created_at', 'changed_at']),
  ),
  savePayment: prepare((value) =>
    db
      .insertInto('payments')
      .values({
        ...columns(value, 'shop_id', 'order_id', 'status', 'status_version', 'delivered_version'),
        ...columns(value, 'read_version', 'redirect_url', 'webhook_url', 'paid_by', 'changed_at'),
        created_at: value('openedAt'),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['shop_id', 'order_id'])
          .doUpdateSet(
            replaced('status', 'status_version', 'redirect_url', 'webhook_url', 'paid_by', 'changed_at'),
          ),
      ),
  ),
  // Its next step is written once `start` has answered.
  addAttempt: prepare((value) =>
    db.insertInto('attempts').values({
      ...columns(value, 'shop_id', 'order_id', 'number', 'id', 'order_number', 'adapter', 'method_id'),
      ...columns(value, 'amount', 'currency', 'mode', 'authorised_is_paid', 'language'),
      ...columns(value, 'idempotency_key', 'page_hash', 'opened_at', 'expires_at', 'check_at'),
    }),
  ),
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
      ])
      .where(ofAttempt(value)),
  ),
  saveRead: prepare((value) =>
    db
      .updateTable('payments')
      .set({
        read_version: value('version'),
        read_at: value('now'),
        // Nodes of the previous version look here.
        remind_at: sql<null>`null`,
      })
      .where(ofOrder(value))
      .where('read_version', '<', value('version')),
  ),
})

/** Stores payments with their attempts and facts. The ledger decides their status. */
export function paymentCommands(
  db: Kysely<Tables>,
  { load, anomalies, changes, webhooks, pushes, audit }: Others,
) {
  const { newest, summaries, savePayment, addAttempt, startOf, saveStart, saveRead } = paymentQueries(db, {
    pushes,
  })
  const learnedSteps = makeLearnedSteps(db, changes)

  /** Writes the changes, and `more`, in one flight. */
  function* save(
    { payment: saved, anomalies: opened }: { payment: Payment; anomalies: readonly Anomaly[] },
    before: Payment | undefined,
    now: number,
    more: readonly Step[],
    dueAt = now,
  ): Command<void> {
    const { attempts: _, readAt: __, ...fields } = saved
    const { shopId, orderId } = saved
    const owing =
      saved.statusVersion > (before?.statusVersion ?? 0)
        ? webhooks.owing({ ...saved, before: before?.statusVersion ?? 0 }, now, dueAt)
        : before && before.webhookUrl !== saved.webhookUrl
          ? yield* webhooks.moving(saved, now)
          : []
    yield* lastly(
      ask(savePayment, fields),
      ...more,
      ...opened.map((anomaly) => anomalies.opening(shopId, orderId, anomaly, now)),
      ...owing,
    )
  }

  return {
    *openAttempt(open) {
      yield* holding(orderKey(open.shopId, open.orderId))
      const before = yield* load.one(open.shopId, open.orderId)
      const opened = openAttempt(before, open)
      if (opened.outcome === 'full') return opened
      const {
        facts: _,
        started: __,
        asked: ___,
        lastWord: ____,
        authorisedIsPaid,
        ...fields
      } = opened.attempt
      const number = opened.payment.attempts.length
      const added = { ...fields, number, authorisedIsPaid: Number(authorisedIsPaid), checkAt: open.checkAt }
      const isNew = fields.id === open.attemptId
      yield* save(opened, before, open.now, isNew ? [ask(addAttempt, added), changes.opened(opened)] : [])
      return opened
    },

    *noteStart(given, started, { expiresAt, checkAt }) {
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
        if (!attempt) throw new TypeError('This shop has no such attempt')
        yield* lastly(...due)
        return { attempt, pushesDue }
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
      }
    },

    *learn(shopId, orderId, attemptId, statements, { source, now, byHand }) {
      yield* holding(orderKey(shopId, orderId))
      const before = yield* load.known(shopId, orderId)
      const learned = learn(before, attemptId, statements, { source, now })
      if (!learned.changed) return learned
      const steps = learnedSteps(learned, before, attemptId)
      if (byHand) {
        const { by, status } = byHand
        const [{ amount, currency } = {}] = statements
        const reported = { order: orderId, attempt: attemptId, status, amount, currency }
        steps.push(audit.entry(shopId, { at: now, by }, { action: 'payment.reported', ...reported }))
      }
      yield* save(learned, before, now, steps, byHand && dueByHand(before, now))
      return learned
    },

    payment: load.one,

    *payments(filter) {
      return yield* load.all(yield* all(newest, valuesOf(filter)))
    },

    *paymentSummaries(filter) {
      return (yield* all(summaries, valuesOf(filter))).map(summaryFrom)
    },

    *replayWebhook(shopId, orderId, now, by = byProvider) {
      yield* holding(orderKey(shopId, orderId))
      const found = yield* load.one(shopId, orderId)
      if (!found) return false
      const more = [
        ...webhooks.owing({ ...found, before: found.statusVersion }, now, dueByHand(found, now)),
        audit.entry(shopId, { at: now, by }, { action: 'webhook.replayed', order: orderId }),
      ]
      yield* webhooks.calls.open({ lane: laneName(shopId, found.webhookUrl) }, now, more)
      return true
    },

    *noteRead(shopId, orderId, version, now) {
      yield* writeHolding([orderKey(shopId, orderId)], saveRead, { shopId, orderId, version, now })
    },
  } satisfies Partial<Commands>
}

/** Where a list begins. */
const fromTheTop = { changedAt: Number.MAX_SAFE_INTEGER, shopId: '', orderId: '' }

function valuesOf({ shopId, status, since = 0, after = fromTheTop, limit }: PaymentFilter) {
  const { changedAt, shopId: afterShop, orderId: afterOrder } = after
  return { shopId, status, since, changedAt, afterShop, afterOrder, limit }
}

/** The due time of a call by a person: at once, even if the person's machine is ahead of the provider's. */
const dueByHand = ({ changedAt }: Payment, now: number): number => Math.min(now, changedAt)

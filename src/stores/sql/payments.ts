import { type Kysely, type Selectable, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import { factKey } from '../../payments/facts.ts'
import { laneName } from '../../payments/lane.ts'
import { type Learned, learn, type OpenAttempt, type Opened, openAttempt } from '../../payments/ledger.ts'
import type { Attempt, AttemptStart, Payment } from '../../payments/payment.ts'
import type { Anomaly } from '../../payments/status.ts'
import type { PaymentFilter, StorePort } from '../../store.ts'
import type { AnomalyCommands } from './anomalies.ts'
import type { AuditCommands } from './audit.ts'
import {
  all,
  ask,
  type Command,
  first,
  holding,
  orderKey,
  prepare,
  type Query,
  type Step,
  together,
} from './query.ts'
import { attemptFrom, attemptRow, factFrom, paymentFrom } from './rows.ts'
import { skipLocked } from './skip-locked.ts'
import type { Tables } from './tables.ts'
import type { WebhookCommands } from './webhooks.ts'

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

const attemptOf = (row: Row<'attempts'>, known: readonly Row<'facts'>[]): Attempt =>
  attemptFrom(row, known.filter((fact) => fact.attempt_id === row.id).map(factFrom))

const paymentOf = (
  row: Row<'payments'>,
  attempts: readonly Row<'attempts'>[],
  facts: readonly Row<'facts'>[],
) =>
  paymentFrom(
    row,
    attempts.map((attempt) => attemptOf(attempt, facts)),
  )

const attemptIn = ({ attempts }: Payment, id: string) =>
  attempts.find((attempt) => attempt.id === id) as Attempt

/** Stores payments with their attempts and facts. The ledger decides their status. */
export function paymentCommands(
  db: Kysely<Tables>,
  { openAnomaly }: AnomalyCommands,
  { owes, moves, opens }: WebhookCommands,
  { logChange }: AuditCommands,
) {
  const payment = prepare((value) =>
    db
      .selectFrom('payments')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId')),
  )
  const attempts = prepare((value) =>
    db
      .selectFrom('attempts')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .orderBy('number'),
  )
  const facts = prepare((value) =>
    db
      .selectFrom('facts')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .orderBy('at'),
  )
  const attemptById = prepare((value) =>
    db
      .selectFrom('attempts')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('id', '=', value('attemptId')),
  )
  const attemptByReference = prepare((value) =>
    db
      .selectFrom('attempts')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('adapter', '=', value('adapter'))
      .where('reference', '=', value('reference')),
  )
  const attemptByPage = prepare((value) =>
    db.selectFrom('attempts').selectAll().where('page_hash', '=', value('pageHash')),
  )
  const attemptByEarlierPage = prepare((value) =>
    db.selectFrom('attempts').selectAll().where('earlier_page_hash', '=', value('pageHash')),
  )
  const movePage = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ earlier_page_hash: sql`page_hash`, page_hash: value('pageHash') })
      .where('shop_id', '=', value('shopId'))
      .where('id', '=', value('attemptId'))
      .where('page_hash', '<>', value('pageHash')),
  )
  const newest = prepare((value) =>
    db
      .selectFrom('payments')
      .select(['shop_id', 'order_id'])
      .where(sql<boolean>`(cast(${value('shopId')} as text) is null or shop_id = ${value('shopId')})`)
      .where(sql<boolean>`(cast(${value('status')} as text) is null or status = ${value('status')})`)
      .where('changed_at', '<', value('before'))
      .orderBy('changed_at', 'desc')
      .limit(value('limit')),
  )
  const savePayment = prepare((value) =>
    db
      .insertInto('payments')
      .values({
        shop_id: value('shopId'),
        order_id: value('orderId'),
        status: value('status'),
        status_version: value('statusVersion'),
        delivered_version: value('deliveredVersion'),
        read_version: value('readVersion'),
        redirect_url: value('redirectUrl'),
        webhook_url: value('webhookUrl'),
        created_at: value('openedAt'),
        changed_at: value('changedAt'),
      })
      .onConflict((conflict) =>
        conflict.columns(['shop_id', 'order_id']).doUpdateSet((excluded) => ({
          status: excluded.ref('excluded.status'),
          status_version: excluded.ref('excluded.status_version'),
          redirect_url: excluded.ref('excluded.redirect_url'),
          webhook_url: excluded.ref('excluded.webhook_url'),
          changed_at: excluded.ref('excluded.changed_at'),
        })),
      ),
  )
  const addAttempt = prepare((value) =>
    db.insertInto('attempts').values({
      shop_id: value('shop_id'),
      order_id: value('order_id'),
      number: value('number'),
      id: value('id'),
      order_number: value('order_number'),
      adapter: value('adapter'),
      method_id: value('method_id'),
      amount: value('amount'),
      currency: value('currency'),
      mode: value('mode'),
      language: value('language'),
      idempotency_key: value('idempotency_key'),
      page_hash: value('page_hash'),
      opened_at: value('opened_at'),
      expires_at: value('expires_at'),
      check_at: value('check_at'),
    }),
  )
  const saveStart = prepare((value) =>
    db
      .updateTable('attempts')
      .set({
        how: value('how'),
        payment_url: value('paymentUrl'),
        url_expires_at: value('urlExpiresAt'),
        reference: value('reference'),
        expires_at: value('expiresAt'),
        check_at: value('checkAt'),
      })
      .where('shop_id', '=', value('shopId'))
      .where('id', '=', value('attemptId'))
      .where('how', 'is', null)
      .returningAll(),
  )
  const addFact = prepare((value) =>
    db
      .insertInto('facts')
      .values({
        shop_id: value('shopId'),
        order_id: value('orderId'),
        attempt_id: value('attemptId'),
        fact_key: value('key'),
        kind: value('kind'),
        amount: value('amount'),
        currency: value('currency'),
        mode: value('mode'),
        source: value('source'),
        at: value('at'),
        detail: value('detail'),
      })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const saveRead = prepare((value) =>
    db
      .updateTable('payments')
      .set({
        read_version: value('version'),
        read_at: value('now'),
        remind_at: sql`case when delivered_version > ${value('version')} then remind_at end`,
      })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('read_version', '<', value('version')),
  )
  const saveCheck = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ check_at: value('checkAt') })
      .where('shop_id', '=', value('shopId'))
      .where('id', '=', value('attemptId')),
  )
  const leasePage = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ page_held_until: value('until') })
      .where('shop_id', '=', value('shopId'))
      .where('id', '=', value('attemptId'))
      .where(sql<boolean>`coalesce(page_held_until, 0) <= ${value('now')}`)
      .returning('id'),
  )
  const releasePage = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ page_held_until: sql<null>`null` })
      .where('shop_id', '=', value('shopId'))
      .where('id', '=', value('attemptId')),
  )
  const dueChecks = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ check_at: value('leaseUntil') })
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

  function* load(shopId: string, orderId: string): Command<Payment | undefined> {
    const row = yield* first(payment, { shopId, orderId })
    if (!row) return undefined
    const [attemptRows, factRows] = yield* together(
      ask(attempts, { shopId, orderId }),
      ask(facts, { shopId, orderId }),
    )
    return paymentOf(row, attemptRows, factRows)
  }

  /** Reads existing payments in one flight. */
  function* loadAll(keys: readonly { shop_id: string; order_id: string }[]): Command<Payment[]> {
    const ofEach = (query: Query<unknown>) =>
      keys.map(({ shop_id: shopId, order_id: orderId }) => ask(query, { shopId, orderId }))
    const rows = yield* together(...ofEach(payment), ...ofEach(attempts), ...ofEach(facts))
    const count = keys.length
    return keys.map((_, index) =>
      paymentOf(
        rows[index]![0] as Row<'payments'>,
        rows[count + index] as Row<'attempts'>[],
        rows[2 * count + index] as Row<'facts'>[],
      ),
    )
  }

  function* mustLoad(shopId: string, orderId: string): Command<Payment> {
    const found = yield* load(shopId, orderId)
    if (!found) throw new TypeError('This shop has no payment for this order')
    return found
  }

  /** Writes the changes, and `more` in the same flight. */
  function* save(
    { payment: saved, anomalies }: { payment: Payment; anomalies: readonly Anomaly[] },
    before: Payment | undefined,
    now: number,
    more: readonly Step[],
    dueAt = now,
  ): Command<void> {
    const { attempts: _, readAt: __, ...fields } = saved
    yield* together(ask(savePayment, fields), ...more)
    for (const anomaly of anomalies) yield* openAnomaly(saved.shopId, saved.orderId, anomaly, now)
    if (saved.statusVersion > (before?.statusVersion ?? 0)) yield* owes(saved, now, dueAt)
    else if (before && before.webhookUrl !== saved.webhookUrl) yield* moves(saved, now)
  }

  function* findAttempt(row: { shop_id: string; order_id: string; id: string } | undefined) {
    if (!row) return undefined
    const found = yield* mustLoad(row.shop_id, row.order_id)
    return { payment: found, attempt: attemptIn(found, row.id) }
  }

  return {
    *openAttempt(open: OpenAttempt): Command<Opened> {
      yield* holding(orderKey(open.shopId, open.orderId))
      const before = yield* load(open.shopId, open.orderId)
      const opened = openAttempt(before, open)
      if (opened.outcome === 'full') return opened
      const isNew = opened.attempt.id === open.attemptId
      const row = attemptRow(opened.attempt, opened.payment.attempts.length, open.checkAt)
      yield* save(opened, before, open.now, isNew ? [ask(addAttempt, row)] : [])
      return opened
    },

    *noteStart(
      shopId: string,
      orderId: string,
      attemptId: string,
      started: AttemptStart,
      { expiresAt, checkAt }: { expiresAt: number; checkAt: number },
    ): Command<Attempt> {
      yield* holding(orderKey(shopId, orderId))
      const [[row], known] = yield* together(
        ask(saveStart, { shopId, attemptId, ...started, expiresAt, checkAt }),
        ask(facts, { shopId, orderId }),
      )
      if (row) return attemptOf(row, known)
      // The first stored start stays: two that raced get the same answer.
      const found = yield* findAttempt(yield* first(attemptById, { shopId, attemptId }))
      if (!found) throw new TypeError('This shop has no such attempt')
      return found.attempt
    },

    *learn(
      ...[shopId, orderId, attemptId, facts, now, byHand]: Parameters<StorePort['learn']>
    ): Command<Learned> {
      yield* holding(orderKey(shopId, orderId))
      const before = yield* mustLoad(shopId, orderId)
      const learned = learn(before, attemptId, facts, now)
      if (learned.added.length === 0) return learned
      const added = learned.added.map(({ at, ...fact }) =>
        ask(addFact, { shopId, orderId, attemptId, key: factKey(fact), at, ...fact }),
      )
      // A paid attempt is no longer checked.
      const isOver = learned.payment.status === 'paid' && learned.added.some(({ kind }) => kind === 'paid')
      const noCheck = isOver ? [ask(saveCheck, { shopId, attemptId, checkAt: undefined })] : []
      const dueAt = byHand ? dueByHand(before, now) : now
      yield* save(learned, before, now, [...added, ...noCheck], dueAt)
      if (byHand) {
        const { by, status } = byHand
        const { amount, currency } = learned.added[0]!
        const reported = { order: orderId, attempt: attemptId, status, amount, currency }
        yield* logChange(shopId, { at: now, by }, { action: 'payment.reported', ...reported })
      }
      return learned
    },

    payment: load,

    *payments({ shopId, status, before, limit }: PaymentFilter): Command<Payment[]> {
      const wanted = { shopId, status, before: before ?? Number.MAX_SAFE_INTEGER, limit }
      return yield* loadAll(yield* all(newest, wanted))
    },

    *replayWebhook(shopId: string, orderId: string, now: number, by = byProvider): Command<boolean> {
      yield* holding(orderKey(shopId, orderId))
      const found = yield* load(shopId, orderId)
      if (!found) return false
      yield* owes(found, now, dueByHand(found, now))
      yield* opens(laneName(shopId, found.webhookUrl), now)
      yield* logChange(shopId, { at: now, by }, { action: 'webhook.replayed', order: orderId })
      return true
    },

    *noteRead(shopId: string, orderId: string, version: number, now: number): Command<void> {
      yield* holding()
      yield* all(saveRead, { shopId, orderId, version, now })
    },

    *attempt(shopId: string, attemptId: string): Command<Attempt | undefined> {
      return (yield* findAttempt(yield* first(attemptById, { shopId, attemptId })))?.attempt
    },

    *attemptByReference(shopId: string, adapter: string, reference: string): Command<Attempt | undefined> {
      return (yield* findAttempt(yield* first(attemptByReference, { shopId, adapter, reference })))?.attempt
    },

    *attemptByPage(pageHash: string): Command<{ attempt: Attempt; payment: Payment } | undefined> {
      const found = yield* first(attemptByPage, { pageHash })
      return yield* findAttempt(found ?? (yield* first(attemptByEarlierPage, { pageHash })))
    },

    *movePage(shopId: string, attemptId: string, pageHash: string): Command<void> {
      yield* holding()
      yield* all(movePage, { shopId, attemptId, pageHash })
    },

    *leasePage(
      shopId: string,
      attemptId: string,
      { now, until }: { now: number; until: number },
    ): Command<boolean> {
      yield* holding()
      return (yield* all(leasePage, { shopId, attemptId, now, until })).length > 0
    },

    *releasePage(shopId: string, attemptId: string): Command<void> {
      yield* holding()
      yield* all(releasePage, { shopId, attemptId })
    },

    *claimChecks(...[{ without = [], ...claim }]: Parameters<StorePort['claimChecks']>): Command<Attempt[]> {
      // A list in one text: a name of an adapter has no space.
      const names = without.map((name) => ` ${name} `).join('')
      const rows = yield* all(dueChecks, { ...claim, without: names })
      const found = yield* loadAll(rows)
      return found.map((one, index) => attemptIn(one, rows[index]!.id))
    },

    *setCheck(shopId: string, attemptId: string, checkAt: number | undefined): Command<void> {
      yield* holding()
      yield* all(saveCheck, { shopId, attemptId, checkAt })
    },
  }
}

/** The due time of a call by a person: at once, even if the person's machine is ahead of the provider's. */
const dueByHand = ({ changedAt }: Payment, now: number): number => Math.min(now, changedAt)

import { byProvider } from '../../audit.ts'
import type { AuditCommands } from '../../shops/commands/audit.ts'
import type { RemovedShops } from '../../shops/commands/new-shops.ts'
import { type Db, ofAttempt, value } from '../../store/columns.ts'
import {
  type Command,
  holding,
  inOneFlight,
  lastly,
  orderKey,
  patient,
  type Query,
  type Step,
  write,
  writeHolding,
} from '../../store/query.ts'
import type { WebhookCommands } from '../../webhooks/commands/webhooks.ts'
import { isOver, moneyLook } from '../ledger/levels.ts'
import { type Learned, learn } from '../ledger/moves.ts'
import { type OpenAttempt, type Opened, openAttempt } from '../ledger/open.ts'
import {
  type Attempt,
  type FactSource,
  factKey,
  type Payment,
  type ServiceAnswer,
} from '../ledger/payment.ts'
import type { ReportWord, Statement } from '../ledger/report.ts'
import type { AnomalyCommands } from './anomalies.ts'
import { attemptIn, type LoadPayments } from './load-payments.ts'

/** A person's report, for the audit trail. */
export interface HandReport {
  by: string
  status: ReportWord
}

/** Where a report comes from. `node`: the process that learns it. */
export interface LearnedFrom {
  source: FactSource
  now: number
  byHand?: HandReport | undefined
  node?: string | undefined
}

interface Others {
  load: LoadPayments
  anomalies: AnomalyCommands
  webhooks: WebhookCommands
  audit: AuditCommands
  removed: RemovedShops
}

const paymentQueries = (db: Db) => ({
  savePayment: db.putRow(
    'payments',
    ...(['status', 'status_version', 'paid_by', 'changed_at', 'last_at'] as const),
    ...(['redirect_url', 'webhook_url'] as const),
  ),
  // Its next step is written once `start` has answered.
  addAttempt: db.addRow(
    'attempts',
    ...(['shop_id', 'order_id', 'number', 'id', 'order_number', 'adapter', 'method_id', 'amount'] as const),
    ...(['currency', 'mode', 'authorised_is_paid', 'underpaid_by', 'language', 'idempotency_key'] as const),
    ...(['page_hash', 'opened_at', 'expires_at', 'check_at'] as const),
  ),
  // A line of the feed, which gets its place when somebody reads: see the commands of changes.
  addChange: db.addRow('changes'),
  saveAsked: db.setColumns('attempts', ['asked_at', 'asked_answer'], ['shop_id', 'id']),
})

type Saved = Pick<Learned, 'payment' | 'anomalies'> & Partial<Pick<Learned, 'ended'>>

/** Stores payments with their attempts and facts. The ledger decides their status. */
export function paymentCommands(db: Db, { load, anomalies, webhooks, audit, removed }: Others) {
  const { savePayment, addAttempt, addChange, saveAsked } = paymentQueries(db)
  const learnedSteps = makeLearnedSteps(db, addChange)

  /** Writes the changes, and `more`, in one flight. */
  function* save(
    { payment: saved, anomalies: opened, ended = [] }: Saved,
    before: Payment | undefined,
    now: number,
    more: readonly Step[],
    dueAt = now,
  ): Command<void> {
    const { attempts: _, readAt: __, ...fields } = saved
    const { shopId, orderId, statusVersion } = saved
    const known = before?.statusVersion ?? 0
    const moves = before && before.webhookUrl !== saved.webhookUrl
    const owing =
      statusVersion > known
        ? webhooks.owing({ ...saved, before: known }, now, dueAt)
        : moves
          ? yield* webhooks.moving(saved, now)
          : []
    yield* lastly(
      savePayment({ ...fields, createdAt: saved.openedAt, lastAt: now }),
      ...more,
      ...opened.map((anomaly) => anomalies.opening(shopId, orderId, anomaly, now)),
      ...ended.map((one) => anomalies.ending(shopId, orderId, one, now)),
      ...owing,
    )
  }

  return {
    openAttempt: write(function* (open: OpenAttempt): Command<Opened> {
      yield* holding(orderKey(open.shopId, open.orderId))
      const [before] = yield* inOneFlight(
        load.one(open.shopId, open.orderId),
        removed.expect(open.shopId, true),
      )
      const opened = openAttempt(before, open)
      if (opened.outcome === 'full') return opened
      const { attempt, payment } = opened
      const { facts: _, started: __, asked: ___, lastWord: ____, ...fields } = attempt
      const { id: attemptId, amount, currency } = attempt
      const { shopId, orderId, status } = payment
      const number = payment.attempts.length
      const authorisedIsPaid = Number(attempt.authorisedIsPaid)
      const opens = { shopId, orderId, attemptId, at: open.now, kind: 'opened', amount, currency, status }
      const steps =
        attemptId === open.attemptId
          ? [addAttempt({ ...fields, number, authorisedIsPaid }), addChange(opens)]
          : []
      if (opened.learned) {
        const unpaid = { ...payment, attempts: payment.attempts.with(-1, attempt) }
        steps.push(...learnedSteps(opened.learned, unpaid, attemptId))
      }
      yield* save(opened, before, open.now, steps)
      return opened
    }),

    /** Adds what is new of a report; a change of status, the webhook it owes and the anomalies it opens are one commit with them. */
    learn: write(function* (
      shopId: string,
      orderId: string,
      attemptId: string,
      statements: readonly Statement[],
      { source, now, byHand, node }: LearnedFrom,
    ): Command<Learned> {
      yield* holding(orderKey(shopId, orderId))
      const before = yield* load.known(shopId, orderId)
      const learned = learn(before, attemptId, statements, { source, now })
      if (!learned.changed) return learned
      const steps = learnedSteps(learned, before, attemptId, node)
      if (byHand) {
        const { by, status } = byHand
        const [{ amount, currency } = {}] = statements
        const reported = { order: orderId, attempt: attemptId, status, amount, currency }
        steps.push(audit.entry(shopId, { at: now, by }, { action: 'payment.reported', ...reported }))
      }
      yield* save(learned, before, now, steps, byHand && dueByHand(before, now))
      return learned
    }),

    /** Stores the last answer of an attempt's payment service. */
    noteAsked: patient(function* (shopId: string, id: string, { at, answer }: ServiceAnswer) {
      yield* writeHolding([], saveAsked, { shopId, id, askedAt: at, askedAnswer: answer })
    }),

    /** Makes an owed or dead webhook due at once, or owes a new one, and opens its lane. Resolves with whether there is such a payment. */
    replayWebhook: write(function* (shopId: string, orderId: string, now: number, by = byProvider) {
      yield* holding(orderKey(shopId, orderId))
      const found = yield* load.one(shopId, orderId)
      if (!found) return false
      const more = [
        ...webhooks.owing({ ...found, before: found.statusVersion }, now, dueByHand(found, now)),
        audit.entry(shopId, { at: now, by }, { action: 'webhook.replayed', order: orderId }),
      ]
      yield* webhooks.opening(found, now, more)
      return true
    }),
  }
}

/** The due time of a call by a person: at once, even if the person's machine is ahead of the provider's. */
const dueByHand = ({ changedAt }: Payment, now: number): number => Math.min(now, changedAt)

/** Makes the steps that write what was learned of an attempt, beside its payment. */
function makeLearnedSteps(db: Db, addChange: Query<unknown>) {
  const addFact = db.addNewRow('facts')
  const saveWait = db.text<unknown>`
    update attempts set last_word = ${value('lastWord')}, last_word_at = ${value('lastWordAt')},
        expires_at = ${value('expiresAt')},
        reported_expires_at = case when expires_at < cast(${value('expiresAt')} as bigint)
          then cast(${value('expiresAt')} as bigint) else reported_expires_at end
      where ${ofAttempt}`
  const endChecks = db.text<unknown>`update attempts set check_at = null where ${ofAttempt}`
  const checkBy = db.text<unknown>`update attempts set check_at = ${value('checkAt')}
      where ${ofAttempt} and (check_at is null or check_at > ${value('checkAt')})`

  /** Changes the wait for an attempt, and its next check. */
  function waitSteps(payment: Payment, was: Attempt): Step[] {
    const { shopId, id } = was
    const is = attemptIn(payment, id)
    const steps: Step[] = []
    if (is.lastWord !== was.lastWord || is.expiresAt !== was.expiresAt) {
      const { lastWord, expiresAt } = is
      steps.push(saveWait({ shopId, id, lastWord: lastWord?.is, lastWordAt: lastWord?.at, expiresAt }))
    }
    if (isOver(payment, is)) steps.push(endChecks({ shopId, id }))
    const checkAt = moneyLook(payment, is)
    if (checkAt !== undefined) steps.push(checkBy({ shopId, id, checkAt }))
    return steps
  }

  return ({ payment, added }: Learned, before: Payment, attemptId: string, node?: string): Step[] => {
    const { shopId, orderId, status } = payment
    const was = attemptIn(before, attemptId)
    const rows = added.map((fact, index) => ({
      ...{ ...fact, shopId, orderId, attemptId, node, status, factKey: factKey(fact), learnedAt: fact.at },
      ...{ number: was.facts.length + index + 1, conflicts: fact.conflicts ? 1 : undefined },
    }))
    // Each is a line of the feed too.
    return [...rows.map(addFact), ...waitSteps(payment, was), ...rows.map(addChange)]
  }
}

import { type Kysely, sql } from 'kysely'
import { factKey } from '../../payments/facts.ts'
import type { Learned } from '../../payments/moves.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import { isOver, moneyLook } from '../../payments/waiting.ts'
import type { ChangeCommands } from './changes.ts'
import { columns, ofAttempt } from './columns.ts'
import { attemptIn } from './load-payments.ts'
import { ask, prepare, type Step } from './query.ts'
import type { Tables } from './schema.ts'

/** Makes the steps that write what was learned of an attempt, beside its payment. */
export function makeLearnedSteps(db: Kysely<Tables>, changes: ChangeCommands) {
  const addFact = prepare((value) =>
    db
      .insertInto('facts')
      .values({
        ...columns(value, 'shop_id', 'order_id', 'attempt_id', 'fact_key', 'number', 'kind', 'event'),
        ...columns(value, 'amount', 'currency', 'mode', 'source', 'happened_at', 'answer_by', 'detail'),
        ...columns(value, 'conflicts'),
        learned_at: value('at'),
      })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const saveWait = prepare((value) =>
    db
      .updateTable('attempts')
      .set({
        ...columns(value, 'last_word', 'last_word_at', 'expires_at'),
        reported_expires_at: sql`case when expires_at < cast(${value('expiresAt')} as bigint)
          then cast(${value('expiresAt')} as bigint) else reported_expires_at end`,
      })
      .where(ofAttempt(value)),
  )
  const endChecks = prepare((value) =>
    db.updateTable('attempts').set({ check_at: sql<null>`null` }).where(ofAttempt(value)),
  )
  const checkBy = prepare((value) =>
    db
      .updateTable('attempts')
      .set(columns(value, 'check_at'))
      .where(ofAttempt(value))
      .where(sql<boolean>`(check_at is null or check_at > ${value('checkAt')})`),
  )
  const factSteps = ({ payment: { shopId, orderId }, added }: Learned, { id, facts }: Attempt) =>
    added.map((fact, index) =>
      ask(addFact, {
        ...{ shopId, orderId, attemptId: id, factKey: factKey(fact), number: facts.length + index + 1 },
        ...fact,
        conflicts: fact.conflicts ? 1 : undefined,
      }),
    )

  /** Changes the wait for an attempt, and its next check. */
  function waitSteps({ payment }: Learned, before: Payment, id: string): Step[] {
    const { shopId } = payment
    const [was, is] = [attemptIn(before, id), attemptIn(payment, id)]
    const steps: Step[] = []
    if (is.lastWord !== was.lastWord || is.expiresAt !== was.expiresAt) {
      const { lastWord, expiresAt } = is
      steps.push(ask(saveWait, { shopId, id, lastWord: lastWord?.is, lastWordAt: lastWord?.at, expiresAt }))
    }
    if (isOver(payment, is)) steps.push(ask(endChecks, { shopId, id }))
    const checkAt = moneyLook(payment, is)
    if (checkAt !== undefined) steps.push(ask(checkBy, { shopId, id, checkAt }))
    return steps
  }

  return (learned: Learned, before: Payment, attemptId: string): Step[] => [
    ...factSteps(learned, attemptIn(before, attemptId)),
    ...waitSteps(learned, before, attemptId),
    ...changes.learned(learned, attemptId),
  ]
}

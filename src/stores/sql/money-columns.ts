import { type Kysely, sql } from 'kysely'

/**
 * Facts get events, attempts the last word of their service, payments the attempt that paid them. The facts' column `at` is renamed, so
 * that a node of the version before, which knows totals alone, fails on payments instead of misreading them.
 */
export async function addMoneyColumns(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const add = (table: string, column: string, type: 'text' | 'bigint' | 'integer') =>
    schema.alterTable(table).addColumn(column, type).execute()
  await schema.alterTable('facts').renameColumn('at', 'learned_at').execute()
  await add('facts', 'number', 'integer')
  await add('facts', 'event', 'text')
  await add('facts', 'happened_at', 'bigint')
  await add('facts', 'conflicts', 'integer')
  await schema
    .alterTable('attempts')
    .addColumn('authorised_is_paid', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await add('attempts', 'last_word', 'text')
  await add('attempts', 'last_word_at', 'bigint')
  await add('attempts', 'reported_expires_at', 'bigint')
  await add('payments', 'paid_by', 'text')

  // A report without an event is a total.
  await sql`update facts set kind = 'refunded' where kind = 'reversed'`.execute(db)
  await sql`update facts set fact_key = kind || ' =' || amount || ' ' || currency || coalesce(' ' || mode, '')
    where amount is not null`.execute(db)
  await sql`update facts set fact_key = kind || ' ' || detail where kind = 'unknown' and detail is not null`.execute(
    db,
  )
  await sql`update attempts set last_word = 'working', last_word_at = (select max(learned_at) from facts
      where facts.shop_id = attempts.shop_id and facts.attempt_id = attempts.id and kind in ('authorised', 'unknown'))
    where exists (select 1 from facts
      where facts.shop_id = attempts.shop_id and facts.attempt_id = attempts.id and kind in ('authorised', 'unknown'))`.execute(
    db,
  )
  await sql`update payments set paid_by = (select attempts.id from attempts join facts
      on facts.shop_id = attempts.shop_id and facts.order_id = attempts.order_id and facts.attempt_id = attempts.id
      where attempts.shop_id = payments.shop_id and attempts.order_id = payments.order_id
        and facts.kind = 'paid' and facts.amount = attempts.amount and facts.currency = attempts.currency
      order by attempts.number limit 1)
    where status = 'paid'`.execute(db)
  // A person reads what is open; which of the new kinds it is, the facts say no more.
  await sql`update anomalies set kind = 'charged_back' where kind = 'reversed'`.execute(db)
  await sql`update anomalies set kind = 'overpaid' where kind = 'paid_other_amount'`.execute(db)
}

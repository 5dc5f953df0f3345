import { type RawBuilder, sql } from 'kysely'
import type { Side } from './side.ts'

/** The figures of an owner: the same in both stores after a copy. Amounts are decimal text. */
export interface Figures {
  shops: number
  /** By their status. */
  payments: Record<string, number>
  /** The amounts of attempts, by currency and the status of their payment. */
  money: Record<string, Record<string, string>>
  /** Reported amounts, by currency and the word of the report. */
  movements: Record<string, Record<string, string>>
  owedWebhooks: number
  deadLetters: number
  waitingPushes: number
  openAnomalies: number
}

/** The decimals that are added up. No currency has as many. */
const decimals = 9

/** Whole units and the rest of amounts, added up apart: SQLite adds decimal text as floating point. */
function sumOf({ engine }: Side, amount: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const zeros = sql.lit('0'.repeat(decimals))
  const digits = sql.lit(decimals)
  const [whole, rest] =
    engine === 'sqlite'
      ? [
          sql`cast(${amount} as integer)`,
          sql`cast(substr(case when instr(${amount}, '.') = 0 then '' else substr(${amount}, instr(${amount}, '.') + 1) end
            || ${zeros}, 1, ${digits}) as integer)`,
        ]
      : [
          sql`split_part(${amount}, '.', 1)::bigint`,
          sql`substr(split_part(${amount}, '.', 2) || ${zeros}, 1, ${digits})::bigint`,
        ]
  const signed = sql`case when ${amount} like '-%' then -${rest} else ${rest} end`
  return [sql`cast(sum(${whole}) as text) as whole`, sql`cast(sum(${signed}) as text) as rest`]
}

interface Sum {
  currency: string
  word: string
  whole: string
  rest: string
}

function decimalOf({ whole, rest }: Sum): string {
  const total = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(rest)
  const digits = String(total < 0n ? -total : total).padStart(decimals + 1, '0')
  const after = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${after}`
}

function byCurrency(sums: readonly Sum[]): Record<string, Record<string, string>> {
  const groups = Map.groupBy(sums, ({ currency }) => currency)
  return Object.fromEntries(
    Array.from(groups, ([currency, group]) => [
      currency,
      Object.fromEntries(group.map((sum) => [sum.word, decimalOf(sum)])),
    ]),
  )
}

const counted = sql<{ word: string; count: number }>

/** Reads the figures of a store. It takes seconds where there are millions of payments. */
export async function figuresOf(side: Side): Promise<Figures> {
  const count = async (from: RawBuilder<unknown>) => {
    const [found] = await side.all<{ count: number }>(sql`select count(*) as count from ${from}`)
    return Number(found!.count)
  }
  const payments = await side.all(
    counted`select status as word, count(*) as count from payments group by status order by status`,
  )
  const money = await side.all(sql<Sum>`select attempts.currency, payments.status as word,
      ${sql.join(sumOf(side, sql.ref('attempts.amount')))}
    from attempts join payments on payments.shop_id = attempts.shop_id and payments.order_id = attempts.order_id
    group by attempts.currency, payments.status order by attempts.currency, payments.status`)
  const movements =
    await side.all(sql<Sum>`select currency, kind as word, ${sql.join(sumOf(side, sql.ref('amount')))}
    from facts where amount is not null and currency is not null group by currency, kind order by currency, kind`)
  return {
    shops: await count(sql`shops`),
    payments: Object.fromEntries(payments.map(({ word, count }) => [word, Number(count)])),
    money: byCurrency(money),
    movements: byCurrency(movements),
    owedWebhooks: await count(sql`webhooks where due_at is not null`),
    deadLetters: await count(sql`webhooks where due_at is null`),
    waitingPushes: await count(sql`pushes where due_at is not null`),
    openAnomalies: await count(sql`anomalies where closed_at is null`),
  }
}

import { printResult } from '../results/line.ts'
import { rounded } from './measure.ts'
import { measureDeadline } from './rates/deadline.ts'
import { measureShops } from './rates/shops.ts'
import { measureTable } from './rates/table.ts'
import { measureTrace } from './rates/trace.ts'

// (a) how long an answer takes beside adapters that hang, fail and are slow; (b) how many carrier calls the cache saves on a day
// of carts and checkouts; (c) what a quote costs against a large tariff; (d) the same with a tariff for each of 100 shops, and their memory.

export async function run(quick: boolean): Promise<void> {
  const deadline = await measureDeadline(quick ? 150 : 1_000)
  console.log(
    `${deadline.quotes} quotes at ${deadline.perSecond} per second, each of another shop so that no breaker helps, 8 adapters of which one hangs, one fails and one is slow: p50 ${rounded(deadline.p50, 1)} ms, p99 ${rounded(deadline.p99, 1)} ms, slowest ${rounded(deadline.slowest, 1)} ms, deadline ${deadline.deadline} ms, ${deadline.incomplete} answers without all healthy methods`,
  )

  const trace = await measureTrace(quick ? 1_000 : 10_000)
  console.log(
    `${trace.shape}\n${trace.questions} questions in ${trace.sessions} sessions: ${trace.callsWithout} carrier calls without the cache, ${trace.callsWith} with it; ${trace.tooOld} prices older than TTL + staleFor, ${trace.crossed} answers of another shop`,
  )

  const table = await measureTable(quick ? 3 : 7)
  console.log(
    `a quote through the whole engine against ${table.rows} rows: ${rounded(table.us, 1)} us, against 1,000 rows ${rounded(table.usSmall, 1)} us; the adapter alone ${rounded(table.alone, 1)} and ${rounded(table.aloneSmall, 1)} us`,
  )
  const shops = await measureShops(1_000, quick ? 3 : 7)
  console.log(
    `a quote of one of ${shops.shops} shops, each with a tariff of its own, ${shops.rows} rows in all: ${rounded(shops.us, 1)} us; the tariffs take ${rounded(shops.megabytes, 0)} MB, ${rounded(shops.bytesOfRow, 0)} bytes a row`,
  )
  printResult({
    bench: 'rates',
    p99_ms: Math.round(deadline.p99),
    deadline_ms: deadline.deadline,
    p99_over_deadline_ms: rounded(deadline.p99 - deadline.deadline, 1),
    incomplete: deadline.incomplete,
    // Of all questions, which is what a provider without cache and breaker calls; then of those that the breaker lets through.
    calls_saved: rounded(1 - trace.callsWith / trace.questions, 3),
    calls_saved_beside_breaker: rounded(1 - trace.callsWith / trace.callsWithout, 3),
    too_old: trace.tooOld,
    crossed: trace.crossed,
    table_us: rounded(table.us, 1),
    table_growth: rounded(table.us / table.usSmall, 2),
    table_load_ms: Math.round(table.loadMs),
    shops_us: rounded(shops.us, 1),
    shops_mb: rounded(shops.megabytes, 0),
  })
}

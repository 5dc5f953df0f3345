import { type Movement, movementsOf } from '../../payments/movements.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import { countingAttempt } from '../../payments/status.ts'
import { printable, printableJson } from '../../printable.ts'
import type { PaymentFilter, StorePort } from '../../store.ts'
import { moment, onlyShop } from '../options.ts'
import { storeTime, withShop } from '../store.ts'
import { oneOf, parsed, plain } from '../table.ts'
import { type Steps, withoutProgress } from '../terminal/progress.ts'

const page = 500

/** A payment with the attempt that paid it, or else its newest; or with an attempt and one of its movements. */
interface Exported extends Payment {
  attempt: Attempt
}

interface Moved extends Exported {
  movement: Movement
}

type Columns<Of> = Record<string, (one: Of) => string | number>

const columns: Columns<Exported> = {
  shop: ({ shopId }) => shopId,
  order: ({ orderId }) => orderId,
  order_number: ({ attempt }) => attempt.orderNumber ?? '',
  status: ({ status }) => status,
  amount: ({ attempt }) => attempt.amount,
  currency: ({ attempt }) => attempt.currency,
  mode: ({ attempt }) => attempt.mode,
  adapter: ({ attempt }) => attempt.adapter,
  method: ({ attempt }) => attempt.methodId,
  reference: ({ attempt }) => attempt.started?.reference ?? '',
  opened_at: ({ attempts }) => iso(attempts[0]!.openedAt),
  paid_at: ({ status, changedAt }) => (status === 'paid' ? iso(changedAt) : ''),
  changed_at: ({ changedAt }) => iso(changedAt),
  attempts: ({ attempts }) => attempts.length,
}

const movementColumns: Columns<Moved> = {
  shop: ({ shopId }) => shopId,
  order: ({ orderId }) => orderId,
  order_number: ({ attempt }) => attempt.orderNumber ?? '',
  attempt: ({ attempt }) => attempt.id,
  adapter: ({ attempt }) => attempt.adapter,
  reference: ({ attempt }) => attempt.started?.reference ?? '',
  kind: ({ movement }) => movement.kind,
  event: ({ movement }) => movement.event ?? '',
  amount: ({ movement }) => movement.amount,
  currency: ({ movement }) => movement.currency,
  mode: ({ movement }) => movement.mode,
  at: ({ movement }) => iso(movement.at),
  happened_at: ({ movement: { happenedAt } }) => (happenedAt === undefined ? '' : iso(happenedAt)),
}

/**
 * Prints every payment that changed since a moment, newest first, one line each: CSV with a header, or one JSON object a line. A payment
 * that changes meanwhile appears once. With `--movements` a line for each movement that was learned since then, from every attempt.
 */
export const exported = plain({
  description: 'print payments or movements for bookkeeping, one per line, newest first',
  examples: ['purveyor payments export --since 30d --format csv'],
  options: {
    '--since <time>': parsed('what changed since then: 30d, 2h or a date; default: everything', moment),
    '--movements': 'one line for each movement: payments, refunds and chargebacks',
    '--format <format>': oneOf('CSV, or one JSON object per line', ['csv', 'json'], { default: 'csv' }),
    ...onlyShop,
  },
  run: ({ since, shop, ...how }) =>
    withShop(shop, (store, now, steps) => {
      const printAll = () => printRows(store, { ...how, shop, since: since?.(now) ?? 0 }, steps)
      // Rows on the terminal are progress enough.
      return process.stdout.isTTY === true ? withoutProgress(printAll) : printAll()
    }),
})

interface Rows {
  format: 'csv' | 'json'
  movements?: boolean
  shop: string | undefined
  since: number
}

async function printRows(
  store: StorePort,
  { format, movements, shop, since }: Rows,
  steps: Steps,
): Promise<void> {
  if (format === 'csv') await write(`${Object.keys(movements ? movementColumns : columns).join(',')}\n`)
  // A refund changes no status, so every payment is looked through for its movements.
  let count = 0
  for await (const payment of changedSince(store, { shop, since: movements ? 0 : since })) {
    steps.at(++count)
    for (const cells of movements ? movementRows(payment, since) : [rowOf(payment)]) {
      await write(
        format === 'csv'
          ? `${cells.map(([, value]) => quoted(value)).join(',')}\n`
          : `${printableJson(Object.fromEntries(cells))}\n`,
      )
    }
  }
}

/** A provider stores a change a moment after it took the time of it. */
const storedWithin = 60_000

/**
 * Every payment that there is, each once. One that changes meanwhile moves to the front of the list, which was read before: so the front is
 * read again, until it has nothing more of the time before.
 */
export async function* changedSince(
  store: StorePort,
  { since, shop, limit = page }: { since: number; shop?: string | undefined; limit?: number },
): AsyncGenerator<Payment> {
  const begun = storeTime(store)
  const known = new Set<string>()
  for (let from = since, before = -1; known.size > before; from = Math.max(since, begun - storedWithin)) {
    before = known.size
    for (let after: PaymentFilter['after']; ; ) {
      const payments = await store.payments({ since: from, shopId: shop, after, limit })
      for (const payment of payments) {
        const name = `${payment.shopId} ${payment.orderId}`
        if (known.has(name) || payment.openedAt > begun) continue
        known.add(name)
        yield payment
      }
      after = payments.at(-1)
      if (!after || payments.length < limit) break
    }
  }
}

type Row = [name: string, value: string | number][]

const row = <Of>(made: Columns<Of>, one: Of): Row =>
  Object.entries(made).map(([name, value]) => [name, value(one)])

const rowOf = (payment: Payment): Row => row(columns, { ...payment, attempt: countingAttempt(payment)! })

const movementRows = (payment: Payment, since: number): Row[] =>
  payment.attempts.flatMap((attempt) =>
    movementsOf(attempt)
      .filter(({ at }) => at >= since)
      .map((movement) => row(movementColumns, { ...payment, attempt, movement })),
  )

const iso = (at: number) => new Date(at).toISOString()

/**
 * Text that a spreadsheet runs as a formula: at the start of a cell, or behind a semicolon, which separates cells where a comma is decimal.
 * Some keyboards type the signs in full width.
 */
const formula = /(^|;)(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** Escapes cells that a spreadsheet would run as a formula. */
function quoted(value: string | number): string {
  const text = printable(typeof value === 'string' ? value.replace(formula, "$1'") : String(value))
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Waits for a slow reader. */
async function write(text: string): Promise<void> {
  if (process.stdout.write(text)) return
  await new Promise((resolve) => process.stdout.once('drain', resolve))
}

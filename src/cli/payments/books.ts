import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type Movement, movementsOf } from '../../payments/ledger/movements.ts'
import type { Attempt, Payment } from '../../payments/ledger/payment.ts'
import { countingAttempt } from '../../payments/ledger/status.ts'
import { printable, printableJson } from '../../printable.ts'
import type { PaymentChange } from '../../store.ts'
import type { PaymentFilter, StorePort } from '../../store-port.ts'
import { openedStore, storeTime, withStore } from '../provider/store.ts'
import { json, limit, moment, oneOf, onlyShop, parsed, plain } from '../table.ts'
import { say, time } from '../terminal/print.ts'
import { type Steps, withoutProgress } from '../terminal/progress.ts'

/** One change per line with its cursor. With `--follow` it goes on until it is ended. */
export const changes = plain({
  description: 'print the changes of payments, oldest first',
  examples: ['purveyor payments changes --follow --json'],
  options: {
    '--after <cursor>': 'only the changes after this cursor',
    '--follow': 'keep running, and print changes as they come',
    ...limit,
    ...json,
  },
  async run({ after = '0', limit, follow, json }) {
    const { readChanges } = await import('../../payments/payment-timeline.ts')
    await openedStore(async (store) => {
      for (let cursor = after; ; ) {
        const read = await readChanges(store, { after: cursor, limit })
        for (const change of read) say(json ? printableJson(change) : lineOf(change))
        cursor = read.at(-1)?.cursor ?? cursor
        if (!follow) return
        if (read.length < limit) await wait(1_000)
      }
    })
  },
})

function lineOf({ cursor, at, shop, orderId, status, kind, amount, currency, event }: PaymentChange): string {
  const money = amount === undefined ? '' : ` ${amount} ${currency}`
  const of = event === undefined ? '' : ` of ${event}`
  return `${cursor} ${time(at)} order ${orderId} of shop ${shop}: ${kind}${money}${of} (${status})`
}

/** A payment with the attempt that paid it, or else its newest; or with an attempt and one of its movements. */
type Exported = Payment & { attempt: Attempt }

type Columns<Of> = Record<string, (one: Of) => string | number>

const names: Columns<Exported> = {
  shop: ({ shopId }) => shopId,
  order: ({ orderId }) => orderId,
  order_number: ({ attempt }) => attempt.orderNumber ?? '',
}

const columns: Columns<Exported> = {
  ...names,
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

const movementColumns: Columns<Exported & { movement: Movement }> = {
  ...names,
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

/** A payment that changes meanwhile appears once. With `--movements` a line for each movement that was learned since then, from every attempt. */
export const exported = plain({
  description: 'print payments or movements for bookkeeping, one per line, newest first',
  examples: ['purveyor payments export --since 30d --format csv'],
  options: {
    '--since <time>': parsed('only what changed since then: 30d, 2h or a date; default: everything', moment),
    '--movements': 'one line for each movement: payments, refunds and chargebacks',
    '--format <format>': oneOf('CSV, or one JSON object per line', ['csv', 'json'], { default: 'csv' }),
    ...onlyShop,
  },
  async run({ since: from, shop, format, movements }) {
    const printAll = async (store: StorePort, now: number, steps: Steps) => {
      const since = from?.(now) ?? 0
      if (format === 'csv') await write(`${Object.keys(movements ? movementColumns : columns).join(',')}\n`)
      let count = 0
      // A refund changes no status, so every payment is looked through for its movements.
      for await (const payment of changedSince(store, { shop, since: movements ? 0 : since })) {
        steps.at(++count)
        const counting = { ...payment, attempt: countingAttempt(payment)! }
        for (const one of movements ? movementRows(payment, since) : [row(columns, counting)])
          await write(`${format === 'csv' ? Object.values(one).map(quoted).join(',') : printableJson(one)}\n`)
      }
    }
    // Rows on the terminal are progress enough.
    const isShown = process.stdout.isTTY === true
    await withStore((...of) => (isShown ? withoutProgress(() => printAll(...of)) : printAll(...of)), { shop })
  },
})

/** Every payment, each once. One that changes meanwhile moves to the front of the list, so the front is read again until it has nothing older. */
export async function* changedSince(
  store: StorePort,
  { since, shop, limit = 500 }: { since: number; shop?: string | undefined; limit?: number },
): AsyncGenerator<Payment> {
  const begun = storeTime(store)
  const known = new Set<string>()
  // A provider stores a change a moment after it took the time of it.
  const lately = Math.max(since, begun - 60_000)
  for (let from = since, before = -1; known.size > before; from = lately) {
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

const row = <Of>(made: Columns<Of>, one: Of): Record<string, string | number> =>
  Object.fromEntries(Object.entries(made).map(([name, value]) => [name, value(one)]))

const movementRows = (payment: Payment, since: number) =>
  payment.attempts.flatMap((attempt) =>
    movementsOf(attempt)
      .filter(({ at }) => at >= since)
      .map((movement) => row(movementColumns, { ...payment, attempt, movement })),
  )

const iso = (at: number) => new Date(at).toISOString()

/** Text that a spreadsheet runs as a formula: at the start of a cell, or behind a semicolon, which may separate cells. Some signs are in full width. */
const formula = /(^|;)(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** Escapes cells that a spreadsheet would run as a formula. */
function quoted(value: string | number): string {
  const text = printable(typeof value === 'string' ? value.replace(formula, "$1'") : String(value))
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

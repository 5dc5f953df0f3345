import type { Attempt, Payment } from '../payments/payment.ts'
import { printable, printableJson } from '../printable.ts'
import type { StorePort } from '../store.ts'
import { expectShop } from './shop-choice.ts'
import { withStore } from './store.ts'

export interface ExportOptions {
  since: number
  format: 'csv' | 'json'
  shop?: string
}

const page = 500

/** A payment with the attempt that paid it, or else its newest. */
interface Exported extends Payment {
  attempt: Attempt
  paidAt: number | undefined
}

const columns: Record<string, (one: Exported) => string | number> = {
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
  paid_at: ({ status, paidAt }) => (status === 'paid' && paidAt !== undefined ? iso(paidAt) : ''),
  changed_at: ({ changedAt }) => iso(changedAt),
  attempts: ({ attempts }) => attempts.length,
}

/**
 * Prints every payment that changed since a moment, newest first, one line each: CSV with a header, or one JSON object a line. A payment
 * that changes meanwhile appears once.
 */
export function exportPayments(options: ExportOptions): Promise<void> {
  return withStore(async (store) => {
    await expectShop(store, options.shop)
    if (options.format === 'csv') await write(`${Object.keys(columns).join(',')}\n`)
    for await (const payment of changedSince(store, options)) {
      const row = rowOf(payment)
      await write(
        options.format === 'csv'
          ? `${row.map(([, value]) => quoted(value)).join(',')}\n`
          : `${printableJson(Object.fromEntries(row))}\n`,
      )
    }
  })
}

async function* changedSince(store: StorePort, { since, shop }: ExportOptions): AsyncGenerator<Payment> {
  const seen = new Set<string>()
  let limit = page
  for (let before: number | undefined; ; ) {
    // Reads the last moment of a page again: other payments may have changed in it too.
    const until = before === undefined ? undefined : before + 1
    const payments = await store.payments({ limit, shopId: shop, before: until })
    const fresh = payments.filter(({ shopId, orderId }) => !seen.has(`${shopId} ${orderId}`))
    for (const payment of fresh) {
      if (payment.changedAt < since) return
      seen.add(`${payment.shopId} ${payment.orderId}`)
      yield payment
    }
    const last = payments.at(-1)?.changedAt
    if (payments.length < limit || last === undefined) return
    // If more changed in one moment than a page holds, the page grows.
    limit = fresh.length === 0 ? 2 * limit : page
    before = last
  }
}

function rowOf(payment: Payment): [name: string, value: string | number][] {
  const { attempts } = payment
  const paidBy = attempts.find(({ facts }) => facts.some(({ kind }) => kind === 'paid'))
  const attempt = paidBy ?? attempts.at(-1)!
  const paidAt = paidBy?.facts.find(({ kind }) => kind === 'paid')?.at
  return Object.entries(columns).map(([name, value]) => [name, value({ ...payment, attempt, paidAt })])
}

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

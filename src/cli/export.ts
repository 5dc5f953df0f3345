import type { Payment } from '../payments/payment.ts'
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
const columns = [
  'shop',
  'order',
  'order_number',
  'status',
  'amount',
  'currency',
  'mode',
  'adapter',
  'method',
  'reference',
  'opened_at',
  'paid_at',
  'changed_at',
  'attempts',
] as const
type Row = Record<(typeof columns)[number], string | number>

/**
 * Prints every payment that changed since a moment, newest first, one line each: CSV with a header, or one JSON object a line. A payment
 * that changes meanwhile appears once.
 */
export function exportPayments(options: ExportOptions): Promise<void> {
  return withStore(async (store) => {
    await expectShop(store, options.shop)
    if (options.format === 'csv') await write(`${columns.join(',')}\n`)
    for await (const payment of changedSince(store, options)) {
      const row = rowOf(payment)
      await write(
        options.format === 'csv'
          ? `${columns.map((name) => quoted(row[name])).join(',')}\n`
          : `${printableJson(row)}\n`,
      )
    }
  })
}

async function* changedSince(store: StorePort, { since, shop }: ExportOptions): AsyncGenerator<Payment> {
  const seen = new Set<string>()
  let limit = page
  for (let before: number | undefined; ; ) {
    const payments = await store.payments({
      limit,
      ...(shop !== undefined && { shopId: shop }),
      // Reads the last moment of a page again: other payments may have changed in it too.
      ...(before !== undefined && { before: before + 1 }),
    })
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

function rowOf({ shopId, orderId, status, attempts, changedAt }: Payment): Row {
  const paidBy = attempts.find(({ facts }) => facts.some(({ kind }) => kind === 'paid'))
  const attempt = paidBy ?? attempts.at(-1)!
  const paid = paidBy?.facts.find(({ kind }) => kind === 'paid')
  return {
    shop: shopId,
    order: orderId,
    order_number: attempt.orderNumber ?? '',
    status,
    amount: attempt.amount,
    currency: attempt.currency,
    mode: attempt.mode,
    adapter: attempt.adapter,
    method: attempt.methodId,
    reference: attempt.started?.reference ?? '',
    opened_at: iso(attempts[0]!.openedAt),
    paid_at: status === 'paid' && paid ? iso(paid.at) : '',
    changed_at: iso(changedAt),
    attempts: attempts.length,
  }
}

const iso = (at: number) => new Date(at).toISOString()

/** Escapes cells that a spreadsheet would run as a formula. */
function quoted(value: string | number): string {
  const text = printable(
    typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value),
  )
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Waits for a slow reader. */
async function write(text: string): Promise<void> {
  if (process.stdout.write(text)) return
  await new Promise((resolve) => process.stdout.once('drain', resolve))
}

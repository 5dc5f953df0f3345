import { type Decimal, decimal } from '../money/index.ts'
import { handlingOf, type Order } from './orders.ts'
import type { Collection } from './state.ts'

/** The recipient of an invoice: a customer of the shop, or the shop owner, whom apps charge. */
export type InvoiceFor = 'customer' | 'owner'

/** An invoice to the customer or to the shop owner. Amounts are decimal text. */
export interface Invoice {
  id: number
  number: string
  for: InvoiceFor
  orderId: number | undefined
  /** With VAT. */
  lines: { title: string; amount: Decimal }[]
  total: Decimal
  status: 'paid' | 'not_paid'
  /** Milliseconds since 1970. */
  createdAt: number
}

export class Invoices {
  readonly #invoices: Collection<Invoice>

  constructor(invoices: Collection<Invoice>) {
    this.#invoices = invoices
  }

  readonly all = (): Invoice[] => this.#invoices.all()

  add(invoice: Omit<Invoice, 'id' | 'number' | 'total'>): Invoice {
    const id = this.#invoices.nextId()
    const number = `INV${String(id).padStart(5, '0')}`
    const total = invoice.lines.reduce((sum, { amount }) => sum.plus(amount), decimal(0)).toFixed(2)
    return this.#invoices.set({ ...invoice, id, number, total })
  }

  /** Creates the invoice of a confirmed order once, and marks it as paid. */
  follow(order: Order, now: number): void {
    const { invoice, paymentStatus } = handlingOf(order)
    const status = paymentStatus === 'paid' ? 'paid' : 'not_paid'
    const made = this.all().find(({ orderId }) => orderId === order.id)
    if (made) {
      if (made.status !== status) this.#invoices.set({ ...made, status })
      return
    }
    if (invoice !== 'made') return
    const { incl: amount } = order.amounts
    const lines = [{ title: `Order ${order.number}`, amount }]
    this.add({ for: 'customer', orderId: order.id, lines, status, createdAt: now })
  }
}

import { type Decimal, decimal } from '../money/index.ts'
import { handlingOf, type Order } from './orders.ts'
import type { Collection } from './state.ts'

/** The recipient of an invoice: a customer of the shop, or the merchant, whom apps charge. */
export type InvoiceFor = 'customer' | 'merchant'

/** An invoice to the customer or to the merchant. Amounts are decimal text. */
export interface Invoice {
  id: number
  number: string
  for: InvoiceFor
  orderId: number | undefined
  /** With VAT. */
  lines: { title: string; amount: Decimal }[]
  total: Decimal
  status: 'paid' | 'not_paid'
  /** Set for a credit note. */
  credit?: Credit | undefined
  /** Milliseconds since 1970. */
  createdAt: number
}

/** The part of an order that a credit note gives back. */
export interface Credit {
  /** The id of the credited invoice. */
  of: number
  items: readonly CreditItem[]
}

/** Amounts are decimal text below 0. */
export interface CreditItem {
  title: string
  /** The place of the line of the order, from 0, or the costs of a method. */
  of: number | 'shipment' | 'payment'
  quantity: number
  price_excl: Decimal
  price_incl: Decimal
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
    const made = this.all().find(({ orderId, credit }) => orderId === order.id && !credit)
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

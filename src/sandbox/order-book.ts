import { type EventEmitter, once } from 'node:events'
import type { PaymentStatus } from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import { type Decimal, decimal } from '../money/index.ts'
import {
  type HandlingStatus,
  handlingOf,
  type Moved,
  type Order,
  type OrderStatus,
  type PaidStatus,
  type ShipmentStatus,
} from './orders.ts'
import type { Table } from './table.ts'

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
  /** Milliseconds since 1970. */
  createdAt: number
}

export class Invoices {
  readonly table: Table<Invoice>
  /** The ids of invoices by their order. */
  readonly #ofOrders: Map<number | undefined, number>

  constructor(invoices: Table<Invoice>) {
    this.table = invoices
    this.#ofOrders = new Map(invoices.all().map(({ id, orderId }) => [orderId, id]))
  }

  readonly all = (): Invoice[] => this.table.all()

  add(invoice: Omit<Invoice, 'id' | 'number' | 'total'>): Invoice {
    const id = this.table.nextId()
    const number = `INV${String(id).padStart(5, '0')}`
    const total = invoice.lines.reduce((sum, { amount }) => sum.plus(amount), decimal(0)).toFixed(2)
    this.#ofOrders.set(invoice.orderId, id)
    return this.table.set({ ...invoice, id, number, total })
  }

  /** Creates the invoice of a confirmed order once, and marks it as paid. */
  follow(order: Order, now: number): void {
    const { invoice, paymentStatus } = handlingOf(order)
    const status = paymentStatus === 'paid' ? 'paid' : 'not_paid'
    const made = this.table.get(this.#ofOrders.get(order.id) ?? 0)
    if (made) {
      if (made.status !== status) this.table.set({ ...made, status })
      return
    }
    if (invoice !== 'made') return
    const { incl: amount } = order.amounts
    const lines = [{ title: `Order ${order.number}`, amount }]
    this.add({ for: 'customer', orderId: order.id, lines, status, createdAt: now })
  }
}

/** The provider has reported how a payment stands: what was set by hand of the payment is over. */
export function reportedOrder(order: Order, status: OrderStatus): Order {
  const { paymentStatus: _, status: set, ...moved } = order.moved ?? {}
  const waits = set === 'processing_awaiting_payment' || set === 'cancelled'
  return { ...order, status, moved: { ...moved, ...(set && !waits && { status: set }) } }
}

/** The order after a change in the shop (spec 3.3 names no states: these are those of live platforms). */
export function movedOrder(order: Order, { fields, ...changes }: Moved): Order {
  let moved: Order = fields
    ? { ...order, moved: { ...order.moved, fields: { ...order.moved?.fields, ...fields } } }
    : order
  const before = handlingOf(order)
  if (changes.paymentStatus !== undefined && changes.paymentStatus !== before.paymentStatus)
    moved = paid(moved, changes.paymentStatus)
  if (changes.shipmentStatus !== undefined && changes.shipmentStatus !== before.shipmentStatus)
    moved = shipped(moved, changes.shipmentStatus)
  if (changes.status !== undefined && changes.status !== before.status) moved = handled(moved, changes.status)
  return moved
}

function paid(order: Order, paymentStatus: PaidStatus): Order {
  if (paymentStatus !== 'partially_paid') return reportedOrder(order, paymentStatus)
  const status = order.status === 'pending' ? 'pending' : 'not_paid'
  return { ...order, status, moved: { ...order.moved, paymentStatus } }
}

function shipped(order: Order, shipmentStatus: ShipmentStatus): Order {
  const { status } = handlingOf(order)
  const moved: Moved = { ...order.moved, shipmentStatus }
  const isHandled = status.startsWith('processing_') && status !== 'processing_awaiting_payment'
  if (shipmentStatus === 'shipped' && isHandled) moved.status = 'completed_shipped'
  if (shipmentStatus === 'not_shipped' && status === 'completed_shipped')
    moved.status = 'processing_awaiting_shipment'
  return { ...order, moved }
}

function handled(order: Order, status: HandlingStatus): Order {
  const moved: Moved = { ...order.moved, status }
  if (status === 'completed_shipped' || status === 'completed_picked_up') moved.shipmentStatus = 'shipped'
  if (status !== 'cancelled') return { ...order, moved }
  moved.shipmentStatus = 'cancelled'
  return { ...order, moved, status: order.status === 'paid' ? 'paid' : 'cancelled' }
}

/** How long to wait for a status. */
export interface WaitOptions {
  /** In milliseconds. Default 10,000. */
  timeout?: number
}

/** The orders of a shop. Each change brings the invoice of its order up to date. */
export class OrderBook {
  readonly orders: Table<Order>
  readonly #invoices: Invoices
  readonly #now: () => number
  readonly #changes: EventEmitter<{ change: unknown[] }>

  /** `changes` emits after each change of a record of the shop. */
  constructor(
    orders: Table<Order>,
    invoices: Invoices,
    changes: EventEmitter<{ change: unknown[] }>,
    now: () => number,
  ) {
    this.#changes = changes
    this.orders = orders
    this.#invoices = invoices
    this.#now = now
  }

  /** Throws `ARGUMENT_INVALID` for an unknown id. */
  mustFind(id: number): Order {
    const order = this.orders.get(id)
    if (!order) throw wrongCall(`The sandbox has no order ${id}`)
    return order
  }

  save(order: Order): Order {
    const saved = this.orders.set({ ...order, updatedAt: this.#now() })
    this.#invoices.follow(saved, this.#now())
    return saved
  }

  /** The provider has reported a status, or none that can be read. */
  report(id: number, status: PaymentStatus | undefined): Order {
    const order = this.mustFind(id)
    if (status === undefined || status === order.status || order.status === 'paid') return order
    return this.save(reportedOrder(order, status))
  }

  /** A program or the merchant changes an order in the shop. */
  move(id: number, changes: Moved): Order {
    return this.save(movedOrder(this.mustFind(id), changes))
  }

  /** Resolves once the order has the status; rejects after `timeout` milliseconds. */
  async waitForStatus(id: number, status: OrderStatus, { timeout = 10_000 }: WaitOptions): Promise<Order> {
    const signal = AbortSignal.timeout(timeout)
    for (;;) {
      const order = this.mustFind(id)
      if (order.status === status) return order
      await once(this.#changes, 'change', { signal }).catch(() => {
        throw new Error(`order ${order.number} is ${order.status}, not ${status}, after ${timeout} ms`)
      })
    }
  }
}

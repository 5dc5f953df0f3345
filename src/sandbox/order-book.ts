import { EventEmitter } from 'node:events'
import type { PaymentStatus } from '../contract/index.ts'
import { wrongCall } from '../errors.ts'
import type { Invoices } from './invoices.ts'
import { movedOrder, reportedOrder } from './order-moves.ts'
import type { Moved, Order, OrderStatus } from './orders.ts'
import type { Collection } from './state.ts'

/** The orders of a shop. Each change brings the invoice of its order up to date. */
export class OrderBook {
  readonly #orders: Collection<Order>
  readonly #invoices: Invoices
  readonly #now: () => number
  readonly #changes = new EventEmitter<{ status: [Order] }>().setMaxListeners(0)

  constructor(orders: Collection<Order>, invoices: Invoices, now: () => number) {
    this.#orders = orders
    this.#invoices = invoices
    this.#now = now
  }

  /** By id, lowest first. */
  readonly all = (): Order[] => this.#orders.all()
  readonly find = (id: number): Order | undefined => this.#orders.get(id)
  readonly startAfter = (id: number): void => this.#orders.startAfter(id)
  readonly nextId = (): number => this.#orders.nextId()

  /** Throws `ARGUMENT_INVALID` for an unknown id. */
  mustFind(id: number): Order {
    const order = this.#orders.get(id)
    if (!order) throw wrongCall(`The sandbox has no order ${id}`)
    return order
  }

  save(order: Order): Order {
    const saved = this.#orders.set({ ...order, updatedAt: this.#now() })
    this.#invoices.follow(saved, this.#now())
    return saved
  }

  /** The provider has reported a status, or none that can be read. */
  report(id: number, status: PaymentStatus | undefined): Order {
    const order = this.mustFind(id)
    if (status === undefined || status === order.status || order.status === 'paid') return order
    return this.#changed(order, reportedOrder(order, status))
  }

  /** A program or the merchant changes an order in the shop. */
  move(id: number, changes: Moved): Order {
    const order = this.mustFind(id)
    return this.#changed(order, movedOrder(order, changes))
  }

  /** Resolves once the order has the status; rejects after `timeout` milliseconds. */
  waitForStatus(id: number, status: OrderStatus, { timeout = 10_000 } = {}): Promise<Order> {
    return new Promise((resolve, reject) => {
      const order = this.mustFind(id)
      const late = setTimeout(() => {
        stop()
        const is = this.find(id)?.status
        reject(new Error(`order ${order.number} is ${is}, not ${status}, after ${timeout} ms`))
      }, timeout)
      const look = (changed: Order) => {
        if (changed.id !== id || changed.status !== status) return
        clearTimeout(late)
        stop()
        resolve(changed)
      }
      const stop = () => this.#changes.off('status', look)
      this.#changes.on('status', look)
      look(order)
    })
  }

  #changed(before: Order, after: Order): Order {
    const saved = this.save(after)
    if (saved.status !== before.status) this.#changes.emit('status', saved)
    return saved
  }
}

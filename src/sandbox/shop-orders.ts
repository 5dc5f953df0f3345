import { once } from 'node:events'
import type { PaymentStatus } from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import { dressed, named, paymentCall } from '../messages/live.ts'
import { readPaymentStart, readPaymentStatus } from './calls/answers.ts'
import { CallLog } from './calls/call-log.ts'
import { atOnce, type ProviderCall, ProviderCalls, ProviderWatch } from './calls/provider-calls.ts'
import { Charges, Invoices } from './charges.ts'
import { durationOf, MovingClock } from './clock.ts'
import { readCall, type SandboxOptions } from './options.ts'
import {
  type Moved,
  movedOrder,
  type Order,
  type OrderStatus,
  ownPagePath,
  paysOwn,
  reportedOrder,
  type WaitOptions,
} from './orders.ts'
import { Services, type State } from './state.ts'
import { Switches } from './switches.ts'

const hour = 3_600_000
const lateWebhook = 10_000

interface ShopOptions extends Pick<SandboxOptions, 'timeout' | 'moveProviders' | 'firstOrder' | 'resources'> {
  state: State
  addressOf: (path: string) => string
}

/** Holds the options before any part of a shop is made of them. */
class WithOptions {
  protected readonly options: ShopOptions

  constructor(options: ShopOptions) {
    this.options = options
  }
}

/** The orders of a shop, their payments at the providers, and the clock by which both go. Each part is made of those above it. */
export class ShopOrders extends WithOptions {
  readonly #state = this.options.state
  readonly #offsets = this.#state.table<{ id: number; offset: number }>('clock')
  readonly clock = new MovingClock(this.#offsets.get(1)?.offset)
  readonly log = new CallLog(this.#state)
  readonly switches = new Switches(this.#state)
  readonly provider = new ProviderWatch(this.#state.changes)
  readonly services = new Services(this.#state, this.clock)
  readonly invoices = new Invoices(this.#state)
  readonly charges = new Charges(this.#state, this)
  readonly book = this.#state.table<Order>('order', this.options.firstOrder ?? 1001)
  protected readonly calls = new ProviderCalls(this, this.options.timeout)
  readonly addressOf = this.options.addressOf
  /** The number of webhook calls that wait for their answer, because the switch `webhook` is `late`. */
  webhooksWaiting = 0

  get orders(): readonly Order[] {
    return this.book.all()
  }

  readonly order = (id: number): Order | undefined => this.book.get(id)

  /** Throws `ARGUMENT_INVALID` for an unknown id. */
  mustFind(id: number): Order {
    const order = this.book.get(id)
    if (!order) throw wrongCall(`The sandbox has no order ${id}`)
    return order
  }

  /** Brings the invoice of the order up to date too. */
  save(order: Order): Order {
    const saved = this.book.set({ ...order, updatedAt: this.clock.now() })
    this.invoices.follow(saved, this.clock.now())
    return saved
  }

  move(id: number, changes: Moved): Order {
    return this.save(movedOrder(this.mustFind(id), changes))
  }

  get apiUrl(): string {
    return this.addressOf('/api')
  }

  /** Whether the providers' clocks move with the shop's. */
  get movesProviders(): boolean {
    return this.options.moveProviders !== undefined
  }

  /**
   * Moves the clock forward by milliseconds or a time such as `10m`, `2h`, `1d` or `1month`, and the clocks of the providers if they can be
   * moved. Everything that becomes due happens now.
   */
  readonly advance = async (by: number | string): Promise<void> => {
    const ms = typeof by === 'number' ? by : durationOf(by, this.clock.now())
    if (ms === undefined)
      throw wrongCall('advance() takes milliseconds, or a time such as 10m, 2h, 1d or 1month')
    if (!(ms >= 0)) throw wrongCall('A clock only moves forward, by 0 milliseconds or more')
    await this.log.take({ step: 'clock', ms }, async () => {
      this.clock.advance(ms)
      this.#offsets.set({ id: 1, offset: this.clock.offset })
      this.charges.settle()
      await this.options.moveProviders?.(ms)
    })
  }

  /** Sets switches and clock back to those of a new shop, and the clocks of the providers with it. Orders and bills stay. */
  async reset(): Promise<void> {
    this.switches.reset()
    const { offset } = this.clock
    if (offset === 0) return
    this.clock.move(-offset)
    this.#offsets.set({ id: 1, offset: 0 })
    await this.options.moveProviders?.(-offset)
  }

  /** The customer returns to `redirect_url` as the switch `customer` says, and the shop reads the status (spec 4.3 return flow). */
  readonly returnToShop = async (id: number): Promise<Order> => {
    const { customer } = this.switches.values
    if (customer === 'never') return this.mustFind(id)
    if (customer === 'returnsLate') await this.advance(2 * hour)
    await atOnce(customer === 'returnsTwice' ? 2 : 1, () => this.fetchStatus(id))
    return this.mustFind(id)
  }

  /** Reads the payment status of an order from the provider. */
  readonly fetchStatus = async (id: number): Promise<Order> => {
    const status = await this.askStatus(id)
    const order = this.mustFind(id)
    if (status === undefined || status === order.status || order.status === 'paid') return order
    return this.save(reportedOrder(order, status))
  }

  /** The same without an effect on the order. `undefined` for an answer without a status. */
  async askStatus(id: number): Promise<PaymentStatus | undefined> {
    const order = this.mustFind(id)
    return paysOwn(order) ? (order.ownEnd ?? 'pending') : this.#askStatusOf(id, order)
  }

  async askForUnknown(order: Order): Promise<void> {
    await this.#askStatusOf(900_000 + order.id, order)
  }

  #askStatusOf(orderId: number, order: Order) {
    return this.#ask(order, { method: 'GET', path: `payment/${orderId}`, orderId, read: readPaymentStatus })
  }

  /** A provider has called the webhook of an order. Two switches decide the reaction. */
  async takeWebhook(id: number): Promise<{ status: number; headers?: Record<string, string> }> {
    const { webhook, statusAfterWebhook } = this.switches.values
    if (webhook === 'refused') return { status: 500 }
    if (webhook === 'gone') return { status: 410 }
    if (webhook === 'limited') return { status: 429, headers: { 'retry-after': '60' } }
    if (webhook === 'late') {
      this.webhooksWaiting++
      await new Promise<void>((resolve) => this.clock.after(lateWebhook, resolve))
      this.webhooksWaiting--
    }
    const fetches = () => atOnce(statusAfterWebhook === 'twice' ? 2 : 1, () => this.fetchStatus(id))
    if (statusAfterWebhook === 'inside') await fetches()
    else setImmediate(() => void fetches())
    return { status: 200 }
  }

  /** Resolves once the order has the status; rejects after `timeout` milliseconds. */
  readonly waitForStatus = async (
    id: number,
    status: OrderStatus,
    wait: WaitOptions = {},
  ): Promise<Order> => {
    const { timeout = 10_000 } = readCall('waitForStatus', { status, ...wait })
    const signal = AbortSignal.timeout(timeout)
    for (;;) {
      const order = this.mustFind(id)
      if (order.status === status) return order
      await once(this.#state.changes, 'change', { signal }).catch(() => {
        throw new Error(`order ${order.number} is ${order.status}, not ${status}, after ${timeout} ms`)
      })
    }
  }

  protected async start(order: Order): Promise<Order> {
    const { id, shop, paymentMethod, data } = order
    const { paymentTabs, chosenMethod, shopId: sent, noData } = this.switches.values
    const { id: choice, service, title } = paymentMethod
    const namedId = chosenMethod === 'both' ? choice : String(service)
    const { addressOf } = this
    if (paysOwn(order)) return this.save({ ...order, paymentUrl: addressOf(ownPagePath(id)) })
    const redirectUrl = addressOf(`/orders/${id}/return?shop=${shop}&from=payment`)
    const webhookUrl = addressOf(`/webhooks/orders/${id}?shop=${shop}`)
    this.save(order)
    const account = this.options.state.table<{ id: number; customer: number }>('customer of order').get(id)
    const call = paymentCall({
      ...order,
      customerId: account?.customer,
      method: { id: namedId, method: choice, title, data: { ...paymentMethod.data, ...data } },
      ...{ redirectUrl, webhookUrl },
      shop: sent === 'body' ? named(order) : undefined,
    })
    const body = dressed(call, noData)
    const tab = () =>
      this.#ask(order, { method: 'POST', path: 'payment', body, orderId: id, read: readPaymentStart })
    const tabs = await atOnce(paymentTabs === 'two' ? 2 : 1, tab)
    return this.save({ ...this.mustFind(id), paymentUrl: tabs[0] })
  }

  /** Calls the service of an order's payment method. `undefined` if that is gone. */
  async #ask<T>(order: Order, call: ProviderCall<T>): Promise<T | undefined> {
    const service = this.services.get(order.paymentMethod.service)
    return service && this.calls.call(service, { ...call, shopId: order.shop })
  }
}

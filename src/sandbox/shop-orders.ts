import type { PaymentStatus } from '../contract/index.ts'
import { servedBy } from '../contract/served.ts'
import { wrongCall } from '../errors/errors.ts'
import { dressed, named, paymentCall } from '../messages/live.ts'
import { readPaymentStart, readPaymentStatus } from './calls/answers.ts'
import { CallLog, type KeptCall, type LoggedCall } from './calls/call-log.ts'
import { atOnce, type ProviderCall, ProviderCalls, ProviderWatch } from './calls/provider-calls.ts'
import { type Charge, Charges } from './charges.ts'
import { MovingClock } from './clock.ts'
import { readWait, type SandboxOptions } from './options.ts'
import { type Invoice, Invoices, OrderBook, type WaitOptions } from './order-book.ts'
import { type Order, type OrderStatus, ownPagePath, paysOwn } from './orders.ts'
import type { RecordedCall } from './recording/entries.ts'
import { SessionSteps } from './recording/record.ts'
import { type Service, Services, type State } from './state.ts'
import { Switches } from './switches.ts'
import type { Table } from './table.ts'

const hour = 3_600_000
const lateWebhook = 10_000

export interface ShopOptions
  extends Pick<SandboxOptions, 'timeout' | 'moveProviders' | 'firstOrder' | 'resources'> {
  state: State
  /** The outside address of a path of the shop. */
  addressOf: (path: string) => string
}

export interface WebhookAnswer {
  status: number
  headers?: Record<string, string>
}

/** The orders of a shop, their payments at the providers, and the clock by which both go. */
export class ShopOrders {
  readonly clock: MovingClock
  readonly log: CallLog
  readonly switches: Switches
  /** The steps of the customer on payment pages, and of the clock. */
  readonly steps = new SessionSteps()
  /** Whether the provider beside this shop runs. */
  readonly provider: ProviderWatch
  readonly services: Services
  readonly charges: Charges
  readonly invoices: Invoices
  readonly book: OrderBook
  protected readonly calls: ProviderCalls
  readonly #offsets: Table<{ id: number; offset: number }>
  readonly #options: ShopOptions
  /** The number of webhook calls that wait for their answer, because the switch `webhook` is `late`. */
  webhooksWaiting = 0

  constructor(options: ShopOptions) {
    const { state, timeout, firstOrder = 1001 } = options
    this.#options = options
    this.#offsets = state.table('clock')
    this.clock = new MovingClock(this.#offsets.get(1)?.offset)
    const now = () => this.clock.now()
    this.log = new CallLog(state.table<KeptCall>('call'))
    this.switches = new Switches(state.table('switches'))
    this.services = new Services(state.table<Service>('service'), now)
    this.invoices = new Invoices(state.table<Invoice>('invoice'))
    this.book = new OrderBook(state.table('order', firstOrder), this.invoices, state.changes, now)
    this.charges = new Charges({
      charges: state.table<Charge>('charge'),
      billed: state.table('billed'),
      invoices: this.invoices,
      now,
      expiresAfter: () => Number.parseInt(this.switches.values.chargeExpiry, 10),
    })
    this.provider = new ProviderWatch(() => state.changes.emit('change', 'provider', 1, 'updated'))
    const { log, switches, clock, provider, services } = this
    this.calls = new ProviderCalls({ log, switches, clock, timeout, provider, services })
  }

  get orders(): readonly Order[] {
    return this.book.orders.all()
  }

  readonly order = (id: number): Order | undefined => this.book.orders.get(id)

  get apiUrl(): string {
    return this.#options.addressOf('/api')
  }

  /** Whether the providers' clocks move with the shop's. */
  get movesProviders(): boolean {
    return this.#options.moveProviders !== undefined
  }

  /** Moves the clock forward, and those of the providers if they can be moved. Everything that becomes due happens now. */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw wrongCall('A clock only moves forward, by 0 milliseconds or more')
    await this.steps.take({ step: 'clock', ms }, async () => {
      this.clock.advance(ms)
      this.#offsets.set({ id: 1, offset: this.clock.offset })
      this.charges.settle()
      await this.#options.moveProviders?.(ms)
    })
  }

  /** Sets switches and clock back to those of a new shop, and the clocks of the providers with it. Orders and bills stay. */
  async reset(): Promise<void> {
    this.switches.reset()
    const { offset } = this.clock
    if (offset === 0) return
    this.clock.move(-offset)
    this.#offsets.set({ id: 1, offset: 0 })
    await this.#options.moveProviders?.(-offset)
  }

  protected dressed<T>(body: T): T {
    return dressed(body, this.switches.values.noData)
  }

  /**
   * The customer returns to `redirect_url`: the shop reads the status (spec 4.3 return flow), as often and as late as the switch `customer`
   * says.
   */
  readonly returnToShop = async (id: number): Promise<Order> => {
    const { customer } = this.switches.values
    if (customer === 'never') return this.book.mustFind(id)
    if (customer === 'returnsLate') await this.advance(2 * hour)
    await atOnce(customer === 'returnsTwice' ? 2 : 1, () => this.fetchStatus(id))
    return this.book.mustFind(id)
  }

  /** The platform repeats the call that starts the payment of an order, unchanged. */
  readonly repeatStart = async (id: number): Promise<Order> => this.start(this.book.mustFind(id))

  /** Reads the payment status of an order from the provider. */
  readonly fetchStatus = async (id: number): Promise<Order> => this.book.report(id, await this.askStatus(id))

  /** The same without an effect on the order. `undefined` for an answer without a status. */
  async askStatus(id: number): Promise<PaymentStatus | undefined> {
    const path = `payment/${id}`
    const order = this.book.mustFind(id)
    if (paysOwn(order)) return order.ownEnd ?? 'pending'
    return this.#ask(order, { method: 'GET', path, orderId: id, read: readPaymentStatus })
  }

  /** The customer ends a payment of the shop's own. An end cannot be changed, but for a pending one. */
  async endOwnPayment(id: number, end: PaymentStatus): Promise<void> {
    const order = this.book.mustFind(id)
    if (!paysOwn(order) || (order.ownEnd ?? 'pending') !== 'pending') return
    this.book.save({ ...order, ownEnd: end })
    if (order.status !== 'not_paid') await this.fetchStatus(id)
  }

  /** Asks the provider of an order for the status of an unknown order. */
  async askForUnknown(order: Order): Promise<void> {
    const orderId = 900_000 + order.id
    const path = `payment/${orderId}`
    await this.#ask(order, { method: 'GET', path, orderId, read: readPaymentStatus })
  }

  /** A provider has called the webhook of an order. Two switches decide the reaction. */
  async takeWebhook(id: number): Promise<WebhookAnswer> {
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

  /** Sends a logged call again; the answer has no effect. Rejects with `ARGUMENT_INVALID` if its service is gone. */
  async callAgain(call: LoggedCall): Promise<LoggedCall> {
    const service = call.service && this.services.get(call.service.id)
    if (!service) throw wrongCall('The service of this call is no longer registered')
    return this.calls.again(service, call)
  }

  /** Sends a recorded call to a service, or to the first one of the right type. Rejects with `ARGUMENT_INVALID` if there is none. */
  async send(recorded: RecordedCall, serviceId?: number): Promise<LoggedCall> {
    const type = recorded.path === 'shipment_methods' ? 'shipment' : 'payment'
    const service = this.services
      .all()
      .find(({ id, type: serves }) => (serviceId ? id === serviceId : serves === type))
    if (!service) throw wrongCall(`No service is registered for ${servedBy[type]}`)
    return this.calls.again(service, recorded)
  }

  /** Resolves once the order has the status; rejects after `timeout` milliseconds. */
  readonly waitForStatus = async (
    id: number,
    status: OrderStatus,
    options: WaitOptions = {},
  ): Promise<Order> => this.book.waitForStatus(id, status, readWait(status, options))

  protected async start(order: Order): Promise<Order> {
    const { id, shop, paymentMethod, data } = order
    const { paymentTabs, chosenMethod, shopId: sent } = this.switches.values
    const { id: choice, service, title } = paymentMethod
    const namedId = chosenMethod === 'both' ? choice : String(service)
    const { addressOf } = this.#options
    if (paysOwn(order)) return this.book.save({ ...order, paymentUrl: addressOf(ownPagePath(id)) })
    const body = this.dressed(
      paymentCall({
        ...order,
        method: { id: namedId, method: choice, title, data: { ...paymentMethod.data, ...data } },
        redirectUrl: addressOf(`/orders/${id}/return?shop=${shop}&from=payment`),
        webhookUrl: addressOf(`/webhooks/orders/${id}?shop=${shop}`),
        shop: sent === 'body' ? named(order) : undefined,
      }),
    )
    this.book.save(order)
    const tab = () =>
      this.#ask(order, { method: 'POST', path: 'payment', body, orderId: id, read: readPaymentStart })
    const tabs = await atOnce(paymentTabs === 'two' ? 2 : 1, tab)
    return this.book.save({ ...this.book.mustFind(id), paymentUrl: tabs[0] })
  }

  /** Calls the service of an order's payment method. `undefined` if that is gone. */
  async #ask<T>(order: Order, call: ProviderCall<T>): Promise<T | undefined> {
    const service = this.services.get(order.paymentMethod.service)
    return service && this.calls.call(service, { ...call, shopId: order.shop })
  }
}

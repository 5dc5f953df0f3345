import type { PaymentStatus, ServiceType } from '../contract/index.ts'
import { servedBy } from '../contract/served.ts'
import { wrongCall } from '../errors/errors.ts'
import { type CartLine, linesFrom, total } from '../messages/lines.ts'
import { checkoutCall, dressed, estimateCall, named, paymentCall } from '../messages/live.ts'
import { type CartOptions, type CheckoutOptions, type Destination, given } from '../messages/options.ts'
import { personOf } from '../messages/people.ts'
import { readerOf, readPaymentStart, readPaymentStatus } from './calls/answers.ts'
import { CallLog, type KeptCall, type LoggedCall } from './calls/call-log.ts'
import { type ProviderCall, ProviderCalls, ProviderWatch } from './calls/provider-calls.ts'
import { Catalogue } from './catalogue.ts'
import { type Charge, Charges } from './charges.ts'
import { Checkout, choose, noPaymentMethod, type PayAgain, questionOf, type Visit } from './checkout.ts'
import { MovingClock } from './clock.ts'
import { MethodLists } from './method-lists.ts'
import { type Invoice, Invoices, OrderBook } from './order-book.ts'
import {
  type Moved,
  type OfferedMethod,
  type Order,
  type OrderStatus,
  ownMethod,
  ownPagePath,
  paysOwn,
} from './orders.ts'
import { type RecordedCall, SessionSteps } from './recording/record.ts'
import type { Seeds } from './seeds.ts'
import { type Collection, type Service, Services, type State } from './state.ts'
import { Switches, type SwitchValues } from './switches.ts'

/** The number of an order. One of letters has its digits as letters: `AAAAAAAAAAAABAAB`. */
const numberOf = (id: number, numbers: SwitchValues['orderNumbers']): string =>
  numbers === 'counted'
    ? `ORD${String(id).padStart(5, '0')}`
    : [...String(id).padStart(16, '0')].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('')

const hour = 3_600_000
const lateWebhook = 10_000

export interface ShopOptions {
  state: State
  /** The outside address of a path of the shop. */
  addressOf: (path: string) => string
  /** In milliseconds; replaces the switch `cutOff`. */
  timeout?: number | undefined
  /** Moves the clocks of the providers too, if they can be moved; back by a negative number. In milliseconds. */
  moveProviders?: ((ms: number) => Promise<void>) | undefined
  /** Initial records, by resource. */
  resources?: Seeds | undefined
}

/** How long to wait for a status. */
export interface WaitOptions {
  /** In milliseconds. Default 10,000. */
  timeout?: number
}

export interface WebhookAnswer {
  status: number
  headers?: Record<string, string>
}

/** The platform's side of one shop: its services, checkouts and orders, and the calls to the providers. */
export class Shop {
  readonly clock: MovingClock
  readonly catalogue: Catalogue
  readonly log: CallLog
  readonly switches: Switches
  /** The steps of the customer on payment pages, and of the clock. */
  readonly steps = new SessionSteps()
  /** Whether the provider beside this shop runs. */
  readonly provider: ProviderWatch
  readonly services: Services
  readonly charges: Charges
  readonly invoices: Invoices
  readonly #orders: OrderBook
  readonly #offsets: Collection<{ id: number; offset: number }>
  readonly #calls: ProviderCalls
  readonly #options: ShopOptions
  readonly #lists: MethodLists
  #lastQuote: number
  #webhooksWaiting = 0

  constructor(options: ShopOptions) {
    const { state, timeout, resources = {} } = options
    this.#options = options
    this.#offsets = state.collection('clock')
    this.clock = new MovingClock(this.#offsets.get(1)?.offset)
    const now = () => this.clock.now()
    this.catalogue = new Catalogue(state, resources, now)
    this.log = new CallLog(state.collection<KeptCall>('call'))
    this.#lastQuote = Math.max(6000, ...this.log.calls.map(({ checkoutId = 0 }) => checkoutId))
    this.switches = new Switches(state.collection('switches'))
    this.services = new Services(state.collection<Service>('service'), now)
    this.invoices = new Invoices(state.collection<Invoice>('invoice'))
    this.#orders = new OrderBook(state.collection<Order>('order', 1001), this.invoices, now)
    this.charges = new Charges({
      charges: state.collection<Charge>('charge'),
      billed: state.collection('billed'),
      invoices: this.invoices,
      now,
      expiresAfter: () => Number.parseInt(this.switches.values.chargeExpiry, 10),
    })
    this.provider = new ProviderWatch(() => state.changes.emit('change', 'provider', 1, 'updated'))
    const { log, switches, clock, provider } = this
    this.#calls = new ProviderCalls({ log, switches, clock, timeout, provider, services: this.services })
    this.#lists = new MethodLists({ calls: this.#calls, switches, clock })
  }

  get orders(): readonly Order[] {
    return this.#orders.all()
  }

  readonly order = (id: number): Order | undefined => this.#orders.find(id)

  /** Every call about an order, those of its checkouts too, oldest first. */
  callsOf(id: number): LoggedCall[] {
    const { checkoutIds = [] } = this.order(id) ?? {}
    return this.log.calls.filter(
      ({ orderId, checkoutId }) =>
        orderId === id || (checkoutId !== undefined && checkoutIds.includes(checkoutId)),
    )
  }

  get apiUrl(): string {
    return this.#options.addressOf('/api')
  }

  /** The number of webhook calls that wait for their answer, because the switch `webhook` is `late`. */
  get webhooksWaiting(): number {
    return this.#webhooksWaiting
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
    this.clock.turnBack(offset)
    this.#offsets.set({ id: 1, offset: 0 })
    await this.#options.moveProviders?.(-offset)
  }

  /** The cart's quick request with only zipcode and country of the customer (spec 4.3 rate estimate). */
  estimate(address: Destination, language = 'en', options: CartOptions = {}): Promise<OfferedMethod[]> {
    const cart = this.#cartOf(options)
    const asked = this.services.active('shipment', cart.shop).filter(({ rateEstimate }) => rateEstimate)
    const visit = { ...cart, language, address }
    const body = this.#dressed(estimateCall({ ...visit, id: ++this.#lastQuote }))
    const key = `estimate ${questionOf(visit)}`
    return this.#lists.of(asked, { type: 'shipment', body, shopId: cart.shop, key })
  }

  /** Throws `ARGUMENT_INVALID` for a shop, a preset, products or an option that do not exist. */
  checkout(options: CheckoutOptions = {}): Checkout {
    const { language = 'en', ownPayment } = options
    return this.#open({ ...this.#cartOf(options), ...personOf(options), language, ownPayment })
  }

  #open({ ownPayment, ...visit }: Visit): Checkout {
    const id = ++this.#lastQuote
    const body = this.#dressed(checkoutCall({ ...visit, id }))
    const key = questionOf(visit)
    const { shop } = visit
    const services = (type: ServiceType) => this.services.active(type, shop)
    const methods = (type: ServiceType) =>
      this.#lists.of(services(type), { type, body, shopId: shop, key, checkoutId: id })
    const paysHere = ownPayment || services('payment').length === 0
    return new Checkout({
      ...visit,
      id,
      shipmentMethods: () => methods('shipment'),
      paymentMethods: async () => (paysHere ? [ownMethod] : methods('payment')),
      place: (order) => {
        const orderId = this.#orders.nextId()
        const number = numberOf(orderId, this.switches.values.orderNumbers)
        const now = this.clock.now()
        return this.#start({ ...order, id: orderId, number, createdAt: now, updatedAt: now })
      },
    })
  }

  #cartOf(options: CartOptions): { shop: number; currency: string; lines: CartLine[] } {
    const { catalogue } = this
    const shop = options.shop === undefined ? catalogue.shop : catalogue.shopWith(options.shop)
    if (!shop) throw wrongCall(`The platform has no shop ${options.shop}`)
    const { currency = shop.currency, lines } = options
    if (lines === undefined) return { shop: shop.id, currency, lines: catalogue.lines(currency) }
    return { shop: shop.id, currency, lines: linesFrom(lines, currency) }
  }

  #dressed<T>(body: T): T {
    return dressed(body, this.switches.values.noData)
  }

  /**
   * The customer returns to `redirect_url`: the shop reads the status (spec 4.3 return flow), as often and as late as the switch `customer`
   * says.
   */
  async returnToShop(id: number): Promise<Order> {
    const { customer } = this.switches.values
    if (customer === 'never') return this.#orders.mustFind(id)
    if (customer === 'returnsLate') await this.advance(2 * hour)
    const times = customer === 'returnsTwice' ? 2 : 1
    await Promise.all(Array.from({ length: times }, () => this.fetchStatus(id)))
    return this.#orders.mustFind(id)
  }

  /**
   * The customer chooses again for the same order: the shop requests the methods and starts the payment once more. Rejects with
   * `ARGUMENT_INVALID` for a paid order with the same cart, and for an unknown method.
   */
  async payAgain(id: number, { lines, currency, ...choice }: PayAgain = {}): Promise<Order> {
    const before = this.#orders.mustFind(id)
    if (before.status === 'paid' && lines === undefined && currency === undefined)
      throw wrongCall(`Order ${before.number} is paid`)
    const changed = { ...before, ...given({ currency }) }
    const order = lines === undefined ? changed : { ...changed, lines: linesFrom(lines, changed.currency) }
    const checkout = this.#open({ ...order, ownPayment: paysOwn(order) })
    const methods = await checkout.paymentMethods()
    const asBefore = methods.find((one) => one.id === order.paymentMethod.id)?.id
    const paymentMethod = choose(methods, choice.paymentMethod ?? asBefore, 'payment')
    if (!paymentMethod) throw wrongCall(noPaymentMethod)
    const shipmentMethod =
      choice.shipmentMethod === undefined
        ? order.shipmentMethod
        : choose(await checkout.shipmentMethods(), choice.shipmentMethod, 'shipment')
    const chosen = shipmentMethod ? [shipmentMethod, paymentMethod] : [paymentMethod]
    const amounts = total(order.currency, ...order.lines, ...chosen)
    const data = choice.data ?? order.data
    const { checkoutIds, ...now } = this.#orders.mustFind(id)
    const cart = { lines: order.lines, currency: order.currency, amounts }
    const again = { paymentMethod, shipmentMethod, data, checkoutIds: [...checkoutIds, checkout.id] }
    return this.#start({ ...now, ...cart, ...again, ownEnd: undefined })
  }

  /** The platform repeats the call that starts the payment of an order, unchanged. */
  readonly repeatStart = async (id: number): Promise<Order> => this.#start(this.#orders.mustFind(id))

  /** Reads the payment status of an order from the provider. */
  readonly fetchStatus = async (id: number): Promise<Order> =>
    this.#orders.report(id, await this.askStatus(id))

  /** The same without an effect on the order. `undefined` for an answer without a status. */
  async askStatus(id: number): Promise<PaymentStatus | undefined> {
    const path = `payment/${id}`
    const order = this.#orders.mustFind(id)
    if (paysOwn(order)) return order.ownEnd ?? 'pending'
    return this.#ask(order, { method: 'GET', path, orderId: id, read: readPaymentStatus })
  }

  /** The customer ends a payment of the shop's own. An end cannot be changed, but for a pending one. */
  async endOwnPayment(id: number, end: PaymentStatus): Promise<void> {
    const order = this.#orders.mustFind(id)
    if (!paysOwn(order) || (order.ownEnd ?? 'pending') !== 'pending') return
    this.#orders.save({ ...order, ownEnd: end })
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
      this.#webhooksWaiting++
      await new Promise<void>((resolve) => this.clock.after(lateWebhook, resolve))
      this.#webhooksWaiting--
    }
    const fetches = () => {
      const times = statusAfterWebhook === 'twice' ? 2 : 1
      return Promise.all(Array.from({ length: times }, () => this.fetchStatus(id)))
    }
    if (statusAfterWebhook === 'inside') await fetches()
    else setImmediate(() => void fetches())
    return { status: 200 }
  }

  /** Sends a logged call again; the answer has no effect. Rejects with `ARGUMENT_INVALID` if its service is gone. */
  async callAgain(call: LoggedCall): Promise<LoggedCall> {
    const service = call.service && this.services.get(call.service.id)
    if (!service) throw wrongCall('The service of this call is no longer registered')
    return this.#calls.again(service, call, readerOf(call))
  }

  /** Sends a recorded call to a service, or to the first one of the right type. Rejects with `ARGUMENT_INVALID` if there is none. */
  async send(recorded: RecordedCall, serviceId?: number): Promise<LoggedCall> {
    const type = recorded.path === 'shipment_methods' ? 'shipment' : 'payment'
    const service = this.services
      .all()
      .find(({ id, type: serves }) => (serviceId ? id === serviceId : serves === type))
    if (!service) throw wrongCall(`No service is registered for ${servedBy[type]}`)
    return this.#calls.again(service, recorded, readerOf(recorded))
  }

  /** Resolves once the order has the status; rejects after `timeout` milliseconds. */
  waitForStatus(id: number, status: OrderStatus, options?: WaitOptions): Promise<Order> {
    return this.#orders.waitForStatus(id, status, options)
  }

  /** New orders get higher ids than this one. */
  readonly startOrdersAfter = (id: number): void => this.#orders.startAfter(id)

  /** A program changes an order through the API, beside the status call. */
  readonly moveOrder = (id: number, changes: Moved): Order => this.#orders.move(id, changes)

  async #start(order: Order): Promise<Order> {
    const { id, shop, paymentMethod, data } = order
    const { paymentTabs, chosenMethod, shopId: sent } = this.switches.values
    const { id: choice, service, title } = paymentMethod
    const namedId = chosenMethod === 'both' ? choice : String(service)
    const { addressOf } = this.#options
    if (paysOwn(order)) return this.#orders.save({ ...order, paymentUrl: addressOf(ownPagePath(id)) })
    const body = this.#dressed(
      paymentCall({
        ...order,
        method: { id: namedId, method: choice, title, data: { ...paymentMethod.data, ...data } },
        redirectUrl: addressOf(`/orders/${id}/return?shop=${shop}&from=payment`),
        webhookUrl: addressOf(`/webhooks/orders/${id}?shop=${shop}`),
        shop: sent === 'body' ? named(order) : undefined,
      }),
    )
    this.#orders.save(order)
    const tab = () =>
      this.#ask(order, { method: 'POST', path: 'payment', body, orderId: id, read: readPaymentStart })
    const tabs = await Promise.all(Array.from({ length: paymentTabs === 'two' ? 2 : 1 }, tab))
    return this.#orders.save({ ...this.#orders.mustFind(id), paymentUrl: tabs[0] })
  }

  /** Calls the service of an order's payment method. `undefined` if that is gone. */
  async #ask<T>(order: Order, call: ProviderCall<T>): Promise<T | undefined> {
    const service = this.services.get(order.paymentMethod.service)
    return service && this.#calls.call(service, { ...call, shopId: order.shop })
  }
}

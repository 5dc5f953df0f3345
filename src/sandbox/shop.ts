import { EventEmitter } from 'node:events'
import type { PaymentStatus, ServiceType } from '../contract/index.ts'
import {
  type Read,
  readPaymentMethods,
  readPaymentStart,
  readPaymentStatus,
  readShipmentMethods,
} from './answers.ts'
import { CallLog, type KeptCall, type LoggedCall } from './call-log.ts'
import { total } from './cart.ts'
import { type Charge, Charges } from './charges.ts'
import { Checkout, type CheckoutOptions, choose, noPaymentMethod } from './checkout.ts'
import { MovingClock } from './clock.ts'
import { type Invoice, Invoices } from './invoices.ts'
import type { Method } from './offered-method.ts'
import type { OfferedMethod, Order, OrderStatus } from './orders.ts'
import {
  checkoutCall,
  type Destination,
  dressed,
  estimateCall,
  paymentCall,
  seededAddress,
  seededCustomer,
  shopId,
  shop as shopOf,
} from './payloads.ts'
import { type ProviderCall, ProviderCalls } from './provider-calls.ts'
import { ProviderWatch } from './provider-state.ts'
import type { RecordedCall } from './recording/record.ts'
import { type Service, Services } from './services.ts'
import type { Collection, State } from './state.ts'
import { Switches } from './switches.ts'

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
}

/** The customer's choices when an order is paid again. Default: as before. */
export interface PayAgain {
  paymentMethod?: string
  shipmentMethod?: string
  data?: Record<string, unknown>
}

export interface WebhookAnswer {
  status: number
  headers?: Record<string, string>
}

/** The platform's side of one shop: its services, checkouts and orders, and the calls to the providers. */
export class Shop {
  readonly clock: MovingClock
  readonly log: CallLog
  readonly switches: Switches
  /** Whether the provider beside this shop runs. */
  readonly provider: ProviderWatch
  readonly services: Services
  readonly charges: Charges
  readonly invoices: Invoices
  readonly #orders: Collection<Order>
  readonly #offsets: Collection<{ id: number; offset: number }>
  readonly #changes = new EventEmitter<{ status: [Order] }>().setMaxListeners(0)
  readonly #calls: ProviderCalls
  readonly #options: ShopOptions
  readonly #kept = new Map<string, { at: number; methods: Promise<OfferedMethod[]> }>()
  #lastQuote: number
  #webhooksWaiting = 0

  constructor(options: ShopOptions) {
    const { state, timeout } = options
    this.#options = options
    this.#offsets = state.collection('clock')
    this.clock = new MovingClock(this.#offsets.get(1)?.offset)
    const now = () => this.clock.now()
    this.#orders = state.collection('order', 1001)
    this.log = new CallLog(state.collection<KeptCall>('call'))
    this.#lastQuote = Math.max(6000, ...this.log.calls.map(({ checkoutId = 0 }) => checkoutId))
    this.switches = new Switches(state.collection('switches'))
    this.services = new Services(state.collection<Service>('service'), now)
    this.invoices = new Invoices(state.collection<Invoice>('invoice'))
    this.charges = new Charges({
      charges: state.collection<Charge>('charge'),
      billed: state.collection('billed'),
      invoices: this.invoices,
      now,
      expiresAfter: () => Number.parseInt(this.switches.values.chargeExpiry, 10),
    })
    this.provider = new ProviderWatch(() => state.changes.emit('change', 'provider', 1))
    this.#calls = new ProviderCalls({
      log: this.log,
      switches: this.switches,
      clock: this.clock,
      timeout,
      provider: this.provider,
    })
  }

  get orders(): readonly Order[] {
    return this.#orders.all()
  }

  readonly order = (id: number): Order | undefined => this.#orders.get(id)

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
    this.clock.advance(ms)
    this.#offsets.set({ id: 1, offset: this.clock.offset })
    this.charges.settle()
    await this.#options.moveProviders?.(ms)
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
  estimate(where: Destination, language = 'en'): Promise<OfferedMethod[]> {
    const body = this.#dressed(estimateCall(++this.#lastQuote, language, where))
    const asked = this.services.active('shipment').filter(({ rateEstimate }) => rateEstimate)
    return this.#methods(asked, 'shipment_methods', body, `estimate ${placeOf(language, where)}`)
  }

  checkout({ language = 'en', customer, address }: CheckoutOptions = {}): Checkout {
    const who = { ...seededCustomer, ...customer }
    const where = { ...seededAddress, ...address }
    const id = ++this.#lastQuote
    const body = this.#dressed(checkoutCall(id, language, who, where))
    const key = placeOf(language, where)
    const methods = (type: ServiceType) =>
      this.#methods(this.services.active(type), `${type}_methods`, body, key, id)
    return new Checkout({
      id,
      language,
      customer: who,
      address: where,
      shipmentMethods: () => methods('shipment'),
      paymentMethods: () => methods('payment'),
      place: (order) => {
        const orderId = this.#orders.nextId()
        const number = `ORD${String(orderId).padStart(5, '0')}`
        const now = this.clock.now()
        return this.#start({ ...order, id: orderId, number, createdAt: now, updatedAt: now })
      },
    })
  }

  #dressed<T>(body: T): T {
    return dressed(body, this.switches.values.noData)
  }

  async #methods(
    services: Service[],
    path: 'shipment_methods' | 'payment_methods',
    body: unknown,
    key: string,
    checkoutId?: number,
  ): Promise<OfferedMethod[]> {
    const read = path === 'shipment_methods' ? readShipmentMethods : readPaymentMethods
    const lists = services.map((service) =>
      this.#keeping(`${service.id} ${path} ${key}`, async () => {
        const call = { method: 'POST', path, body, checkoutId, read } as const
        const methods = await this.#calls.call<Method[]>(service, call)
        return methods.map((method) => ({ ...method, service: service.id }))
      }),
    )
    return (await Promise.all(lists)).flat()
  }

  /** Caches a list of methods as long as the switch says. */
  #keeping(key: string, ask: () => Promise<OfferedMethod[]>): Promise<OfferedMethod[]> {
    const { methodLists } = this.switches.values
    if (methodLists === 'fresh') return ask()
    const now = this.clock.now()
    const kept = this.#kept.get(key)
    if (kept && now - kept.at < (methodLists === '60s' ? 60_000 : 12 * hour)) return kept.methods
    const methods = ask()
    this.#kept.set(key, { at: now, methods })
    return methods
  }

  /**
   * The customer returns to `redirect_url`: the shop reads the status (spec 4.3 return flow), as often and as late as the switch `customer`
   * says.
   */
  async returnToShop(id: number): Promise<Order> {
    const { customer } = this.switches.values
    if (customer === 'never') return this.#mustFind(id)
    if (customer === 'returnsLate') await this.advance(2 * hour)
    const times = customer === 'returnsTwice' ? 2 : 1
    await Promise.all(Array.from({ length: times }, () => this.fetchStatus(id)))
    return this.#mustFind(id)
  }

  /**
   * The customer chooses again for the same order: the shop requests the methods and starts the payment once more. Rejects with a
   * `TypeError` for a paid order or an unknown method.
   */
  async payAgain(id: number, choice: PayAgain = {}): Promise<Order> {
    const order = this.#mustFind(id)
    if (order.status === 'paid') throw new TypeError(`Order ${order.number} is paid`)
    const { language, customer, address } = order
    const checkout = this.checkout({ language, customer, address })
    const methods = await checkout.paymentMethods()
    const asBefore = methods.find((one) => one.id === order.paymentMethod.id)?.id
    const paymentMethod = choose(methods, choice.paymentMethod ?? asBefore, 'payment')
    if (!paymentMethod) throw new TypeError(noPaymentMethod)
    const shipmentMethod =
      choice.shipmentMethod === undefined
        ? order.shipmentMethod
        : choose(await checkout.shipmentMethods(), choice.shipmentMethod, 'shipment')
    const amounts = total(...(shipmentMethod ? [shipmentMethod] : []), paymentMethod)
    const data = choice.data ?? order.data
    const { checkoutIds, ...now } = this.#mustFind(id)
    const again = { paymentMethod, shipmentMethod, amounts, data, checkoutIds: [...checkoutIds, checkout.id] }
    return this.#start({ ...now, ...again })
  }

  /** The platform repeats the call that starts the payment of an order, unchanged. */
  readonly repeatStart = async (id: number): Promise<Order> => this.#start(this.#mustFind(id))

  /** Reads the payment status of an order from the provider. */
  readonly fetchStatus = async (id: number): Promise<Order> => this.#setStatus(id, await this.askStatus(id))

  /** The same without an effect on the order. `undefined` for an answer without a status. */
  async askStatus(id: number): Promise<PaymentStatus | undefined> {
    const path = `payment/${id}`
    return this.#ask(this.#mustFind(id), { method: 'GET', path, orderId: id, read: readPaymentStatus })
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

  /** Sends a logged call again; the answer has no effect. Rejects with a `TypeError` if its service is gone. */
  async callAgain(call: LoggedCall): Promise<LoggedCall> {
    const service = call.service && this.services.get(call.service.id)
    if (!service) throw new TypeError('The service of this call is no longer registered')
    return this.#calls.again(service, call, readerOf(call))
  }

  /** Sends a recorded call to a service, or to the first one of the right type. Rejects with a `TypeError` if there is none. */
  async send(recorded: RecordedCall, serviceId?: number): Promise<LoggedCall> {
    const type = recorded.path === 'shipment_methods' ? 'shipment' : 'payment'
    const service = this.services
      .all()
      .find(({ id, type: serves }) => (serviceId ? id === serviceId : serves === type))
    if (!service) throw new TypeError(`No service is registered for ${type}`)
    return this.#calls.again(service, recorded, readerOf(recorded))
  }

  /** Resolves once the order has the status; rejects after `timeout` milliseconds. */
  waitForStatus(id: number, status: OrderStatus, { timeout = 10_000 } = {}): Promise<Order> {
    return new Promise((resolve, reject) => {
      const order = this.#mustFind(id)
      const late = setTimeout(() => {
        stop()
        const is = this.order(id)?.status
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

  #setStatus(id: number, status: PaymentStatus | undefined): Order {
    const order = this.#mustFind(id)
    if (status === undefined || status === order.status || order.status === 'paid') return order
    const changed = this.#save({ ...order, status })
    this.#changes.emit('status', changed)
    return changed
  }

  #save(order: Order): Order {
    const saved = this.#orders.set({ ...order, updatedAt: this.clock.now() })
    this.invoices.follow(saved, this.clock.now())
    return saved
  }

  async #start(order: Order): Promise<Order> {
    const { id, number, language, amounts, customer, paymentMethod, data } = order
    const { paymentTabs, chosenMethod, shopId: sent } = this.switches.values
    const { id: choice, service, title } = paymentMethod
    const dataOfMethod = { ...paymentMethod.data, ...data }
    const { addressOf } = this.#options
    const body = this.#dressed(
      paymentCall({
        order: { id, number, amounts },
        customer,
        method: {
          id: chosenMethod === 'both' ? choice : String(service),
          method: choice,
          title,
          data: dataOfMethod,
        },
        redirectUrl: addressOf(`/orders/${id}/return?shop=${shopId}&from=payment`),
        webhookUrl: addressOf(`/webhooks/orders/${id}?shop=${shopId}`),
        shop: sent === 'body' ? shopOf(language) : undefined,
      }),
    )
    this.#save(order)
    const tab = () =>
      this.#ask(order, { method: 'POST', path: 'payment', body, orderId: id, read: readPaymentStart })
    const tabs = await Promise.all(Array.from({ length: paymentTabs === 'two' ? 2 : 1 }, tab))
    return this.#save({ ...this.#mustFind(id), paymentUrl: tabs[0] })
  }

  /** Calls the service of an order's payment method. `undefined` if that is gone. */
  async #ask<T>(order: Order, call: ProviderCall<T>): Promise<T | undefined> {
    const service = this.services.get(order.paymentMethod.service)
    return service && this.#calls.call(service, call)
  }

  #mustFind(id: number): Order {
    const order = this.#orders.get(id)
    if (!order) throw new TypeError(`The sandbox has no order ${id}`)
    return order
  }
}

const placeOf = (language: string, { country, zipcode }: Destination) => `${language} ${country} ${zipcode}`

const readers: Record<string, Read<unknown>> = {
  shipment_methods: readShipmentMethods,
  payment_methods: readPaymentMethods,
  payment: readPaymentStart,
}
const readerOf = ({ path }: { path: string }) => readers[path] ?? readPaymentStatus

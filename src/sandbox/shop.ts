import { EventEmitter } from 'node:events'
import type { PaymentStatus } from '../contract/index.ts'
import {
  type Method,
  readPaymentMethods,
  readPaymentStart,
  readPaymentStatus,
  readShipmentMethods,
} from './answers.ts'
import { CallLog } from './call-log.ts'
import { type Amounts, total } from './cart.ts'
import {
  type Customer,
  checkoutCall,
  type DeliveryAddress,
  type Destination,
  estimateCall,
  paymentCall,
  seededAddress,
  seededCustomer,
  shopId,
} from './payloads.ts'
import { ProviderCalls } from './provider-calls.ts'

/** What an external service is registered for (spec 2.2 type). */
export type ServiceType = 'shipment' | 'payment'

/** What the platform knows of a payment: `not_paid` until the provider has said something. */
export type OrderStatus = PaymentStatus | 'not_paid'

export interface Order {
  readonly id: number
  readonly number: string
  readonly language: string
  readonly amounts: Amounts
  readonly customer: Customer
  readonly address: DeliveryAddress
  readonly shipmentMethod: Method | undefined
  readonly paymentMethod: Method
  readonly status: OrderStatus
  /** Where the customer pays; `null` when the provider gave none, `undefined` when the payment was not started. */
  readonly paymentUrl: string | null | undefined
}

export interface CheckoutOptions {
  /** `en`, `nl`, `de`, `fr` or `es`. */
  language?: string
  customer?: Partial<Customer>
  address?: Partial<DeliveryAddress>
}

export interface PlaceOrder {
  /** Ids of methods; the first one where none is named. */
  shipmentMethod?: string
  paymentMethod?: string
  /** What the customer corrected on the last page. */
  customer?: Partial<Customer>
  /** What the customer filled in for the payment method. */
  data?: Record<string, unknown>
}

/** The platform's side of one shop: its checkouts and orders, and the calls they make to the provider. */
export class Shop {
  readonly log = new CallLog()
  readonly #orders = new Map<number, Order>()
  readonly #changes = new EventEmitter<{ status: [Order] }>().setMaxListeners(0)
  readonly #calls: ProviderCalls
  readonly #addressOf: (path: string) => string
  #lastQuote = 6000
  #lastOrder = 1000

  readonly services: readonly ServiceType[]

  constructor(options: {
    endpoint: string
    services: readonly ServiceType[]
    timeout: number
    addressOf: (path: string) => string
  }) {
    this.services = options.services
    this.#calls = new ProviderCalls(options.endpoint, this.log, options.timeout)
    this.#addressOf = options.addressOf
  }

  get orders(): readonly Order[] {
    return [...this.#orders.values()]
  }

  order(id: number): Order | undefined {
    return this.#orders.get(id)
  }

  /** The cart's quick question: of the customer, only zipcode and country are known (spec 4.3 rate estimate). */
  estimate(where: Destination, language = 'en'): Promise<Method[]> {
    return this.#shipmentMethods(estimateCall(++this.#lastQuote, language, where))
  }

  checkout({ language = 'en', customer, address }: CheckoutOptions = {}): Checkout {
    const who = { ...seededCustomer, ...customer }
    const where = { ...seededAddress, ...address }
    const body = checkoutCall(++this.#lastQuote, language, who, where)
    return new Checkout({
      language,
      customer: who,
      address: where,
      shipmentMethods: () => this.#shipmentMethods(body),
      paymentMethods: () => this.#paymentMethods(body),
      place: (order, data) => {
        const id = ++this.#lastOrder
        return this.#startPayment({ ...order, id, number: `ORD${String(id).padStart(5, '0')}` }, data)
      },
    })
  }

  async #shipmentMethods(body: unknown): Promise<Method[]> {
    if (!this.services.includes('shipment')) return []
    return this.#calls.call({ method: 'POST', path: 'shipment_methods', body, read: readShipmentMethods })
  }

  async #paymentMethods(body: unknown): Promise<Method[]> {
    if (!this.services.includes('payment')) return []
    return this.#calls.call({ method: 'POST', path: 'payment_methods', body, read: readPaymentMethods })
  }

  /** The customer comes back on `redirect_url`: the status is fetched (spec 4.3 return flow). */
  async returnToShop(id: number): Promise<Order> {
    return this.fetchStatus(id)
  }

  /**
   * The customer chooses again, for the same order: the methods are asked for and the payment is started once more.
   * Rejects with a `TypeError` for a paid order and when there is no such method.
   */
  async payAgain(
    id: number,
    choice: { paymentMethod?: string; data?: Record<string, unknown> } = {},
  ): Promise<Order> {
    const order = this.#mustFind(id)
    if (order.status === 'paid') throw new TypeError(`Order ${order.number} is paid`)
    const { language, customer, address, shipmentMethod } = order
    const methods = await this.checkout({ language, customer, address }).paymentMethods()
    const asBefore = methods.find(({ id }) => id === order.paymentMethod.id)?.id
    const paymentMethod = choose(methods, choice.paymentMethod ?? asBefore, 'payment')
    if (!paymentMethod) throw new TypeError(noPaymentMethod)
    const amounts = total(...(shipmentMethod ? [shipmentMethod] : []), paymentMethod)
    return this.#startPayment({ ...order, paymentMethod, amounts }, choice.data ?? {})
  }

  async fetchStatus(id: number): Promise<Order> {
    const order = this.#mustFind(id)
    const path = `payment/${order.id}`
    const status = await this.#calls.call({ method: 'GET', path, orderId: id, read: readPaymentStatus })
    return this.#setStatus(id, status)
  }

  /** Resolves once the order has the status; rejects after `timeout` milliseconds. */
  async waitForStatus(id: number, status: OrderStatus, { timeout = 10_000 } = {}): Promise<Order> {
    const signal = AbortSignal.timeout(timeout)
    for (let order = this.#mustFind(id); ; order = this.#mustFind(id)) {
      if (order.status === status) return order
      const stop = this.#nextChange()
      await Promise.race([
        stop,
        aborted(signal, `order ${order.number} is ${order.status}, not ${status}, after ${timeout} ms`),
      ])
    }
  }

  /** Calls back after every change of an order's status. Returns how to stop. */
  onStatus(listener: (order: Order) => void): () => void {
    this.#changes.on('status', listener)
    return () => this.#changes.off('status', listener)
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#changes.once('status', () => resolve()))
  }

  #setStatus(id: number, status: PaymentStatus | undefined): Order {
    const order = this.#mustFind(id)
    if (status === undefined || status === order.status || order.status === 'paid') return order
    const changed = { ...order, status }
    this.#orders.set(id, changed)
    this.#changes.emit('status', changed)
    return changed
  }

  async #startPayment(order: Order, data: Record<string, unknown>): Promise<Order> {
    const { id, number, amounts, customer, paymentMethod } = order
    const body = paymentCall({
      order: { id, number, amounts },
      customer,
      method: { id: paymentMethod.id, title: paymentMethod.title, data },
      redirectUrl: this.#addressOf(`/orders/${id}/return?shop=${shopId}&from=payment`),
      webhookUrl: this.#addressOf(`/webhooks/orders/${id}?shop=${shopId}`),
    })
    this.#orders.set(id, order)
    const paymentUrl = await this.#calls.call({
      method: 'POST',
      path: 'payment',
      body,
      orderId: id,
      read: readPaymentStart,
    })
    const started = { ...this.#mustFind(id), paymentUrl }
    this.#orders.set(id, started)
    return started
  }

  #mustFind(id: number): Order {
    const order = this.#orders.get(id)
    if (!order) throw new TypeError(`The sandbox has no order ${id}`)
    return order
  }
}

interface CheckoutParts {
  language: string
  customer: Customer
  address: DeliveryAddress
  shipmentMethods: () => Promise<Method[]>
  paymentMethods: () => Promise<Method[]>
  place: (order: Omit<Order, 'id' | 'number'>, data: Record<string, unknown>) => Promise<Order>
}

/** One customer's way through the checkout. */
export class Checkout {
  readonly language: string
  readonly customer: Customer
  readonly address: DeliveryAddress
  readonly #parts: CheckoutParts
  #shipment: Promise<Method[]> | undefined
  #payment: Promise<Method[]> | undefined

  constructor(parts: CheckoutParts) {
    this.#parts = parts
    this.language = parts.language
    this.customer = parts.customer
    this.address = parts.address
  }

  /** Asked for once, then remembered. */
  shipmentMethods(): Promise<Method[]> {
    this.#shipment ??= this.#parts.shipmentMethods()
    return this.#shipment
  }

  /** Asked for once, then remembered. */
  paymentMethods(): Promise<Method[]> {
    this.#payment ??= this.#parts.paymentMethods()
    return this.#payment
  }

  /** Finalises the order and starts its payment. Rejects with a `TypeError` when there is no such method. */
  async placeOrder(options: PlaceOrder = {}): Promise<Order> {
    const { shipmentMethod, paymentMethod, data = {} } = options
    const shipment = choose(await this.shipmentMethods(), shipmentMethod, 'shipment')
    const payment = choose(await this.paymentMethods(), paymentMethod, 'payment')
    if (!payment) throw new TypeError(noPaymentMethod)
    const { language, address } = this
    const customer = { ...this.customer, ...options.customer }
    const amounts = total(...(shipment ? [shipment] : []), payment)
    const order = { language, customer, address, amounts, shipmentMethod: shipment, paymentMethod: payment }
    return this.#parts.place({ ...order, status: 'not_paid', paymentUrl: undefined }, data)
  }
}

const noPaymentMethod = 'The provider offers no payment method: see the log of calls'

function choose(methods: Method[], id: string | undefined, kind: string): Method | undefined {
  if (id === undefined) return methods[0]
  const method = methods.find((one) => one.id === id)
  if (!method) throw new TypeError(`There is no ${kind} method "${id}" in this checkout`)
  return method
}

function aborted(signal: AbortSignal, message: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(new Error(message))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

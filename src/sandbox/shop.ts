import type { PaymentStatus, ServiceType } from '../contract/index.ts'
import { servedBy } from '../contract/served.ts'
import { wrongCall } from '../errors/errors.ts'
import { type CartLine, linesFrom } from '../messages/lines.ts'
import { checkoutCall, dressed, estimateCall } from '../messages/live.ts'
import type { CartOptions, CheckoutOptions, Destination } from '../messages/options.ts'
import { personOf } from '../messages/people.ts'
import type { Method, MethodKey } from './calls/answers.ts'
import { readMethods } from './calls/answers.ts'
import type { LoggedCall } from './calls/call-log.ts'
import type { ProviderCall } from './calls/provider-calls.ts'
import { Catalogue } from './catalogue.ts'
import { type Checkout, chosenIn, type PayAgain, questionOf, type Visit } from './checkout.ts'
import { readCall } from './options.ts'
import { type OfferedMethod, type Order, ownMethod, paysOwn } from './orders.ts'
import type { RecordedCall } from './recording/record.ts'
import { ShopOrders } from './shop-orders.ts'
import type { Service } from './state.ts'
import type { SwitchValues } from './switches.ts'

/** The number of an order. One of letters has its digits as letters: `AAAAAAAAAAAABAAB`. */
const numberOf = (id: number, numbers: SwitchValues['orderNumbers']): string =>
  numbers === 'counted'
    ? `ORD${String(id).padStart(5, '0')}`
    : [...String(id).padStart(16, '0')].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('')

const keptFor = { fresh: 0, '60s': 60_000, '12h': 12 * 3_600_000 }

interface Asked extends Pick<ProviderCall<unknown>, 'body' | 'shopId' | 'checkoutId'> {
  path: MethodKey
  /** Equal for questions whose answers a shop caches together. */
  key: string
}

/** The platform's side of one shop: its services, checkouts and orders, and the calls to the providers. */
export class Shop extends ShopOrders {
  readonly catalogue = new Catalogue({ ...this.options, clock: this.clock })
  readonly #lists = new Map<string, { at: number; methods: Promise<OfferedMethod[]> }>()
  #lastQuote = Math.max(6000, ...this.log.calls.map(({ checkoutId = 0 }) => checkoutId))

  /** Every call about an order, those of its checkouts too, oldest first. */
  callsOf(id: number, calls: readonly LoggedCall[] = this.log.calls): LoggedCall[] {
    const { checkoutIds = [] } = this.order(id) ?? {}
    return calls.filter(
      ({ orderId, checkoutId }) =>
        orderId === id || (checkoutId !== undefined && checkoutIds.includes(checkoutId)),
    )
  }

  /** The platform repeats the call that starts the payment of an order, unchanged. */
  readonly repeatStart = async (id: number): Promise<Order> => this.start(this.mustFind(id))

  /** The customer ends a payment of the shop's own. An end cannot be changed, but for a pending one. */
  async endOwnPayment(id: number, end: PaymentStatus): Promise<void> {
    const order = this.mustFind(id)
    if (!paysOwn(order) || (order.ownEnd ?? 'pending') !== 'pending') return
    this.save({ ...order, ownEnd: end })
    if (order.status !== 'not_paid') await this.fetchStatus(id)
  }

  /** Sends a logged call again; the answer has no effect. Rejects with `ARGUMENT_INVALID` if its service is gone. */
  async callAgain(call: LoggedCall): Promise<LoggedCall> {
    const service = call.service && this.services.get(call.service.id)
    if (!service) throw wrongCall('The service of this call is no longer registered')
    return this.calls.again(service, call)
  }

  /** Sends a recorded call to the first service of the right type. Rejects with `ARGUMENT_INVALID` if there is none. */
  async send(recorded: RecordedCall): Promise<LoggedCall> {
    const type = recorded.path === 'shipment_methods' ? 'shipment' : 'payment'
    const service = this.services.all().find((one) => one.type === type)
    if (!service) throw wrongCall(`No service is registered for ${servedBy[type]}`)
    return this.calls.again(service, recorded)
  }

  /** The cart's quick request with only zipcode and country of the customer (spec 4.3 rate estimate). */
  readonly estimate = async (
    place: Destination,
    inLanguage?: string,
    options: CartOptions = {},
  ): Promise<OfferedMethod[]> => {
    const asks = { address: place, language: inLanguage, options }
    const { address, language = 'en', options: read } = readCall('estimate', asks)
    const cart = this.#cartOf(read)
    const asked = this.services.active('shipment', cart.shop).filter(({ rateEstimate }) => rateEstimate)
    const visit = { ...cart, language, address }
    const body = dressed(estimateCall({ ...visit, id: ++this.#lastQuote }), this.switches.values.noData)
    const key = `estimate ${questionOf(visit, address)}`
    return this.#ask(asked, { path: 'shipment_methods', body, shopId: cart.shop, key })
  }

  /** Throws `ARGUMENT_INVALID` for a shop, a preset, products or an option that do not exist. */
  readonly checkout = (given: CheckoutOptions = {}): Checkout => {
    const options = readCall('checkout', given)
    const { language = 'en', ownPayment } = options
    return this.#open({ ...this.#cartOf(options), ...personOf(options), language, ownPayment })
  }

  #open(visit: Visit): Checkout {
    const id = ++this.#lastQuote
    const { shop, language, currency, lines, customer, address, billing, ownPayment } = visit
    const known = { shop, language, currency, lines, address, billing }
    const body = dressed(checkoutCall({ ...visit, id }), this.switches.values.noData)
    const asked = { body, shopId: shop, key: questionOf(visit, address), checkoutId: id }
    const paysHere = ownPayment || this.services.active('payment', shop).length === 0
    const lists: Partial<Record<ServiceType, Promise<OfferedMethod[]>>> = {}
    const methodsOf = (type: ServiceType) => {
      lists[type] ??=
        type === 'payment' && paysHere
          ? Promise.resolve([ownMethod])
          : this.#ask(this.services.active(type, shop), { path: `${type}_methods`, ...asked })
      return lists[type]
    }
    const checkout: Checkout = {
      ...{ id, ...known, customer },
      shipmentMethods: () => methodsOf('shipment'),
      paymentMethods: () => methodsOf('payment'),
      placeOrder: async (options = {}) => {
        const { data = {}, customer: named, ...choice } = readCall('placeOrder', options)
        const chosen = { ...(await chosenIn(checkout, choice)), data, customer: { ...customer, ...named } }
        const orderId = this.book.nextId()
        const number = numberOf(orderId, this.switches.values.orderNumbers)
        const now = this.clock.now()
        const made = { id: orderId, number, checkoutIds: [id], createdAt: now, updatedAt: now }
        return this.start({ ...known, ...chosen, ...made, status: 'not_paid', paymentUrl: undefined })
      },
    }
    return checkout
  }

  /** The methods of these services, in their order. Their lists are cached as long as the switch `methodLists` says. */
  async #ask(services: readonly Service[], { key, ...asked }: Asked): Promise<OfferedMethod[]> {
    const { methodLists } = this.switches.values
    const now = this.clock.now()
    const call = { method: 'POST', ...asked, read: readMethods(asked.path) } as const
    const lists = services.map((service) => {
      const question = `${service.id} ${asked.path} ${key}`
      const kept = this.#lists.get(question)
      if (kept && now - kept.at < keptFor[methodLists]) return kept.methods
      const answer = this.calls.call<Method[]>(service, call)
      const methods = answer.then((list) => list.map((method) => ({ ...method, service: service.id })))
      if (methodLists !== 'fresh') this.#lists.set(question, { at: now, methods })
      return methods
    })
    return (await Promise.all(lists)).flat()
  }

  #cartOf(options: CartOptions): { shop: number; currency: string; lines: CartLine[] } {
    const { catalogue } = this
    const shop = options.shop === undefined ? catalogue.shop : catalogue.shopWith(options.shop)
    if (!shop) throw wrongCall(`The platform has no shop ${options.shop}`)
    const { currency = shop.currency, lines: own } = options
    const lines = own === undefined ? catalogue.lines(currency) : linesFrom(own, currency)
    return { shop: shop.id, currency, lines }
  }

  /**
   * The customer chooses again for the same order: the shop requests the methods and starts the payment once more. Rejects with
   * `ARGUMENT_INVALID` for a paid order with the same cart, and for an unknown method.
   */
  readonly payAgain = async (id: number, again: PayAgain = {}): Promise<Order> => {
    const { lines, currency, ...choice } = readCall('payAgain', again)
    const before = this.mustFind(id)
    if (before.status === 'paid' && lines === undefined && currency === undefined)
      throw wrongCall(`Order ${before.number} is paid`)
    const cart = {
      currency: currency ?? before.currency,
      lines: lines === undefined ? before.lines : linesFrom(lines, currency ?? before.currency),
    }
    const checkout = this.#open({ ...before, ...cart, ownPayment: paysOwn(before) })
    const chosen = await chosenIn(checkout, choice, before)
    const { checkoutIds, ...now } = this.mustFind(id)
    const { data = now.data } = choice
    const ids = [...checkoutIds, checkout.id]
    return this.start({ ...now, ...cart, ...chosen, data, checkoutIds: ids, ownEnd: undefined })
  }
}

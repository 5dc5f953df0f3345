import { z } from 'zod'
import { wrongCall } from '../errors/errors.ts'
import { type CartLine, total } from '../messages/lines.ts'
import type { SentCart } from '../messages/live.ts'
import {
  type CartOptions,
  type CheckoutOptions,
  type Customer,
  type DeliveryAddress,
  type Destination,
  only,
  optionsOf,
  type PaymentBodyOptions,
  readOptions,
} from '../messages/options.ts'
import type { SentCustomer } from '../messages/people.ts'
import type { OfferedMethod, Order } from './orders.ts'

/** The customer's choice of methods. */
interface Choice extends Pick<PaymentBodyOptions, 'data'> {
  /** The id of a shipping method, with its service in front where two have the same (`7:door`). Default: the first one, or that of an order that is paid again. */
  shipmentMethod?: string
  /** The same of a payment method. Default: the first one, or that of an order that is paid again. */
  paymentMethod?: string
}

/** What is changed of an order whose payment is started again. */
export interface PayAgain extends Choice, Pick<CartOptions, 'lines' | 'currency'> {}

/** The choices of a customer who places an order. */
export interface PlaceOrder extends Choice, Pick<CheckoutOptions, 'customer'> {}

const method = z.string().optional()
export const choiceOptions = { shipmentMethod: method, paymentMethod: method, ...only('data') }
const orderOptions = optionsOf<PlaceOrder>({ ...choiceOptions, ...only('customer') })

/** The calls that a checkout of the sandbox is made of. */
export interface CheckoutParts
  extends Pick<SentCart, 'id' | 'shop' | 'language' | 'currency' | 'lines'>,
    Pick<SentCustomer, 'customer' | 'address' | 'billing'> {
  shipmentMethods: () => Promise<OfferedMethod[]>
  paymentMethods: () => Promise<OfferedMethod[]>
  place: (order: Omit<Order, 'id' | 'number' | 'createdAt' | 'updatedAt'>) => Promise<Order>
}

/** A customer's way through a shop, before it is a checkout. */
export interface Visit extends Omit<CheckoutParts, 'id' | 'shipmentMethods' | 'paymentMethods' | 'place'> {
  guest?: boolean | undefined
  ownPayment?: boolean | undefined
}

/** A key that is equal for equal questions. */
export function questionOf(
  visit: Pick<Visit, 'shop' | 'language' | 'currency' | 'lines'> & { address: Destination },
): string {
  const { shop, language, currency, lines, address } = visit
  const cart = lines.map(({ productId, quantity, price_incl }) => `${productId}x${quantity}=${price_incl}`)
  return `${shop} ${language} ${address.country} ${address.zipcode} ${currency} ${cart.join()}`
}

/** One customer's way through the checkout. */
export class Checkout {
  readonly id: number
  readonly shop: number
  readonly language: string
  readonly currency: string
  readonly lines: readonly CartLine[]
  readonly customer: Customer
  readonly address: DeliveryAddress
  readonly billing: DeliveryAddress | undefined
  readonly #parts: CheckoutParts
  #shipment: Promise<OfferedMethod[]> | undefined
  #payment: Promise<OfferedMethod[]> | undefined

  constructor(parts: CheckoutParts) {
    this.#parts = parts
    this.id = parts.id
    this.shop = parts.shop
    this.language = parts.language
    this.currency = parts.currency
    this.lines = parts.lines
    this.customer = parts.customer
    this.address = parts.address
    this.billing = parts.billing
  }

  /** Requested once, then cached. */
  shipmentMethods(): Promise<OfferedMethod[]> {
    this.#shipment ??= this.#parts.shipmentMethods()
    return this.#shipment
  }

  /** Requested once, then cached. */
  paymentMethods(): Promise<OfferedMethod[]> {
    this.#payment ??= this.#parts.paymentMethods()
    return this.#payment
  }

  /** Finalises the order and starts its payment. Rejects with `ARGUMENT_INVALID` for an unknown method or option. */
  async placeOrder(options: PlaceOrder = {}): Promise<Order> {
    const { data = {}, customer } = readOptions('placeOrder()', orderOptions, options)
    const shipmentMethod = choose(await this.shipmentMethods(), options.shipmentMethod, 'shipment')
    const paymentMethod = choose(await this.paymentMethods(), options.paymentMethod, 'payment')
    if (!paymentMethod) throw wrongCall(noPaymentMethod)
    const { id, shop, language, currency, lines, address, billing } = this
    const methods = [...(shipmentMethod ? [shipmentMethod] : []), paymentMethod]
    const buyer = { ...this.customer, ...customer }
    const visit = { checkoutIds: [id], shop, language, currency, lines, customer: buyer, address, billing }
    const amounts = total(currency, ...lines, ...methods)
    const chosen = { ...visit, amounts, shipmentMethod, paymentMethod, data }
    return this.#parts.place({ ...chosen, status: 'not_paid', paymentUrl: undefined })
  }
}

export const noPaymentMethod = 'The provider offers no payment method: see the log of calls'

export const keyOf = ({ service, id }: OfferedMethod): string => `${service}:${id}`

/** The first method if none is named. Throws `ARGUMENT_INVALID` for an unknown id. */
export function choose(methods: OfferedMethod[], id: string | undefined, kind: string) {
  if (id === undefined) return methods[0]
  const method = methods.find((one) => keyOf(one) === id) ?? methods.find((one) => one.id === id)
  if (!method) throw wrongCall(`There is no ${kind} method "${id}" in this checkout`)
  return method
}

import type { z } from 'zod'
import { wrongCall } from '../errors.ts'
import { type CartLine, type LineOptions, total } from '../messages/lines.ts'
import { choiceOptions, customerOption, given } from '../messages/options.ts'
import type { Customer, DeliveryAddress } from '../messages/people.ts'
import type { PresetName } from '../messages/presets.ts'
import { anyOption, checkOptions, optionGroup } from '../use-cases/option-faults.ts'
import type { OfferedMethod, Order } from './orders.ts'

/** The cart of a checkout. Default: the shop's own. */
export interface CartOptions {
  /** The name of a preset such as `letter`, or products. */
  lines?: PresetName | readonly LineOptions[]
  /** Three lower-case letters. Default: that of the shop. */
  currency?: string
  /** The id of a shop of the platform. Default: the one that is visited. */
  shop?: number
}

/** The customer and the cart of a checkout. Default: a customer in Amsterdam with the shop's own cart. */
export interface CheckoutOptions extends CartOptions {
  /** `en`, `nl`, `de`, `fr` or `es`. Default: that of the shop. */
  language?: string
  /** Default: a customer in Amsterdam. */
  customer?: Partial<Customer>
  /** The shipping address. Default: one in Amsterdam. */
  address?: Partial<DeliveryAddress>
  /** The billing address. Default: the same as `address`. */
  billing?: Partial<DeliveryAddress> | undefined
  /** Pays in the shop itself, as without a payment service. Default false. */
  ownPayment?: boolean
}

/** The choices of a customer who places an order. */
export interface PlaceOrder {
  /** Ids of methods, with their service in front where two have the same (`7:door`). Default: the first one. */
  shipmentMethod?: string
  /** A shipping method that no service offers, as a program of the API may bring one. Default: none. */
  ownShipment?: OfferedMethod | undefined
  /** The id of a payment method. Default: the first one. */
  paymentMethod?: string
  /** The customer's corrections on the last page. */
  customer?: Partial<Customer>
  /** The customer's data for the payment method. */
  data?: Record<string, unknown>
}

const orderOptions = optionGroup({
  ...choiceOptions,
  ownShipment: anyOption,
  customer: customerOption,
} satisfies Record<keyof PlaceOrder, z.ZodType>)

/** The calls that a checkout of the sandbox is made of. */
export interface CheckoutParts {
  id: number
  shop: number
  language: string
  currency: string
  lines: readonly CartLine[]
  customer: Customer
  address: DeliveryAddress
  billing: DeliveryAddress | undefined
  shipmentMethods: () => Promise<OfferedMethod[]>
  paymentMethods: () => Promise<OfferedMethod[]>
  place: (order: Omit<Order, 'id' | 'number' | 'createdAt' | 'updatedAt'>) => Promise<Order>
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
    checkOptions('placeOrder()', orderOptions, options)
    const { data = {}, ownShipment } = options
    const shipmentMethod =
      ownShipment ?? choose(await this.shipmentMethods(), options.shipmentMethod, 'shipment')
    const paymentMethod = choose(await this.paymentMethods(), options.paymentMethod, 'payment')
    if (!paymentMethod) throw wrongCall(noPaymentMethod)
    const { id, shop, language, currency, lines, address, billing } = this
    const customer = { ...this.customer, ...given(options.customer) }
    const methods = [...(shipmentMethod ? [shipmentMethod] : []), paymentMethod]
    const chosen = {
      checkoutIds: [id],
      shop,
      language,
      currency,
      lines,
      customer,
      address,
      billing,
      amounts: total(currency, ...lines, ...methods),
      shipmentMethod,
      paymentMethod,
      data,
    }
    return this.#parts.place({ ...chosen, status: 'not_paid', paymentUrl: undefined })
  }
}

export const noPaymentMethod = 'The provider offers no payment method: see the log of calls'

/** The id of a method among those of all services. */
export const keyOf = ({ service, id }: OfferedMethod): string => `${service}:${id}`

/** The first method if none is named. Throws `ARGUMENT_INVALID` for an unknown id. */
export function choose(
  methods: OfferedMethod[],
  id: string | undefined,
  kind: string,
): OfferedMethod | undefined {
  if (id === undefined) return methods[0]
  const method = methods.find((one) => keyOf(one) === id) ?? methods.find((one) => one.id === id)
  if (!method) throw wrongCall(`There is no ${kind} method "${id}" in this checkout`)
  return method
}

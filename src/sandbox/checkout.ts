import { z } from 'zod'
import type { ServiceType } from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import { total } from '../messages/lines.ts'
import type { SentCart } from '../messages/live.ts'
import {
  type CartOptions,
  type CheckoutOptions,
  type Destination,
  only,
  optionsOf,
  type PaymentBodyOptions,
  readOptions,
} from '../messages/options.ts'
import type { SentCustomer } from '../messages/people.ts'
import type { OfferedMethod, Order } from './orders.ts'

/** The choices of a customer who places an order. */
export interface PlaceOrder extends Pick<PaymentBodyOptions, 'data'>, Pick<CheckoutOptions, 'customer'> {
  /** The id of a shipping method, with its service in front where two have the same (`7:door`). Default: the first one, or that of an order that is paid again. */
  shipmentMethod?: string
  /** The same of a payment method. Default: the first one, or that of an order that is paid again. */
  paymentMethod?: string
}

/** The changes of an order whose payment is started again. */
export interface PayAgain extends Omit<PlaceOrder, 'customer'>, Pick<CartOptions, 'lines' | 'currency'> {}

const method = z.string().optional()
export const choiceOptions = { shipmentMethod: method, paymentMethod: method, ...only('data') }
const orderOptions = optionsOf<PlaceOrder>({ ...choiceOptions, ...only('customer') })

/** One customer's way through the checkout. */
export interface Checkout
  extends Readonly<Pick<SentCart, 'id' | 'shop' | 'language' | 'currency' | 'lines'>>,
    Readonly<Pick<SentCustomer, 'customer' | 'address' | 'billing'>> {
  /** Requested once, then cached. */
  shipmentMethods(): Promise<OfferedMethod[]>
  /** Requested once, then cached. */
  paymentMethods(): Promise<OfferedMethod[]>
  /** Finalises the order and starts its payment. Rejects with `ARGUMENT_INVALID` for an unknown method or option. */
  placeOrder(options?: PlaceOrder): Promise<Order>
}

/** A customer's way through a shop, before it is a checkout. */
export interface Visit extends Omit<Checkout, 'id' | 'shipmentMethods' | 'paymentMethods' | 'placeOrder'> {
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

/** The checkout of a visit. `ask` requests its methods, and `place` starts the payment of its order. */
export function openCheckout(
  { customer: visitor, ...visit }: Visit & { id: number },
  ask: (type: ServiceType) => Promise<OfferedMethod[]>,
  place: (order: Omit<Order, 'id' | 'number' | 'createdAt' | 'updatedAt'>) => Promise<Order>,
): Checkout {
  const { id, shop, language, currency, lines, address, billing } = visit
  const known = { shop, language, currency, lines, address, billing }
  const lists: Partial<Record<ServiceType, Promise<OfferedMethod[]>>> = {}
  const methodsOf = (type: ServiceType) => {
    lists[type] ??= ask(type)
    return lists[type]
  }
  return {
    ...{ id, ...known, customer: visitor },
    shipmentMethods: () => methodsOf('shipment'),
    paymentMethods: () => methodsOf('payment'),
    async placeOrder(options = {}) {
      const { data = {}, customer } = readOptions('placeOrder()', orderOptions, options)
      const shipmentMethod = choose(await methodsOf('shipment'), options.shipmentMethod, 'shipment')
      const paymentMethod = choose(await methodsOf('payment'), options.paymentMethod, 'payment')
      if (!paymentMethod) throw wrongCall(noPaymentMethod)
      const methods = [...(shipmentMethod ? [shipmentMethod] : []), paymentMethod]
      const chosen = { amounts: total(currency, ...lines, ...methods), shipmentMethod, paymentMethod, data }
      const buyer = { ...visitor, ...customer }
      const made = { status: 'not_paid', paymentUrl: undefined } as const
      return place({ ...known, ...chosen, ...made, checkoutIds: [id], customer: buyer })
    },
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

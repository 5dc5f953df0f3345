import { wrongCall } from '../errors/errors.ts'
import { total } from '../messages/lines.ts'
import type { SentCart } from '../messages/live.ts'
import type { CartOptions, CheckoutOptions, Destination, PaymentBodyOptions } from '../messages/options.ts'
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

export interface Visit extends Omit<Checkout, 'id' | 'shipmentMethods' | 'paymentMethods' | 'placeOrder'> {
  guest?: boolean | undefined
  ownPayment?: boolean | undefined
}

export const questionOf = (
  { shop, language, currency, lines }: Pick<Visit, 'shop' | 'language' | 'currency' | 'lines'>,
  { country, zipcode }: Destination,
): string => JSON.stringify([shop, language, country, zipcode, currency, lines])

/** The chosen methods, and the amounts with them. Default: the first ones, or those of the order `before`. Rejects with `ARGUMENT_INVALID`. */
export async function chosenIn(checkout: Checkout, choice: PlaceOrder, before?: Order) {
  const shipmentMethod =
    before && choice.shipmentMethod === undefined
      ? before.shipmentMethod
      : choose(await checkout.shipmentMethods(), choice.shipmentMethod, 'shipment')
  const methods = await checkout.paymentMethods()
  const asBefore = methods.find(({ id }) => id === before?.paymentMethod.id)?.id
  const paymentMethod = choose(methods, choice.paymentMethod ?? asBefore, 'payment')
  if (!paymentMethod) throw wrongCall(noPaymentMethod)
  const added = shipmentMethod ? [shipmentMethod, paymentMethod] : [paymentMethod]
  return { shipmentMethod, paymentMethod, amounts: total(checkout.currency, ...checkout.lines, ...added) }
}

export const noPaymentMethod = 'The provider offers no payment method: see the log of calls'

export const keyOf = ({ service, id }: OfferedMethod): string => `${service}:${id}`

function choose(methods: OfferedMethod[], id: string | undefined, kind: string) {
  if (id === undefined) return methods[0]
  const method = methods.find((one) => keyOf(one) === id) ?? methods.find((one) => one.id === id)
  if (!method) throw wrongCall(`There is no ${kind} method "${id}" in this checkout`)
  return method
}

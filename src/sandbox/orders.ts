import type { PaymentStatus } from '../contract/index.ts'
import type { Amounts, CartLine } from './cart.ts'
import type { Method } from './offered-method.ts'
import type { Customer, DeliveryAddress } from './people.ts'

/** The platform's payment status: `not_paid` until the provider has answered one. */
export type OrderStatus = PaymentStatus | 'not_paid'

/** A method of one of the registered services. */
export interface OfferedMethod extends Method {
  service: number
}

/** An order of the sandbox shop. */
export interface Order {
  readonly id: number
  readonly number: string
  /** The checkouts it went through: one, and one more each time it was paid again. */
  readonly checkoutIds: readonly number[]
  /** The id of the shop of the platform. */
  readonly shop: number
  readonly language: string
  /** Three lower-case letters. */
  readonly currency: string
  readonly lines: readonly CartLine[]
  readonly amounts: Amounts
  readonly customer: Customer
  readonly address: DeliveryAddress
  /** The billing address, if it is a different one. */
  readonly billing: DeliveryAddress | undefined
  readonly shipmentMethod: OfferedMethod | undefined
  readonly paymentMethod: OfferedMethod
  /** The customer's data for the payment method. */
  readonly data: Record<string, unknown>
  /** The payment status, in the provider's words. */
  readonly status: OrderStatus
  /** How the customer ended a payment of the shop's own. */
  readonly ownEnd?: PaymentStatus | undefined
  /** The address of the payment page; `null` if the provider gave none, `undefined` if the payment was not started. */
  readonly paymentUrl: string | null | undefined
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The shop's handling of an order. */
export interface Handling {
  /** In the words of live platforms (spec 3.3 names none). */
  status:
    | 'processing_awaiting_payment'
    | 'processing_awaiting_shipment'
    | 'processing_awaiting_pickup'
    | 'completed_shipped'
    | 'cancelled'
  paymentStatus: 'not_paid' | 'paid' | 'cancelled'
  /** The effect of the shipment method's flags (spec 2.5). */
  result: 'waiting_for_pickup' | 'shipped' | undefined
  /** `external`: the provider sends the customer one (spec 2.6 invoice_external). */
  invoice: 'none yet' | 'made' | 'external'
}

/** The effect of the providers' answers on an order (spec 2.5, 2.6, 3.1, 3.3). */
export function handlingOf({
  status,
  shipmentMethod,
  paymentMethod,
}: Pick<Order, 'status' | 'shipmentMethod' | 'paymentMethod'>): Handling {
  const paid = status === 'paid'
  const ended = status === 'cancelled' || status === 'expired'
  // The shop does not wait for payments after or on receipt.
  const goesOn =
    paid || (!ended && (paymentMethod.post_payment || shipmentMethod?.is_cash_on_delivery === true))
  const paymentStatus = paid ? 'paid' : ended ? 'cancelled' : 'not_paid'
  if (!goesOn) {
    const waiting = ended ? 'cancelled' : 'processing_awaiting_payment'
    return { status: waiting, paymentStatus, result: undefined, invoice: 'none yet' }
  }
  const invoice = paymentMethod.invoice_external ? 'external' : 'made'
  if (shipmentMethod?.is_pickup) {
    return { status: 'processing_awaiting_pickup', paymentStatus, result: 'waiting_for_pickup', invoice }
  }
  if (shipmentMethod?.is_servicepoint || shipmentMethod?.is_cash_on_delivery) {
    return { status: 'completed_shipped', paymentStatus, result: 'shipped', invoice }
  }
  return { status: 'processing_awaiting_shipment', paymentStatus, result: undefined, invoice }
}

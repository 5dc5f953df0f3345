import type { PaymentStatus } from '../contract/index.ts'
import type { Amounts, CartLine } from '../messages/lines.ts'
import type { Customer, DeliveryAddress } from '../messages/options.ts'
import { type Method, methodOf } from './calls/answers.ts'

// The shop's own payment, for a shop without a payment service: orders can be finished, and no provider is called for their payment.

/** No service has this id. */
const ownService = 0

export const ownMethod: OfferedMethod = {
  service: ownService,
  ...methodOf({}, 'sandbox'),
  title: 'Payment of the sandbox',
  description: 'No payment service is registered, so the shop ends the payment as you choose.',
}

export const paysOwn = ({ paymentMethod }: Pick<Order, 'paymentMethod'>): boolean =>
  paymentMethod.service === ownService

export const ownEnds = ['paid', 'pending', 'cancelled', 'expired'] as const satisfies readonly PaymentStatus[]

export const ownPagePath = (order: number): string => `/orders/${order}/own-payment`

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
  /** Changes in the shop beside the provider's answers. */
  readonly moved?: Moved | undefined
  /** The address of the payment page; `null` if the provider gave none, `undefined` if the payment was not started. */
  readonly paymentUrl: string | null | undefined
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The states of an order in the words of live platforms (spec 3.3 names none). */
export const handlingStatuses = [
  'on_hold',
  'processing_awaiting_payment',
  'processing_awaiting_shipment',
  'processing_awaiting_pickup',
  'processing_ready_for_pickup',
  'completed',
  'completed_shipped',
  'completed_picked_up',
  'cancelled',
] as const
/** The status of an order, as `status` of the platform's API. */
export type HandlingStatus = (typeof handlingStatuses)[number]
export const paidStatuses = ['not_paid', 'partially_paid', 'paid', 'cancelled'] as const
/** The status of an order's payment, as `paymentStatus` of the platform's API. */
export type PaidStatus = (typeof paidStatuses)[number]
export const shipmentStatuses = ['not_shipped', 'partially_shipped', 'shipped', 'cancelled'] as const
/** The status of an order's shipment, as `shipmentStatus` of the platform's API. */
export type ShipmentStatus = (typeof shipmentStatuses)[number]

/** Changes by a program or the merchant, in the words of live platforms. */
export interface Moved {
  status?: HandlingStatus
  paymentStatus?: PaidStatus
  shipmentStatus?: ShipmentStatus
  /** Such as `memo` and `trackingCode`, under the names of the API. */
  fields?: Record<string, unknown>
}

/** The shop's handling of an order. */
export interface Handling {
  status: HandlingStatus
  paymentStatus: PaidStatus
  shipmentStatus: ShipmentStatus
  /** The effect of the shipment method's flags (spec 2.5), or of a shipment. */
  result: 'waiting_for_pickup' | 'shipped' | undefined
  /** `external`: the provider sends the customer one (spec 2.6 invoice_external). */
  invoice: 'none yet' | 'made' | 'external'
}

type Handled = Pick<Order, 'status' | 'shipmentMethod' | 'paymentMethod' | 'moved'>

/** The effect of the providers' answers on an order (spec 2.5, 2.6, 3.1, 3.3), and of what was changed in the shop. */
export function handlingOf(order: Handled): Handling {
  const { moved = {} } = order
  const answered = answeredStatus(order)
  const status = moved.status ?? answered
  const goesOn = !['on_hold', 'processing_awaiting_payment', 'cancelled'].includes(status)
  const isShipped = answered === 'completed_shipped'
  const shipmentStatus = moved.shipmentStatus ?? (isShipped ? 'shipped' : 'not_shipped')
  const forPickup = ['processing_awaiting_pickup', 'processing_ready_for_pickup'].includes(status)
  const waits = forPickup && !isShipped
  const invoice = order.paymentMethod.invoice_external ? 'external' : 'made'
  const unpaid = answered === 'cancelled' ? 'cancelled' : 'not_paid'
  return {
    status,
    paymentStatus: moved.paymentStatus ?? (order.status === 'paid' ? 'paid' : unpaid),
    shipmentStatus,
    result: shipmentStatus === 'shipped' ? 'shipped' : waits ? 'waiting_for_pickup' : undefined,
    invoice: goesOn ? invoice : 'none yet',
  }
}

function answeredStatus({ status, shipmentMethod, paymentMethod }: Handled): HandlingStatus {
  if (status === 'cancelled' || status === 'expired') return 'cancelled'
  const { is_pickup, is_servicepoint, is_cash_on_delivery } = shipmentMethod ?? {}
  // The shop does not wait for payments after or on receipt.
  if (status !== 'paid' && !paymentMethod.post_payment && !is_cash_on_delivery)
    return 'processing_awaiting_payment'
  if (is_pickup) return 'processing_awaiting_pickup'
  return is_servicepoint || is_cash_on_delivery ? 'completed_shipped' : 'processing_awaiting_shipment'
}

/** The provider has reported how a payment stands: what was set by hand of the payment is over. */
export function reportedOrder(order: Order, status: OrderStatus): Order {
  const { paymentStatus: _, status: set, ...moved } = order.moved ?? {}
  const waits = set === 'processing_awaiting_payment' || set === 'cancelled'
  return { ...order, status, moved: { ...moved, ...(set && !waits && { status: set }) } }
}

/** The order after a change in the shop (spec 3.3 names no states: these are those of live platforms). */
export function movedOrder(order: Order, { fields, ...changes }: Moved): Order {
  let moved: Order = fields
    ? { ...order, moved: { ...order.moved, fields: { ...order.moved?.fields, ...fields } } }
    : order
  const before = handlingOf(order)
  for (const [name, move] of Object.entries(moves)) {
    const to = changes[name as keyof typeof moves]
    if (to !== undefined && to !== before[name as keyof typeof moves]) moved = move(moved, to as never)
  }
  return moved
}

const moves = { paymentStatus: paid, shipmentStatus: shipped, status: handled }

function paid(order: Order, paymentStatus: PaidStatus): Order {
  if (paymentStatus !== 'partially_paid') return reportedOrder(order, paymentStatus)
  const status = order.status === 'pending' ? 'pending' : 'not_paid'
  return { ...order, status, moved: { ...order.moved, paymentStatus } }
}

function shipped(order: Order, shipmentStatus: ShipmentStatus): Order {
  const { status } = handlingOf(order)
  const moved: Moved = { ...order.moved, shipmentStatus }
  const isHandled = status.startsWith('processing_') && status !== 'processing_awaiting_payment'
  if (shipmentStatus === 'shipped' && isHandled) moved.status = 'completed_shipped'
  if (shipmentStatus === 'not_shipped' && status === 'completed_shipped')
    moved.status = 'processing_awaiting_shipment'
  return { ...order, moved }
}

function handled(order: Order, status: HandlingStatus): Order {
  const moved: Moved = { ...order.moved, status }
  if (status === 'completed_shipped' || status === 'completed_picked_up') moved.shipmentStatus = 'shipped'
  if (status !== 'cancelled') return { ...order, moved }
  moved.shipmentStatus = 'cancelled'
  return { ...order, moved, status: order.status === 'paid' ? 'paid' : 'cancelled' }
}

/** How long to wait for a status. */
export interface WaitOptions {
  /** In milliseconds. Default 10,000. */
  timeout?: number
}

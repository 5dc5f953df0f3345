import {
  type HandlingStatus,
  handlingOf,
  type Moved,
  type Order,
  type OrderStatus,
  type PaidStatus,
  type ShipmentStatus,
} from './orders.ts'

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
  if (changes.paymentStatus !== undefined && changes.paymentStatus !== before.paymentStatus)
    moved = paid(moved, changes.paymentStatus)
  if (changes.shipmentStatus !== undefined && changes.shipmentStatus !== before.shipmentStatus)
    moved = shipped(moved, changes.shipmentStatus)
  if (changes.status !== undefined && changes.status !== before.status) moved = handled(moved, changes.status)
  return moved
}

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

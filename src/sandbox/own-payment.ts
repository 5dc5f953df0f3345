import type { PaymentStatus } from '../contract/index.ts'
import { methodOf } from './offered-method.ts'
import type { OfferedMethod, Order } from './orders.ts'

// The shop's own payment, for a shop without a payment service: orders can be finished, and no provider is called for their payment.

/** No service has this id. */
const ownService = 0

/** A free method of no service, without any flag. */
export const plainMethod: OfferedMethod = { service: ownService, ...methodOf({}, '') }

export const ownMethod: OfferedMethod = {
  ...plainMethod,
  id: 'sandbox',
  title: 'Payment of the sandbox',
  description: 'No payment service is registered, so the shop ends the payment as you choose.',
}

export const paysOwn = ({ paymentMethod }: Pick<Order, 'paymentMethod'>): boolean =>
  paymentMethod.service === ownService

export const ownEnds = ['paid', 'pending', 'cancelled', 'expired'] as const satisfies readonly PaymentStatus[]

/** The path of the page on which the customer ends the payment. */
export const ownPagePath = (order: number): string => `/orders/${order}/own-payment`

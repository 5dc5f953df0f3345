import { z } from 'zod'
import { paymentStatuses } from '../../contract/index.ts'
import { wrongCall } from '../../errors.ts'
import type { StorePort } from '../../store-port.ts'
import { checkOptions, optionGroup } from '../option-faults.ts'
import { shopIdOf } from '../shops/shop-view.ts'

// Checks the arguments of `provider.payments`, which may be called from JavaScript. One that does not fit is refused by name before the store
// is asked: an empty list would say that there is nothing.

/** The order of a shop. */
export interface OrderRef {
  /** The id of the shop. Default `default`. */
  shop?: string
  /** The platform's id of the order. */
  orderId: string | number
}

const text = z.string().optional()
const limit = z.int().min(1).optional()
const schemas = {
  list: optionGroup({
    shop: text,
    status: z.enum(paymentStatuses).optional(),
    q: text,
    since: z.date().optional(),
    limit,
    cursor: text,
  }),
  changes: optionGroup({ after: text, limit }),
  anomalies: optionGroup({
    shop: text,
    orderId: z.union([z.string(), z.int()]).optional(),
    closed: z.boolean().optional(),
    limit,
  }),
}

/** Throws `ARGUMENT_INVALID` for what a member of `provider.payments` does not take. */
export const checkQuery = (member: keyof typeof schemas, query: object): void =>
  checkOptions(`payments.${member}`, schemas[member], query)

/** The order that is meant. Other members of the object, such as those of a change, do not matter. */
export async function readOrder(
  store: StorePort,
  order: OrderRef,
): Promise<{ shop: string; orderId: string }> {
  if (typeof order !== 'object' || order === null) throw wrongCall('An order is named by { orderId, shop }')
  const { shop, orderId } = order
  if ((typeof orderId !== 'string' || orderId === '') && !Number.isSafeInteger(orderId))
    throw wrongCall('`orderId` is the id of an order: a number or a text')
  if (shop !== undefined && typeof shop !== 'string') throw wrongCall('`shop` is the id of a shop')
  return { shop: shop ?? (await shopIdOf(store)), orderId: String(orderId) }
}

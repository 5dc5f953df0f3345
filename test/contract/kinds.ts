import type { z } from 'zod'
import * as contract from '../../src/contract/index.ts'
import {
  type Body,
  methodsBody,
  type Path,
  pathsOf,
  paymentStartBody,
  shipmentEstimateBody,
  written,
} from './messages.ts'

export interface Kind {
  name: string
  wire: z.ZodType
  full: () => Body
  read: (body: unknown) => unknown
  /** Fields without which the answer cannot be given, and those that hold them. */
  required: Set<string>
}

/** Reads as a route does: the body is gone over once, then read. */
const reading =
  <R extends z.ZodType>(reader: R) =>
  (body: unknown): z.output<R> => {
    contract.cleanBody(body)
    return contract.readMessage(reader, body) as z.output<R>
  }

export const readShipmentMethods = reading(contract.shipmentMethodsReader())
export const readShipmentEstimate = reading(contract.shipmentEstimateReader)
export const readPaymentMethods = reading(contract.paymentMethodsReader())
export const readPaymentStart = reading(contract.paymentStartReader())

const cart = ['shop', 'shop.currency', 'quote', 'quote.price_incl', 'quote.price_excl']
const started = [
  ...['order', 'order.id', 'order.price_incl', 'order.currency', 'payment_method'],
  // Either of id and method may be without data; here it is always the other one.
  ...['payment_method.id', 'redirect_url', 'webhook_url'],
]

/** The four messages a platform sends with a body (spec 4.3). */
export const kinds: Kind[] = (
  [
    ['shipment methods', contract.shipmentMethodsRequest, methodsBody, readShipmentMethods, cart],
    ['shipment estimate', contract.shipmentEstimateRequest, shipmentEstimateBody, readShipmentEstimate, cart],
    ['payment methods', contract.paymentMethodsRequest, methodsBody, readPaymentMethods, cart],
    ['payment start', contract.paymentStartRequest, paymentStartBody, readPaymentStart, started],
  ] as const
).map(([name, wire, full, read, required]) => ({ name, wire, full, read, required: new Set(required) }))

/** Every field of the full message that may hold no data. List entries are no fields; what is in `data` is the method's. */
export const optionalPaths = ({ full, required }: Kind): Path[] =>
  pathsOf(full()).filter(
    (path) =>
      typeof path.at(-1) === 'string' &&
      !required.has(written(path)) &&
      !written(path).startsWith('payment_method.data.'),
  )

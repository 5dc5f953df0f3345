import type { z } from 'zod'
import {
  cleanBody,
  paymentMethodsReader,
  paymentMethodsRequest,
  paymentStartReader,
  paymentStartRequest,
  readMessage,
  shipmentEstimateReader,
  shipmentEstimateRequest,
  shipmentMethodsReader,
  shipmentMethodsRequest,
} from '../../src/contract/index.ts'
import {
  type Body,
  methodsBody,
  type Path,
  pathsOf,
  paymentStartBody,
  shipmentEstimateBody,
  written,
} from './messages.ts'

const readers = {
  shipmentMethods: shipmentMethodsReader(),
  shipmentEstimate: shipmentEstimateReader,
  paymentMethods: paymentMethodsReader(),
  paymentStart: paymentStartReader(),
}

export interface Kind {
  name: string
  wire: z.ZodType
  full: () => Body
  read: (body: unknown) => unknown
  /** Fields without which the answer cannot be given, and those that hold them. */
  required: Set<string>
}

/** Reads as a route does: the body is gone over once, then read. */
const reading = (reader: z.ZodType) => (body: unknown) => {
  cleanBody(body)
  return readMessage(reader, body)
}

const cart = ['shop', 'shop.currency', 'quote', 'quote.price_incl', 'quote.price_excl']

/** The four messages a platform sends with a body (spec 4.3). */
export const kinds: Kind[] = [
  {
    name: 'shipment methods',
    wire: shipmentMethodsRequest,
    full: methodsBody,
    read: reading(readers.shipmentMethods),
    required: new Set(cart),
  },
  {
    name: 'shipment estimate',
    wire: shipmentEstimateRequest,
    full: shipmentEstimateBody,
    read: reading(readers.shipmentEstimate),
    required: new Set(cart),
  },
  {
    name: 'payment methods',
    wire: paymentMethodsRequest,
    full: methodsBody,
    read: reading(readers.paymentMethods),
    required: new Set(cart),
  },
  {
    name: 'payment start',
    wire: paymentStartRequest,
    full: paymentStartBody,
    read: reading(readers.paymentStart),
    required: new Set([
      'order',
      'order.id',
      'order.price_incl',
      'order.currency',
      'payment_method',
      // Either of id and method may be without data; here it is always the other one.
      'payment_method.id',
      'redirect_url',
      'webhook_url',
    ]),
  },
]

/** Every field of the full message that may hold no data. List entries are no fields; what is in `data` is the method's. */
export const optionalPaths = ({ full, required }: Kind): Path[] =>
  pathsOf(full()).filter(
    (path) =>
      typeof path.at(-1) === 'string' &&
      !required.has(written(path)) &&
      !written(path).startsWith('payment_method.data.'),
  )

export const readShipmentMethods = reading(readers.shipmentMethods) as (
  body: unknown,
) => z.output<typeof readers.shipmentMethods>
export const readShipmentEstimate = reading(readers.shipmentEstimate) as (
  body: unknown,
) => z.output<typeof readers.shipmentEstimate>
export const readPaymentMethods = reading(readers.paymentMethods) as (
  body: unknown,
) => z.output<typeof readers.paymentMethods>
export const readPaymentStart = reading(readers.paymentStart) as (
  body: unknown,
) => z.output<typeof readers.paymentStart>

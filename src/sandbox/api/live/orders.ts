import type { CartLine } from '../../../messages/lines.ts'
import { variantIdOf } from '../../../messages/live.ts'
import type { Customer, DeliveryAddress } from '../../../messages/options.ts'
import type { SentCustomer } from '../../../messages/people.ts'
import { decimal } from '../../../money/index.ts'
import type { Invoice } from '../../charges.ts'
import { handlingOf, type OfferedMethod, type Order } from '../../orders.ts'
import { type ApiRecord, datesOf, timestamp } from '../records.ts'

const figure = (text: string | undefined) => Number(decimal(text ?? '0').toFixed(4))

const sumOf = (lines: readonly CartLine[], name: 'weight' | 'volume' | 'colli') =>
  lines.reduce((all, line) => all + line[name], 0)

/** An order of the sandbox as the API has it. `customer`: the id of its customer. */
export function orderRecord(order: Order, customer: number | false): ApiRecord {
  const { status, paymentStatus, shipmentStatus, result, invoice } = handlingOf(order)
  const { shipmentMethod, paymentMethod, lines, moved } = order
  const rates = lines.map(({ tax_rate }) => Number(tax_rate))
  return {
    id: order.id,
    ...datesOf(order),
    number: order.number,
    status,
    ...pricesOf(order.amounts.excl, order.amounts.incl),
    weight: sumOf(lines, 'weight'),
    volume: sumOf(lines, 'volume'),
    colli: sumOf(lines, 'colli'),
    ...accountOf(order),
    paymentStatus,
    paymentIsPost: paymentMethod.post_payment,
    paymentIsInvoiceExternal: paymentMethod.invoice_external,
    ...methodOf('payment', paymentMethod, rates),
    paymentData: { method: paymentMethod.data, customer: order.data },
    shipmentStatus: result === 'waiting_for_pickup' ? result : shipmentStatus,
    shipmentIsCashOnDelivery: shipmentMethod?.is_cash_on_delivery ?? false,
    shipmentIsPickup: shipmentMethod?.is_pickup ?? false,
    ...methodOf('shipment', shipmentMethod, rates),
    taxRates: taxRatesOf([...lines, ...methodsOf(order)], rates),
    invoice,
    language: order.language,
    customer,
    quote: order.checkoutIds.at(-1),
    ...moved?.fields,
  }
}

/** The customer and both addresses, as an order and an account have them. */
export const accountOf = ({ customer, address, billing = address }: SentCustomer) => ({
  email: customer.email,
  firstname: customer.firstname,
  lastname: customer.lastname,
  phone: customer.phone ?? '',
  isCompany: (customer.company ?? '') !== '',
  companyName: customer.company ?? '',
  companyCoCNumber: customer.cocnumber ?? '',
  companyVatNumber: customer.vatnumber ?? '',
  ...addressOf('Billing', customer, billing),
  ...addressOf('Shipping', customer, address),
})

function addressOf(kind: 'Billing' | 'Shipping', customer: Customer, address: DeliveryAddress) {
  const fields = {
    Name: `${customer.firstname} ${customer.lastname}`,
    Street: address.address1,
    Number: address.number,
    Extension: address.extension ?? '',
    Zipcode: address.zipcode,
    City: address.city,
    Region: address.region ?? '',
    Country: address.country,
  }
  return behind(`address${kind}`, fields)
}

/** Fields whose names have their kind in front: `addressShippingZipcode`. */
const behind = (kind: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [kind + name, value]))

function methodOf(kind: 'payment' | 'shipment', method: OfferedMethod | undefined, rates: readonly number[]) {
  if (!method) return {}
  const [excl, incl] = [figure(method.price_excl), figure(method.price_incl)]
  return behind(kind, {
    Id: `core|${method.service}|${method.id}`,
    Title: method.title,
    ...{ BasePriceExcl: excl, BasePriceIncl: incl, PriceExcl: excl, PriceIncl: incl },
    TaxRate: rateOf(method, rates),
    TaxRates: taxRatesOf([method], rates),
    Data: method.data,
  })
}

type Priced = Pick<OfferedMethod, 'price_excl' | 'price_incl'> & { tax_rate?: string }

const methodsOf = ({ shipmentMethod, paymentMethod }: Order): OfferedMethod[] =>
  [shipmentMethod, paymentMethod].flatMap((method) => (method ? [method] : []))

/** The rate of a price: one of the rates of the order where it fits to the cent, because a method has no rate of its own. */
function rateOf({ price_excl, price_incl, tax_rate }: Priced, known: readonly number[]): number {
  if (tax_rate !== undefined) return Number(tax_rate)
  if (Number(price_excl) === 0) return 0
  const fits = (rate: number) =>
    decimal(price_excl)
      .times(1 + rate)
      .minus(price_incl)
      .abs()
      .lte('0.0051')
  return known.find(fits) ?? figure(decimal(price_incl).div(price_excl).minus(1).toFixed(4))
}

/** The tax of an order by its rates, lowest first. Without tax, none. */
function taxRatesOf(parts: readonly Priced[], known: readonly number[]) {
  const amounts = new Map<number, number>()
  for (const part of parts) {
    const rate = rateOf(part, known)
    amounts.set(rate, (amounts.get(rate) ?? 0) + Number(decimal(part.price_incl).minus(part.price_excl)))
  }
  return [...amounts]
    .filter(([, amount]) => amount > 0)
    .sort(([one], [other]) => one - other)
    .map(([rate, amount]) => ({
      name: `${figure(String(rate * 100))}%`,
      rate,
      amount: figure(String(amount)),
    }))
}

const lineId = (order: Pick<Order, 'id'>, place: number): number => order.id * 100 + place

/** The lines of an order. Their ids are those of their order with the line behind it, so that they are unique and rise. */
export function lineRecords(order: Order): ApiRecord[] {
  const { result, invoice } = handlingOf(order)
  return order.lines.map((line, index) => ({
    id: lineId(order, index),
    order: order.id,
    ...namesOf(line),
    ...pick(line, 'weight', 'volume', 'colli', 'sizeX', 'sizeY', 'sizeZ'),
    quantityOrdered: line.quantity,
    quantityInvoiced: invoice === 'made' ? line.quantity : 0,
    quantityShipped: result === 'shipped' ? line.quantity : 0,
    basePriceExcl: figure(decimal(line.price_excl).div(line.quantity).toFixed(4)),
    basePriceIncl: figure(decimal(line.price_incl).div(line.quantity).toFixed(4)),
    ...figuresOf(line),
  }))
}

const pricesOf = (excl: string, incl: string) => ({ priceExcl: figure(excl), priceIncl: figure(incl) })

const figuresOf = (line: CartLine) => ({
  ...pricesOf(line.price_excl, line.price_incl),
  ...{ taxRate: Number(line.tax_rate), product: line.productId, variant: variantIdOf(line.productId) },
})

const namesOf = (line: CartLine) => ({
  productTitle: line.title,
  variantTitle: 'Default',
  ...pick(line, 'articleCode', 'ean', 'sku'),
})

const pick = <T, Name extends keyof T>(from: T, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>

/** The shipment of an order. It has the id of its order. */
export function shipmentRecord(order: Order, customer: number | false): ApiRecord {
  const { status, shipmentStatus } = handlingOf(order)
  const waits = status === 'cancelled' || shipmentStatus === 'cancelled' ? 'cancelled' : 'not_shipped'
  const longest = (side: 'sizeX' | 'sizeY' | 'sizeZ') => Math.max(0, ...order.lines.map((line) => line[side]))
  return {
    id: order.id,
    ...datesOf(order),
    number: `SHP${String(order.id).padStart(5, '0')}`,
    status: shipmentStatus === 'shipped' ? 'shipped' : waits,
    trackingCode: order.moved?.fields?.trackingCode ?? '',
    totalWeight: sumOf(order.lines, 'weight'),
    ...{ totalSizeX: longest('sizeX'), totalSizeY: longest('sizeY'), totalSizeZ: longest('sizeZ') },
    order: order.id,
    customer,
  }
}

export const shipmentLineRecords = (order: Order): ApiRecord[] =>
  order.lines.map((line, index) => ({
    id: lineId(order, index),
    shipment: order.id,
    quantity: line.quantity,
    ...namesOf(line),
    weight: line.weight,
    product: line.productId,
    variant: variantIdOf(line.productId),
  }))

/** The quotes of an order: one for each checkout that it went through. */
export const quoteRecords = (order: Order, customer: number | false): ApiRecord[] =>
  order.checkoutIds.map((id) => ({
    ...{ id, ...datesOf(order), status: 'converted', ...pricesOf(order.amounts.excl, order.amounts.incl) },
    ...{ ...accountOf(order), language: order.language, customer, order: order.id },
  }))

export const quoteLineRecords = (order: Order): ApiRecord[] =>
  order.checkoutIds.flatMap((quote) =>
    order.lines.map((line, index) => ({
      ...{ id: quote * 100 + index, quote, productTitle: line.title, quantity: line.quantity },
      ...figuresOf(line),
    })),
  )

export interface Invoiced {
  invoice: Invoice
  order: Order
}

export const invoiceRecord = ({ invoice, order }: Invoiced, customer: number | false): ApiRecord => ({
  id: invoice.id,
  createdAt: timestamp(invoice.createdAt),
  updatedAt: timestamp(Math.max(invoice.createdAt, order.updatedAt)),
  number: invoice.number,
  status: invoice.status,
  ...pricesOf(order.amounts.excl, invoice.total),
  order: order.id,
  customer,
})

export function invoiceItemRecords({ invoice: { id }, order }: Invoiced): ApiRecord[] {
  const item = (title: string, quantity: number, of: Pick<OfferedMethod, 'price_excl' | 'price_incl'>) => ({
    title,
    quantity,
    ...pricesOf(of.price_excl, of.price_incl),
  })
  const rates = order.lines.map(({ tax_rate }) => Number(tax_rate))
  const items: Record<string, unknown>[] = [
    ...order.lines.map((line) => ({
      ...item(line.title, line.quantity, line),
      taxRate: Number(line.tax_rate),
    })),
    ...methodsOf(order).map((method) => ({
      ...{ type: 'cost', taxRate: rateOf(method, rates) },
      ...item(method.title, 1, method),
    })),
  ]
  return items.map((fields, index) => ({ ...fields, id: id * 100 + index, invoice: id }))
}

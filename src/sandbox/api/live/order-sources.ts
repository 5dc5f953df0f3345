import { given } from '../../../messages/options.ts'
import type { Invoice } from '../../order-book.ts'
import { handlingStatuses, type Moved, type Order, paidStatuses, shipmentStatuses } from '../../orders.ts'
import type { Shop } from '../../shop.ts'
import type { State } from '../../state.ts'
import type { Table } from '../../table.ts'
import type { ApiRecord } from '../records.ts'
import { followingSource, type Source, type Surface, tableSource } from '../surface.ts'
import * as records from './orders.ts'

type Fields = Record<string, unknown>

/** Lets the API see the shop's orders, and what follows from them. */
export function addOrders(surface: Surface, shop: Shop, state: State): void {
  const { orders } = shop.book
  const placedBy = state.table<{ id: number; customer: number }>('customer of order')
  const customerOf = ({ id }: Order) => placedBy.get(id)?.customer ?? false

  const record = (order: Order) => records.orderRecord(order, customerOf(order))
  surface.replace('orders', {
    ...followingSource(orders, (order) => [record(order)]),
    update: ({ id }, { updatedAt: _, ...fields }) => record(shop.book.move(id, changesIn(fields))),
  })
  surface.replace('orders/{id}/products', followingSource(orders, records.lineRecords, true))

  const { table } = shop.invoices
  const invoiced = <T>(invoice: Invoice, recordsOf: (invoiced: records.Invoiced) => T[]): T[] => {
    const order = invoice.orderId === undefined ? undefined : shop.order(invoice.orderId)
    return invoice.for === 'customer' && order ? recordsOf({ invoice, order }) : []
  }
  const invoices = withOwnFields(
    table,
    state.table('fields of invoice'),
    (invoice) => invoiced(invoice, (one) => [records.invoiceRecord(one, customerOf(one.order))]),
    (invoice, { status, ...fields }) => {
      const payment = oneOf(paidStatuses, status)
      if (payment) shop.book.move(invoice.order as number, { paymentStatus: payment })
      return fields
    },
  )
  surface.replace('invoices', invoices)
  const itemsOf = (invoice: Invoice) => invoiced(invoice, records.invoiceItemRecords)
  surface.replace('invoices/{id}/items', followingSource(table, itemsOf, true))

  const shipments = withOwnFields(
    orders,
    state.table('fields of shipment'),
    (order) => [records.shipmentRecord(order, customerOf(order))],
    ({ id }, { status, trackingCode, ...fields }) => {
      const shipmentStatus = oneOf(shipmentStatuses, status)
      shop.book.move(id, {
        ...(shipmentStatus && { shipmentStatus }),
        ...(trackingCode !== undefined && { fields: { trackingCode } }),
      })
      return fields
    },
  )
  surface.replace('shipments', shipments)
  surface.replace('shipments/{id}/products', followingSource(orders, records.shipmentLineRecords, true))

  surface.replace(
    'orders/events',
    tableSource(() => state.table('event of order')),
  )
}

/** The changes that a body asks for. */
const changesIn = ({ status, paymentStatus, shipmentStatus, ...fields }: Fields): Moved => ({
  ...given({
    status: oneOf(handlingStatuses, status),
    paymentStatus: oneOf(paidStatuses, paymentStatus),
    shipmentStatus: oneOf(shipmentStatuses, shipmentStatus),
  }),
  fields,
})

const oneOf = <V extends string>(known: readonly V[], value: unknown): V | undefined =>
  known.find((one) => one === value)

/** Records that follow from others, with further fields that a program wrote. `move` changes the order and returns those. */
function withOwnFields<Parent extends { id: number }>(
  from: Table<Parent>,
  kept: Table<{ id: number } & Fields>,
  of: (parent: Parent) => ApiRecord[],
  move: (record: ApiRecord, fields: Fields) => Fields,
): Source {
  const source = followingSource(from, (parent) =>
    of(parent).map((record) => ({ ...record, ...kept.get(record.id) })),
  )
  return {
    ...source,
    update(record, { updatedAt, ...fields }) {
      const { id } = record
      kept.set({ ...kept.get(id), ...move(record, fields), updatedAt, id })
      return source.get(id)!
    },
  }
}

import { given } from '../../../messages/options.ts'
import type { Invoice } from '../../charges.ts'
import type { Moved, Order, PaidStatus } from '../../orders.ts'
import type { Shop } from '../../shop.ts'
import type { State, Table } from '../../state.ts'
import type { ApiRecord } from '../records.ts'
import { derivedSource, followingSource, type Source, tableSource } from '../surface.ts'
import * as records from './orders.ts'

type Fields = Record<string, unknown>

/** The shop's orders, and what follows from them, by address. */
export function orderSources(shop: Shop, state: State): Record<string, Source> {
  const { book: orders } = shop
  const placedBy = state.table<{ id: number; customer: number }>('customer of order')
  const customerOf = ({ id }: Order) => placedBy.get(id)?.customer ?? false
  const record = (order: Order) => records.orderRecord(order, customerOf(order))
  const placed = (recordsOf: (order: Order) => ApiRecord[]) => [...orders.each(0)].flatMap(recordsOf)
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
      if (status) shop.move(invoice.order as number, { paymentStatus: status as PaidStatus })
      return fields
    },
  )

  const shipments = withOwnFields(
    orders,
    state.table('fields of shipment'),
    (order) => [records.shipmentRecord(order, customerOf(order))],
    ({ id }, { status: shipmentStatus, trackingCode, ...fields }) => {
      shop.move(id, changesIn(given({ shipmentStatus, trackingCode })))
      return fields
    },
  )
  return {
    orders: {
      ...followingSource(orders, (order) => [record(order)]),
      update: ({ id }, { updatedAt: _, ...fields }) => record(shop.move(id, changesIn(fields))),
    },
    'orders/{id}/products': followingSource(orders, records.lineRecords, true),
    'orders/events': tableSource(() => state.table('event of order')),
    invoices,
    'invoices/{id}/items': followingSource(
      table,
      (invoice) => invoiced(invoice, records.invoiceItemRecords),
      true,
    ),
    quotes: derivedSource({}, () => placed((order) => records.quoteRecords(order, customerOf(order)))),
    'quotes/{id}/products': derivedSource({}, () => placed(records.quoteLineRecords)),
    shipments,
    'shipments/{id}/products': followingSource(orders, records.shipmentLineRecords, true),
  }
}

/** `waiting_for_pickup` follows from the shipping method: it is shown, and changes nothing. */
function changesIn({ status, paymentStatus, shipmentStatus: sent, ...fields }: Fields): Moved {
  const shipmentStatus = sent === 'waiting_for_pickup' ? undefined : sent
  return { ...given({ status, paymentStatus, shipmentStatus }), fields } as Moved
}

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

import { given } from '../../../messages/options.ts'
import { handlingStatuses, type Moved, type Order, paidStatuses, shipmentStatuses } from '../../orders.ts'
import type { Shop } from '../../shop.ts'
import type { State } from '../../state.ts'
import type { Table } from '../../table.ts'
import { type ApiRecord, timestamp } from '../records.ts'
import { derivedSource, type Source, type Surface } from '../surface.ts'
import * as records from './orders.ts'

/** Lets the API see the shop's orders, and what follows from them. A new order makes a customer of who placed it. */
export function addOrders(
  surface: Surface,
  shop: Shop,
  state: State,
  customers: () => Table<ApiRecord>,
): void {
  const placedBy = state.table<{ id: number; customer: number }>('customer of order')
  const customerOf = ({ id }: Order) => placedBy.get(id)?.customer ?? false
  const derived = (path: string, all: () => ApiRecord[]) => surface.replace(path, derivedSource(all))

  const record = (order: Order) => records.orderRecord(order, customerOf(order))
  surface.replace('orders', {
    get(id) {
      const order = shop.order(id)
      return order && record(order)
    },
    *each(since) {
      for (const order of shop.orders) if (order.id > since) yield record(order)
    },
    update({ id }, { updatedAt: _, ...fields }) {
      return record(shop.book.move(id, changesIn(fields)))
    },
  })
  derived('orders/{id}/products', () => records.lineRecords(shop.orders))
  const invoices = withOwnFields(
    state.table('fields of invoice'),
    () => records.invoiceRecords(shop.invoices.all(), shop.order, customerOf),
    (invoice, { status, ...fields }) => {
      const payment = oneOf(paidStatuses, status)
      if (payment) shop.book.move(invoice.order as number, { paymentStatus: payment })
      return fields
    },
  )
  surface.replace('invoices', invoices)
  derived('invoices/{id}/items', () => records.invoiceItemRecords(shop.invoices.all(), shop.order))
  const shipments = withOwnFields(
    state.table('fields of shipment'),
    () => records.shipmentRecords(shop.orders, customerOf),
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
  derived('shipments/{id}/products', () => records.shipmentLineRecords(shop.orders))

  const events = state.table<ApiRecord>('event of order')
  derived('orders/events', () => events.all())
  state.changes.on('change', (kind, id, action) => {
    const order = kind === 'order' ? shop.order(id) : undefined
    if (!order) return
    events.set({ id: events.nextId(), createdAt: timestamp(order.updatedAt), itemAction: action, order: id })
    events.delete(events.lastId - 1_000)
    if (!placedBy.get(id)) placedBy.set({ id, customer: customerWith(customers(), order) })
  })
}

/** The changes that a body asks for. */
const changesIn = ({ status, paymentStatus, shipmentStatus, ...fields }: Record<string, unknown>): Moved => ({
  ...given({
    status: oneOf(handlingStatuses, status),
    paymentStatus: oneOf(paidStatuses, paymentStatus),
    shipmentStatus: oneOf(shipmentStatuses, shipmentStatus),
  }),
  fields,
})

const oneOf = <V extends string>(known: readonly V[], value: unknown): V | undefined =>
  known.find((one) => one === value)

/** Records that follow from the shop's orders, with further fields that a program wrote. `move` changes the order and returns those. */
function withOwnFields(
  kept: Table<{ id: number } & Record<string, unknown>>,
  all: () => ApiRecord[],
  move: (record: ApiRecord, fields: Record<string, unknown>) => Record<string, unknown>,
): Source {
  const records = () => all().map((record) => ({ ...record, ...kept.get(record.id) }))
  const source = derivedSource(records)
  return {
    ...source,
    update(record, { updatedAt, ...fields }) {
      const { id } = record
      kept.set({ ...kept.get(id), ...move(record, fields), updatedAt, id })
      return source.get(id)!
    },
  }
}

/** The id of the customer with the e-mail address of an order, who is made if there is none. */
function customerWith(customers: Table<ApiRecord>, order: Order): number {
  for (const { id, email } of customers.each(0)) if (email === order.customer.email) return id
  const at = timestamp(order.createdAt)
  const { id } = customers.set({
    id: customers.nextId(),
    createdAt: at,
    updatedAt: at,
    ...records.accountOf(order),
    language: order.language,
  })
  return id
}

import { handlingStatuses, paidStatuses, shipmentStatuses } from '../../orders.ts'
import { addressFields, personFields } from './customers.ts'
import * as f from './row.ts'
import { changeable, listed, metafields, type ResourceRow, row } from './row.ts'

const amounts = f.allFixed(f.decimals('priceCost', 'priceExcl', 'priceIncl'))
const figures = f.allFixed(f.wholes('weight', 'volume', 'colli'))

const method = (kind: 'payment' | 'shipment') =>
  f.allFixed(
    f.prefixed(kind, {
      Id: f.text(false),
      Title: f.text(),
      ...f.decimals('BasePriceExcl', 'BasePriceIncl', 'PriceExcl', 'PriceIncl', 'TaxRate'),
      TaxRates: f.data([]),
      Data: f.data([]),
    }),
  )

/** An order, in the order of live platforms. */
const orderFields: f.Fields = {
  number: f.fixed(f.text()),
  status: f.choice(...handlingStatuses),
  customStatusId: f.whole(false),
  channel: f.fixed(f.text('main')),
  ...f.texts('remoteIp', 'userAgent'),
  referralId: f.data(false),
  ...amounts,
  ...figures,
  birthDate: f.time(),
  ...personFields,
  ...addressFields('Billing'),
  ...addressFields('Shipping'),
  paymentStatus: f.choice(...paidStatuses),
  paymentIsPost: f.fixed(f.flag()),
  paymentIsInvoiceExternal: f.fixed(f.flag()),
  ...method('payment'),
  shipmentStatus: f.choice(...shipmentStatuses, 'waiting_for_pickup'),
  shipmentIsCashOnDelivery: f.fixed(f.flag()),
  shipmentIsPickup: f.fixed(f.flag()),
  ...method('shipment'),
  ...f.allFixed(f.decimals('shipmentDiscountExcl', 'shipmentDiscountIncl')),
  taxRates: f.fixed(f.data([])),
  trackingCode: f.text(),
  shippingDate: f.time(),
  deliveryDate: f.time(),
  isDiscounted: f.flag(),
  discountType: f.data(false),
  ...f.decimals('discountAmount', 'discountPercentage'),
  discountCouponCode: f.data(false),
  isNewCustomer: f.flag(),
  ...f.texts('comment', 'memo'),
  doNotifyNew: f.flag(),
  doNotifyReminder: f.flag(),
  doNotifyCancelled: f.flag(),
  ...f.allFixed({ invoice: f.text(), language: f.language(), customer: f.one('customers') }),
  ...f.naming('order', 'invoices', 'shipments'),
  ...f.below('orders', 'products', 'metafields'),
  quote: f.fixed(f.one('quotes')),
  ...f.naming('order', 'orders/events'),
}

export const orderRows: readonly ResourceRow[] = [
  row('orders', {
    verbs: changeable,
    fields: orderFields,
    filters: ['number', 'status', 'paymentStatus', 'shipmentStatus', 'customer', 'email', 'customStatusId'],
  }),
  listed('orders/{id}/products', {
    fields: {
      ...f.texts('productTitle', 'variantTitle', 'brandTitle', 'supplierTitle', 'articleCode', 'ean', 'sku'),
      ...figures,
      ...f.decimals('sizeX', 'sizeY', 'sizeZ', 'taxRate'),
      ...f.wholes('quantityOrdered', 'quantityInvoiced', 'quantityShipped', 'quantityRefunded'),
      ...f.wholes('quantityReturned'),
      ...f.decimals('basePriceExcl', 'basePriceIncl', 'customExcl', 'customIncl', 'priceCost', 'priceExcl'),
      ...f.decimals('priceIncl', 'discountExcl', 'discountIncl'),
      ...f.ones('products', 'variants'),
      customFields: f.data(false),
    },
  }),
  metafields('orders/{id}/metafields'),
  row('orders/customstatuses', {
    one: 'customStatus',
    many: 'customStatuses',
    fields: { ...f.texts('title', 'color'), isActive: f.flag(true), sortOrder: f.whole(1) },
    filters: ['isActive'],
    seeds: [{ title: 'Waiting for engraving', color: '#336699' }],
  }),
  listed('orders/events', {
    fields: { createdAt: f.time(), itemAction: f.text(), ...f.ones('orders') },
    filters: ['order', 'itemAction'],
  }),
  row('invoices', {
    verbs: changeable,
    fields: {
      number: f.fixed(f.text()),
      status: f.choice('paid', 'not_paid', 'partially_paid', 'cancelled'),
      type: f.fixed(f.text('invoice')),
      ...amounts,
      isCreditNote: f.fixed(f.flag()),
      memo: f.text(),
      doNotifyNew: f.flag(),
      ...f.allFixed(f.ones('orders', 'customers')),
      ...f.below('invoices', 'items', 'metafields'),
    },
    filters: ['number', 'status', 'order', 'customer'],
  }),
  listed('invoices/{id}/items', {
    fields: {
      type: f.text('product'),
      title: f.text(),
      quantity: f.whole(1),
      ...f.decimals('priceExcl', 'priceIncl', 'taxRate'),
    },
  }),
  metafields('invoices/{id}/metafields'),
  row('shipments', {
    verbs: changeable,
    fields: {
      number: f.fixed(f.text()),
      status: f.choice('not_shipped', 'shipped', 'cancelled'),
      trackingCode: f.text(),
      doNotifyShipped: f.flag(),
      doNotifyReadyForPickup: f.flag(),
      doNotifyTrackingCode: f.flag(),
      ...f.allFixed({ totalWeight: f.whole(), ...f.decimals('totalSizeX', 'totalSizeY', 'totalSizeZ') }),
      ...f.allFixed(f.ones('orders', 'customers')),
      ...f.below('shipments', 'products', 'metafields'),
    },
    filters: ['number', 'status', 'order', 'customer'],
  }),
  listed('shipments/{id}/products', {
    fields: {
      quantity: f.whole(),
      ...f.texts('productTitle', 'variantTitle', 'articleCode', 'ean', 'sku'),
      weight: f.whole(),
      ...f.ones('products', 'variants'),
    },
  }),
  metafields('shipments/{id}/metafields'),
  row('returns', {
    verbs: ['list', 'count', 'read', 'update', 'delete'],
    fields: {
      status: f.choice('requested', 'authorized', 'rejected', 'received', 'completed'),
      ...f.texts('reason', 'memo'),
      ...f.ones('customers', 'orders'),
    },
    filters: ['status', 'customer', 'order'],
    seeds: [{ reason: 'Broken on arrival', customer: 90210 }],
  }),
]

const cartLine = {
  productTitle: f.text(),
  quantity: f.whole(1),
  ...f.decimals('priceExcl', 'priceIncl', 'taxRate'),
  ...f.ones('products', 'variants'),
}

const mug = { productTitle: 'Stoneware mug', quantity: 1, priceExcl: 9.5, priceIncl: 11.495 }

/** The methods of the providers for a quote. */
const methodsOf = (path: string): ResourceRow =>
  listed(path, {
    verbs: ['list', 'count'],
    fields: { title: f.text(), ...f.decimals('priceExcl', 'priceIncl') },
  })

/** Carts and quotes: they come before an order. */
export const quoteRows: readonly ResourceRow[] = [
  listed('carts', {
    fields: {
      ...f.decimals('priceExcl', 'priceIncl'),
      currency: f.text('eur'),
      ...f.below('carts', 'products'),
    },
  }),
  listed('carts/{id}/products', { fields: cartLine }),
  row('quotes', {
    verbs: ['list', 'count', 'read', 'create', 'update'],
    fields: {
      status: f.choice('open', 'converted', 'cancelled'),
      ...f.decimals('priceExcl', 'priceIncl'),
      ...personFields,
      ...addressFields('Billing'),
      ...addressFields('Shipping'),
      ...f.texts('comment', 'memo'),
      language: f.language(),
      ...f.ones('customers', 'orders'),
      ...f.below('quotes', 'products', 'shippingmethods', 'paymentmethods'),
    },
    filters: ['customer', 'email', 'status'],
    seeds: [{ customer: 90210, email: 'jane@shop.example', firstname: 'Jane', lastname: 'Doe' }],
  }),
  row('quotes/{id}/products', {
    undated: true,
    fields: cartLine,
    required: ['product'],
    seeds: [{ quote: 1, product: 101, ...mug }],
  }),
  methodsOf('quotes/{id}/paymentmethods'),
  methodsOf('quotes/{id}/shippingmethods'),
  row('quotes/{id}/convert', { one: 'order', verbs: ['create'], fields: orderFields }),
]

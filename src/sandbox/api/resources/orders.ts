import { handlingStatuses, paidStatuses, shipmentStatuses } from '../../orders.ts'
import { addressFields, personFields } from './customers.ts'
import {
  allFixed,
  below,
  choice,
  data,
  decimal,
  decimals,
  type Fields,
  fixed,
  flag,
  language,
  naming,
  one,
  ones,
  prefixed,
  text,
  texts,
  time,
  whole,
  wholes,
} from './fields.ts'
import { changeable, listed, metafields, type ResourceRow, row, single } from './row.ts'

const amounts = allFixed(decimals('priceCost', 'priceExcl', 'priceIncl'))
const figures = allFixed(wholes('weight', 'volume', 'colli'))

const method = (kind: 'payment' | 'shipment') =>
  allFixed(
    prefixed(kind, {
      Id: text(false),
      Title: text(),
      ...decimals('BasePriceExcl', 'BasePriceIncl', 'PriceExcl', 'PriceIncl', 'TaxRate'),
      TaxRates: data([]),
      Data: data([]),
    }),
  )

/** An order, in the order of live platforms. */
const orderFields: Fields = {
  number: fixed(text()),
  status: choice(...handlingStatuses),
  customStatusId: whole(false),
  channel: fixed(text('main')),
  ...texts('remoteIp', 'userAgent'),
  referralId: data(false),
  ...amounts,
  ...figures,
  birthDate: time(),
  ...personFields,
  ...addressFields('Billing'),
  ...addressFields('Shipping'),
  paymentStatus: choice(...paidStatuses),
  paymentIsPost: fixed(flag()),
  paymentIsInvoiceExternal: fixed(flag()),
  ...method('payment'),
  shipmentStatus: choice(...shipmentStatuses, 'waiting_for_pickup'),
  shipmentIsCashOnDelivery: fixed(flag()),
  shipmentIsPickup: fixed(flag()),
  ...method('shipment'),
  ...allFixed(decimals('shipmentDiscountExcl', 'shipmentDiscountIncl')),
  taxRates: fixed(data([])),
  trackingCode: text(),
  shippingDate: time(),
  deliveryDate: time(),
  isDiscounted: flag(),
  discountType: data(false),
  ...decimals('discountAmount', 'discountPercentage'),
  discountCouponCode: data(false),
  isNewCustomer: flag(),
  ...texts('comment', 'memo'),
  doNotifyNew: flag(),
  doNotifyReminder: flag(),
  doNotifyCancelled: flag(),
  ...allFixed({ invoice: text(), language: language(), customer: one('customers') }),
  ...naming('order', 'invoices', 'shipments'),
  ...below('orders', 'products', 'metafields'),
  quote: fixed(one('quotes')),
  ...naming('order', 'orders/events'),
}

/** Orders and what follows from them. */
export const orderRows: readonly ResourceRow[] = [
  row('orders', {
    verbs: changeable,
    fields: orderFields,
    filters: ['number', 'status', 'paymentStatus', 'shipmentStatus', 'customer', 'email', 'customStatusId'],
  }),
  listed('orders/{id}/products', {
    fields: {
      ...texts('productTitle', 'variantTitle', 'brandTitle', 'supplierTitle', 'articleCode', 'ean', 'sku'),
      ...figures,
      ...decimals('sizeX', 'sizeY', 'sizeZ', 'taxRate'),
      ...wholes('quantityOrdered', 'quantityInvoiced', 'quantityShipped', 'quantityRefunded'),
      ...wholes('quantityReturned'),
      ...decimals('basePriceExcl', 'basePriceIncl', 'customExcl', 'customIncl', 'priceCost', 'priceExcl'),
      ...decimals('priceIncl', 'discountExcl', 'discountIncl'),
      ...ones('products', 'variants'),
      customFields: data(false),
    },
  }),
  metafields('orders/{id}/metafields'),
  row('orders/{id}/credit', {
    one: 'credit',
    verbs: ['create'],
    fields: {
      ...allFixed({ number: text(), ...decimals('priceExcl', 'priceIncl') }),
      products: data([]),
      shippingCosts: decimal(false),
      paymentCosts: decimal(false),
      memo: text(),
      invoice: fixed(one('invoices')),
    },
  }),
  row('orders/customstatuses', {
    one: 'customStatus',
    many: 'customStatuses',
    fields: { ...texts('title', 'color'), isActive: flag(true), sortOrder: whole(1) },
    filters: ['isActive'],
    seeds: [{ title: 'Waiting for engraving', color: '#336699' }],
  }),
  listed('orders/events', {
    fields: { createdAt: time(), itemAction: text(), ...ones('orders') },
    filters: ['order', 'itemAction'],
  }),
  row('invoices', {
    verbs: changeable,
    fields: {
      number: fixed(text()),
      status: choice('paid', 'not_paid', 'partially_paid', 'cancelled'),
      type: fixed(text('invoice')),
      ...amounts,
      isCreditNote: fixed(flag()),
      memo: text(),
      doNotifyNew: flag(),
      ...allFixed(ones('orders', 'customers')),
      ...below('invoices', 'items', 'metafields'),
    },
    filters: ['number', 'status', 'order', 'customer'],
  }),
  listed('invoices/{id}/items', {
    fields: {
      type: text('product'),
      title: text(),
      quantity: whole(1),
      ...decimals('priceExcl', 'priceIncl', 'taxRate'),
    },
  }),
  metafields('invoices/{id}/metafields'),
  row('shipments', {
    verbs: changeable,
    fields: {
      number: fixed(text()),
      status: choice('not_shipped', 'shipped', 'cancelled'),
      trackingCode: text(),
      doNotifyShipped: flag(),
      doNotifyReadyForPickup: flag(),
      doNotifyTrackingCode: flag(),
      ...allFixed({ totalWeight: whole(), ...decimals('totalSizeX', 'totalSizeY', 'totalSizeZ') }),
      ...allFixed(ones('orders', 'customers')),
      ...below('shipments', 'products', 'metafields'),
    },
    filters: ['number', 'status', 'order', 'customer'],
  }),
  listed('shipments/{id}/products', {
    fields: {
      quantity: whole(),
      ...texts('productTitle', 'variantTitle', 'articleCode', 'ean', 'sku'),
      weight: whole(),
      ...ones('products', 'variants'),
    },
  }),
  metafields('shipments/{id}/metafields'),
  row('returns', {
    verbs: ['list', 'count', 'read', 'update', 'delete'],
    fields: {
      status: choice('requested', 'authorized', 'rejected', 'received', 'completed'),
      ...texts('reason', 'memo'),
      ...ones('customers', 'orders'),
    },
    filters: ['status', 'customer', 'order'],
    seeds: [{ reason: 'Broken on arrival', customer: 90210 }],
  }),
]

const cartLine = {
  productTitle: text(),
  quantity: whole(1),
  ...decimals('priceExcl', 'priceIncl', 'taxRate'),
  ...ones('products', 'variants'),
}

const mug = { productTitle: 'Stoneware mug', quantity: 1, priceExcl: 9.5, priceIncl: 11.495 }

/** The methods of the providers for a quote. */
const methodsOf = (path: string): ResourceRow =>
  listed(path, { verbs: ['list', 'count'], fields: { title: text(), ...decimals('priceExcl', 'priceIncl') } })

/** Carts, quotes and checkouts: they come before an order. */
export const checkoutRows: readonly ResourceRow[] = [
  listed('carts', {
    fields: { ...decimals('priceExcl', 'priceIncl'), currency: text('eur'), ...below('carts', 'products') },
  }),
  listed('carts/{id}/products', { fields: cartLine }),
  row('quotes', {
    verbs: ['list', 'count', 'read', 'create', 'update'],
    fields: {
      status: choice('open', 'converted', 'cancelled'),
      ...decimals('priceExcl', 'priceIncl'),
      ...personFields,
      ...addressFields('Billing'),
      ...addressFields('Shipping'),
      ...texts('comment', 'memo'),
      language: language(),
      ...ones('customers', 'orders'),
      ...below('quotes', 'products', 'shippingmethods', 'paymentmethods'),
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
  row('checkouts', {
    bare: true,
    fields: {
      mode: choice('guest', 'account', 'existing'),
      language: text('en'),
      customer: data({}),
      billing_address: data({}),
      shipping_address: data({}),
      shipment_method: data(false),
      payment_method: data(false),
      products: data([]),
      newsletter: flag(),
      terms: flag(true),
      ...texts('comment', 'memo'),
      order_id: whole(false),
    },
  }),
  row('checkouts/{id}/products', {
    bare: true,
    undated: true,
    fields: {
      ...wholes('product_id', 'variant_id'),
      quantity: whole(1),
      ...decimals('price_incl', 'price_excl'),
    },
    required: ['variant_id'],
  }),
  row('checkouts/{id}/payment_methods', { bare: true, undated: true, verbs: ['list'] }),
  row('checkouts/{id}/shipment_methods', { bare: true, undated: true, verbs: ['list'] }),
  single('checkouts/{id}/validate', { bare: true }),
  row('checkouts/{id}/order', { bare: true, undated: true, verbs: ['create'] }),
]

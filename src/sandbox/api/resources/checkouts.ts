import { addressFields, personFields } from './customers.ts'
import { choice, data, decimal, flag, language, many, one, text, whole } from './fields.ts'
import { orderFields } from './orders.ts'
import { type ResourceRow, readOnly, row, type Verb } from './row.ts'

const noDelete: readonly Verb[] = ['list', 'count', 'read', 'create', 'update']
const address = data({})

const line = {
  productTitle: text(),
  quantity: whole(1),
  priceExcl: decimal(),
  priceIncl: decimal(),
  taxRate: decimal(),
  product: one('products'),
  variant: one('variants'),
}

/** Carts, quotes and checkouts: they come before an order. */
export const checkoutRows: readonly ResourceRow[] = [
  row('carts', {
    undated: true,
    verbs: readOnly,
    fields: {
      priceExcl: decimal(),
      priceIncl: decimal(),
      currency: text('eur'),
      products: many('carts/{id}/products'),
    },
  }),
  row('carts/{id}/products', { undated: true, verbs: readOnly, fields: { ...line, cart: one('carts') } }),
  row('quotes', {
    verbs: noDelete,
    fields: {
      status: choice('open', 'converted', 'cancelled'),
      priceExcl: decimal(),
      priceIncl: decimal(),
      ...personFields,
      ...addressFields('Billing'),
      ...addressFields('Shipping'),
      comment: text(),
      memo: text(),
      language: language(),
      customer: one('customers'),
      order: one('orders'),
      products: many('quotes/{id}/products'),
      shippingmethods: many('quotes/{id}/shippingmethods'),
      paymentmethods: many('quotes/{id}/paymentmethods'),
    },
    filters: ['customer', 'email', 'status'],
    seeds: [{ customer: 90210, email: 'jane@shop.example', firstname: 'Jane', lastname: 'Doe' }],
  }),
  row('quotes/{id}/products', {
    undated: true,
    fields: { ...line, quote: one('quotes') },
    required: ['product'],
    seeds: [
      {
        quote: 1,
        product: 101,
        productTitle: 'Stoneware mug',
        quantity: 1,
        priceExcl: 9.5,
        priceIncl: 11.495,
      },
    ],
  }),
  row('quotes/{id}/paymentmethods', {
    one: 'quotePaymentmethod',
    many: 'quotePaymentmethods',
    undated: true,
    verbs: ['list', 'count'],
    fields: { title: text(), priceExcl: decimal(), priceIncl: decimal(), quote: one('quotes') },
  }),
  row('quotes/{id}/shippingmethods', {
    one: 'quoteShippingmethod',
    many: 'quoteShippingmethods',
    undated: true,
    verbs: ['list', 'count'],
    fields: { title: text(), priceExcl: decimal(), priceIncl: decimal(), quote: one('quotes') },
  }),
  row('quotes/{id}/convert', { one: 'order', many: 'orders', verbs: ['create'], fields: orderFields }),
  row('checkouts', {
    bare: true,
    fields: {
      mode: choice('guest', 'account', 'existing'),
      language: text('en'),
      customer: data({}),
      billing_address: address,
      shipping_address: address,
      shipment_method: data(false),
      payment_method: data(false),
      products: data([]),
      newsletter: flag(),
      terms: flag(true),
      comment: text(),
      memo: text(),
      order_id: whole(false),
    },
  }),
  row('checkouts/{id}/products', {
    bare: true,
    undated: true,
    fields: {
      product_id: whole(),
      variant_id: whole(),
      quantity: whole(1),
      price_incl: decimal(),
      price_excl: decimal(),
    },
    required: ['variant_id'],
  }),
  row('checkouts/{id}/payment_methods', { bare: true, undated: true, verbs: ['list'], fields: {} }),
  row('checkouts/{id}/shipment_methods', { bare: true, undated: true, verbs: ['list'], fields: {} }),
  row('checkouts/{id}/validate', { bare: true, undated: true, single: true, verbs: ['read'], fields: {} }),
  row('checkouts/{id}/order', { bare: true, undated: true, verbs: ['create'], fields: {} }),
]

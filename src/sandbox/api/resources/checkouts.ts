import { addressFields, personFields } from './customers.ts'
import { below, choice, data, decimals, flag, language, ones, text, texts, whole, wholes } from './fields.ts'
import { orderFields } from './orders.ts'
import { listed, type ResourceRow, row, single } from './row.ts'

const line = {
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
  listed('carts/{id}/products', { fields: line }),
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
    fields: line,
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

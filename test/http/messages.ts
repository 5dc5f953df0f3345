import {
  liveAddress,
  liveCheckout,
  liveCustomer,
  liveEstimate,
  livePaymentStart,
  liveProduct,
} from '../../src/contract/examples.ts'

const jan = { email: 'jan@shop.example', firstname: 'Jan', lastname: '' }
const customer = { ...liveCustomer, ...jan, password: 'hunter2', birthdate: '1990-04-01' }
const address = { ...liveAddress, name: 'Jan', address1: 'Damrak', number: 12, zipcode: '1012LG' }
const prices = { price_incl: '29.3400', price_excl: 24.25 }
const { totals: _, ...quote } = liveCheckout.quote

/** A checkout as a platform sends it, with its habits: decimals as text, "no data" in three forms, a password. */
export const checkout = {
  ...liveCheckout,
  shop: { id: 7, language: 'nl', currency: 'eur' },
  customer,
  billing_address: { ...address, region: null },
  shipping_address: { ...address },
  quote: {
    ...quote,
    id: 31,
    ...prices,
    weight: 900,
    volume: '',
    products: [{ ...liveProduct, ...prices, product_id: 1, title: 'Mug', stock_available: 1 }],
  },
}

export const estimate = {
  ...liveEstimate,
  shop: checkout.shop,
  shipping_address: { zipcode: '1012LG', country: 'nl' },
  quote: checkout.quote,
}

/** Where a shop in production takes its customers back, and is called. */
export const shopUrls = {
  redirect_url: 'https://shop.example/return',
  webhook_url: 'https://shop.example/webhook',
}

/** The start of a payment of a shop in development: nothing listens at its addresses. */
export const payment = (changes: { id?: unknown; price_incl?: unknown; method?: string } = {}) => ({
  ...livePaymentStart,
  order: {
    ...livePaymentStart.order,
    id: changes.id ?? 1001,
    number: 'ORD1001',
    ...prices,
    price_incl: changes.price_incl ?? prices.price_incl,
    price_tax: 5.09,
  },
  customer: { ...customer, birthdate: '638920800' },
  payment_method: { id: changes.method ?? 'card', method: changes.method ?? 'card', title: 'Card', data: [] },
  redirect_url: 'http://127.0.0.1:9/return?order=1001&a=b%20c',
  webhook_url: 'http://127.0.0.1:9/webhook?order=1001',
})

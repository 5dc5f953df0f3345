// What the checker sends: whole messages as the spec has them, without the quirks of live platforms. The cases put those in, one at
// a time.

export interface Message {
  // biome-ignore lint/suspicious/noExplicitAny: cases change them freely, into shapes that no type has
  [field: string]: any
}

const customer = (): Message => ({
  gender: 'female',
  birthdate: '1988-07-04',
  phone: '+31201234567',
  mobile: '+31612345678',
  national_id: '',
  email: 'conformance@customer.example',
  firstname: 'Conformance',
  middlename: '',
  lastname: 'Check',
  type: 'private',
  company: '',
  vatnumber: '',
  cocnumber: '',
  sameaddress: true,
})

const address = (): Message => ({
  name: 'Conformance Check',
  company: '',
  address1: 'Prinsengracht',
  address2: '',
  number: '263',
  extension: '',
  zipcode: '1016GV',
  city: 'Amsterdam',
  region: 'Noord-Holland',
  country: 'nl',
})

const quote = (): Message => ({
  id: 990001,
  price_incl: 36.3,
  price_excl: 30,
  additional_cost: false,
  totals: { sub_total: 30, taxes: [{ percentage: 0.21, amount: 6.3 }], grand_total: 36.3 },
  vat_shifted: false,
  weight: 1200,
  volume: 3000,
  colli: 1,
  products: [
    {
      product_id: 101,
      variant_id: 1101,
      title: 'Stoneware mug',
      fulltitle: 'Stoneware mug - Default',
      variant: 'Default',
      description: 'A mug',
      price_incl: 36.3,
      price_excl: 30,
      tax_rate: 0.21,
      quantity: 2,
      article_code: 'ART-101',
      ean: '8712345678906',
      sku: 'MUG',
      size_x: 10,
      size_y: 10,
      size_z: 15,
      weight: 1200,
      volume: 3000,
      colli: 1,
      stock_available: true,
    },
  ],
  created_at: '2026-03-02T10:15:00+01:00',
  updated_at: '2026-03-02T10:15:30+01:00',
  additional_cost_price_incl: 0,
  additional_cost_price_excl: 0,
})

const shop = (id: number | undefined): Message => ({
  ...(id !== undefined && { id }),
  language: 'en',
  currency: 'eur',
})

/** POST shipment_methods and POST payment_methods of a checkout. */
export const checkoutMessage = (shopId: number | undefined): Message => ({
  rate_estimate: false,
  checkout_id: 990501,
  shop: shop(shopId),
  customer: customer(),
  billing_address: address(),
  shipping_address: address(),
  quote: quote(),
})

/** POST shipment_methods of a cart. */
export const estimateMessage = (shopId: number | undefined): Message => ({
  rate_estimate: true,
  shop: shop(shopId),
  shipping_address: { zipcode: '1016GV', country: 'nl' },
  quote: quote(),
})

/** POST payment, marked as a test. */
export const paymentMessage = (order: {
  id: number
  method: { id: string | number; title: string }
  redirectUrl: string
  webhookUrl: string
}): Message => ({
  order: {
    id: order.id,
    number: `CHECK-${order.id}`,
    price_incl: 36.3,
    price_excl: 30,
    price_tax: 6.3,
    currency: 'eur',
  },
  customer: { id: 990201, ...customer(), fulllastname: 'Check', fullname: 'Conformance Check' },
  payment_method: { id: order.method.id, method: order.method.id, title: order.method.title, data: {} },
  redirect_url: order.redirectUrl,
  webhook_url: order.webhookUrl,
})

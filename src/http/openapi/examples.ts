// One example for every message, made up from the contract. They are in the document, and a test holds that they fit it.

const customer = {
  gender: 'female',
  birthdate: '1988-07-04',
  phone: '',
  mobile: null,
  national_id: false,
  email: 'noor@customer.example',
  firstname: 'Noor',
  middlename: '',
  lastname: 'de Wit',
  type: 'private',
  company: false,
  vatnumber: '',
  cocnumber: null,
  sameaddress: true,
}

const address = {
  name: 'Noor de Wit',
  company: '',
  address1: 'Prinsengracht',
  address2: null,
  number: 263,
  extension: '',
  zipcode: '1016GV',
  city: 'Amsterdam',
  region: false,
  country: 'nl',
}

const quote = {
  id: 6001,
  price_incl: '36.3000',
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
      description: '',
      price_incl: 36.3,
      price_excl: 30,
      tax_rate: 0.21,
      quantity: 2,
      article_code: 'ART-101',
      ean: '8712345678906',
      sku: '',
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
}

const shop = { id: 4711, language: 'nl', currency: 'eur' }

export const checkoutExample = {
  rate_estimate: false,
  checkout_id: 6501,
  shop,
  customer,
  billing_address: address,
  shipping_address: address,
  quote,
}

export const estimateExample = {
  rate_estimate: true,
  shop,
  shipping_address: { zipcode: '1016GV', country: 'nl' },
  quote,
}

export const shipmentMethodsExample = {
  shipment_methods: [
    {
      id: 'door',
      title: 'At your door',
      description: 'Delivered the next working day',
      price_incl: 7.01,
      price_excl: 5.79,
      tax_rate: 0.21,
      is_pickup: false,
      is_servicepoint: false,
      is_cash_on_delivery: false,
    },
  ],
}

export const paymentMethodsExample = {
  payment_methods: [
    {
      id: 'card',
      title: 'Card',
      price_incl: 0,
      price_excl: 0,
      tax_rate: 0,
      icon: 'pin',
      post_payment: false,
      invoice_external: false,
      data: { route: 'card-eu' },
    },
  ],
}

export const paymentStartExample = {
  order: {
    id: 1001,
    number: 'ORD01001',
    price_incl: '43.3100',
    price_excl: 35.79,
    price_tax: 7.52,
    currency: 'eur',
  },
  customer: {
    ...customer,
    id: 90210,
    birthdate: '583970400',
    fulllastname: 'de Wit',
    fullname: 'Noor de Wit',
  },
  payment_method: { id: 'card', method: 'card', title: 'Card', data: [] },
  redirect_url: 'https://shop.example.com/orders/1001/return?from=payment',
  webhook_url: 'https://shop.example.com/webhooks/orders/1001',
}

export const paymentStartAnswerExample = {
  payment_url: 'https://pay.example.com/p/3q2T8xY0bNw5rKdV',
}

export const paymentStatusExample = { status: 'pending' }
export const webhookExample = { order_id: 1001 }

export const problemExample = {
  type: 'about:blank',
  title: 'The body does not have the shape of this message.',
  status: 422,
  code: 'BODY_INVALID',
  detail: 'Mend the fields named in errors.',
  errors: [{ path: 'quote.products[2].price_incl', message: 'must be a decimal number' }],
  request_id: 'Yx2k9QmZ',
}

import type { Answer, Behaviour, Body, Change, Payment } from './plain-provider.ts'

/** A provider that is right in everything but one thing, and the case that must name it. */
export interface FaultyProvider {
  fault: string
  case: string
  change: Change
}

type ListName = 'shipment_methods' | 'payment_methods'
const part = { shipment_methods: 'shipmentMethods', payment_methods: 'paymentMethods' } as const

/** Changes every list of methods of one kind. */
const lists =
  (key: ListName, change: (methods: Body[], body: Body) => unknown): Change =>
  (parts) => ({
    [part[key]]: async (body: Body) => {
      const answer = await parts[part[key]](body)
      return { ...answer, body: { [key]: change((answer.body as Body)[key], body) } }
    },
  })
const each = (key: ListName, fields: object) =>
  lists(key, (methods) => methods.map((method) => ({ ...method, ...fields })))
const without = (key: ListName, field: string) =>
  lists(key, (methods) => methods.map(({ [field]: _, ...method }) => method))

/** Changes the answers of one part. */
const answers =
  (
    name: 'shipmentMethods' | 'paymentMethods' | 'start' | 'status',
    change: (answer: Answer, given: Body) => Answer,
  ): Change =>
  (parts) =>
    ({ [name]: async (given: Body) => change(await parts[name](given), given) }) as Partial<Behaviour>

/** Refuses messages that have this in them. */
const refuses =
  (path: string, has: (body: Body) => boolean, status = 500): Change =>
  (parts) => ({
    refuse: (route, text, body) =>
      route === path && has(body) ? { status, body: {} } : parts.refuse(route, text, body),
  })
const header =
  (name: string, value: string): Change =>
  () => ({
    send: (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }),
  })
const rates = (has: (body: Body) => boolean, status?: number) => refuses('shipment_methods', has, status)
const isNone = (value: unknown) => value === '' || value === null || value === false || value === undefined

/** Ends payments in a way of its own. */
const presses =
  (press: (payment: Payment, outcome: string, parts: Behaviour) => void): Change =>
  (parts) => ({
    press(payment, outcome) {
      press(payment, outcome, parts)
      return { status: 303, headers: { location: `/pay/${payment.token}` } }
    },
  })

/** Takes so long for every answer, after the first ones. */
const slow =
  (name: 'shipmentMethods' | 'paymentMethods' | 'start' | 'status', ms: number, first = 1): Change =>
  (parts) => {
    let asked = 0
    return {
      [name]: async (given: Body) => {
        if (asked++ >= first) await new Promise((resolve) => setTimeout(resolve, ms))
        return parts[name](given)
      },
    } as Partial<Behaviour>
  }

export const faultyProviders: readonly FaultyProvider[] = [
  // Shipping methods.
  {
    fault: 'answers 200 to shipment_methods',
    case: 'shipment-methods-status',
    change: answers('shipmentMethods', (answer) => ({ ...answer, status: 200 })),
  },
  {
    fault: 'answers a bare list',
    case: 'shipment-methods-list',
    change: answers('shipmentMethods', (answer) => ({
      ...answer,
      body: (answer.body as Body).shipment_methods,
    })),
  },
  {
    fault: 'answers the words of another platform',
    case: 'shipment-methods-list',
    change: answers('shipmentMethods', (answer) => ({ ...answer, body: { rates: [] } })),
  },
  {
    fault: 'labels JSON as HTML',
    case: 'shipment-methods-content-type',
    change: answers('shipmentMethods', (answer) => ({ ...answer, headers: { 'content-type': 'text/html' } })),
  },
  {
    fault: 'offers nothing',
    case: 'shipment-methods-not-empty',
    change: lists('shipment_methods', () => []),
  },
  {
    fault: 'has methods without a title',
    case: 'shipment-methods-title',
    change: each('shipment_methods', { title: '' }),
  },
  {
    fault: 'has methods without an id',
    case: 'shipment-methods-id',
    change: without('shipment_methods', 'id'),
  },
  {
    fault: 'gives two methods one id',
    case: 'shipment-methods-ids-differ',
    change: each('shipment_methods', { id: 'same' }),
  },
  {
    fault: 'has a price below 0',
    case: 'payment-methods-price-incl',
    change: each('payment_methods', { price_incl: -1 }),
  },
  {
    fault: 'has no price without VAT',
    case: 'shipment-methods-price-excl',
    change: without('shipment_methods', 'price_excl'),
  },
  {
    fault: 'writes prices as text',
    case: 'shipment-methods-price-numbers',
    change: each('shipment_methods', { price_incl: '6.05' }),
  },
  {
    fault: 'has prices that do not add up',
    case: 'shipment-methods-prices-agree',
    change: each('shipment_methods', { price_incl: 5 }),
  },
  {
    fault: 'writes the tax rate as a percentage',
    case: 'shipment-methods-tax-rate',
    change: each('shipment_methods', { tax_rate: 21 }),
  },
  {
    fault: 'a description without data',
    case: 'shipment-methods-no-data',
    change: each('shipment_methods', { description: null }),
  },
  {
    fault: 'does not round prices',
    case: 'shipment-methods-cents',
    change: each('shipment_methods', { price_incl: 6.0499999 }),
  },
  {
    fault: 'writes flags as words',
    case: 'shipment-methods-flags',
    change: each('shipment_methods', { is_pickup: 'false' }),
  },
  {
    fault: 'has a pickup that is a service point',
    case: 'shipment-methods-one-way',
    change: each('shipment_methods', { is_pickup: true, is_servicepoint: true }),
  },
  {
    fault: 'has a description that is a number',
    case: 'shipment-methods-shape',
    change: each('shipment_methods', { description: 7 }),
  },
  {
    fault: 'adds a debug key to its answers',
    case: 'shipment-methods-nothing-else',
    change: answers('shipmentMethods', (answer) => ({
      ...answer,
      body: { ...(answer.body as object), debug: true },
    })),
  },
  {
    fault: 'answers 404 for a country without rates',
    case: 'shipment-methods-nowhere',
    change: answers('shipmentMethods', (answer, body) =>
      body.shipping_address?.country === 'aq' ? { status: 404, body: {} } : answer,
    ),
  },
  {
    fault: 'fails over another currency',
    case: 'shipment-methods-other-currency',
    change: rates((body) => body.shop?.currency !== 'eur'),
  },
  {
    fault: 'fails over a heavy quote',
    case: 'shipment-methods-heavy',
    change: rates((body) => body.quote?.weight > 1e6),
  },
  // Estimates.
  {
    fault: 'needs a customer for an estimate',
    case: 'estimate-status',
    change: rates((body) => !body.customer),
  },
  {
    fault: 'knows an estimate by true alone',
    case: 'estimate-flag-as-number',
    change: rates((body) => body.rate_estimate === 1 || body.rate_estimate === '1'),
  },
  {
    fault: 'estimates other prices',
    case: 'estimate-agrees',
    change: lists('shipment_methods', (methods, body) =>
      body.rate_estimate
        ? methods.map((method) => ({ ...method, price_incl: 12.1, price_excl: 10 }))
        : methods,
    ),
  },
  {
    fault: 'needs a zipcode for an estimate',
    case: 'estimate-without-zipcode',
    change: rates((body) => body.rate_estimate && !body.shipping_address.zipcode, 422),
  },
  // Payment methods.
  {
    fault: 'answers 200 to payment_methods',
    case: 'payment-methods-status',
    change: answers('paymentMethods', (answer) => ({ ...answer, status: 200 })),
  },
  {
    fault: 'answers payment methods keyed by number',
    case: 'payment-methods-list',
    change: lists('payment_methods', (methods) => ({ ...methods })),
  },
  {
    fault: 'has an icon over http',
    case: 'payment-methods-icon',
    change: each('payment_methods', { icon: 'http://icons.example/a.png' }),
  },
  {
    fault: 'spells the name of an icon in its own way',
    case: 'payment-methods-icon-name',
    change: each('payment_methods', { icon: 'bank-transfer' }),
  },
  {
    fault: 'has data that is text',
    case: 'payment-methods-data',
    change: each('payment_methods', { data: 'card' }),
  },
  {
    fault: 'writes post_payment as a word',
    case: 'payment-methods-flags',
    change: each('payment_methods', { post_payment: 'no' }),
  },
  {
    fault: 'fails over an order of 0',
    case: 'payment-methods-free-order',
    change: refuses('payment_methods', (body) => body.quote?.price_incl === 0),
  },
  // The start of a payment.
  {
    fault: 'answers 200 to payment',
    case: 'payment-start-status',
    change: answers('start', (answer) => ({ ...answer, status: 200 })),
  },
  {
    fault: 'labels the start as text',
    case: 'payment-start-content-type',
    change: answers('start', (answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } })),
  },
  {
    fault: 'answers a path instead of an address',
    case: 'payment-start-url',
    change: answers('start', (answer) => ({ ...answer, body: { payment_url: '/pay' } })),
  },
  {
    fault: 'lets customers pay over http',
    case: 'payment-start-url-https',
    change: answers('start', (answer) => ({
      ...answer,
      body: { payment_url: 'http://pay.example/Zk3sW9qLx7Tn2bVr8HcY' },
    })),
  },
  {
    fault: 'cannot start one of its methods',
    case: 'payment-start-each-method',
    change: refuses('payment', (body) => body.payment_method?.id === 'bank'),
  },
  {
    fault: 'looks for the method in id alone',
    case: 'payment-start-method-by-name',
    change: refuses('payment', (body) => !['card', 'bank'].includes(body.payment_method?.id), 422),
  },
  {
    fault: 'keeps the first choice of an order',
    case: 'payment-start-choice-changed',
    change: ({ start }) => ({
      start: (body) => start({ ...body, payment_method: { ...body.payment_method, method: undefined } }),
    }),
  },
  {
    fault: 'lets customers pay nothing',
    case: 'payment-start-of-nothing',
    change: ({ start }) => ({
      start: (body) =>
        start({ ...body, order: { ...body.order, price_incl: body.order.price_incl || 0.01 } }),
    }),
  },
  {
    fault: 'has one payment page for all',
    case: 'payment-start-addresses-differ',
    change: answers('start', (answer) => ({
      ...answer,
      body: { payment_url: 'https://pay.example/Zk3sW9qLx7Tn2bVr8HcY' },
    })),
  },
  {
    fault: 'has the order id for a secret',
    case: 'payment-start-not-guessable',
    change: answers('start', (answer, body) => ({
      ...answer,
      body: { payment_url: `https://pay.example/${body.order.id}` },
    })),
  },
  {
    fault: 'has a payment page that fails',
    case: 'payment-start-page-opens',
    change: () => ({ page: () => ({ status: 500, body: 'Oops' }) }),
  },
  {
    fault: 'lets its pages be kept',
    case: 'payment-start-page-not-kept',
    change: (parts) => ({
      page: (payment) => ({
        ...parts.page(payment),
        headers: { 'content-type': 'text/html', 'cache-control': 'public, max-age=60' },
      }),
    }),
  },
  {
    fault: 'lets its pages be framed',
    case: 'payment-start-page-not-framed',
    change: (parts) => ({
      page: (payment) => ({ ...parts.page(payment), headers: { 'content-type': 'text/html' } }),
    }),
  },
  {
    fault: 'puts the e-mail address into payment_url',
    case: 'payment-start-no-customer-data-in-address',
    change: answers('start', (answer, body) => ({
      ...answer,
      body: {
        payment_url: `${(answer.body as Body).payment_url}?email=${encodeURIComponent(body.customer.email)}`,
      },
    })),
  },
  // The status.
  {
    fault: 'answers 201 for a status',
    case: 'status-answered',
    change: answers('status', (answer) => (answer.status === 200 ? { ...answer, status: 201 } : answer)),
  },
  {
    fault: 'says its status in capitals',
    case: 'status-word',
    change: answers('status', (answer) =>
      answer.status === 200
        ? { ...answer, body: { status: (answer.body as Body).status.toUpperCase() } }
        : answer,
    ),
  },
  {
    fault: 'says open',
    case: 'status-word',
    change: answers('status', (answer) =>
      answer.status === 200 ? { ...answer, body: { status: 'open' } } : answer,
    ),
  },
  {
    fault: 'labels the status as HTML',
    case: 'status-content-type',
    change: answers('status', (answer) => ({ ...answer, headers: { 'content-type': 'text/html' } })),
  },
  {
    fault: 'says paid from the start',
    case: 'status-not-paid-at-start',
    change: answers('status', (answer) =>
      answer.status === 200 ? { ...answer, body: { status: 'paid' } } : answer,
    ),
  },
  {
    fault: 'says paid for an unknown order',
    case: 'status-unknown-order-not-paid',
    change: answers('status', (answer) =>
      answer.status === 404 ? { status: 200, body: { status: 'paid' } } : answer,
    ),
  },
  {
    fault: 'says cancelled for an unknown order',
    case: 'status-unknown-order',
    change: answers('status', (answer) =>
      answer.status === 404 ? { status: 200, body: { status: 'cancelled' } } : answer,
    ),
  },
  {
    fault: 'fails over an order id that is text',
    case: 'status-odd-order-text',
    change: answers('status', (answer, id) => (/^\d+$/.test(id) ? answer : { status: 500, body: {} })),
  },
  {
    fault: 'fails over a huge order id',
    case: 'status-odd-order-huge',
    change: answers('status', (answer, id) => (id.length > 15 ? { status: 500, body: {} } : answer)),
  },
  {
    fault: 'puts order ids into its SQL',
    case: 'status-odd-order-injection',
    change: answers('status', (answer, id) =>
      decodeURIComponent(id).includes("'") ? { status: 500, body: {} } : answer,
    ),
  },
  {
    fault: 'ends a payment when its status is asked',
    case: 'status-asking-changes-nothing',
    change: (parts, state) => ({
      status: async (orderId) => {
        const answer = await parts.status(orderId)
        const payment = state.find(orderId)
        if (payment) payment.status = 'expired'
        return answer
      },
    }),
  },
  {
    fault: 'lets the status be kept',
    case: 'status-not-kept',
    change: answers('status', (answer) => ({
      ...answer,
      headers: { 'cache-control': 'public, max-age=60' },
    })),
  },
  // The end of a payment.
  { fault: 'forgets that somebody has paid', case: 'return-paid', change: presses(() => {}) },
  {
    fault: 'says expired for cancelled',
    case: 'return-cancelled',
    change: (parts) => ({
      press: (payment, outcome) => parts.press(payment, outcome === 'cancelled' ? 'expired' : outcome),
    }),
  },
  {
    fault: 'takes a slow payment for paid',
    case: 'return-pending',
    change: (parts) => ({
      press: (payment, outcome) => parts.press(payment, outcome === 'pending' ? 'paid' : outcome),
    }),
  },
  {
    fault: 'starts a paid order anew',
    case: 'return-paid-stays',
    change: (parts, state) => ({
      start: (body) => {
        state.payments.delete(String(body.order.id))
        return parts.start(body)
      },
    }),
  },
  {
    fault: 'refuses to start a cancelled order',
    case: 'return-again-after-cancelled',
    change: (parts, state) => ({
      start: (body) =>
        state.find(String(body.order.id))?.status === 'cancelled'
          ? { status: 409, body: {} }
          : parts.start(body),
    }),
  },
  {
    fault: 'pays when its page is opened',
    case: 'return-page-opened-is-not-paid',
    change: (parts) => ({
      page: (payment) => {
        const shown = parts.page(payment)
        payment.status = 'paid'
        return shown
      },
    }),
  },
  {
    fault: 'cuts the query off redirect_url',
    case: 'return-address-kept',
    change: (parts) => ({
      start: (body) => parts.start({ ...body, redirect_url: body.redirect_url.split('?')[0] }),
    }),
  },
  {
    fault: 'writes redirect_url anew',
    case: 'return-address-kept',
    change: (parts) => ({
      start: (body) => parts.start({ ...body, redirect_url: body.redirect_url.replaceAll('%20', '+') }),
    }),
  },
  // The webhook.
  { fault: 'waits for the customer to return', case: 'webhook-called', change: () => ({ webhook() {} }) },
  {
    fault: 'cuts the query off webhook_url',
    case: 'webhook-address-kept',
    change: (parts) => ({
      start: (body) => parts.start({ ...body, webhook_url: body.webhook_url.split('?')[0] }),
    }),
  },
  {
    fault: 'calls the webhook with GET',
    case: 'webhook-method',
    change: () => ({ webhook: ({ webhookUrl }) => void fetch(webhookUrl).catch(() => {}) }),
  },
  {
    fault: 'sends a form to the webhook',
    case: 'webhook-body',
    change: () => ({
      webhook: ({ webhookUrl }) =>
        void fetch(webhookUrl, { method: 'POST', body: 'order_id=7' }).catch(() => {}),
    }),
  },
  {
    fault: 'calls the webhook at the start',
    case: 'webhook-not-at-start',
    change: (parts, state) => ({
      start: async (body) => {
        const answer = await parts.start(body)
        parts.webhook(state.find(String(body.order.id))!, 9)
        return answer
      },
    }),
  },
  {
    fault: 'calls the webhook before it knows the end',
    case: 'webhook-status-inside',
    change: presses((payment, outcome, parts) => {
      parts.webhook(payment, 9)
      setTimeout(() => {
        payment.status = outcome
      }, 300)
    }),
  },
  {
    fault: 'calls the webhook once',
    case: 'webhook-repeated',
    change: (parts) => ({
      press(payment, outcome) {
        payment.status = outcome
        void fetch(payment.webhookUrl, { method: 'POST', body: '{}' }).catch(() => {})
        return parts.page(payment)
      },
    }),
  },
  // Repeats and races.
  {
    fault: 'prices by chance',
    case: 'shipment-methods-asked-twice',
    change: lists('shipment_methods', (methods) =>
      methods.map((method) => ({ ...method, id: `door-${Math.random()}` })),
    ),
  },
  {
    fault: 'numbers its payment methods anew each time',
    case: 'payment-methods-asked-twice',
    change: lists('payment_methods', (methods) =>
      methods.map((method) => ({ ...method, data: { at: Math.random() } })),
    ),
  },
  {
    fault: 'answers one question at a time',
    case: 'shipment-methods-at-once',
    change: (parts) => {
      let busy = false
      return {
        shipmentMethods: async (body) => {
          if (busy) return { status: 503, body: {} }
          busy = true
          await new Promise((resolve) => setTimeout(resolve, 5))
          busy = false
          return parts.shipmentMethods(body)
        },
      }
    },
  },
  {
    fault: 'makes a payment of every start',
    case: 'start-repeated',
    change: (parts, state) => ({
      start: (body) => {
        const known = state.find(String(body.order.id))
        if (known?.status === 'pending') known.amount = -1
        return parts.start(body)
      },
    }),
  },
  {
    fault: 'looks first and writes later',
    case: 'start-at-once',
    change: (parts, state) => ({
      start: async (body) => {
        const id = String(body.order.id)
        const known = state.find(id)
        await new Promise((resolve) => setTimeout(resolve, 5))
        const racing = state.find(id)
        if (!known && racing) racing.amount = -1
        return parts.start(body)
      },
    }),
  },
  {
    fault: 'keeps the old amount',
    case: 'start-with-another-amount',
    change: (parts, state) => ({
      start: (body) => {
        const known = state.find(String(body.order.id))
        return parts.start(known ? { ...body, order: { ...body.order, price_incl: known.amount } } : body)
      },
    }),
  },
  {
    fault: 'takes the old amount for the new one',
    case: 'old-amount-does-not-settle',
    change: presses((payment, outcome) => {
      payment.status = outcome
    }),
  },
  {
    fault: 'holds a lock while it answers a status',
    case: 'status-at-once',
    change: (parts) => {
      let busy = false
      return {
        status: async (orderId) => {
          if (busy) return { status: 503, body: {} }
          busy = true
          await new Promise((resolve) => setTimeout(resolve, 5))
          busy = false
          return parts.status(orderId)
        },
      }
    },
  },
  // Tolerance.
  {
    fault: 'fails over empty text',
    case: 'tolerates-empty-text-in-shipment-methods',
    change: rates((body) => body.customer?.gender === ''),
  },
  {
    fault: 'fails over null',
    case: 'tolerates-null-in-shipment-methods',
    change: rates((body) => body.customer?.phone === null),
  },
  {
    fault: 'fails over false',
    case: 'tolerates-false-in-payment-methods',
    change: refuses('payment_methods', (body) => body.customer?.phone === false),
  },
  {
    fault: 'needs every field',
    case: 'tolerates-missing-in-payment',
    change: refuses('payment', (body) => body.customer?.phone === undefined),
  },
  {
    fault: 'needs a street for rates',
    case: 'tolerates-address-without-lines-in-shipment-methods',
    change: rates(
      (body) => body.shipping_address && !body.rate_estimate && isNone(body.shipping_address.address1),
      422,
    ),
  },
  {
    fault: 'reads prices as numbers alone',
    case: 'tolerates-prices-as-text-in-shipment-methods',
    change: rates((body) => typeof body.quote?.price_incl === 'string'),
  },
  {
    fault: 'reads amounts as numbers alone',
    case: 'tolerates-prices-as-text-in-payment',
    change: refuses('payment', (body) => typeof body.order?.price_incl === 'string'),
  },
  {
    fault: 'reads house numbers as text alone',
    case: 'tolerates-house-number-as-number-in-shipment-methods',
    change: rates((body) => typeof body.shipping_address?.number === 'number'),
  },
  {
    fault: 'reads flags as true and false alone',
    case: 'tolerates-flags-as-numbers-in-shipment-methods',
    change: rates((body) => body.rate_estimate === 0),
  },
  {
    fault: 'reads dates as Y-m-d alone',
    case: 'tolerates-birthdate-as-timestamp-in-payment',
    change: refuses('payment', (body) => !/^\d{4}-/.test(body.customer?.birthdate)),
  },
  {
    fault: 'needs totals',
    case: 'tolerates-no-totals-in-shipment-methods',
    change: rates((body) => body.quote && !body.quote.totals),
  },
  {
    fault: 'needs an e-mail address for rates',
    case: 'tolerates-no-email-in-shipment-methods',
    change: rates((body) => body.customer?.email === ''),
  },
  {
    fault: 'fails over data that is a list',
    case: 'tolerates-data-as-list-in-payment',
    change: refuses('payment', (body) => Array.isArray(body.payment_method?.data)),
  },
  {
    fault: 'refuses fields it does not know',
    case: 'tolerates-unknown-fields-in-payment-methods',
    change: refuses('payment_methods', (body) => 'extra' in body, 422),
  },
  {
    fault: 'refuses a password',
    case: 'tolerates-password-in-payment',
    change: refuses('payment', (body) => 'password' in (body.customer ?? {}), 422),
  },
  {
    fault: 'needs products',
    case: 'tolerates-no-products-in-shipment-methods',
    change: rates((body) => body.quote?.products?.length === 0),
  },
  {
    fault: 'reads products as a list alone',
    case: 'tolerates-products-as-object-in-shipment-methods',
    change: rates((body) => body.quote && !Array.isArray(body.quote.products)),
  },
  {
    fault: 'needs a Content-Type',
    case: 'tolerates-no-content-type-in-shipment-methods',
    change: () => ({
      send: (answer, req) =>
        req.method === 'POST' && req.url?.endsWith('methods') && !req.headers['content-type']
          ? { status: 415, body: {} }
          : answer,
    }),
  },
  {
    fault: 'compares the Content-Type letter by letter',
    case: 'tolerates-charset-in-shipment-methods',
    change: () => ({
      send: (answer, req) =>
        req.headers['content-type']?.includes('charset') ? { status: 415, body: {} } : answer,
    }),
  },
  {
    fault: 'answers no doubled slash',
    case: 'tolerates-doubled-slash',
    change: () => ({ route: (path) => path }),
  },
  // Hostile input.
  {
    fault: 'fails over no body',
    case: 'hostile-no-body-to-shipment-methods',
    change: () => ({
      read: (text) => (text === '' ? { quote: {}, shipping_address: {} } : JSON.parse(text)),
    }),
  },
  {
    fault: 'answers half a body',
    case: 'hostile-no-body-to-shipment-methods',
    change: () => ({
      read: (text) => {
        try {
          return JSON.parse(text)
        } catch {
          return { quote: {} }
        }
      },
    }),
  },
  {
    fault: 'fails over a list',
    case: 'hostile-list-to-shipment-methods',
    change: (parts) => ({
      refuse: (path, text, body) =>
        Array.isArray(body) ? { status: 500, body: {} } : parts.refuse(path, text, body),
    }),
  },
  {
    fault: 'fails over a large body',
    case: 'hostile-large-to-shipment-methods',
    change: (parts) => ({
      refuse: (path, text, body) =>
        text.length > 512 * 1024 ? { status: 502, body: {} } : parts.refuse(path, text, body),
    }),
  },
  {
    fault: 'fails over wrong types',
    case: 'hostile-wrong-types-to-payment-methods',
    change: refuses('payment_methods', (body) => typeof body.shop === 'string'),
  },
  {
    fault: 'answers every path',
    case: 'hostile-unknown-path',
    change: () => ({ notFound: () => ({ status: 200, body: {} }) }),
  },
  {
    fault: 'starts a payment without an order',
    case: 'hostile-start-without-order',
    change: (parts) => ({
      refuse: () => undefined,
      start: (body) => (body.order ? parts.start(body) : { status: 201, body: {} }),
    }),
  },
  {
    fault: 'takes a script for redirect_url',
    case: 'hostile-redirect-script',
    change: () => ({ refuse: () => undefined }),
  },
  {
    fault: 'shows its stack',
    case: 'hostile-no-insides',
    change: () => ({
      send: (answer) =>
        answer.status >= 400 ? { ...answer, body: { error: new Error('boom').stack } } : answer,
    }),
  },
  {
    fault: 'repeats values in its errors',
    case: 'hostile-values-not-repeated',
    change: (parts) => ({
      refuse: (path, text, body) =>
        typeof body?.quote === 'string'
          ? { status: 422, body: { error: `no quote: ${body.quote}` } }
          : parts.refuse(path, text, body),
    }),
  },
  // Around the messages.
  { fault: 'sets a cookie', case: 'no-cookies', change: header('set-cookie', 'session=1') },
  { fault: 'names its software', case: 'no-software-named', change: header('x-powered-by', 'PHP/7.4') },
  {
    fault: 'lets rates be kept',
    case: 'methods-not-kept',
    change: answers('shipmentMethods', (answer) => ({
      ...answer,
      headers: { 'cache-control': 'public, max-age=300' },
    })),
  },
  {
    fault: 'takes eleven seconds for rates',
    case: 'rates-within-ten-seconds',
    change: slow('shipmentMethods', 11_000),
  },
  {
    fault: 'takes three seconds for payment methods',
    case: 'payments-within-three-seconds',
    change: slow('paymentMethods', 3_100),
  },
  {
    fault: 'takes five seconds for a start',
    case: 'start-within-five-seconds',
    change: slow('start', 5_100, 0),
  },
  {
    fault: 'takes five seconds for a status',
    case: 'status-within-five-seconds',
    change: slow('status', 5_100, 0),
  },
  {
    fault: 'answers every token',
    case: 'endpoint-beside',
    change: () => ({ knows: (path) => /^\/e\/[^/]+\//.test(path) }),
  },
  {
    fault: 'distinguishes unknown tokens from unknown orders',
    case: 'endpoint-beside-looks-unknown',
    change: () => ({ notFound: () => ({ status: 403, body: {} }) }),
  },
]

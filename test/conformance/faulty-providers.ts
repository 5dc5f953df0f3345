import type { Answer, Behaviour, Body, Change, Payment } from './plain-provider.ts'

/** A provider that is right in everything but one thing, and the case that must name it. */
export interface FaultyProvider {
  fault: string
  case: string
  change: Change
}

type ListName = 'shipment_methods' | 'payment_methods'
const part = { shipment_methods: 'shipmentMethods', payment_methods: 'paymentMethods' } as const
type Part = 'shipmentMethods' | 'paymentMethods' | 'start' | 'status'

/** Changes the answers of one part: sets these members, or takes what the function makes of it. */
const answers =
  (name: Part, change: Partial<Answer> | ((answer: Answer, given: Body) => Answer)): Change =>
  (parts) =>
    ({
      [name]: async (given: Body) => {
        const answer = await parts[name](given)
        return typeof change === 'function' ? change(answer, given) : { ...answer, ...change }
      },
    }) as Partial<Behaviour>
const bodies = (name: Part, change: (body: Body, given: Body) => unknown) =>
  answers(name, (answer, given) => ({ ...answer, body: change(answer.body, given) }))
const header = (name: Part, header: string, value: string) => answers(name, { headers: { [header]: value } })

/** Changes every list of methods of one kind. */
const lists = (key: ListName, change: (methods: Body[], body: Body) => unknown) =>
  bodies(part[key], (answer, body) => ({ [key]: change(answer[key], body) }))
const each = (key: ListName, fields: object | (() => object)) =>
  lists(key, (methods) =>
    methods.map((method) => ({ ...method, ...(typeof fields === 'function' ? fields() : fields) })),
  )
const rate = (fields: object | (() => object)) => each('shipment_methods', fields)
const without = (key: ListName, field: string) =>
  lists(key, (methods) => methods.map(({ [field]: _, ...method }) => method))

/** Changes the answers for known orders, or for unknown ones. */
const ofStatus = (status: number, change: (answer: Answer) => Answer) =>
  answers('status', (answer) => (answer.status === status ? change(answer) : answer))
const says = (status: string, of = 200) => ofStatus(of, () => ({ status: 200, body: { status } }))
/** Fails over order ids such as this. */
const failsOver = (has: (id: string) => boolean) =>
  answers('status', (answer, id) => (has(id) ? { status: 500, body: {} } : answer))

/** Refuses messages that have this in them. */
const refuses =
  (path: string | undefined, has: (body: Body, text: string) => boolean, status = 500): Change =>
  (parts) => ({
    refuse: (route, text, body) =>
      (path ?? route) === route && has(body, text) ? { status, body: {} } : parts.refuse(route, text, body),
  })
const rates = (has: (body: Body) => boolean, status?: number) => refuses('shipment_methods', has, status)
const isNone = (value: unknown) => value === '' || value === null || value === false || value === undefined

/** Changes every answer at the end. */
const sends =
  (send: Behaviour['send']): Change =>
  () => ({ send })
const allHeaders = (name: string, value: string) =>
  sends((answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }))

/** Starts payments with what it makes of the request; `known` is the newest payment of the order. */
const starts =
  (change: (body: Body, known: Payment | undefined) => unknown): Change =>
  (parts, state) => ({ start: (body) => parts.start(change(body, state.find(String(body.order.id)))) })
const pays = (url: string | ((body: Body) => string)) =>
  bodies('start', (_, body) => ({ payment_url: typeof url === 'string' ? url : url(body) }))

/** Ends payments in a way of its own. */
const presses =
  (press: (payment: Payment, outcome: string, parts: Behaviour) => void): Change =>
  (parts) => ({
    press(payment, outcome) {
      press(payment, outcome, parts)
      return { status: 303, headers: { location: `/pay/${payment.token}` } }
    },
  })
const takesFor =
  (one: string, other: string): Change =>
  (parts) => ({
    press: (payment, outcome) => parts.press(payment, outcome === one ? other : outcome),
  })
const page =
  (headers: Record<string, string>): Change =>
  (parts) => ({
    page: (payment) => ({ ...parts.page(payment), headers: { 'content-type': 'text/html', ...headers } }),
  })
const calls = (url: string, init: RequestInit = {}) => void fetch(url, init).catch(() => {})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Takes so long for every answer, after the first ones. */
const slow =
  (name: Part, ms: number, first = 1): Change =>
  (parts) => {
    let asked = 0
    return {
      [name]: async (given: Body) => {
        if (asked++ >= first) await pause(ms)
        return parts[name](given)
      },
    } as Partial<Behaviour>
  }
/** Answers 503 while another answer of the part is under way. */
const oneAtATime =
  (name: Part): Change =>
  (parts) => {
    let busy = false
    return {
      [name]: async (given: Body) => {
        if (busy) return { status: 503, body: {} }
        busy = true
        await pause(5)
        busy = false
        return parts[name](given)
      },
    } as Partial<Behaviour>
  }

const onePage = 'https://pay.example/Zk3sW9qLx7Tn2bVr8HcY'
/** By the case that must name it, what each provider does wrong. */
const faults: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  // Shipping methods.
  'shipment-methods-status': {
    'answers 200 to shipment_methods': answers('shipmentMethods', { status: 200 }),
  },
  'shipment-methods-list': {
    'answers a bare list': bodies('shipmentMethods', (body) => body.shipment_methods),
    'answers the words of another platform': bodies('shipmentMethods', () => ({ rates: [] })),
  },
  'shipment-methods-content-type': {
    'labels JSON as HTML': header('shipmentMethods', 'content-type', 'text/html'),
  },
  'shipment-methods-not-empty': { 'offers nothing': lists('shipment_methods', () => []) },
  'shipment-methods-title': { 'has methods without a title': rate({ title: '' }) },
  'shipment-methods-id': { 'has methods without an id': without('shipment_methods', 'id') },
  'shipment-methods-ids-differ': { 'gives two methods one id': rate({ id: 'same' }) },
  'payment-methods-price-incl': { 'has a price below 0': each('payment_methods', { price_incl: -1 }) },
  'shipment-methods-price-excl': { 'has no price without VAT': without('shipment_methods', 'price_excl') },
  'shipment-methods-price-numbers': { 'writes prices as text': rate({ price_incl: '6.05' }) },
  'shipment-methods-prices-agree': { 'has prices that do not add up': rate({ price_incl: 5 }) },
  'shipment-methods-tax-rate': { 'writes the tax rate as a percentage': rate({ tax_rate: 21 }) },
  'shipment-methods-no-data': { 'a description without data': rate({ description: null }) },
  'shipment-methods-cents': { 'does not round prices': rate({ price_incl: 6.0499999 }) },
  'shipment-methods-flags': { 'writes flags as words': rate({ is_pickup: 'false' }) },
  'shipment-methods-one-way': {
    'has a pickup that is a service point': rate({ is_pickup: true, is_servicepoint: true }),
  },
  'shipment-methods-shape': { 'has a description that is a number': rate({ description: 7 }) },
  'shipment-methods-nothing-else': {
    'adds a debug key to its answers': bodies('shipmentMethods', (body) => ({ ...body, debug: true })),
  },
  'shipment-methods-nowhere': {
    'answers 404 for a country without rates': answers('shipmentMethods', (answer, body) =>
      body.shipping_address?.country === 'aq' ? { status: 404, body: {} } : answer,
    ),
  },
  'shipment-methods-other-currency': {
    'fails over another currency': rates((body) => body.shop?.currency !== 'eur'),
  },
  'shipment-methods-heavy': { 'fails over a heavy quote': rates((body) => body.quote?.weight > 1e6) },
  // Estimates.
  'estimate-status': { 'needs a customer for an estimate': rates((body) => !body.customer) },
  'estimate-flag-as-number': {
    'knows an estimate by true alone': rates(({ rate_estimate: flag }) => flag === 1 || flag === '1'),
  },
  'estimate-agrees': {
    'estimates other prices': lists('shipment_methods', (methods, body) =>
      methods.map((one) => ({ ...one, ...(body.rate_estimate && { price_incl: 12.1, price_excl: 10 }) })),
    ),
  },
  'estimate-without-zipcode': {
    'needs a zipcode for an estimate': rates(
      (body) => body.rate_estimate && !body.shipping_address.zipcode,
      422,
    ),
  },
  // Payment methods.
  'payment-methods-status': { 'answers 200 to payment_methods': answers('paymentMethods', { status: 200 }) },
  'payment-methods-list': {
    'answers payment methods keyed by number': lists('payment_methods', (methods) => ({ ...methods })),
  },
  'payment-methods-icon': {
    'has an icon over http': each('payment_methods', { icon: 'http://icons.example/a.png' }),
  },
  'payment-methods-icon-name': {
    'spells the name of an icon in its own way': each('payment_methods', { icon: 'bank-transfer' }),
  },
  'payment-methods-data': { 'has data that is text': each('payment_methods', { data: 'card' }) },
  'payment-methods-flags': {
    'writes post_payment as a word': each('payment_methods', { post_payment: 'no' }),
  },
  'payment-methods-free-order': {
    'fails over an order of 0': refuses('payment_methods', (body) => body.quote?.price_incl === 0),
  },
  // The start of a payment.
  'payment-start-status': { 'answers 200 to payment': answers('start', { status: 200 }) },
  'payment-start-content-type': { 'labels the start as text': header('start', 'content-type', 'text/plain') },
  'payment-start-url': { 'answers a path instead of an address': pays('/pay') },
  'payment-start-url-https': { 'lets customers pay over http': pays(onePage.replace('https', 'http')) },
  'payment-start-each-method': {
    'cannot start one of its methods': refuses('payment', (body) => body.payment_method?.id === 'bank'),
  },
  'payment-start-method-by-name': {
    'looks for the method in id alone': refuses(
      'payment',
      (body) => !['card', 'bank'].includes(body.payment_method?.id),
      422,
    ),
  },
  'payment-start-choice-changed': {
    'keeps the first choice of an order': starts((body) => ({
      ...body,
      payment_method: { ...body.payment_method, method: undefined },
    })),
  },
  'payment-start-of-nothing': {
    'lets customers pay nothing': starts((body) => ({
      ...body,
      order: { ...body.order, price_incl: body.order.price_incl || 0.01 },
    })),
  },
  'payment-start-addresses-differ': { 'has one payment page for all': pays(onePage) },
  'payment-start-not-guessable': {
    'has the order id for a secret': pays((body) => `https://pay.example/${body.order.id}`),
  },
  'payment-start-page-opens': {
    'has a payment page that fails': () => ({ page: () => ({ status: 500, body: 'Oops' }) }),
  },
  'payment-start-page-not-kept': {
    'lets its pages be kept': page({ 'cache-control': 'public, max-age=60' }),
  },
  'payment-start-page-not-framed': { 'lets its pages be framed': page({}) },
  'payment-start-no-customer-data-in-address': {
    'puts the e-mail address into payment_url': bodies('start', ({ payment_url: url }, { customer }) => ({
      payment_url: `${url}?email=${encodeURIComponent(customer.email)}`,
    })),
  },
  // The status.
  'status-answered': { 'answers 201 for a status': ofStatus(200, (answer) => ({ ...answer, status: 201 })) },
  'status-word': {
    'says its status in capitals': ofStatus(200, ({ body }) => ({
      status: 200,
      body: { status: (body as Body).status.toUpperCase() },
    })),
    'says open': says('open'),
  },
  'status-content-type': { 'labels the status as HTML': header('status', 'content-type', 'text/html') },
  'status-not-paid-at-start': { 'says paid from the start': says('paid') },
  'status-unknown-order-not-paid': { 'says paid for an unknown order': says('paid', 404) },
  'status-unknown-order': { 'says cancelled for an unknown order': says('cancelled', 404) },
  'status-odd-order-text': { 'fails over an order id that is text': failsOver((id) => !/^\d+$/.test(id)) },
  'status-odd-order-huge': { 'fails over a huge order id': failsOver((id) => id.length > 15) },
  'status-odd-order-injection': {
    'puts order ids into its SQL': failsOver((id) => decodeURIComponent(id).includes("'")),
  },
  'status-asking-changes-nothing': {
    'ends a payment when its status is asked': (parts, state) => ({
      status: async (orderId) => {
        const answer = await parts.status(orderId)
        const payment = state.find(orderId)
        if (payment) payment.status = 'expired'
        return answer
      },
    }),
  },
  'status-not-kept': { 'lets the status be kept': header('status', 'cache-control', 'public, max-age=60') },
  // The end of a payment.
  'return-paid': { 'forgets that somebody has paid': presses(() => {}) },
  'return-cancelled': { 'says expired for cancelled': takesFor('cancelled', 'expired') },
  'return-pending': { 'takes a slow payment for paid': takesFor('pending', 'paid') },
  'return-paid-stays': {
    'starts a paid order anew': (parts, state) => ({
      start: (body) => {
        state.payments.delete(String(body.order.id))
        return parts.start(body)
      },
    }),
  },
  'return-again-after-cancelled': {
    'refuses to start a cancelled order': (parts, state) => ({
      start: (body) =>
        state.find(String(body.order.id))?.status === 'cancelled'
          ? { status: 409, body: {} }
          : parts.start(body),
    }),
  },
  'return-page-opened-is-not-paid': {
    'pays when its page is opened': (parts) => ({
      page: (payment) => {
        const shown = parts.page(payment)
        payment.status = 'paid'
        return shown
      },
    }),
  },
  'return-address-kept': {
    'cuts the query off redirect_url': starts((body) => ({
      ...body,
      redirect_url: body.redirect_url.split('?')[0],
    })),
    'writes redirect_url anew': starts((body) => ({
      ...body,
      redirect_url: body.redirect_url.replaceAll('%20', '+'),
    })),
  },
  // The webhook.
  'webhook-called': { 'waits for the customer to return': () => ({ webhook() {} }) },
  'webhook-address-kept': {
    'cuts the query off webhook_url': starts((body) => ({
      ...body,
      webhook_url: body.webhook_url.split('?')[0],
    })),
  },
  'webhook-method': {
    'calls the webhook with GET': () => ({ webhook: ({ webhookUrl }) => calls(webhookUrl) }),
  },
  'webhook-body': {
    'sends a form to the webhook': () => ({
      webhook: ({ webhookUrl }) => calls(webhookUrl, { method: 'POST', body: 'order_id=7' }),
    }),
  },
  'webhook-not-at-start': {
    'calls the webhook at the start': (parts, state) => ({
      start: async (body) => {
        const answer = await parts.start(body)
        parts.webhook(state.find(String(body.order.id))!, 9)
        return answer
      },
    }),
  },
  'webhook-status-inside': {
    'calls the webhook before it knows the end': presses((payment, outcome, parts) => {
      parts.webhook(payment, 9)
      // Later than the status is read in the webhook, on a busy machine too.
      setTimeout(() => (payment.status = outcome), 5_000)
    }),
  },
  'webhook-repeated': {
    'calls the webhook once': (parts) => ({
      press(payment, outcome) {
        payment.status = outcome
        calls(payment.webhookUrl, { method: 'POST', body: '{}' })
        return parts.page(payment)
      },
    }),
  },
  // Repeats and races.
  'shipment-methods-asked-twice': { 'prices by chance': rate(() => ({ id: `door-${Math.random()}` })) },
  'payment-methods-asked-twice': {
    'numbers its payment methods anew each time': each('payment_methods', () => ({
      data: { at: Math.random() },
    })),
  },
  'shipment-methods-at-once': { 'answers one question at a time': oneAtATime('shipmentMethods') },
  'start-repeated': {
    'makes a payment of every start': starts((body, known) => {
      if (known?.status === 'pending') known.amount = -1
      return body
    }),
  },
  'start-at-once': {
    'looks first and writes later': (parts, state) => ({
      start: async (body) => {
        const id = String(body.order.id)
        const known = state.find(id)
        await pause(5)
        const racing = state.find(id)
        if (!known && racing) racing.amount = -1
        return parts.start(body)
      },
    }),
  },
  'start-with-another-amount': {
    'keeps the old amount': starts((body, known) =>
      known ? { ...body, order: { ...body.order, price_incl: known.amount } } : body,
    ),
  },
  'old-amount-does-not-settle': {
    'takes the old amount for the new one': presses((payment, outcome) => (payment.status = outcome)),
  },
  'status-at-once': { 'holds a lock while it answers a status': oneAtATime('status') },
  // Tolerance.
  'tolerates-empty-text-in-shipment-methods': {
    'fails over empty text': rates((body) => body.customer?.gender === ''),
  },
  'tolerates-null-in-shipment-methods': { 'fails over null': rates((body) => body.customer?.phone === null) },
  'tolerates-false-in-payment-methods': {
    'fails over false': refuses('payment_methods', (body) => body.customer?.phone === false),
  },
  'tolerates-missing-in-payment': {
    'needs every field': refuses('payment', (body) => body.customer?.phone === undefined),
  },
  'tolerates-address-without-lines-in-shipment-methods': {
    'needs a street for rates': rates(
      (body) => body.shipping_address && !body.rate_estimate && isNone(body.shipping_address.address1),
      422,
    ),
  },
  'tolerates-prices-as-text-in-shipment-methods': {
    'reads prices as numbers alone': rates((body) => typeof body.quote?.price_incl === 'string'),
  },
  'tolerates-prices-as-text-in-payment': {
    'reads amounts as numbers alone': refuses(
      'payment',
      (body) => typeof body.order?.price_incl === 'string',
    ),
  },
  'tolerates-house-number-as-number-in-shipment-methods': {
    'reads house numbers as text alone': rates((body) => typeof body.shipping_address?.number === 'number'),
  },
  'tolerates-flags-as-numbers-in-shipment-methods': {
    'reads flags as true and false alone': rates((body) => body.rate_estimate === 0),
  },
  'tolerates-birthdate-as-timestamp-in-payment': {
    'reads dates as Y-m-d alone': refuses('payment', (body) => !/^\d{4}-/.test(body.customer?.birthdate)),
  },
  'tolerates-no-totals-in-shipment-methods': {
    'needs totals': rates((body) => body.quote && !body.quote.totals),
  },
  'tolerates-no-email-in-shipment-methods': {
    'needs an e-mail address for rates': rates((body) => body.customer?.email === ''),
  },
  'tolerates-data-as-list-in-payment': {
    'fails over data that is a list': refuses('payment', (body) => Array.isArray(body.payment_method?.data)),
  },
  'tolerates-unknown-fields-in-payment-methods': {
    'refuses fields it does not know': refuses('payment_methods', (body) => 'extra' in body, 422),
  },
  'tolerates-password-in-payment': {
    'refuses a password': refuses('payment', (body) => 'password' in (body.customer ?? {}), 422),
  },
  'tolerates-no-products-in-shipment-methods': {
    'needs products': rates((body) => body.quote?.products?.length === 0),
  },
  'tolerates-products-as-object-in-shipment-methods': {
    'reads products as a list alone': rates((body) => body.quote && !Array.isArray(body.quote.products)),
  },
  'tolerates-no-content-type-in-shipment-methods': {
    'needs a Content-Type': sends((answer, { method, url, headers }) =>
      method === 'POST' && url?.endsWith('methods') && !headers['content-type']
        ? { status: 415, body: {} }
        : answer,
    ),
  },
  'tolerates-charset-in-shipment-methods': {
    'compares the Content-Type letter by letter': sends((answer, { headers }) =>
      headers['content-type']?.includes('charset') ? { status: 415, body: {} } : answer,
    ),
  },
  'tolerates-doubled-slash': { 'answers no doubled slash': () => ({ route: (path) => path }) },
  // Hostile input.
  'hostile-no-body-to-shipment-methods': {
    'fails over no body': () => ({
      read: (text) => (text === '' ? { quote: {}, shipping_address: {} } : JSON.parse(text)),
    }),
    'answers half a body': () => ({
      read: (text) => {
        try {
          return JSON.parse(text)
        } catch {
          return { quote: {} }
        }
      },
    }),
  },
  'hostile-list-to-shipment-methods': { 'fails over a list': refuses(undefined, Array.isArray) },
  'hostile-large-to-shipment-methods': {
    'fails over a large body': refuses(undefined, (_, text) => text.length > 512 * 1024, 502),
  },
  'hostile-wrong-types-to-payment-methods': {
    'fails over wrong types': refuses('payment_methods', (body) => typeof body.shop === 'string'),
  },
  'hostile-unknown-path': { 'answers every path': () => ({ notFound: () => ({ status: 200, body: {} }) }) },
  'hostile-start-without-order': {
    'starts a payment without an order': (parts) => ({
      refuse: () => undefined,
      start: (body) => (body.order ? parts.start(body) : { status: 201, body: {} }),
    }),
  },
  'hostile-redirect-script': { 'takes a script for redirect_url': () => ({ refuse: () => undefined }) },
  'hostile-no-insides': {
    'shows its stack': sends((answer) =>
      answer.status >= 400 ? { ...answer, body: { error: new Error('boom').stack } } : answer,
    ),
  },
  'hostile-values-not-repeated': {
    'repeats values in its errors': (parts) => ({
      refuse: (path, text, body) =>
        typeof body?.quote === 'string'
          ? { status: 422, body: { error: `no quote: ${body.quote}` } }
          : parts.refuse(path, text, body),
    }),
  },
  // Around the messages.
  'no-cookies': { 'sets a cookie': allHeaders('set-cookie', 'session=1') },
  'no-software-named': { 'names its software': allHeaders('x-powered-by', 'PHP/7.4') },
  'methods-not-kept': {
    'lets rates be kept': header('shipmentMethods', 'cache-control', 'public, max-age=300'),
  },
  'rates-within-ten-seconds': { 'takes eleven seconds for rates': slow('shipmentMethods', 11_000) },
  'payments-within-three-seconds': {
    'takes three seconds for payment methods': slow('paymentMethods', 3_100),
  },
  'start-within-five-seconds': { 'takes five seconds for a start': slow('start', 5_100, 0) },
  'status-within-five-seconds': { 'takes five seconds for a status': slow('status', 5_100, 0) },
  'endpoint-beside': { 'answers every token': () => ({ knows: (path) => /^\/e\/[^/]+\//.test(path) }) },
  'endpoint-beside-looks-unknown': {
    'distinguishes unknown tokens from unknown orders': () => ({
      notFound: () => ({ status: 403, body: {} }),
    }),
  },
}

export const faultyProviders: readonly FaultyProvider[] = Object.entries(faults).flatMap(([of, changes]) =>
  Object.entries(changes).map(([fault, change]) => ({ fault, case: of, change })),
)

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
export const lists = (key: ListName, change: (methods: Body[], body: Body) => unknown) =>
  bodies(part[key], (answer, body) => ({ [key]: change(answer[key], body) }))
const each = (key: ListName, fields: object | (() => object)) =>
  lists(key, (methods) =>
    methods.map((method) => ({ ...method, ...(typeof fields === 'function' ? fields() : fields) })),
  )
export const rate = (fields: object | (() => object)) => each('shipment_methods', fields)
const without = (key: ListName, field: string) =>
  lists(key, (methods) => methods.map(({ [field]: _, ...method }) => method))

/** Changes the answers for known orders, or for unknown ones. */
export const ofStatus = (status: number, change: (answer: Answer) => Answer) =>
  answers('status', (answer) => (answer.status === status ? change(answer) : answer))
const says = (status: string, of = 200) => ofStatus(of, () => ({ status: 200, body: { status } }))
/** Fails over order ids such as this. */
const failsOver = (has: (id: string) => boolean) =>
  answers('status', (answer, id) => (has(id) ? { status: 500, body: {} } : answer))

/** Refuses messages that have this in them. */
export const refuses =
  (
    path: string | undefined,
    has: (body: Body, text: string) => boolean,
    status = 500,
    said: object = {},
  ): Change =>
  (parts) => ({
    refuse: (route, text, body) =>
      (path ?? route) === route && has(body ?? {}, text)
        ? { status, body: said }
        : parts.refuse(route, text, body),
  })
type Has = (body: Body) => boolean
const rates = (has: Has, status?: number) => refuses('shipment_methods', has, status)
const methods = (has: Has, status?: number) => refuses('payment_methods', has, status)
const payments = (has: Has, status?: number) => refuses('payment', has, status)
const isNone = (value: unknown) => value === '' || value === null || value === false || value === undefined

/** Changes every answer at the end. */
export const sends =
  (send: Behaviour['send']): Change =>
  () => ({ send })

/** Starts payments with what it makes of the request, if it makes anything; `known` is the newest payment of the order. */
export const starts =
  (change: (body: Body, known: Payment | undefined) => unknown): Change =>
  (parts, state) => ({
    start: (body) => parts.start(change(body, state.find(String(body.order.id))) ?? body),
  })
/** Starts payments with these fields of the request changed. */
const startsWith = (fields: (body: Body) => object) => starts((body) => ({ ...body, ...fields(body) }))
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
  (parts) => ({ press: (payment, outcome) => parts.press(payment, outcome === one ? other : outcome) })
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
/** What each provider does wrong, behind the case that must name it, by what that begins with. */
const faults: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  'shipment-methods-': {
    'status: answers 200 to shipment_methods': answers('shipmentMethods', { status: 200 }),
    'list: answers a bare list': bodies('shipmentMethods', (body) => body.shipment_methods),
    'list: answers the words of another platform': bodies('shipmentMethods', () => ({ rates: [] })),
    'content-type: labels JSON as HTML': header('shipmentMethods', 'content-type', 'text/html'),
    'not-empty: offers nothing': lists('shipment_methods', () => []),
    'title: has methods without a title': rate({ title: '' }),
    'id: has methods without an id': without('shipment_methods', 'id'),
    'ids-differ: gives two methods one id': rate({ id: 'same' }),
    'price-excl: has no price without VAT': without('shipment_methods', 'price_excl'),
    'price-numbers: writes prices as text': rate({ price_incl: '6.05' }),
    'prices-agree: has prices that do not add up': rate({ price_incl: 5 }),
    'tax-rate: writes the tax rate as a percentage': rate({ tax_rate: 21 }),
    'no-data: a description without data': rate({ description: null }),
    'flags: writes flags as words': rate({ is_pickup: 'false' }),
    'one-way: has a pickup that is a service point': rate({ is_pickup: true, is_servicepoint: true }),
    'shape: has a description that is a number': rate({ description: 7 }),
    'nowhere: answers 404 for a country without rates': answers('shipmentMethods', (answer, body) =>
      body.shipping_address?.country === 'aq' ? { status: 404, body: {} } : answer,
    ),
    'other-currency: fails over another currency': rates((body) => body.shop?.currency !== 'eur'),
    'heavy: fails over a heavy quote': rates((body) => body.quote?.weight > 1e6),
    'asked-twice: prices by chance': rate(() => ({ id: `door-${Math.random()}` })),
    'at-once: answers one question at a time': oneAtATime('shipmentMethods'),
  },
  'estimate-': {
    'status: needs a customer for an estimate': rates((body) => !body.customer),
    'flag-as-number: knows an estimate by true alone': rates((body) => [1, '1'].includes(body.rate_estimate)),
    'agrees: estimates other prices': lists('shipment_methods', (methods, body) =>
      methods.map((one) => ({ ...one, ...(body.rate_estimate && { price_incl: 12.1, price_excl: 10 }) })),
    ),
    'without-zipcode: needs a zipcode for an estimate': rates(
      (body) => body.rate_estimate && !body.shipping_address.zipcode,
      422,
    ),
  },
  'payment-methods-': {
    'status: answers 200 to payment_methods': answers('paymentMethods', { status: 200 }),
    'list: answers payment methods keyed by number': lists('payment_methods', (methods) => ({ ...methods })),
    'price-incl: has a price below 0': each('payment_methods', { price_incl: -1 }),
    'icon: has an icon over http': each('payment_methods', { icon: 'http://icons.example/a.png' }),
    'icon-name: spells the name of an icon in its own way': each('payment_methods', {
      icon: 'bank-transfer',
    }),
    'data: has data that is text': each('payment_methods', { data: 'card' }),
    'flags: writes post_payment as a word': each('payment_methods', { post_payment: 'no' }),
    'free-order: fails over an order of 0': methods((body) => body.quote?.price_incl === 0),
    'asked-twice: numbers its payment methods anew each time': each('payment_methods', () => ({
      data: { at: Math.random() },
    })),
  },
  'payment-start-': {
    'status: answers 200 to payment': answers('start', { status: 200 }),
    'content-type: labels the start as text': header('start', 'content-type', 'text/plain'),
    'url: answers a path instead of an address': pays('/pay'),
    'url-https: lets customers pay over http': pays(onePage.replace('https', 'http')),
    'each-method: cannot start one of its methods': payments((body) => body.payment_method?.id === 'bank'),
    'method-by-name: looks for the method in id alone': payments(
      (body) => !['card', 'bank'].includes(body.payment_method?.id),
      422,
    ),
    'choice-changed: keeps the first choice of an order': startsWith(({ payment_method }) => ({
      payment_method: { ...payment_method, method: undefined },
    })),
    'of-nothing: lets customers pay nothing': startsWith(({ order }) => ({
      order: { ...order, price_incl: order.price_incl || 0.01 },
    })),
    'addresses-differ: has one payment page for all': pays(onePage),
    'not-guessable: has the order id for a secret': pays((body) => `https://pay.example/${body.order.id}`),
    'page-opens: has a payment page that fails': () => ({ page: () => ({ status: 500, body: 'Oops' }) }),
    'page-not-kept: lets its pages be kept': (parts) => ({
      page: (payment) => ({ ...parts.page(payment), headers: { 'cache-control': 'public, max-age=60' } }),
    }),
    'page-not-framed: lets its pages be framed': (parts) => ({
      page: (payment) => ({ ...parts.page(payment), headers: { 'content-type': 'text/html' } }),
    }),
    'no-customer-data-in-address: puts the e-mail address into payment_url': bodies(
      'start',
      ({ payment_url }, { customer }) => ({
        payment_url: `${payment_url}?email=${encodeURIComponent(customer.email)}`,
      }),
    ),
  },
  'status-': {
    'answered: answers 201 for a status': ofStatus(200, (answer) => ({ ...answer, status: 201 })),
    'word: says its status in capitals': ofStatus(200, ({ body }) => ({
      status: 200,
      body: { status: (body as Body).status.toUpperCase() },
    })),
    'word: says open': says('open'),
    'content-type: labels the status as HTML': header('status', 'content-type', 'text/html'),
    'not-paid-at-start: says paid from the start': says('paid'),
    'unknown-order-not-paid: says paid for an unknown order': says('paid', 404),
    'unknown-order: says cancelled for an unknown order': says('cancelled', 404),
    'odd-order-text: fails over an order id that is text': failsOver((id) => !/^\d+$/.test(id)),
    'odd-order-huge: fails over a huge order id': failsOver((id) => id.length > 15),
    'odd-order-injection: puts order ids into its SQL': failsOver((id) =>
      decodeURIComponent(id).includes("'"),
    ),
    'asking-changes-nothing: ends a payment when its status is asked': (parts, state) => ({
      status: async (orderId) => {
        const answer = await parts.status(orderId)
        const payment = state.find(orderId)
        if (payment) payment.status = 'expired'
        return answer
      },
    }),
    'not-kept: lets the status be kept': header('status', 'cache-control', 'public, max-age=60'),
    'at-once: holds a lock while it answers a status': oneAtATime('status'),
    'within-five-seconds: takes five seconds for a status': slow('status', 5_100, 0),
  },
  'return-': {
    'paid: forgets that somebody has paid': presses(() => {}),
    'cancelled: says expired for cancelled': takesFor('cancelled', 'expired'),
    'pending: takes a slow payment for paid': takesFor('pending', 'paid'),
    'paid-stays: starts a paid order anew': (parts, state) => ({
      start: (body) => {
        state.payments.delete(String(body.order.id))
        return parts.start(body)
      },
    }),
    'again-after-cancelled: refuses to start a cancelled order': (parts, state) => ({
      start: (body) =>
        state.find(String(body.order.id))?.status === 'cancelled'
          ? { status: 409, body: {} }
          : parts.start(body),
    }),
    'page-opened-is-not-paid: pays when its page is opened': (parts) => ({
      page: (payment) => {
        const shown = parts.page(payment)
        payment.status = 'paid'
        return shown
      },
    }),
    'address-kept: cuts the query off redirect_url': startsWith(({ redirect_url }) => ({
      redirect_url: redirect_url.split('?')[0],
    })),
    'address-kept: writes redirect_url anew': startsWith(({ redirect_url }) => ({
      redirect_url: redirect_url.replaceAll('%20', '+'),
    })),
  },
  'webhook-': {
    'called: waits for the customer to return': () => ({ webhook() {} }),
    'address-kept: cuts the query off webhook_url': startsWith(({ webhook_url }) => ({
      webhook_url: webhook_url.split('?')[0],
    })),
    'body: sends a form to the webhook': () => ({
      webhook: ({ webhookUrl }) => calls(webhookUrl, { method: 'POST', body: 'order_id=7' }),
    }),
    'not-at-start: calls the webhook at the start': (parts, state) => ({
      start: async (body) => {
        const answer = await parts.start(body)
        parts.webhook(state.find(String(body.order.id))!, 9)
        return answer
      },
    }),
    'status-inside: calls the webhook before it knows the end': presses((payment, outcome, parts) => {
      parts.webhook(payment, 9)
      // Later than the status is read in the webhook, on a busy machine too.
      setTimeout(() => (payment.status = outcome), 5_000)
    }),
    'repeated: calls the webhook once': (parts) => ({
      press(payment, outcome) {
        payment.status = outcome
        calls(payment.webhookUrl, { method: 'POST', body: '{}' })
        return parts.page(payment)
      },
    }),
  },
  'start-': {
    'repeated: makes a payment of every start': starts((body, known) => {
      if (known?.status === 'pending') known.amount = -1
      return body
    }),
    'at-once: looks first and writes later': (parts, state) => ({
      start: async (body) => {
        const id = String(body.order.id)
        const known = state.find(id)
        await pause(5)
        const racing = state.find(id)
        if (!known && racing) racing.amount = -1
        return parts.start(body)
      },
    }),
    'with-another-amount: keeps the old amount': starts((body, known) =>
      known ? { ...body, order: { ...body.order, price_incl: known.amount } } : body,
    ),
    'within-five-seconds: takes five seconds for a start': slow('start', 5_100, 0),
  },
  'tolerates-': {
    'empty-text-in-shipment-methods: fails over empty text': rates((body) => body.customer?.gender === ''),
    'null-in-shipment-methods: fails over null': rates((body) => body.customer?.phone === null),
    'false-in-payment-methods: fails over false': methods((body) => body.customer?.phone === false),
    'missing-in-payment: needs every field': payments((body) => body.customer?.phone === undefined),
    'address-without-lines-in-shipment-methods: needs a street for rates': rates(
      (body) => body.shipping_address && !body.rate_estimate && isNone(body.shipping_address.address1),
      422,
    ),
    'prices-as-text-in-shipment-methods: reads prices as numbers alone': rates(
      (body) => typeof body.quote?.price_incl === 'string',
    ),
    'prices-as-text-in-payment: reads amounts as numbers alone': payments(
      (body) => typeof body.order?.price_incl === 'string',
    ),
    'house-number-as-number-in-shipment-methods: reads house numbers as text alone': rates(
      (body) => typeof body.shipping_address?.number === 'number',
    ),
    'flags-as-numbers-in-shipment-methods: reads flags as true and false alone': rates(
      (body) => body.rate_estimate === 0,
    ),
    'birthdate-as-timestamp-in-payment: reads dates as Y-m-d alone': payments(
      (body) => !/^\d{4}-/.test(body.customer?.birthdate),
    ),
    'no-totals-in-shipment-methods: needs totals': rates((body) => body.quote && !body.quote.totals),
    'no-email-in-shipment-methods: needs an e-mail address for rates': rates(
      (body) => body.customer?.email === '',
    ),
    'data-as-list-in-payment: fails over data that is a list': payments((body) =>
      Array.isArray(body.payment_method?.data),
    ),
    'unknown-fields-in-payment-methods: refuses fields it does not know': methods(
      (body) => 'extra' in body,
      422,
    ),
    'password-in-payment: refuses a password': payments((body) => 'password' in (body.customer ?? {}), 422),
    'no-products-in-shipment-methods: needs products': rates((body) => body.quote?.products?.length === 0),
    'products-as-object-in-shipment-methods: reads products as a list alone': rates(
      (body) => body.quote && !Array.isArray(body.quote.products),
    ),
    'no-content-type-in-shipment-methods: needs a Content-Type': sends((answer, { method, url, headers }) =>
      method === 'POST' && url?.endsWith('methods') && !headers['content-type']
        ? { status: 415, body: {} }
        : answer,
    ),
    'charset-in-shipment-methods: compares the Content-Type letter by letter': sends((answer, { headers }) =>
      headers['content-type']?.includes('charset') ? { status: 415, body: {} } : answer,
    ),
    'doubled-slash: answers no doubled slash': () => ({ route: (path) => path }),
  },
  'hostile-': {
    'no-body-to-shipment-methods: fails over no body': () => ({
      read: (text) => (text === '' ? { quote: {}, shipping_address: {} } : JSON.parse(text)),
    }),
    'no-body-to-shipment-methods: answers half a body': () => ({
      read: (text) => {
        try {
          return JSON.parse(text)
        } catch {
          return { quote: {} }
        }
      },
    }),
    'list-to-shipment-methods: fails over a list': refuses(undefined, Array.isArray),
    'large-to-shipment-methods: fails over a large body': refuses(
      undefined,
      (_, text) => text.length > 512 * 1024,
      502,
    ),
    'wrong-types-to-payment-methods: fails over wrong types': methods(
      (body) => typeof body.shop === 'string',
    ),
    'unknown-path: answers every path': () => ({ notFound: () => ({ status: 200, body: {} }) }),
    'start-without-order: starts a payment without an order': (parts) => ({
      refuse: () => undefined,
      start: (body) => (body.order ? parts.start(body) : { status: 201, body: {} }),
    }),
    'redirect-script: takes a script for redirect_url': () => ({ refuse: () => undefined }),
    'no-insides: shows its stack': sends((answer) =>
      answer.status >= 400 ? { ...answer, body: { error: new Error('boom').stack } } : answer,
    ),
    'values-not-repeated: repeats values in its errors': (parts) => ({
      refuse: (path, text, body) =>
        typeof body?.quote === 'string'
          ? { status: 422, body: { error: `no quote: ${body.quote}` } }
          : parts.refuse(path, text, body),
    }),
  },
  '': {
    'old-amount-does-not-settle: takes the old amount for the new one': presses((payment, outcome) => {
      payment.status = outcome
    }),
    'methods-not-kept: lets rates be kept': header('shipmentMethods', 'cache-control', 'public, max-age=300'),
    'rates-within-ten-seconds: takes eleven seconds for rates': slow('shipmentMethods', 11_000),
    'payments-within-three-seconds: takes three seconds for payment methods': slow('paymentMethods', 3_100),
    'endpoint-beside: answers every token': () => ({ knows: (path) => /^\/e\/[^/]+\//.test(path) }),
  },
}

export const faultyProviders: readonly FaultyProvider[] = Object.entries(faults).flatMap(([begin, changes]) =>
  Object.entries(changes).map(([title, change]) => {
    const [end, fault] = title.split(': ') as [string, string]
    return { fault, case: `${begin}${end}`, change }
  }),
)

import { describe, expect, test } from 'vitest'
import { sized } from '../long.ts'
import { checked, complaintsIn } from './checked.ts'
import { faultyProviders, lists, ofStatus, rate, refuses, sends, starts } from './faulty-providers.ts'
import type { Answer, Body, Change } from './plain-provider.ts'

// Judgements that were wrong for some providers. Each has a provider that may do so, and one that may not. They run side by side: most of
// a check of a faulty provider is waiting for what does not come.

/** The results of these cases, by name. */
async function judged(change: Change, ...cases: string[]) {
  const { results } = await checked(change, { cases })
  return Object.fromEntries(results.map(({ name, result }) => [name, result]))
}

const passed = (...cases: string[]) => Object.fromEntries(cases.map((name) => [name, 'passed']))

const broken = { status: 500, body: {} }
const complaintsOf = async (change: Change) => complaintsIn(await checked(change))

const withStatus = (status: number): Change =>
  sends((answer) => (answer.status === 201 ? { ...answer, status } : answer))
const methods = (change: (method: Body) => Body): Change => lists('payment_methods', (all) => all.map(change))
const refusing = (has: (body: Body) => boolean, status = 422, said = {}): Change =>
  refuses('payment_methods', has, status, said)

describe.concurrent('each fault is reported once', () => {
  const open = ofStatus(200, (answer) =>
    (answer.body as Body).status === 'pending' ? { status: 200, body: { status: 'open' } } : answer,
  )
  const forgets: Change = (parts) => ({
    press: (payment, outcome) => (outcome === 'paid' ? parts.page(payment) : parts.press(payment, outcome)),
  })
  const lenient: Change = (parts) => ({
    read: (text) => parsedOr(text, {}) ?? {},
    refuse: (path, text, body) => (path === 'payment' ? parts.refuse(path, text, body) : undefined),
    shipmentMethods: (body) => parts.shipmentMethods(body ?? {}),
  })
  test.each<[string, Change, string]>([
    // Everything else is judged by content.
    ['200 in place of 201', withStatus(200), 'failed shipment-methods-status: status 200'],
    [
      '200 with an error in it where the message has a quirk is no answer',
      refusing((body) => body.customer?.phone === null, 200, { error: 'phone' }),
      'failed tolerates-null-in-payment-methods: status 200 and {"error":"phone"}',
    ],
    ['a start that fails', () => ({ start: () => broken }), 'failed payment-start-status: status 500'],
    [
      'a rate in per cent, in the cart and in the checkout',
      rate({ tax_rate: 21 }),
      'failed shipment-methods-tax-rate: shipment_methods[0].tax_rate 21',
    ],
    ['a word for pending that the contract does not have', open, 'failed status-word: open'],
    ['a payment that is never paid', forgets, 'failed return-paid: pending'],
    ['no webhook, but reports in another way', () => ({ webhook() {} }), 'failed webhook-called: no call'],
    ['a list for what is no message', lenient, 'advice hostile-no-body-to-shipment-methods: status 201'],
  ])('%s', async (_what, change, complaint) => {
    expect(await complaintsOf(change)).toEqual([complaint])
  })

  test('fields without data are advice, once for each list, and break no other rule', async () => {
    const nothing = { description: null, address: '', tax_rate: null, is_pickup: '', is_servicepoint: null }
    // Empty text is text.
    const free = {
      price_incl: null,
      price_excl: null,
      tax_rate: null,
      data: '',
      icon: '',
      post_payment: null,
    }
    const both: Change = (...given) => ({
      ...methods((method) => ({ ...method, ...free }))(...given),
      ...rate(nothing)(...given),
    })
    expect(await complaintsOf(both)).toEqual([
      'advice shipment-methods-no-data: shipment_methods[0].description null',
      expect.stringMatching(/^advice payment-methods-no-data: payment_methods\[0\]\.\w+ (null|"")$/),
    ])
  })

  test('lists written as objects, JSON with another label, and methods without an id', async () => {
    const asObjects: Change = sends((answer) => {
      const lists = Object.entries((answer.body ?? {}) as object).map(([key, list]) => [
        key,
        Array.isArray(list) ? { ...list.map(({ id: _, ...method }: Body) => method) } : list,
      ])
      return typeof answer.body === 'string' ? answer : { ...answer, body: Object.fromEntries(lists) }
    })
    const html: Change = sends((answer) => ({
      ...answer,
      headers: { 'content-type': 'text/html', ...answer.headers },
    }))
    const both: Change = (...given) => {
      const [one, other] = [asObjects(...given).send!, html(...given).send!]
      return { send: (answer, req) => other(one(answer, req), req) }
    }
    expect(await complaintsOf(both)).toEqual([
      expect.stringMatching(/^failed shipment-methods-list: \{"shipment_methods":\{"0":/),
      'failed shipment-methods-content-type: text/html',
      'advice shipment-methods-id: shipment_methods[0].id nothing',
    ])
  })

  test('a payment that ends in a word the contract does not have is waited for once for each end', async () => {
    const times = new Map<string, number>()
    const counted: Change = (parts) => ({
      async status(orderId) {
        times.set(orderId, (times.get(orderId) ?? 0) + 1)
        const answer = await parts.status(orderId)
        return answer.status === 200 ? { ...answer, body: { status: 'open' } } : answer
      },
    })
    expect(await complaintsOf(counted)).toEqual(['failed status-word: open'])
    // No case but one that waits reads a status so often.
    expect([...times.values()].filter((count) => count > 12).length).toBeLessThanOrEqual(3)
  })
})

/** Each has one fault that several cases meet. */
const once = [
  'answers a bare list',
  'keeps the old amount',
  'answers a path instead of an address',
  'has a price below 0',
  'writes flags as words',
  'looks for the method in id alone',
  'says cancelled for an unknown order',
  'says paid for an unknown order',
  'makes a payment of every start',
  'calls the webhook at the start',
]

test.concurrent.each(once.slice(0, sized(3, once.length)))(
  'a provider that %s: one complaint',
  async (fault) => {
    const provider = faultyProviders.find((one) => one.fault === fault)!
    const complaints = await complaintsOf(provider.change)
    expect(complaints).toEqual([expect.stringMatching(new RegExp(`^(failed|advice) ${provider.case}: `))])
  },
)

describe.concurrent('the contract leaves open', () => {
  test('the answer for an unknown order: advice, and a failure only where it is paid', async () => {
    const cases = ['status-unknown-order-not-paid', 'status-unknown-order', 'status-odd-order-text'] as const
    const resultsOf = async (answer: Answer) => {
      const found = await judged(
        ofStatus(404, () => answer),
        ...cases,
      )
      return cases.map((name) => found[name])
    }
    const says = (status: string) => resultsOf({ status: 200, body: { status } })
    expect(await says('unpaid')).toEqual(['passed', 'advice', 'skipped'])
    expect(await says('paid')).toEqual(['failed', 'skipped', 'skipped'])
    expect(await resultsOf(broken)).toEqual(['passed', 'advice', 'advice'])
  })

  test.each<[string, Change]>([
    ['hostile-half-json-to-payment-methods', () => ({ read: (text) => parsedOr(text, { quote: {} }) })],
    ['tolerates-ids-as-text-in-payment-methods', refusing((body) => typeof body.quote?.id === 'string')],
    ['tolerates-language-with-country-in-payment-methods', refusing((body) => body.shop?.language !== 'en')],
  ])('%s: advice', async (name, change) => {
    expect(await judged(change, name)).toEqual({ [name]: 'advice' })
  })

  test('fields without data are null by the contract: a failure', async () => {
    const name = 'tolerates-null-in-payment-methods'
    const change = refusing((body) => body.customer?.phone === null)
    expect(await judged(change, name)).toEqual({ [name]: 'failed' })
  })

  test('the answer to a repeated start of a paid order', async () => {
    const name = 'return-paid-stays'
    const refuses: Change = (parts, state) => ({
      start: (body) =>
        state.find(String(body.order.id))?.status === 'paid' ? { status: 409, body: {} } : parts.start(body),
    })
    expect(await judged(refuses, name)).toEqual({ [name]: 'passed' })
    const { change } = faultyProviders.find((one) => one.fault === 'starts a paid order anew')!
    expect(await judged(change, name)).toEqual({ [name]: 'failed' })
  })
})

describe.concurrent('payment methods', () => {
  test.each<[string, (method: Body) => Body, Record<string, string>]>([
    [
      'without prices are free',
      ({ price_incl: _, price_excl: __, tax_rate: ___, ...method }) => method,
      passed('payment-methods-price-incl', 'payment-methods-price-excl'),
    ],
    [
      'with a price without VAT alone are not',
      ({ price_incl: _, ...method }) => ({ ...method, price_excl: 1 }),
      { 'payment-methods-price-incl': 'failed' },
    ],
    [
      'of 1 eur without a price without VAT are not either',
      ({ price_excl: _, ...method }) => ({ ...method, price_incl: 1, tax_rate: undefined }),
      { 'payment-methods-price-excl': 'advice' },
    ],
    [
      'without an id can be paid with',
      ({ id: _, ...method }) => method,
      { 'payment-methods-id': 'advice', ...passed('payment-methods-shape', 'payment-start-each-method') },
    ],
    [
      'of text are none',
      () => 'card',
      {
        ...passed('payment-methods-title'),
        'payment-methods-shape': 'failed',
        'payment-start-url': 'skipped',
      },
    ],
  ])('%s', async (_what, change, results) => {
    expect(await judged(methods(change), ...Object.keys(results))).toEqual(results)
  })

  test.each([
    ['banktransfer', 'passed', 'passed', 'skipped'],
    ['a-brand', 'passed', 'passed', 'skipped'],
    ['', 'passed', 'passed', 'skipped'],
    ['gift_card', 'passed', 'advice', 'skipped'],
    ['Gift card', 'failed', 'passed', 'skipped'],
    ['https://icons.invalid/a.png', 'passed', 'passed', 'skipped'],
  ])('the icon %j is %s, its name %s and its size %s', async (icon, ...results) => {
    const cases = ['payment-methods-icon', 'payment-methods-icon-name', 'payment-methods-icon-size']
    const change = methods((method) => ({ ...method, icon }))
    const found = await judged(change, ...cases)
    expect(cases.map((name) => found[name])).toEqual(results)
  })

  test('and the data of the chosen one comes back', async () => {
    const seen: Body[] = []
    await checked(noting(seen), { cases: ['payment-start-status'] })
    expect(seen[0].payment_method.data).toEqual({ kind: 'card' })
  })
})

test.concurrent('the shop goes along in the start of a payment where it is known', async () => {
  const seen: Body[] = []
  for (const shopId of [undefined, 4711])
    await checked(noting(seen), { cases: ['payment-start-status'], shopId })
  expect(seen.map(({ shop }) => shop)).toEqual([undefined, { id: 4711, language: 'en', currency: 'eur' }])
})

test.concurrent('a provider that refuses an unnamed shop with 200 and an error is asked for a named one', async () => {
  const needsShop: Change = (parts) => ({
    refuse: (path, text, body) =>
      body?.shop?.id === undefined
        ? { status: 200, body: { error: 'shop' } }
        : parts.refuse(path, text, body),
  })
  const cases = ['shipment-methods-list', 'payment-start-status']
  expect(await checked(needsShop, { cases })).toMatchObject({ passed: 2 })
})

describe.concurrent('the payment page', () => {
  const linked: Change = (parts, state) => ({
    page: (payment) => {
      const links = ['paid', 'cancelled'].map(
        (word) => `<a href="/press/${payment.token}/${word}"> ${word}</a>`,
      )
      return payment.status === 'pending'
        ? {
            ...parts.page(payment),
            body: `<!doctype html>${links.join('')}<a href="mailto:x@y.example">paid</a>`,
          }
        : { status: 410, body: 'This checkout is over.' }
    },
    notFound: () => ({ status: 404, body: {} }),
    route: (path) => path,
    knows: (path) => parts.knows(path) || path.startsWith('/press/'),
    send: (answer, req) => {
      const [, token, word] = /^\/press\/([\w-]+)\/(\w+)$/.exec(req.url ?? '') ?? []
      const payment = [...state.payments.values()].flat().find((one) => one.token === token)
      if (!payment) return answer
      parts.press(payment, word!)
      return { status: 303, headers: { location: payment.redirectUrl } }
    },
  })

  test('links are pressed like buttons, and a finished checkout is left through its own redirect', async () => {
    const cases = ['return-paid', 'return-cancelled', 'return-address-kept']
    expect(await judged(linked, ...cases)).toEqual(passed(...cases))
  })

  test('and a redirect to another address is still found out', async () => {
    const elsewhere: Change = (parts, state) => ({
      ...linked(parts, state),
      start: (body) => parts.start({ ...body, redirect_url: body.redirect_url.split('?')[0] }),
    })
    expect(await judged(elsewhere, 'return-address-kept')).toEqual({ 'return-address-kept': 'failed' })
  })
})

/** Notes the starts of payments. */
const noting = (seen: Body[]): Change => starts((body) => void seen.push(body))

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

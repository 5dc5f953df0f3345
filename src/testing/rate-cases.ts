import assert from 'node:assert/strict'
import { neededFields } from '../adapters/needs.ts'
import { checkShipmentMethods } from '../adapters/offered-methods.ts'
import type { AnyRateAdapter } from '../any-adapter.ts'
import { wrongCall } from '../errors/errors.ts'
import type { MessageOptions } from '../messages/options.ts'
import { decimal } from '../money/index.ts'
import type { RateAnswer } from '../rates/adapter.ts'
import { withPromises } from '../rates/method-promises.ts'
import { type AdapterCase, casesOf, frozen, register, type Test, unless, within } from './adapter-case.ts'
import { type PaymentSubject, paymentCases } from './payment-cases.ts'
import {
  checkoutRequest,
  estimateRequest,
  prepareContext,
  rateContext,
  type Surroundings,
} from './subjects.ts'

/** Registers the rules for every rate adapter as tests: `testRateAdapter({ test, adapter, to: { country: 'nl' } })`. */
export function testRateAdapter(given: RateSubject & { test: Test }): void {
  const { test, ...subject } = takenBy('testRateAdapter', given)
  register(test, rateCases, subject)
}

/** Registers the rules for every payment adapter as tests: `testPaymentAdapter({ test, adapter, push })`. */
export function testPaymentAdapter(given: PaymentSubject & { test: Test }): void {
  const { test, ...subject } = takenBy('testPaymentAdapter', given)
  register(test, paymentCases, subject)
}

function takenBy<T extends { test: Test; adapter: object }>(call: string, given: T): T {
  const { test, adapter } = Object(given) as Partial<T>
  if (typeof test === 'function' && typeof adapter === 'object' && adapter !== null) return given
  throw wrongCall(`${call}() takes an object such as { test, adapter }`)
}

/** The rate adapter under test, with what it needs. */
export interface RateSubject extends Surroundings {
  adapter: AnyRateAdapter
  /** A destination with rates. Default Amsterdam. */
  to?: MessageOptions
}

const patience = 2_000
const audience = { language: 'en', currency: 'eur', convert: ({ amount }: { amount: string }) => amount }

async function quoted(subject: RateSubject, to = subject.to, surroundings: Surroundings = {}) {
  const { adapter } = subject
  const ctx = rateContext(adapter, { ...subject, ...surroundings })
  const request = checkoutRequest(adapter, to)
  const answer = await within(patience, 'quote()', adapter.quote(request, ctx))
  return withPromises(adapter, answer, request.shipping_address, ctx)
}

async function estimated({ adapter, to, ...subject }: RateSubject): Promise<RateAnswer> {
  const request = frozen(estimateRequest(to))
  const ctx = rateContext(adapter, subject)
  const ask = adapter.estimate
  if (typeof ask === 'function') return within(patience, 'estimate()', ask(request, ctx))
  // Calls `quote` for a cart, as the framework does: nothing is known of the customer.
  const asQuote = { ...request, customer: {}, billing_address: {} } as never
  return within(patience, 'quote()', adapter.quote(asQuote, ctx))
}

/** The methods of an answer in their wire form. */
function leaving({ name, allowNegative }: AnyRateAdapter, answer: RateAnswer) {
  if (!Array.isArray(answer)) {
    assert.equal(typeof answer?.none, 'string', "quote() answers a list of methods, or none('why')")
    return []
  }
  const { methods, leftOut } = checkShipmentMethods(name, answer, { ...audience, allowNegative })
  assert.deepEqual(leftOut, [], 'methods would be left out')
  return methods
}

const noEstimate = ({ adapter }: RateSubject) => (adapter.estimate ? undefined : 'it answers no estimates')
const rows = (methods: { id: string; price_incl: unknown }[]) =>
  methods.map(({ id, price_incl }) => `${id} ${price_incl}`)

/** The rules for every rate adapter. */
export const rateCases: readonly AdapterCase<RateSubject>[] = casesOf<RateSubject>({
  async 'it has a name, and its needs are existing fields'({ adapter }) {
    assert.match(adapter.name, /^[a-z0-9][\w-]*$/i)
    neededFields([adapter])
  },
  'it starts': unless(
    ({ adapter }) => (adapter.prepare ? undefined : 'it has nothing to prepare'),
    async (subject) => within(patience, 'prepare()', subject.adapter.prepare?.(prepareContext(subject))),
  ),
  async 'it offers methods for a destination with rates, and all of them are valid'(subject) {
    const methods = leaving(subject.adapter, await quoted(subject))
    assert.notEqual(methods.length, 0, 'no method; name a destination with rates in `to`')
  },
  async 'no two methods have the same id'(subject) {
    const ids = leaving(subject.adapter, await quoted(subject)).map(({ id }) => id)
    assert.deepEqual(ids, [...new Set(ids)])
  },
  async 'prices with and without VAT agree with the tax rate'(subject) {
    for (const { id, price_incl, price_excl, tax_rate } of leaving(subject.adapter, await quoted(subject))) {
      const computed = decimal(price_excl!).times(decimal(tax_rate!).plus(1))
      const agrees = computed.minus(price_incl).abs().lte('0.011')
      assert.ok(agrees, `${id}: ${price_excl}, ${tax_rate} and ${price_incl}`)
    }
  },
  async 'the same request gets the same answer'(subject) {
    const [one, other] = [await quoted(subject), await quoted(subject)]
    assert.deepEqual(leaving(subject.adapter, other), leaving(subject.adapter, one))
  },
  async 'twenty simultaneous requests get the same answer'(subject) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => quoted(subject)))
    for (const answer of answers)
      assert.deepEqual(leaving(subject.adapter, answer), leaving(subject.adapter, answers[0]!))
  },
  async 'it does not change its request'({ adapter, to, ...subject }) {
    const request = frozen(checkoutRequest(adapter, to))
    await within(patience, 'quote()', adapter.quote(request, rateContext(adapter, subject)))
  },
  async 'a destination without rates gets no methods, not an error'(subject) {
    leaving(subject.adapter, await quoted(subject, { country: 'aq', zipcode: '' }))
  },
  async 'an address without data is answered, not an error'({ adapter, ...subject }) {
    const request = checkoutRequest(adapter, {}, (body) => {
      for (const part of ['billing_address', 'shipping_address']) body[part] = {}
      body.customer = {}
    })
    leaving(adapter, await within(patience, 'quote()', adapter.quote(request, rateContext(adapter, subject))))
  },
  async 'a quote without weight and products gets no price of 0'({ adapter, to, ...subject }) {
    const request = checkoutRequest(adapter, to, (body) => {
      Object.assign(body.quote, { weight: '', volume: '', products: [] })
    })
    const asked = Promise.resolve().then(() => adapter.quote(request, rateContext(adapter, subject)))
    // An adapter that needs a weight may answer none, or fail.
    leaving(adapter, await within(patience, 'quote()', asked).catch(() => ({ none: '' })))
  },
  async 'a network failure is an error, or the usual answer, and never another price'(subject) {
    const fails = { fetch: () => Promise.reject(new TypeError('fetch failed')) }
    const answer = await quoted(subject, subject.to, fails).catch(() => undefined)
    if (answer === undefined) return
    const always = leaving(subject.adapter, await quoted(subject))
    const failed = leaving(subject.adapter, answer)
    // A fallback has methods of its own.
    for (const method of failed) assert.deepEqual(method, always.find(({ id }) => id === method.id) ?? method)
  },
  async 'quote() stops at its deadline'({ adapter, to, ...subject }) {
    const ctx = rateContext(adapter, { ...subject, signal: AbortSignal.abort() })
    const asked = Promise.resolve().then(() => adapter.quote(checkoutRequest(adapter, to), ctx))
    const answered = within(patience, 'quote() after its deadline', asked)
    await answered.catch((error: Error) => assert.doesNotMatch(error.message, /took longer/))
  },
  'an estimate needs no more than zipcode and country': unless(
    noEstimate,
    async (subject) => void leaving(subject.adapter, await estimated(subject)),
  ),
  'an estimate has the prices of the checkout': unless(noEstimate, async (subject) => {
    const offered = rows(leaving(subject.adapter, await quoted(subject)))
    for (const row of rows(leaving(subject.adapter, await estimated(subject))))
      assert.ok(offered.includes(row), row)
  }),
  'equal requests have one cache key, and another address has another': unless(
    ({ adapter }) => (adapter.cache?.key ? undefined : 'it has no cache key of its own'),
    async ({ adapter, to, ...subject }) => {
      const ctx = rateContext(adapter, subject)
      const key = (where?: MessageOptions) => adapter.cache?.key?.(checkoutRequest(adapter, where), ctx)
      assert.equal(key(to), key(to))
      assert.notEqual(key({ ...to, country: 'de', zipcode: '10115' }), key(to))
    },
  ),
})
